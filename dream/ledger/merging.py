"""Merge two nodes by a person's word, and take a merge back; the audit of merges is a projection of the log."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dream.errors import Conflict, NodeNotFound, UsageError
from dream.ledger.receipt import Receipt
from dream.model import fold
from dream.model.change import Change, Entry, NodesMerged, NodesUnmerged
from dream.model.graph import Edge, Node
from dream.model.ids import make_id


class Log(Protocol):
    """What is asked of a ledger here."""

    def entries(self, start: int = 0) -> Iterator[Entry]: ...

    def commit(self, changes: Sequence[Change], night: str = "") -> Receipt: ...


class Audited(fold.Present, Protocol):
    """What is asked of a store here."""

    def merges(self) -> dict[int, dict[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Merge:
    """One line of the merge audit; `unmerged` is the entry that took it back, None while it stands."""

    seq: int
    kept: str
    absorbed: str
    at: str
    night: str
    unmerged: int | None


def audit(store: Audited) -> list[Merge]:
    """All merges, oldest first."""
    found = []
    for seq, told in store.merges().items():
        kept, absorbed, at, night = (str(told.get(name, "")) for name in ("kept", "absorbed", "at", "night"))
        found.append(Merge(seq, kept, absorbed, at, night, told.get("unmerged")))
    return found


def merged(kept: Node, absorbed: Node, edges: Sequence[Edge]) -> NodesMerged:
    """The change that makes two nodes one: the words of `kept`, the evidence of both.

    Args:
        edges: all that touch either.
    """
    after = dataclasses.replace(
        kept,
        notes=(*kept.notes, *(each for each in absorbed.notes if each not in kept.notes)),
        evidence_at=max(kept.evidence_at, absorbed.evidence_at),
        dates=tuple(dict.fromkeys((*kept.dates, *absorbed.dates))),
        entities=tuple(sorted({*kept.entities, *absorbed.entities})),
        standing=kept.standing or absorbed.standing,
        pinned=kept.pinned or absorbed.pinned,
        load=max(kept.load, absorbed.load),
    )
    taken = {
        (edge.source, edge.relation, edge.target) for edge in edges if absorbed.id not in (edge.source, edge.target)
    }
    pairs: list[tuple[Edge, Edge | None]] = []
    for edge in edges:
        if absorbed.id not in (edge.source, edge.target):
            continue
        source = kept.id if edge.source == absorbed.id else edge.source
        target = kept.id if edge.target == absorbed.id else edge.target
        place = (source, edge.relation, target)
        if source == target or place in taken:
            pairs.append((edge, None))
            continue
        taken.add(place)
        name = make_id("e", source, edge.relation.value, target)
        pairs.append((edge, dataclasses.replace(edge, id=name, source=source, target=target)))
    return NodesMerged(kept, absorbed, after, tuple(pairs))


def merge(log: Log, store: Audited, kept_id: str, absorbed_id: str) -> Receipt:
    """Make two nodes one: `absorbed` goes into `kept`.

    Raises:
        NodeNotFound: one of them is not there.
        UsageError: they are one already.
    """
    if kept_id == absorbed_id:
        raise UsageError(f"{kept_id!r} cannot be merged with itself.", "Name two nodes.")
    kept, absorbed = _node(store, kept_id), _node(store, absorbed_id)
    edges = {edge.id: edge for end in (kept_id, absorbed_id) for edge in store.touching(end)}
    return log.commit([merged(kept, absorbed, [edges[each] for each in sorted(edges)])])


def unmerge(log: Log, store: Audited, node_id: str, *, cascade: bool = False) -> Receipt:
    """Take back the last standing merge of a node, kept or absorbed.

    Args:
        cascade: what was changed on the merged node since is lost with it.

    Raises:
        NodeNotFound: the node was never merged, or that was taken back.
        Conflict: the merged node, or an edge it was given, has changed since, and `cascade` is not asked for.
    """
    standing = [each for each in audit(store) if each.unmerged is None and node_id in (each.kept, each.absorbed)]
    if not standing:
        raise NodeNotFound(f"No merge of {node_id} stands.", "See `dream ledger log` and `dream explain`.")
    seq = standing[-1].seq
    change = next(entry.change for entry in log.entries(seq))
    if not isinstance(change, NodesMerged) or fold.is_stub(change.kept) or fold.is_stub(change.absorbed):
        raise Conflict(f"The merge of {node_id} cannot be taken back: one of its nodes was forgotten.", "")
    return log.commit(_back(store, seq, change, cascade))


def _back(store: Audited, seq: int, change: NodesMerged, cascade: bool) -> list[Change]:
    there = store.node(change.after.id)
    if there is None:
        raise Conflict(
            f"Node {change.after.id} is not there any more: it was merged into another.", "Unmerge that one first."
        )
    now = [(old, store.edge(new.id) if new is not None else None) for old, new in change.edges]
    told = [(old, new) for old, new in change.edges]
    same = dataclasses.replace(there, tier=change.after.tier) == change.after
    if not cascade and not (same and now == told):
        raise Conflict(
            f"Node {there.id} was changed after the merge of entry {seq}; taking it back would lose that.",
            f"To lose it: dream unmerge {there.id} --cascade",
        )
    return [NodesUnmerged(seq, change.kept, change.absorbed, there, tuple(now))]


def _node(store: Audited, node_id: str) -> Node:
    node = store.node(node_id)
    if node is None:
        raise NodeNotFound(f"There is no node {node_id}.", "Find it with `dream search`.")
    return node
