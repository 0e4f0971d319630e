"""How a node stands at the time that is asked about, and who replaced it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dream.model.graph import Node, NodeStatus
from dream.model.hit import Query
from dream.model.note import Note

_LONGEST_CHAIN = 64


def holds_at(node: Node, moment: str, first_said: str) -> bool:
    """Whether the node was true at `moment` (an ISO date of any granularity or an instant; E04).

    Where nothing says since when, it counts from when it was first said. On the day it ended it no longer holds.
    """
    started = (node.valid_from or first_said) <= moment + "~"  # "~" sorts after any digit: to the end of the moment
    ended = node.valid_to is not None and node.valid_to[: len(moment)] <= moment
    return started and not ended


def said_by(note: Note, moment: str) -> bool:
    """Whether the note had been said by the end of `moment`."""
    return note.at <= moment + "~"


def believed(node: Node, query: Query, first_said: str) -> bool:
    """Whether the node was held to be so at the time that is asked about."""
    if query.as_of is not None:
        return node.status is not NodeStatus.RETRACTED and holds_at(node, query.as_of, first_said)
    return node.status is NodeStatus.CURRENT


def shown(node: Node, query: Query, first_said: str) -> bool:
    """Whether the query asks for this node at all: current facts, or those of a date, or every one ever held."""
    if query.kinds is not None and node.kind not in query.kinds:
        return False
    return (query.history and query.as_of is None) or believed(node, query, first_said)


def successor(node: Node, read: Callable[[str], Node | None]) -> Node | None:
    """The current node at the end of the chain of those that replaced `node`; None where there is none."""
    seen = {node.id}
    for _ in range(_LONGEST_CHAIN):
        if node.superseded_by is None or node.superseded_by in seen:
            return None
        following = read(node.superseded_by)
        if following is None or following.status is NodeStatus.CURRENT:
            return following
        seen.add(following.id)
        node = following
    return None


def is_stale(
    note: Note, citing: Iterable[str], nodes: Callable[[str], Node | None], believed: Callable[[Node], bool]
) -> bool:
    """Whether nodes stand on the note and none of them is believed (any more, or yet)."""
    standing = [node for node_id in citing if (node := nodes(node_id)) is not None and note.id in node.notes]
    return bool(standing) and not any(believed(node) for node in standing)
