"""What memory is: the fold of its entries. Every projection must equal this; tests use it as the oracle.

1. A change that does not follow from the state is a `Conflict` and alters nothing.
2. What a change does is said once, in `effects`; a store only has to put and drop values by id.
3. A redacted value reads as a *stub*, an empty value of the same id: the entries around it still follow, and the
   entry that forgot it drops it. `fold` drops the stubs that are left, so what was forgotten is in no earlier state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, assert_never

from dream.errors import Conflict
from dream.model import change as c
from dream.model.branch import Branch, BranchStatus
from dream.model.branch import is_stub as is_stub_branch
from dream.model.graph import Edge, Hold, Node, NodeKind
from dream.model.note import Note

Sort = Literal["note", "node", "edge", "hold", "night", "refused", "rejected", "undone", "model", "carried", "branch"]
Value = (
    Note
    | Node
    | Edge
    | Hold
    | c.CycleRecorded
    | c.ClusterRefused
    | c.DebateRejected
    | c.NightUndone
    | c.ModelChanged
    | c.ClusterCarried
    | Branch
)
Effect = tuple[Sort, str, Value | None]
"""Put the value under that id, or drop what is there (None)."""


class Present(Protocol):
    """What must be known of the state to say whether a change follows from it and what it does."""

    def node(self, node_id: str) -> Node | None: ...

    def edge(self, edge_id: str) -> Edge | None: ...

    def note(self, note_id: str) -> Note | None: ...

    def hold(self, hold_id: str) -> Hold | None:
        """The hold if it is open."""
        ...

    def touching(self, node_id: str) -> list[Edge]:
        """All edges that start or end at the node, by id."""
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
    carried: dict[str, c.ClusterCarried] = field(default_factory=dict)
    branches: dict[str, Branch] = field(default_factory=dict)
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

    def touching(self, node_id: str) -> list[Edge]:
        return touching(self.edges.values(), node_id)


def touching(edges: Iterable[Edge], node_id: str) -> list[Edge]:
    """Those of `edges` that start or end at the node, by id."""
    return sorted((edge for edge in edges if node_id in (edge.source, edge.target)), key=lambda edge: edge.id)


def stub_node(node_id: str) -> Node:
    """What is left of a redacted node."""
    return Node(node_id, NodeKind.FACT, "", "", (), "", "")


def stub_hold(hold_id: str) -> Hold:
    """What is left of a redacted hold."""
    return Hold(hold_id, stub_node(""), 0, "", "")


def is_stub(value: Node | Hold | c.DebateRejected) -> bool:
    """Whether the value was redacted (a real one always says when it was recorded)."""
    match value:
        case Node():
            return not value.recorded_at and not value.text
        case Hold():
            return not value.held_at and not value.reason
        case c.DebateRejected():
            return not value.digest and not value.reason
    assert_never(value)


def refuse(present: Present, change: c.Change) -> str | None:
    """Say why `change` does not follow from `present`, or None where it does."""
    match change:
        case c.NotesAdded(notes=notes):
            return _doubled(notes) or next(
                (f"note {note.id} is already there" for note in notes if present.note(note.id) is not None), None
            )
        case c.NodeAdded(node=node):
            return f"node {node.id} is already there" if present.node(node.id) is not None else _interval(node)
        case c.NodeWithdrawn(node=node):
            return _stale("node", node.id, present.node(node.id), node)
        case c.NodeRevised(before=before, after=after):
            if before.id != after.id:
                return f"node {before.id} cannot become node {after.id}"
            return _stale("node", before.id, present.node(before.id), before) or _interval(after)
        case c.EdgeAdded(edge=edge):
            if present.edge(edge.id) is not None:
                return f"edge {edge.id} is already there"
            missing = [end for end in (edge.source, edge.target) if present.node(end) is None]
            return f"edge {edge.id} would hang: node {missing[0]} is not there" if missing else _interval(edge)
        case c.EdgeWithdrawn(edge=edge):
            return _stale("edge", edge.id, present.edge(edge.id), edge)
        case c.EdgeRevised(before=before_edge, after=after_edge):
            if _ends(before_edge) != _ends(after_edge):
                return f"edge {before_edge.id} cannot change its ends"
            return _stale("edge", before_edge.id, present.edge(before_edge.id), before_edge) or _interval(after_edge)
        case c.NodesMerged():
            return _refuse_merge(present, change)
        case c.NodesUnmerged():
            return _refuse_unmerge(present, change)
        case c.TierChanged(node=node_id, before=tier):
            there = present.node(node_id)
            if there is None:
                return f"node {node_id} is not there"
            return f"node {node_id} is {there.tier}, not {tier}" if there.tier != tier and not is_stub(there) else None
        case c.NodeForgotten(node=node_id):
            return None if not node_id or present.node(node_id) is not None else f"node {node_id} is not there"
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
        case c.ClusterCarried() | c.BranchGrown() | c.BranchSettled():
            return None
    assert_never(change)


def _refuse_merge(present: Present, change: c.NodesMerged) -> str | None:
    kept, absorbed, after = change.kept, change.absorbed, change.after
    if kept.id == absorbed.id or after.id != kept.id:
        return f"node {absorbed.id} cannot be merged into itself"
    why = _stale("node", kept.id, present.node(kept.id), kept)
    why = why or _stale("node", absorbed.id, present.node(absorbed.id), absorbed) or _interval(after)
    for old, new in change.edges:
        why = why or _stale("edge", old.id, present.edge(old.id), old)
        if new is not None and absorbed.id in (new.source, new.target):
            why = why or f"edge {new.id} would hang: node {absorbed.id} is absorbed"
    told = {old.id for old, _ in change.edges}
    loose = [edge.id for edge in present.touching(absorbed.id) if edge.id not in told]
    return why or (f"edge {loose[0]} would hang: node {absorbed.id} is absorbed" if loose else None)


def _refuse_unmerge(present: Present, change: c.NodesUnmerged) -> str | None:
    if present.node(change.absorbed.id) is not None:
        return f"node {change.absorbed.id} is already there"
    why = _stale("node", change.after.id, present.node(change.after.id), change.after)
    for old, new in change.edges:
        if new is not None:
            why = why or _stale("edge", new.id, present.edge(new.id), new)
        elif present.edge(old.id) is not None:
            why = why or f"edge {old.id} is already there"
    return why


def _stale(sort: str, key: str, there: object, expected: object) -> str | None:
    if there is None:
        return f"{sort} {key} is not there"
    redacted = isinstance(expected, (Node, Hold)) and is_stub(expected)  # a store that lags still holds the value
    return None if there == expected or redacted else f"{sort} {key} has changed since it was read"


def _doubled(notes: tuple[Note, ...]) -> str | None:
    seen: set[str] = set()
    for note in notes:
        if note.id in seen:
            return f"note {note.id} is in it twice"
        seen.add(note.id)
    return None


def _ends(edge: Edge) -> tuple[str, str, str]:
    return (edge.id, edge.source, edge.target)


def _interval(value: Node | Edge) -> str | None:
    """Moments sort as text, and a coarser one may hold a finer one: `2026-01` does not end before `2026-01-05`."""
    start, end = value.valid_from, value.valid_to
    if start is None or end is None or end >= start[: len(end)]:
        return None
    return f"{value.id} would cease to be true ({end}) before it became true ({start})"


def effects(present: Present, change: c.Change) -> list[Effect]:
    """What `change`, which follows from `present`, puts and drops, in this order."""
    match change:
        case c.NotesAdded(notes=notes):
            return [("note", note.id, note) for note in notes]
        case c.NodeAdded(node=node):
            return [("node", node.id, node)]
        case c.NodeWithdrawn(node=node):
            return dropped(present, node.id)
        case c.NodeRevised(after=after):
            return [("node", after.id, after)]
        case c.EdgeAdded(edge=edge):
            return [("edge", edge.id, edge)]
        case c.EdgeWithdrawn(edge=edge):
            return [("edge", edge.id, None)]
        case c.EdgeRevised(after=after_edge):
            return [("edge", after_edge.id, after_edge)]
        case c.NodesMerged(absorbed=absorbed, after=after, edges=edges):
            loose: list[Effect] = [("edge", old.id, None) for old, _ in edges]
            tied: list[Effect] = [("edge", new.id, new) for _, new in edges if new is not None]
            return [*loose, ("node", absorbed.id, None), ("node", after.id, after), *tied]
        case c.NodesUnmerged(kept=kept, absorbed=absorbed, edges=edges):
            untied: list[Effect] = [("edge", new.id, None) for _, new in edges if new is not None]
            back: list[Effect] = [("edge", old.id, old) for old, _ in edges]
            return [*untied, ("node", kept.id, kept), ("node", absorbed.id, absorbed), *back]
        case c.TierChanged(node=node_id, after=tier):
            there = present.node(node_id)
            if there is None or is_stub(there):
                return []
            return [("node", node_id, dataclasses.replace(there, tier=tier))]
        case c.NodeForgotten(node=node_id, notes=note_ids, others=others):
            gone: list[Effect] = [("note", note_id, None) for note_id in note_ids]
            gone += [("rejected", each, None) for each in others if each.startswith("c-")]
            gone += [("branch", each, None) for each in others if each.startswith("b-")]
            return (dropped(present, node_id) if node_id else []) + gone
        case c.NoteHeld(hold=hold):
            return [("hold", hold.id, hold)]
        case c.HoldResolved(hold=hold):
            return [("hold", hold.id, None)]
        case c.HoldReopened(hold=hold, withdrawn=withdrawn):
            return [("hold", hold.id, None if withdrawn else hold)]
        case c.DebateRejected():
            return [("rejected", change.cluster, change)]
        case c.ClusterRefused():
            return [("refused", change.cluster, None if change.lifted else change)]
        case c.ClusterCarried():
            return [("carried", change.cluster, None if change.settled else change)]
        case c.BranchGrown(branch=branch):
            return [("branch", branch.id, branch)]
        case c.BranchSettled(after=grown):
            return [("branch", grown.id, None if grown.status is BranchStatus.PRUNED else grown)]
        case c.CycleRecorded():
            return [("night", change.night, change)]
        case c.NightUndone():
            return [("undone", change.night, change)]
        case c.ModelChanged():
            return [("model", "", change)]
    assert_never(change)


def dropped(present: Present, node_id: str) -> list[Effect]:
    """The effects of a node leaving with the edges that touch it."""
    loose: list[Effect] = [("edge", edge.id, None) for edge in present.touching(node_id)]
    return [*loose, ("node", node_id, None)]


def checked(present: Present, change: c.Change) -> list[Effect]:
    """The effects of `change`.

    Raises:
        Conflict: the change does not follow from `present`.
    """
    why = refuse(present, change)
    if why is not None:
        raise Conflict(f"{type(change).__name__} refused: {why}.", "Read again and retry.")
    return effects(present, change)


def apply(state: State, change: c.Change) -> None:
    """Alter `state` by `change`.

    Raises:
        Conflict: the change does not follow from the state; nothing was altered.
    """
    take(state, checked(state, change))


def take(state: State, told: Iterable[Effect]) -> None:
    """Put and drop what `effects` told."""
    tables: dict[str, dict[str, Any]] = {
        "note": state.notes,
        "node": state.nodes,
        "edge": state.edges,
        "hold": state.holds,
        "night": state.nights,
        "refused": state.refused,
        "rejected": state.rejected,
        "carried": state.carried,
        "branch": state.branches,
    }
    for sort, key, value in told:
        if isinstance(value, c.NightUndone):
            state.undone |= {key}
        elif isinstance(value, c.ModelChanged):
            state.model = value
        elif value is None:
            tables[sort].pop(key, None)
        else:
            tables[sort][key] = value


def fold(entries: Iterable[c.Entry]) -> State:
    """The state after `entries`, in their order, from nothing; without stubs."""
    state = State()
    for entry in entries:
        if entry.change is not None:
            apply(state, entry.change)
    drop_stubs(state)
    return state


def drop_stubs(state: State) -> None:
    """Take out what was redacted and not dropped by the entries folded so far."""
    for node in [node for node in state.nodes.values() if is_stub(node)]:
        take(state, dropped(state, node.id))
    for hold in [hold for hold in state.holds.values() if is_stub(hold)]:
        del state.holds[hold.id]
    for rejected in [each for each in state.rejected.values() if is_stub(each)]:
        del state.rejected[rejected.cluster]
    for branch in [each for each in state.branches.values() if is_stub_branch(each)]:
        del state.branches[branch.id]
