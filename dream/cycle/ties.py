"""Edges that statements say: `X depends on Y` ties the node that says it to the nodes that speak of Y.

1. An edge is only added where the sentence, or a draft that stands in its notes, names both ends.
2. Said again, an edge is boosted; where the node that states it is contradicted, it is weakened; where that node is
   superseded or taken back, its time ends with that of the node.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence

from dream.cycle.consolidate import Consolidated, Outcome
from dream.debate.drafts import Draft, names
from dream.debate.relations import Stated, has_subject, stated
from dream.model import change as c
from dream.model.graph import Edge, Node, Relation
from dream.model.ids import make_id

BOOST = 20
"""Hundredths of weight that saying it again adds, and a contradiction takes."""
HEAVIEST, LIGHTEST = 200, 20
MOST = 2
"""Nodes that one relation ties to at most: a name that many speak of ties to those alone whose subject it is."""

_SAYS = {Outcome.ADDED, Outcome.SUPERSEDED, Outcome.SAID_AGAIN}


def ties(
    consolidated: Sequence[Consolidated],
    held: Iterable[Node],
    edges: Callable[[str], list[Edge]],
    drafts: Mapping[str, Draft],
    now: str,
) -> list[c.Change]:
    """What the night's statements tie together.

    Args:
        held: the nodes that were current before; edges: those that touch a node, as the store has them.
        drafts: what the Archivist drafted, by cluster id.
    """
    nodes = {node.id: node for node in held}
    closed: dict[str, Node] = {}
    for each in consolidated:
        for change in each.changes:
            if isinstance(change, c.NodeAdded) and change.node.superseded_by is None:
                nodes[change.node.id] = change.node
            elif isinstance(change, c.NodeRevised):
                nodes[change.after.id] = change.after
                if change.after.valid_to is not None and change.before.valid_to is None:
                    closed[change.after.id] = nodes.pop(change.after.id)
    found: dict[str, c.Change] = {}
    for each in consolidated:
        if each.outcome in _SAYS and each.node is not None and each.node.id in nodes:
            draft = drafts.get(each.cluster.id, Draft())
            for told in dict.fromkeys((*stated(each.cluster.text), *draft.relations)):
                for edge in _edges(nodes[each.node.id], told, nodes, now):
                    found.setdefault(edge.id, _added_or_boosted(edge, edges(edge.source)))
    made = {change.edge.id for each in consolidated for change in each.changes if isinstance(change, c.EdgeAdded)}
    ended = [change for node in closed.values() for change in _ended(node, edges(node.id), found)]
    denied = dict.fromkeys(
        change.edge.target
        for each in consolidated
        for change in each.changes
        if isinstance(change, c.EdgeAdded) and change.edge.relation is Relation.CONTRADICTS
    )
    weaker = [
        change for node_id in denied if node_id not in closed for change in _weakened(node_id, edges(node_id), found)
    ]
    return [*(change for key, change in found.items() if key not in made), *ended, *weaker]


def _edges(node: Node, told: Stated, nodes: Mapping[str, Node], now: str) -> list[Edge]:
    """From the node that states the relation to those that speak of its other end."""
    for end in (told.target, told.source):
        near = [
            each
            for each in nodes.values()
            if each.id != node.id and each.project in (node.project, "") and names(end, each.text)
        ]
        about = near if _telling(end) and len(near) <= MOST else [each for each in near if has_subject(each.text, end)]
        if 0 < len(about) <= MOST:
            flip = end == told.source
            return [_edge(each, told.relation, node, node, now) if flip else _edge(node, told.relation, each, node, now)
                    for each in sorted(about, key=lambda each: each.id)]  # fmt: skip
    return []


def _telling(end: str) -> bool:
    """A name, an identifier or more than one word: a single common word ties only to what has it for its subject."""
    return len(end.split()) > 1 or any(mark.isupper() or mark.isdigit() for mark in end)


def _edge(source: Node, relation: Relation, target: Node, says: Node, now: str) -> Edge:
    return Edge(
        id=make_id("e", source.id, relation.value, target.id),
        source=source.id,
        relation=relation,
        target=target.id,
        recorded_at=now,
        notes=says.notes[-1:],
        valid_from=says.valid_from,
    )


def _added_or_boosted(edge: Edge, there: Iterable[Edge]) -> c.Change:
    before = next((each for each in there if each.id == edge.id), None)
    if before is None:
        return c.EdgeAdded(edge)
    weight = min(HEAVIEST, before.weight + BOOST)
    notes = tuple(dict.fromkeys((*before.notes, *edge.notes)))
    return c.EdgeRevised(before, dataclasses.replace(before, weight=weight, notes=notes))


def _weakened(node_id: str, there: Iterable[Edge], found: Mapping[str, c.Change]) -> list[c.Change]:
    """Relations that a contradicted node states count for less; one said again tonight does not."""
    return [
        c.EdgeRevised(edge, dataclasses.replace(edge, weight=max(LIGHTEST, edge.weight - BOOST)))
        for edge in there
        if _states(edge, node_id) and edge.id not in found and edge.weight > LIGHTEST
    ]


def _states(edge: Edge, node_id: str) -> bool:
    """Whether it is a relation that the node states and that holds."""
    own = edge.relation not in (Relation.SUPERSEDES, Relation.CONTRADICTS)
    return own and edge.valid_to is None and edge.source == node_id


def _ended(node: Node, there: Iterable[Edge], found: Mapping[str, c.Change]) -> list[c.Change]:
    """Relations that a closed node stated hold no longer than it did; what replaced it stays tied."""
    return [
        c.EdgeRevised(edge, dataclasses.replace(edge, valid_to=_not_before(edge, node.valid_to)))
        for edge in there
        if _states(edge, node.id) and edge.id not in found
    ]


def _not_before(edge: Edge, moment: str | None) -> str | None:
    return (
        edge.valid_from if moment is not None and edge.valid_from is not None and moment < edge.valid_from else moment
    )
