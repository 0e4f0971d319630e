"""The ports over plain dictionaries: the reference that the real stores must equal, and a store for tests."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dream.errors import Conflict
from dream.model import fold
from dream.model.change import Entry
from dream.model.graph import Edge, Hold, Node, NodeStatus, Tier
from dream.model.note import Note
from dream.ports import Analyser, NodeFilter, NoteFilter


class MemoryStore:
    """`Projection`, `GraphReader`, `NoteReader`, `LexicalReader` and `fold.Present` over a `fold.State`."""

    def __init__(self, analyser: Analyser) -> None:
        self._analyser = analyser
        self._mark = 0
        self.state = fold.State()

    def apply(self, entries: Sequence[Entry]) -> None:
        """Take in entries in their order; those already applied are skipped. All or nothing."""
        state, mark = _copy(self.state), self._mark
        for entry in entries:
            if entry.seq < mark:
                continue
            if entry.seq > mark:
                raise Conflict(f"Entry {entry.seq} came where entry {mark} was due.", "Replay the log.")
            if entry.change is not None:
                fold.apply(state, entry.change)
            mark += 1
        self.state, self._mark = state, mark

    def watermark(self) -> int:
        return self._mark

    def clear(self) -> None:
        self.state, self._mark = fold.State(), 0

    def node(self, node_id: str) -> Node | None:
        return self.state.node(node_id)

    def edge(self, edge_id: str) -> Edge | None:
        return self.state.edge(edge_id)

    def note(self, note_id: str) -> Note | None:
        return self.state.note(note_id)

    def hold(self, hold_id: str) -> Hold | None:
        return self.state.hold(hold_id)

    def touching(self, node_id: str) -> list[Edge]:
        return self.state.touching(node_id)

    def edges(self, node_id: str) -> list[Edge]:
        return self.state.touching(node_id)

    def nodes(self, which: NodeFilter) -> list[Node]:
        return sorted((node for node in self.state.nodes.values() if _passes(node, which)), key=lambda node: node.id)

    def standing(self) -> Iterable[tuple[str, Tier, NodeStatus, tuple[str, ...]]]:
        """Id, tier, status and entities of every node."""
        return [(each.id, each.tier, each.status, each.entities) for each in self.state.nodes.values()]

    def ties(self) -> Iterable[Edge]:
        """Every edge."""
        return self.state.edges.values()

    def holds(self) -> list[Hold]:
        return sorted(self.state.holds.values(), key=lambda hold: (hold.held_at, hold.id))

    def notes(self, which: NoteFilter) -> list[Note]:
        found = [note for note in self.state.notes.values() if _note_passes(note, which)]
        return sorted(found, key=lambda note: (note.at, note.session, note.turn, note.index, note.id))

    def notes_by_id(self, note_ids: Iterable[str]) -> dict[str, Note]:
        return {each: self.state.notes[each] for each in note_ids if each in self.state.notes}

    def nodes_by_id(self, node_ids: Iterable[str]) -> dict[str, Node]:
        """Nodes of these ids, in their order; one that is not there is left out."""
        return {each: self.state.nodes[each] for each in node_ids if each in self.state.nodes}

    def match(self, text: str, k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """Ids by how many of the asked words they share."""
        asked = set(self._analyser.terms(text))
        found: Counter[str] = Counter()
        values: list[Note | Node] = [*self.state.notes.values(), *self.state.nodes.values()]
        for value in values:
            if projects is None or value.project in projects:
                shared = len(asked.intersection(self._analyser.terms(value.text)))
                if shared:
                    found[value.id] = shared
        best = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return {each: float(score) for each, score in best[:k]}

    def around(self, note_ids: Iterable[str], reach: int) -> list[Note]:
        """All notes of their turns and of `reach` turns before and after in their sessions, in order."""
        found: dict[str, Note] = {}
        for note in self.notes_by_id(note_ids).values():
            held = self.notes(NoteFilter(sessions=(note.session,)))
            turns = list(dict.fromkeys(each.turn for each in held))
            at = turns.index(note.turn)
            near = turns[max(0, at - reach) : at + reach + 1]
            found.update({each.id: each for each in held if each.turn in near})
        return sorted(found.values(), key=lambda note: (note.at, note.session, note.turn, note.index, note.id))

    def citing(self, note_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Ids of the nodes that stand on each note."""
        nodes = sorted(self.state.nodes.values(), key=lambda node: node.id)
        found = {each: tuple(node.id for node in nodes if each in node.notes) for each in note_ids}
        return {each: ids for each, ids in found.items() if ids}

    def frequencies(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        """How many texts there are, and how many of them hold each index term."""
        values: list[Note | Node] = [*self.state.notes.values(), *self.state.nodes.values()]
        held = Counter(term for value in values for term in set(self._analyser.terms(value.text)))
        return len(values), {term: held[term] for term in terms if held[term]}


def holds_as_of(node: Node, moment: str) -> bool:
    """Whether the node was true by the end of `moment` (a day, a month, an instant).

    It began when it became true or, where that is unknown, when it was learned; a superseded node counts until its end.
    """
    size = len(moment)
    began = (node.valid_from or node.recorded_at)[:size] <= moment
    ended = node.status is not NodeStatus.CURRENT if node.valid_to is None else node.valid_to[:size] <= moment
    return began and not ended


def _passes(node: Node, which: NodeFilter) -> bool:
    if which.projects is not None and node.project not in which.projects:
        return False
    if which.tiers is not None and node.tier not in which.tiers:
        return False
    if which.kinds is not None and node.kind not in which.kinds:
        return False
    statuses = which.statuses
    if which.as_of is not None:
        if not holds_as_of(node, which.as_of):
            return False
        if statuses is not None and NodeStatus.CURRENT in statuses:
            statuses = (*statuses, NodeStatus.SUPERSEDED)
    return statuses is None or node.status in statuses


def _note_passes(note: Note, which: NoteFilter) -> bool:
    return (
        (which.projects is None or note.project in which.projects)
        and (which.sessions is None or note.session in which.sessions)
        and (which.since is None or note.at >= which.since)
        and (which.until is None or note.at < which.until)
    )


def _copy(state: fold.State) -> fold.State:
    return dataclasses.replace(
        state,
        notes=dict(state.notes),
        nodes=dict(state.nodes),
        edges=dict(state.edges),
        holds=dict(state.holds),
        nights=dict(state.nights),
        refused=dict(state.refused),
        rejected=dict(state.rejected),
        carried=dict(state.carried),
        branches=dict(state.branches),
    )
