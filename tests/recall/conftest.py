"""A memory made in the test: plain dictionaries behind the ports that recall reads, and a search over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from dream.adapters.bm25 import RankBm25
from dream.adapters.snowball import SnowballAnalyser
from dream.model.fold import State
from dream.model.graph import Edge, Hold, Node, NodeKind, NodeStatus
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.ports import NodeFilter, NoteFilter
from dream.recall.search import Search

ANALYSER = SnowballAnalyser()


def order(note: Note) -> tuple[str, str, str, int]:
    return (note.at, note.session, note.turn, note.index)


class StateStore:
    """The reader ports over a fold's state, as plain as can be."""

    def __init__(self) -> None:
        self.state = State()

    def node(self, node_id: str) -> Node | None:
        return self.state.nodes.get(node_id)

    def nodes(self, which: NodeFilter) -> list[Node]:
        return [
            node
            for node in sorted(self.state.nodes.values(), key=lambda node: node.id)
            if (which.projects is None or node.project in which.projects)
            and (which.statuses is None or node.status in which.statuses)
            and (which.tiers is None or node.tier in which.tiers)
            and (which.kinds is None or node.kind in which.kinds)
        ]

    def edges(self, node_id: str) -> list[Edge]:
        return [edge for edge in self.state.edges.values() if node_id in (edge.source, edge.target)]

    def holds(self) -> list[Hold]:
        return sorted(self.state.holds.values(), key=lambda hold: hold.held_at)

    def notes(self, which: NoteFilter) -> list[Note]:
        return sorted(
            (
                note
                for note in self.state.notes.values()
                if (which.projects is None or note.project in which.projects)
                and (which.sessions is None or note.session in which.sessions)
            ),
            key=order,
        )

    def notes_by_id(self, note_ids: Iterable[str]) -> dict[str, Note]:
        return {each: self.state.notes[each] for each in note_ids if each in self.state.notes}

    def nodes_by_id(self, node_ids: Iterable[str]) -> dict[str, Node]:
        return {each: self.state.nodes[each] for each in node_ids if each in self.state.nodes}

    def match(self, text: str, k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        wanted = set(ANALYSER.terms(text))
        held = [*self.state.nodes.values(), *self.state.notes.values()]
        scores = {
            each.id: float(len(wanted & set(ANALYSER.terms(each.text))))
            for each in held
            if projects is None or each.project in projects
        }
        best = sorted((each for each in scores.items() if each[1]), key=lambda each: (-each[1], each[0]))
        return dict(best[:k])

    def around(self, note_ids: Iterable[str], reach: int) -> list[Note]:
        found: dict[str, Note] = {}
        for note in self.notes_by_id(note_ids).values():
            held = self.notes(NoteFilter(sessions=(note.session,)))
            turns = list(dict.fromkeys(each.turn for each in held))
            at = turns.index(note.turn)
            near = set(turns[max(0, at - reach) : at + reach + 1])
            found.update({each.id: each for each in held if each.turn in near})
        return sorted(found.values(), key=order)

    def citing(self, note_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        wanted = dict.fromkeys(note_ids)
        found = {each: tuple(n.id for n in self.state.nodes.values() if each in n.notes) for each in wanted}
        return {each: ids for each, ids in found.items() if ids}

    def frequencies(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        held = [set(ANALYSER.terms(each.text)) for each in [*self.state.nodes.values(), *self.state.notes.values()]]
        return len(held), {term: sum(term in each for each in held) for term in terms}


class Memory:
    """Builds a store sentence by sentence and searches it."""

    def __init__(self) -> None:
        self.store = StateStore()
        self._said = 0

    def note(
        self, text: str, at: str = "", session: str = "s1", project: str = "p1", turn: str = "", **more: Any
    ) -> Note:
        self._said += 1
        at = at or f"2026-01-01T00:{self._said // 60:02d}:{self._said % 60:02d}.000Z"
        turn = turn or f"turn-{self._said:04d}"
        index = sum(each.turn == turn for each in self.store.state.notes.values())
        note = Note(
            make_id("n", turn, str(index)), text, at, session, turn, index, Origin.USER, 50, (), project, **more
        )
        self.store.state.notes[note.id] = note
        return note

    def node(self, text: str, *notes: Note, **more: Any) -> Node:
        notes = notes or (self.note(text, project=more.get("project", "p1")),)
        given: dict[str, Any] = {"project": notes[0].project, "kind": NodeKind.FACT, **more}
        node = Node(
            id=make_id("f", text, *(note.id for note in notes)),
            text=text,
            notes=tuple(note.id for note in notes),
            recorded_at=notes[0].at,
            evidence_at=notes[-1].at,
            **given,
        )
        self.store.state.nodes[node.id] = node
        return node

    def supersede(self, old: str, new: str, on: str, **more: Any) -> tuple[Node, Node]:
        later = self.node(new, valid_from=on, **more)
        earlier = self.node(old, valid_to=on, status=NodeStatus.SUPERSEDED, superseded_by=later.id, **more)
        return earlier, later

    def search(self, **parts: Any) -> Search:
        return Search(self.store, ANALYSER, RankBm25(), **parts)


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def search(memory: Memory) -> Callable[..., Search]:
    return memory.search
