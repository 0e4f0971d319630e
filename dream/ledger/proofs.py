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


def check(proof: Any, verifier: Verifier, key: str = "", kept: str = "") -> Checked:
    """Check a proof.

    Args:
        key: the verifier line that is trusted; "" trusts the one in the proof, which shows that the proof holds
            together, not who signed it.
        kept: a checkpoint (signed note) that the reader kept from elsewhere; the proof must be of it.
    """
    try:
        trusted = checkpoint.Key.read(key or str(proof["key"]))
        if trusted is None:
            return Checked(False, "The key is no verifier line NAME+ID+BASE64, and no file that holds one.")
        told = _signed(str(proof["checkpoint"]), trusted, verifier)
        if told is None:
            return Checked(False, f"The proof's checkpoint is not signed by the key {_named(trusted)}.")
        path = [bytes.fromhex(each) for each in proof["path"]]
        kind = proof["kind"]
        if kind == "inclusion":
            done, trees = _inclusion(proof, told, path), [told]
        elif kind == "consistency":
            older = checkpoint.Checkpoint(told.origin, int(proof["size"]), bytes.fromhex(proof["root"]))
            done, trees = _consistency(older, told, path), [older, told]
        else:
            return Checked(False, f"Dream knows no proof of kind {kind!r}.")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else f"{error}"
        return Checked(False, f"This is not a proof of Dream's ledger: {what}.")
    return _of_kept(trees, _signed(kept, trusted, verifier), trusted) if done.ok and kept else done


def _signed(note: str, key: checkpoint.Key, verifier: Verifier) -> checkpoint.Checkpoint | None:
    text = checkpoint.opened(note, key, verifier)
    return checkpoint.parse(text) if text is not None else None


def _named(key: checkpoint.Key) -> str:
    return f"{key.name}+{key.id.hex()}"


def _inclusion(proof: dict[str, Any], told: checkpoint.Checkpoint, path: list[bytes]) -> Checked:
    seq, leaf = int(proof["seq"]), merkle.leaf_hash(str(proof["leaf"]).encode("utf-8", "surrogatepass"))
    if not 0 <= seq < told.size:
        return Checked(False, f"There is no entry {seq} in a log of {told.size}.")
    if merkle.root_from_inclusion(leaf, seq, told.size, path) != told.root:
        return Checked(False, f"The path does not lead from this entry {seq} to the signed root.")
    return Checked(True, f"Entry {seq} is in {told.origin}, of {told.size} entries.")


def _consistency(older: checkpoint.Checkpoint, told: checkpoint.Checkpoint, path: list[bytes]) -> Checked:
    if not merkle.consistent(older.size, told.size, older.root, told.root, path):
        return Checked(False, f"The tree of {older.size} entries with this root is not the start of the signed one.")
    sentence = f"The first {older.size} of the {told.size} entries of {told.origin} are those of the older tree."
    return Checked(True, sentence)


def _of_kept(trees: list[checkpoint.Checkpoint], kept: checkpoint.Checkpoint | None, key: checkpoint.Key) -> Checked:
    """Whether what was proved is proved of the checkpoint that was kept."""
    if kept is None:
        return Checked(False, f"The checkpoint that was kept is not signed by the key {_named(key)}.")
    for tree in trees:
        if tree.origin != kept.origin:
            return Checked(False, f"The checkpoint that was kept is of {kept.origin}, the proof of {tree.origin}.")
        if tree == kept:
            return Checked(True, f"It holds, and of the checkpoint of {kept.size} entries that was kept.")
        if tree.size == kept.size:
            sentence = f"The checkpoint that was kept has another root for {kept.size} entries: the log was replaced."
            return Checked(False, sentence)
    sizes = " and ".join(str(tree.size) for tree in trees)
    return Checked(
        False,
        f"The proof is of {sizes} entries, the checkpoint that was kept of {kept.size}: "
        f"print `dream ledger prove --consistency {kept.size}` and check that with it.",
    )


def _read(home: Home, verifier: Verifier) -> tuple[Log, Head, list[bytes]]:
    log = log_of(home, verifier)
    found = follow(log, Head())
    if found.fault is not None:
        raise LedgerTampered(found.fault.sentence, found.fault.hint, found.fault.seq)
    return log, found.head, [raw.header for raw in entries(log.folder, log.id, 0) if raw.seq < found.head.size]
