"""Branches from errors and refusals, and what settles them, with the real reader of sentences."""

from __future__ import annotations

import dataclasses

from dream.adapters.memory import MemoryStore
from dream.adapters.snowball import SnowballAnalyser
from dream.debate.frames import FrameReader
from dream.garden.growing import Refusal, Soil, from_error, from_refusal, remedies_of
from dream.garden.settling import settle_all
from dream.model import change as c
from dream.model.branch import Branch, BranchStatus, Foretold
from dream.model.graph import Node, NodeKind
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from tests.debate.conftest import reader

__all__ = ["reader"]
ZONE = "Europe/Paris"
NOW, LATER = "2026-03-10T01:05:00.000Z", "2026-03-25T01:05:00.000Z"


def note(text: str, at: str = "2026-03-09T09:00:00.000Z", project: str = "kiln") -> Note:
    return Note(make_id("n", text, at), text, at, "s", make_id("t", text), 0, Origin.USER, 40, (), project)


def node(text: str, kind: NodeKind = NodeKind.ERROR, at: str = "2026-03-09T09:00:00.000Z") -> Node:
    return Node(make_id("f", text), kind, text, "kiln", (note(text, at).id,), NOW, at)


ERROR = node("The export crashed because the temp folder was full.")
RULE = node("Empty the temp folder before the export.", NodeKind.PROCESS, "2026-03-09T09:05:00.000Z")
OTHER = node("Priya is in charge of the calendar.", NodeKind.PERSON)


def store(*changes: c.Change) -> MemoryStore:
    from dream.model.change import Entry

    made = MemoryStore(SnowballAnalyser())
    made.apply([Entry(seq, "log", NOW, "", change) for seq, change in enumerate(changes)])
    return made


def soil(reader: FrameReader) -> Soil:
    return Soil(reader, ZONE, NOW)


def test_a_remedy_shares_the_errors_words_and_came_within_a_week(reader: FrameReader) -> None:
    late = dataclasses.replace(RULE, id="f-late", evidence_at="2026-03-29T09:00:00.000Z")
    earlier = dataclasses.replace(RULE, id="f-early", evidence_at="2026-03-01T09:00:00.000Z")
    assert remedies_of(ERROR, [ERROR, RULE, OTHER, late, earlier], soil(reader)) == [RULE]


def test_a_never_in_both_makes_no_remedy_of_what_speaks_of_something_else(reader: FrameReader) -> None:
    """`never` steers, it is no subject: two statements that share it share nothing."""
    error = node("The kiln controller never restarts after an outage.")
    assert remedies_of(error, [node("Priya never works on Fridays.", NodeKind.FACT)], soil(reader)) == []


def test_growing_twice_gives_the_same_branches(reader: FrameReader) -> None:
    once = from_error(ERROR, [ERROR, RULE], soil(reader))
    assert once == from_error(ERROR, [ERROR, RULE], soil(reader))
    assert [branch.foretold for branch in once] == [Foretold.CEASES, Foretold.RECURS]
    assert set(RULE.notes) <= set(once[0].notes)


def settled(reader: FrameReader, branch: Branch, *said: str) -> Branch:
    window = tuple(note(text, "2026-03-15T09:00:00.000Z") for text in said)
    held = store(c.NotesAdded("s", (note(ERROR.text), note(RULE.text))), c.NodeAdded(ERROR), c.NodeAdded(RULE),
                 c.NotesAdded("later", window))  # fmt: skip
    done = settle_all([branch], held, (), held.node, reader, ZONE, LATER)
    return done.branches[0] if done.branches else branch


def test_what_was_turned_down_and_then_said_after_all_was_right(reader: FrameReader) -> None:
    first, _ = from_refusal(Refusal("The kiln fires at 1180 degrees.", RULE), soil(reader))
    assert first.foretold is Foretold.SAID
    assert settled(reader, first, "The kiln fires at 1180 degrees now.").status is BranchStatus.RIGHT
    assert settled(reader, first, "Priya keeps the keys.").status is BranchStatus.GROWING


def test_what_was_said_otherwise_was_wrong_and_says_by_which_note(reader: FrameReader) -> None:
    first, _ = from_refusal(Refusal("The kiln fires at 1180 degrees.", RULE), soil(reader))
    wrong = settled(reader, first, "The kiln fires at 1240 degrees.")
    assert wrong.status is BranchStatus.WRONG and len(wrong.evidence) == 1


def test_silence_in_the_project_decides_nothing(reader: FrameReader) -> None:
    ceases = from_error(ERROR, [ERROR, RULE], soil(reader))[0]
    assert settled(reader, ceases).status is BranchStatus.GROWING
    assert settled(reader, ceases, "Priya keeps the keys.").status is BranchStatus.RIGHT


def test_a_branch_whose_root_was_forgotten_goes(reader: FrameReader) -> None:
    (first, *_) = from_error(ERROR, [ERROR, RULE], soil(reader))
    held = store(c.NodeAdded(RULE))
    (change,) = settle_all([first], held, (), held.node, reader, ZONE, NOW).changes
    assert isinstance(change, c.BranchSettled) and change.after.status is BranchStatus.PRUNED
