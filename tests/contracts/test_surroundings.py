"""One suite for `Surroundings`: SQLite and the reference in memory answer alike."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from dream.adapters.memory import MemoryStore
from dream.adapters.snowball import SnowballAnalyser
from dream.adapters.sqlite import SqliteStore
from dream.model import change as c
from dream.model.change import Entry
from dream.model.graph import Edge, Node, NodeKind, NodeStatus, Relation, Tier
from dream.model.ids import make_id
from dream.model.note import Note, Origin

AT = "2026-01-12T08:00:00.000Z"


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    words = SnowballAnalyser()
    return MemoryStore(words) if request.param == "memory" else SqliteStore(tmp_path / "pgt.sqlite", words)


def said(session: str, turn: int, index: int, text: str) -> Note:
    name = f"{session}-{turn:02d}"
    at = f"2026-01-12T08:{turn:02d}:00.000Z"
    return Note(make_id("n", name, str(index)), text, at, session, name, index, Origin.USER, 0, (), "p")


def node(*notes: Note) -> Node:
    return Node(make_id("f", notes[0].id), NodeKind.FACT, notes[0].text, "p", tuple(n.id for n in notes), AT, AT)


NOTES = {session: [said(session, turn, index, f"{session} turn {turn} part {index}, gemma4:12b") for turn in range(8)
                   for index in range(2)] for session in ("s1", "s2")}  # fmt: skip


def tell(store: Any, *changes: c.Change) -> None:
    first = store.watermark()
    store.apply([Entry(first + place, "log", AT, "", change) for place, change in enumerate(changes)])


def test_the_turns_beside_a_note_are_read_and_no_other_session(store: Any) -> None:
    tell(store, *(c.NotesAdded(session, tuple(notes)) for session, notes in NOTES.items()))
    middle = NOTES["s1"][6]
    assert [note.turn for note in store.around([middle.id], 1)] == ["s1-02"] * 2 + ["s1-03"] * 2 + ["s1-04"] * 2
    last = NOTES["s1"][-1]
    assert {note.turn for note in store.around([last.id], 2)} == {"s1-05", "s1-06", "s1-07"}
    assert store.around([middle.id], 0) == NOTES["s1"][6:8]
    both = store.around([middle.id, NOTES["s2"][0].id], 1)
    assert {note.session for note in both} == {"s1", "s2"} and len(both) == 10
    assert store.around(["n-none"], 2) == []


def test_a_long_turn_is_read_whole_from_any_of_its_sentences_and_so_are_the_turns_beside_it(store: Any) -> None:
    notes = [said("s1", turn, index, f"turn {turn} part {index}") for turn in range(5) for index in range(9)]
    tell(store, c.NotesAdded("s0", tuple(NOTES["s2"])), c.NotesAdded("s1", tuple(notes)))
    for index in (0, 4, 8):
        asked = notes[18 + index].id
        assert store.around([asked], 0) == notes[18:27]
        assert store.around([asked], 1) == notes[9:36]


def test_a_session_told_in_two_parts_is_still_one(store: Any) -> None:
    tell(store, c.NotesAdded("s1", tuple(NOTES["s1"][:8])), c.NotesAdded("s1", tuple(NOTES["s1"][8:])))
    assert {note.turn for note in store.around([NOTES["s1"][7].id], 1)} == {"s1-02", "s1-03", "s1-04"}


def test_the_nodes_on_a_note_are_told_and_follow_what_changes(store: Any) -> None:
    notes = NOTES["s1"]
    one, two = node(notes[0], notes[1]), node(notes[1])
    tell(store, c.NotesAdded("s1", tuple(notes)), c.NodeAdded(one))
    assert store.citing([notes[0].id, notes[2].id]) == {notes[0].id: (one.id,)}
    tell(store, c.NodeAdded(two))
    assert store.citing([notes[1].id]) == {notes[1].id: tuple(sorted((one.id, two.id)))}


def test_frequencies_count_texts_that_hold_a_term_whole(store: Any) -> None:
    tell(store, c.NotesAdded("s1", tuple(NOTES["s1"])))
    total, held = store.frequencies(SnowballAnalyser().terms("turn gemma4:12b part absent-word"))
    assert total == 16
    assert held["turn"] == held["gemma4:12b"] == held["part"] == 16
    assert "absent" not in held


def test_notes_come_back_as_they_were_told_whatever_stands_in_them(store: Any) -> None:
    awkward = ['He said "no\\"', '","turn":"x","index":7', "tab\tand\nline", "é \u2028 🙂", '{"id":"n-1"}', "plain"]
    notes = []
    for place, text in enumerate(awkward):
        note = said('s"1\\', place, 0, text)
        signals = ("decision", 'odd"one') if place % 2 else ("decision",)
        notes.append(
            dataclasses.replace(note, signals=signals, branch="b/1" if place % 3 else "", lang="fr", load=place)
        )
    tell(store, c.NotesAdded("s1", tuple(notes)))
    assert store.around([notes[2].id], 9) == notes


def test_nodes_are_read_by_their_ids_in_the_order_asked(store: Any) -> None:
    notes = NOTES["s1"]
    one, two = node(notes[0]), node(notes[1])
    tell(store, c.NotesAdded("s1", tuple(notes)), c.NodeAdded(one), c.NodeAdded(two))
    assert list(store.nodes_by_id([two.id, "f-none", one.id]).items()) == [(two.id, two), (one.id, one)]


def test_the_graph_reads_standing_and_ties(store: Any) -> None:
    notes = NOTES["s1"]
    one = node(notes[0])
    two = dataclasses.replace(
        node(notes[1]), entities=("léa", 'x"y'), tier=Tier.DARK, status=NodeStatus.SUPERSEDED, superseded_by=one.id
    )
    edge = Edge("e-1", one.id, Relation.USES, two.id, AT, 40, valid_to="2026-02-01")
    tell(store, c.NotesAdded("s1", tuple(notes)), c.NodeAdded(one), c.NodeAdded(two), c.EdgeAdded(edge))
    assert list(store.standing()) == [
        (one.id, Tier.ACTIVE, NodeStatus.CURRENT, ()), (two.id, Tier.DARK, NodeStatus.SUPERSEDED, ("léa", 'x"y')),
    ]  # fmt: skip
    assert list(store.ties()) == [edge]


def test_a_count_follows_what_is_told_later(store: Any) -> None:
    tell(store, c.NotesAdded("s1", tuple(NOTES["s1"][:4])))
    assert store.frequencies(["turn"])[1] == {"turn": 4}
    tell(store, c.NotesAdded("s1", tuple(NOTES["s1"][4:])))
    assert store.frequencies(["turn"])[1] == {"turn": 16}
