"""The last phase: how alive each node is after the night, and which tier it lives in. Nothing is written here.

Cold nodes leave the daily traffic, never the memory: exporting them under `Home.archive` is the caller's act.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dream.cycle.consolidate import Consolidated
from dream.model import change as c
from dream.model.codec import to_plain
from dream.model.graph import Edge, Node, NodeStatus, Relation, Tier
from dream.model.note import Note
from dream.model.vitality import Vitality, vitality
from dream.ports import NodeFilter


@dataclass(frozen=True, slots=True)
class Pruning:
    """What the phase found.

    Attributes:
        changes: nodes that moved between tiers, by id.
        scores: vitality of each current node, with its parts.
        cold: nodes that became cold with these changes.
        future: ids of nodes whose evidence is dated after now (E11), for the changelog's warnings.
    """

    changes: tuple[c.TierChanged, ...]
    scores: Mapping[str, Vitality]
    cold: tuple[Node, ...] = ()
    future: tuple[str, ...] = ()

    @property
    def vitality(self) -> dict[str, float]:
        """Score in 0..1 by node id."""
        return {node_id: score.value for node_id, score in self.scores.items()}

    @property
    def moves(self) -> tuple[tuple[Tier, Tier, int], ...]:
        """(from, to, how many), in the order of the tiers."""
        counted: defaultdict[tuple[Tier, Tier], int] = defaultdict(int)
        for change in self.changes:
            counted[change.before, change.after] += 1
        order = list(Tier)
        return tuple(
            (before, after, number)
            for (before, after), number in sorted(
                counted.items(), key=lambda item: (order.index(item[0][0]), order.index(item[0][1]))
            )
        )


def plan(
    nodes: Iterable[Node],
    edges: Iterable[Edge],
    uses: Mapping[str, Sequence[str]],
    goal: Mapping[str, float] | None,
    now: str,
) -> Pruning:
    """Score the current ones among `nodes` as of the instant `now`.

    Args:
        edges: all edges that may contradict; one counts while it is open and both its ends are current.
        uses: by node id, the instants at which a search returned it or evidence repeated it.
        goal: by node id, 0..1; None (or an id left out) is unknown.
    """
    current = {node.id: node for node in nodes if node.status is NodeStatus.CURRENT}
    doubts: defaultdict[str, list[int]] = defaultdict(list)
    for edge in edges:
        live = edge.valid_to is None and edge.source in current and edge.target in current
        if live and edge.relation is Relation.CONTRADICTS:
            doubts[edge.source].append(edge.confidence)
            doubts[edge.target].append(edge.confidence)
    scores = {
        node_id: vitality(node, now, uses.get(node_id, ()), (goal or {}).get(node_id), doubts[node_id])
        for node_id, node in sorted(current.items())
    }
    moved = [
        (current[node_id], score.tier) for node_id, score in scores.items() if score.tier is not current[node_id].tier
    ]
    return Pruning(
        changes=tuple(c.TierChanged(node.id, node.tier, tier) for node, tier in moved),
        scores=scores,
        cold=tuple(node for node, tier in moved if tier is Tier.COLD),
        future=tuple(node_id for node_id, score in scores.items() if score.future),
    )


class Memory(Protocol):
    """What pruning reads of the store."""

    def nodes(self, which: NodeFilter) -> list[Node]: ...

    def edges(self, node_id: str) -> list[Edge]: ...

    def notes_by_id(self, note_ids: Iterable[str]) -> dict[str, Note]: ...


def prune(
    store: Memory,
    consolidated: Iterable[Consolidated],
    now: str,
    searched: Mapping[str, Sequence[str]] | None = None,
    goal: Callable[[Iterable[Node]], Mapping[str, float]] = lambda nodes: {},
) -> Pruning:
    """Score the memory as it will stand once the night's plan is written.

    Args:
        consolidated: what the night will change.
        searched: by node id, the instants at which a search returned it.
        goal: from the nodes as the night leaves them to `goal` of `plan`.
    """
    nodes = {node.id: node for node in store.nodes(NodeFilter())}
    edges = {edge.id: edge for node_id in nodes for edge in store.edges(node_id)}
    repeats = [note for node in nodes.values() for note in node.notes[1:]]
    said = {note_id: note.at for note_id, note in store.notes_by_id(repeats).items()}
    for each in consolidated:
        said.update((note.id, note.at) for note in each.cluster.notes)
        for change in each.changes:
            _overlay(change, nodes, edges)
    uses = {
        node.id: (*[said[note] for note in node.notes[1:] if note in said], *(searched or {}).get(node.id, ()))
        for node in nodes.values()
    }
    return plan(nodes.values(), edges.values(), uses, goal(nodes.values()), now)


def _overlay(change: c.Change, nodes: dict[str, Node], edges: dict[str, Edge]) -> None:
    match change:
        case c.NodeAdded(node=node) | c.NodeRevised(after=node):
            nodes[node.id] = node
        case c.EdgeAdded(edge=edge) | c.EdgeRevised(after=edge):
            edges[edge.id] = edge
        case c.NodesMerged(absorbed=absorbed, after=after, edges=retied):
            nodes.pop(absorbed.id, None)
            nodes[after.id] = after
            for old, new in retied:
                edges.pop(old.id, None)
                if new is not None:
                    edges[new.id] = new
        case _:
            return


def archive_text(cold: Iterable[Node]) -> str:
    """Cold nodes as JSON Lines, one node a line in its plain form."""
    return "".join(json.dumps(to_plain(node), ensure_ascii=False, sort_keys=True) + "\n" for node in cold)
