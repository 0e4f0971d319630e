"""Which log lies in a store, and whose key signs it."""

from __future__ import annotations

from dream.errors import LedgerSealed
from dream.ledger import checkpoint, keys, segment
from dream.ledger.follow import Log
from dream.paths import Home
from dream.ports import Signer, Verifier


def log_of(home: Home, verifier: Verifier) -> Log:
    """The log of a store, for reading and checking; needs no secret.

    Raises:
        KeyProblem: no log was begun.
    """
    key = keys.public(home)
    if key is None:
        raise keys.KeyProblem(f"There is no ledger in {home.root}.", "Run `dream init`.")
    found = segment.paths(home.ledger)
    told = segment.read_first(found[0]) if found else None
    if told is None:
        raise LedgerSealed(f"{home.ledger} holds no segment that can be read.", "Put `ledger/` back from a copy.")
    return Log(home.ledger, str(told["log"]), key, verifier)


def same_key(known: checkpoint.Key, signer: Signer) -> None:
    """Refuse a key that is not the one the log is signed with.

    Raises:
        KeyProblem: it is another one.
    """
    if known.public != signer.public or known.name != signer.name:
        raise keys.KeyProblem(
            "The key in `keys/` is not the one the ledger is signed with: it is another store's or another machine's.",
            "Put the right `keys/ledger.key` back from a copy of DREAM_HOME; nothing was written.",
        )
