"""The signing key: 32 secret bytes in `keys/ledger.key`, made once by init, never replaced in silence, never leaving.

The public half lies beside the log (`ledger/key.pub`, a verifier line), so what was signed can be checked for good,
also where the secret is lost.
"""

from __future__ import annotations

import base64
import binascii
import os
import stat

from dream.errors import DreamError
from dream.ledger import durable
from dream.ledger.checkpoint import Key
from dream.paths import Home

SEED_BYTES = 32


class KeyProblem(DreamError):
    """The signing key is missing, open to others, broken, or another store's."""

    code = "key"


def secret_path(home: Home) -> str:
    """Where the secret lies."""
    return str(home.keys / "ledger.key")


def create(home: Home, seed: bytes) -> None:
    """Write a new secret key, readable by its owner alone.

    Raises:
        KeyProblem: there is one, or the log was signed by one: a new key would not fit it.
    """
    path = home.keys / "ledger.key"
    if path.exists():
        raise KeyProblem(f"There is a key at {path} already.", "Keep it: the ledger is signed with it.")
    if public(home) is not None:
        raise _missing(home)
    home.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, base64.b64encode(seed) + b"\n")
        durable.fsync(descriptor)
    finally:
        os.close(descriptor)
    durable.sync_folder(home.keys)


def read_seed(home: Home) -> bytes:
    """The secret bytes.

    Raises:
        KeyProblem: the key is missing, readable by others, or no key.
    """
    path = home.keys / "ledger.key"
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise _missing(home) from None
    if os.name != "nt" and stat.S_IMODE(mode) & 0o077:
        raise KeyProblem(
            f"The key {path} can be read by others (mode {stat.S_IMODE(mode):04o}).",
            f"If nobody else used it: chmod 600 '{path}', then try again.",
        )
    try:
        seed = base64.b64decode(path.read_bytes().strip(), validate=True)
    except binascii.Error:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise KeyProblem(f"{path} is not a key of Dream.", "Put the right file back from a copy of DREAM_HOME.")
    return seed


def public(home: Home) -> Key | None:
    """The public key the log is signed with; None where no log was begun.

    Raises:
        KeyProblem: the file is there and is no verifier line.
    """
    path = home.ledger / "key.pub"
    try:
        line = path.read_bytes().decode("ascii")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        line = ""
    key = Key.read(line)
    if key is None or key.line() + "\n" != line:
        raise KeyProblem(f"{path} is not a verifier line.", "Put the right file back from a copy of DREAM_HOME.")
    return key


def _missing(home: Home) -> KeyProblem:
    path = home.keys / "ledger.key"
    if not (home.ledger / "key.pub").exists():
        return KeyProblem(f"There is no store in {home.root} yet: no key at {path}.", "Run `dream init`.")
    return KeyProblem(
        f"The key {path} is missing, and the ledger is signed with it; a new one would not fit.",
        "Put the file back from a copy. Until then only `dream ledger verify` works; nothing is lost.",
    )
