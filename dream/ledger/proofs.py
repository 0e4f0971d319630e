"""Proofs that stand alone: an entry is in the signed tree (inclusion), a tree is the start of a later one.

A proof is a plain object that can be printed, sent, and checked by anyone who holds the log's public key; no part of
the log but the entry's header is needed. Form and meaning are in docs/ledger.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dream.errors import LedgerTampered, UsageError
from dream.ledger import checkpoint, merkle
from dream.ledger.follow import Log, entries, follow
from dream.ledger.head import Head
from dream.ledger.whose import log_of
from dream.paths import Home
from dream.ports import Verifier


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a proof holds, and a sentence on what it shows or why it fails."""

    ok: bool
    sentence: str


def prove(home: Home, verifier: Verifier, seq: int) -> dict[str, Any]:
    """The proof that entry `seq` is in the log as it is signed now.

    Raises:
        UsageError: there is no such entry.
        LedgerTampered: the log does not verify, so nothing can be proved of it.
    """
    log, head, headers = _read(home, verifier)
    if not 0 <= seq < head.size:
        raise UsageError(f"There is no entry {seq}; the ledger holds {head.size}, from 0.", "See `dream ledger log`.")
    leaves = [merkle.leaf_hash(header) for header in headers]
    return {
        "kind": "inclusion",
        "seq": seq,
        "leaf": headers[seq].decode(),
        "path": [each.hex() for each in merkle.inclusion_proof(leaves, seq)],
        "checkpoint": head.note,
        "key": log.key.line(),
    }


def prove_consistency(home: Home, verifier: Verifier, older: int) -> dict[str, Any]:
    """The proof that the tree of the first `older` entries is the start of the log as it is signed now.

    Raises:
        UsageError: the log never had that size.
        LedgerTampered: the log does not verify.
    """
    log, head, headers = _read(home, verifier)
    if not 0 < older <= head.size:
        raise UsageError(f"The ledger holds {head.size} entries; it never had {older}.", "Give a size from 1 on.")
    leaves = [merkle.leaf_hash(header) for header in headers]
    return {
        "kind": "consistency",
        "size": older,
        "root": merkle.root(leaves[:older]).hex(),
        "path": [each.hex() for each in merkle.consistency_proof(leaves, older)],
        "checkpoint": head.note,
        "key": log.key.line(),
    }


def check(proof: Any, verifier: Verifier, key: str = "") -> Checked:
    """Check a proof.

    Args:
        key: the verifier line that is trusted; "" trusts the one in the proof, which shows that the proof holds
            together, not who signed it.
    """
    try:
        trusted = checkpoint.Key.read(key or str(proof["key"]))
        text = checkpoint.opened(str(proof["checkpoint"]), trusted, verifier) if trusted is not None else None
        told = checkpoint.parse(text) if text is not None else None
        if trusted is None or told is None:
            return Checked(False, "The checkpoint is not signed by the key.")
        path = [bytes.fromhex(each) for each in proof["path"]]
        if proof["kind"] == "inclusion":
            return _inclusion(proof, told, path)
        if proof["kind"] == "consistency":
            return _consistency(proof, told, path)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Checked(False, "This is not a proof of Dream's ledger.")
    return Checked(False, f"Dream knows no proof of kind {proof['kind']!r}.")


def _inclusion(proof: dict[str, Any], told: checkpoint.Checkpoint, path: list[bytes]) -> Checked:
    seq, leaf = int(proof["seq"]), merkle.leaf_hash(str(proof["leaf"]).encode("utf-8", "surrogatepass"))
    if merkle.root_from_inclusion(leaf, seq, told.size, path) != told.root:
        return Checked(False, f"The path does not lead from this entry {seq} to the signed root.")
    return Checked(True, f"Entry {seq} is in {told.origin}, of {told.size} entries.")


def _consistency(proof: dict[str, Any], told: checkpoint.Checkpoint, path: list[bytes]) -> Checked:
    size, root = int(proof["size"]), bytes.fromhex(proof["root"])
    if not merkle.consistent(size, told.size, root, told.root, path):
        return Checked(False, f"The tree of {size} entries with this root is not the start of the signed one.")
    return Checked(True, f"The first {size} of the {told.size} entries of {told.origin} are those of the older tree.")


def _read(home: Home, verifier: Verifier) -> tuple[Log, Head, list[bytes]]:
    log = log_of(home, verifier)
    found = follow(log, Head())
    if found.fault is not None:
        raise LedgerTampered(found.fault.sentence, found.fault.hint, found.fault.seq)
    return log, found.head, [raw.header for raw in entries(log.folder, log.id, 0) if raw.seq < found.head.size]
