"""The Merkle tree of RFC 6962 section 2 (RFC 9162 section 2.1): hashes, roots and proofs; pure functions of bytes.

The *edge* of a tree of `size` leaves is its compact range: the roots of the full subtrees it falls into, one per bit
of `size`, largest first. It is all that is needed to append and to know the root.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

EMPTY = hashlib.sha256(b"").digest()
Edge = tuple[bytes, ...]


def leaf_hash(leaf: bytes) -> bytes:
    """SHA-256 of 0x00 and the leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256 of 0x01 and both children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def extend(edge: Edge, size: int, leaves: Iterable[bytes]) -> tuple[Edge, int]:
    """Append leaf hashes to a tree of `size` leaves; returns its new edge and size."""
    stack = list(edge)
    for leaf in leaves:
        carry = size
        while carry & 1:
            leaf = node_hash(stack.pop(), leaf)
            carry >>= 1
        stack.append(leaf)
        size += 1
    return tuple(stack), size


def root_of(edge: Edge) -> bytes:
    """The root of the tree with this edge."""
    if not edge:
        return EMPTY
    root = edge[-1]
    for left in reversed(edge[:-1]):
        root = node_hash(left, root)
    return root


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes."""
    return root_of(extend((), 0, leaves)[0])


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The path from leaf `index` to the root over `leaves` (RFC 6962 section 2.1.1), nearest sibling first."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of {len(leaves)}")
    if len(leaves) == 1:
        return []
    cut = _split(len(leaves))
    if index < cut:
        return [*inclusion_proof(leaves[:cut], index), root(leaves[cut:])]
    return [*inclusion_proof(leaves[cut:], index - cut), root(leaves[:cut])]


def root_from_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that `path` leads to from leaf hash `leaf`; None where the path has not the right length."""
    if not 0 <= index < size:
        return None
    found, last = leaf, size - 1
    for sibling in path:
        if last == 0:
            return None
        if index & 1 or index == last:
            found = node_hash(sibling, found)
            while not index & 1 and index:
                index >>= 1
                last >>= 1
        else:
            found = node_hash(found, sibling)
        index >>= 1
        last >>= 1
    return found if last == 0 else None


def consistency_proof(leaves: Sequence[bytes], older: int) -> list[bytes]:
    """Shows that the tree over the first `older` leaves is the start of the one over all (RFC 6962 section 2.1.2)."""
    if not 0 <= older <= len(leaves):
        raise IndexError(f"size {older} of {len(leaves)}")
    if older in (0, len(leaves)):
        return []
    return _subproof(leaves, older, True)


def _subproof(leaves: Sequence[bytes], older: int, whole: bool) -> list[bytes]:
    if older == len(leaves):
        return [] if whole else [root(leaves)]
    cut = _split(len(leaves))
    if older <= cut:
        return [*_subproof(leaves[:cut], older, whole), root(leaves[cut:])]
    return [*_subproof(leaves[cut:], older - cut, False), root(leaves[:cut])]


def consistent(older: int, newer: int, older_root: bytes, newer_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether `path` shows that the tree of `older` leaves is the start of the tree of `newer` (RFC 9162 2.1.4.2)."""
    if older > newer:
        return False
    if older == newer:
        return not path and older_root == newer_root
    if older == 0:
        return not path and older_root == EMPTY
    steps = [older_root, *path] if older & (older - 1) == 0 else list(path)
    if not steps:
        return False
    first, last = older - 1, newer - 1
    while first & 1:
        first >>= 1
        last >>= 1
    was = now = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            was, now = node_hash(step, was), node_hash(step, now)
            while not first & 1 and first:
                first >>= 1
                last >>= 1
        else:
            now = node_hash(now, step)
        first >>= 1
        last >>= 1
    return last == 0 and was == older_root and now == newer_root
