"""The signed tree head: a C2SP checkpoint (c2sp.org/tlog-checkpoint) in a signed note (c2sp.org/signed-note).

A note is text that ends in a newline, an empty line, and signature lines `— NAME BASE64(key id || signature)`.
The key id is the first four bytes of SHA-256(name || 0x0A || 0x01 || public key); 0x01 stands for Ed25519.
The checkpoint's text is three lines: the log's origin, the size in decimal, the root in base64.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

from dream.ports import Signer, Verifier

_ED25519 = b"\x01"
_DASH = "— "


@dataclass(frozen=True, slots=True)
class Key:
    """A public key as a verifier line `NAME+KEYID+BASE64(0x01 || key)` names it."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    def line(self) -> str:
        """The verifier line."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(_ED25519 + self.public).decode()}"

    @classmethod
    def read(cls, line: str) -> Key | None:
        """The key of a verifier line; None where it is not one, or its id does not fit."""
        parts = line.strip().split("+", 2)
        if len(parts) != 3:
            return None
        raw = bytes_of(parts[2])
        if raw is None:
            return None
        key = cls(parts[0], raw[1:])
        return key if raw[:1] == _ED25519 and len(raw) == 33 and key.id.hex() == parts[1] else None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a log has come: `size` entries whose tree has this `root`."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def origin_of(log: str) -> str:
    """The first line of every checkpoint of the log with this id."""
    return f"dream/{log}"


def sign(text: str, signer: Signer) -> str:
    """The signed note over `text`, which ends in a newline."""
    key = Key(signer.name, signer.public)
    signature = base64.b64encode(key.id + signer.sign(text.encode())).decode()
    return f"{text}\n{_DASH}{key.name} {signature}\n"


def opened(note: str, key: Key, verifier: Verifier) -> str | None:
    """The text of a note that `key` signed; None where no signature line of that key verifies."""
    text, gap, signatures = note.rpartition("\n\n")
    if not gap or not signatures.endswith("\n"):
        return None
    text += "\n"
    for line in signatures[:-1].split("\n"):
        name, _, encoded = line.removeprefix(_DASH).partition(" ")
        if not line.startswith(_DASH) or name != key.name:
            continue
        raw = bytes_of(encoded)
        if raw is None:
            continue
        if raw[:4] == key.id and verifier.verify(key.public, text.encode(), raw[4:]):
            return text
    return None


def parse(text: str) -> Checkpoint | None:
    """The checkpoint that a note's text or a whole note begins with; None where there is none.

    Nothing is said about its signature.
    """
    lines = text.split("\n", 3)
    if len(lines) < 4 or not lines[1].isascii() or not lines[1].isdigit() or str(int(lines[1])) != lines[1]:
        return None
    root = bytes_of(lines[2])
    return Checkpoint(lines[0], int(lines[1]), root) if root is not None and len(root) == 32 else None


def bytes_of(encoded: str) -> bytes | None:
    """What base64 says; None where it is not the one way to write those bytes (unused bits set, other characters)."""
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if base64.b64encode(raw).decode() == encoded else None
