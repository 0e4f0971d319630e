"""What memory is: the fold of its entries. Every projection must equal this; tests use it as the oracle.

1. A change that does not follow from the state is a `Conflict` and alters nothing.
2. A redacted entry (change None) alters nothing: what it said is gone from every later state too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, assert_never

from dream.errors import Conflict
from dream.model import change as c
from dream.model.graph import Edge, Hold, Node
from dream.model.note import Note


class Present(Protocol):
    """What must be known of the state to say whether a change follows from it."""

    def node(self, node_id: str) -> Node | None: ...

    def edge(self, edge_id: str) -> Edge | None: ...

    def note(self, note_id: str) -> Note | None: ...

    def hold(self, hold_id: str) -> Hold | None:
        """The hold if it is open."""
        ...


@dataclass(slots=True)
class State:
    """Memory as plain dictionaries, by id; nights and refusals as the entries told them."""

    notes: dict[str, Note] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    holds: dict[str, Hold] = field(default_factory=dict)
    nights: dict[str, c.CycleRecorded] = field(default_factory=dict)
    refused: dict[str, c.ClusterRefused] = field(default_factory=dict)
    rejected: dict[str, c.DebateRejected] = field(default_factory=dict)
    undone: frozenset[str] = frozenset()
    model: c.ModelChanged | None = None

    def node(self, node_id: str) -> Node | None:
        return self.nodes.get(node_id)

    def edge(self, edge_id: str) -> Edge | None:
        return self.edges.get(edge_id)

    def note(self, note_id: str) -> Note | None:
        return self.notes.get(note_id)

    def hold(self, hold_id: str) -> Hold | None:
        return self.holds.get(hold_id)


def refuse(present: Present, change: c.Change) -> str | None:
    """Say why `change` does not follow from `present`, or None where it does."""
    match change:
        case c.NotesAdded(notes=notes):
            doubled = [note.id for note in notes if present.note(note.id) is not None]
            return f"note {doubled[0]} is already there" if doubled else None
        case c.NodeAdded(node=node):
            return f"node {node.id} is already there" if present.node(node.id) is not None else None
        case c.NodeWithdrawn(node=node):
            return _stale("node", node.id, present.node(node.id), node)
        case c.NodeRevised(before=before):
            return _stale("node", before.id, present.node(before.id), before)
        case c.EdgeAdded(edge=edge):
            if present.edge(edge.id) is not None:
                return f"edge {edge.id} is already there"
            missing = [end for end in (edge.source, edge.target) if present.node(end) is None]
            return f"edge {edge.id} would hang: node {missing[0]} is not there" if missing else None
        case c.EdgeWithdrawn(edge=edge):
            return _stale("edge", edge.id, present.edge(edge.id), edge)
        case c.EdgeRevised(before=before_edge):
            return _stale("edge", before_edge.id, present.edge(before_edge.id), before_edge)
        case c.NodesMerged(kept=kept, absorbed=absorbed, edges=edges):
            stale = _stale("node", kept.id, present.node(kept.id), kept)
            stale = stale or _stale("node", absorbed.id, present.node(absorbed.id), absorbed)
            return stale or next(
                (why for old, _ in edges if (why := _stale("edge", old.id, present.edge(old.id), old))), None
            )
        case c.NodesUnmerged(absorbed=absorbed, after=after):
            if present.node(absorbed.id) is not None:
                return f"node {absorbed.id} is already there"
            return _stale("node", after.id, present.node(after.id), after)
        case c.TierChanged(node=node_id, before=tier):
            there = present.node(node_id)
            if there is None:
                return f"node {node_id} is not there"
            return f"node {node_id} is {there.tier}, not {tier}" if there.tier != tier else None
        case c.NodeForgotten(node=node_id):
            return None if present.node(node_id) is not None else f"node {node_id} is not there"
        case c.NoteHeld(hold=hold):
            return f"hold {hold.id} is already there" if present.hold(hold.id) is not None else None
        case c.HoldResolved(hold=hold):
            return _stale("hold", hold.id, present.hold(hold.id), hold)
        case c.HoldReopened(hold=hold, withdrawn=withdrawn):
            there_hold = present.hold(hold.id)
            if withdrawn:
                return _stale("hold", hold.id, there_hold, hold)
            return f"hold {hold.id} is open" if there_hold is not None else None
        case c.DebateRejected() | c.ClusterRefused() | c.CycleRecorded() | c.NightUndone() | c.ModelChanged():
            return None
    assert_never(change)


def _stale(sort: str, key: str, there: object, expected: object) -> str | None:
    if there is None:
        return f"{sort} {key} is not there"
    return None if there == expected else f"{sort} {key} has changed since it was read"


def apply(state: State, change: c.Change) -> None:
    """Alter `state` by `change`.

    Raises:
        Conflict: the change does not follow from the state; nothing was altered.
    """
    why = refuse(state, change)
    if why is not None:
        raise Conflict(f"{type(change).__name__} refused: {why}.", "Read again and retry.")
    match change:
        case c.NotesAdded(notes=notes):
            state.notes.update({note.id: note for note in notes})
        case c.NodeAdded(node=node):
            state.nodes[node.id] = node
        case c.NodeWithdrawn(node=node):
            _drop_node(state, node.id)
        case c.NodeRevised(after=after):
            state.nodes[after.id] = after
        case c.EdgeAdded(edge=edge):
            state.edges[edge.id] = edge
        case c.EdgeWithdrawn(edge=edge):
            del state.edges[edge.id]
        case c.EdgeRevised(after=after_edge):
            state.edges[after_edge.id] = after_edge
        case c.NodesMerged(absorbed=absorbed, after=after, edges=edges):
            del state.nodes[absorbed.id]
            state.nodes[after.id] = after
            for old, new in edges:
                del state.edges[old.id]
                if new is not None:
                    state.edges[new.id] = new
        case c.NodesUnmerged(kept=kept, absorbed=absorbed, edges=edges):
            state.nodes[kept.id] = kept
            state.nodes[absorbed.id] = absorbed
            for old, new in edges:
                if new is not None:
                    state.edges.pop(new.id, None)
                state.edges[old.id] = old
        case c.TierChanged(node=node_id, after=tier):
            state.nodes[node_id] = dataclasses.replace(state.nodes[node_id], tier=tier)
        case c.NodeForgotten(node=node_id, notes=note_ids):
            _drop_node(state, node_id)
            for note_id in note_ids:
                state.notes.pop(note_id, None)
        case c.NoteHeld(hold=hold):
            state.holds[hold.id] = hold
        case c.HoldResolved(hold=hold):
            del state.holds[hold.id]
        case c.HoldReopened(hold=hold, withdrawn=withdrawn):
            if withdrawn:
                del state.holds[hold.id]
            else:
                state.holds[hold.id] = hold
        case c.DebateRejected():
            state.rejected[change.cluster] = change
        case c.ClusterRefused():
            if change.lifted:
                state.refused.pop(change.cluster, None)
            else:
                state.refused[change.cluster] = change
        case c.CycleRecorded():
            state.nights[change.night] = change
        case c.NightUndone(night=night):
            state.undone |= {night}
        case c.ModelChanged():
            state.model = change
        case _:
            assert_never(change)


def _drop_node(state: State, node_id: str) -> None:
    del state.nodes[node_id]
    for edge in [edge for edge in state.edges.values() if node_id in (edge.source, edge.target)]:
        del state.edges[edge.id]


def fold(entries: Iterable[c.Entry]) -> State:
    """The state after `entries`, in their order, from nothing."""
    state = State()
    for entry in entries:
        if entry.change is not None:
            apply(state, entry.change)
    return state
