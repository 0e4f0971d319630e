"""Every kind of change survives the way to disk and back, and loses only what is redacted."""

from __future__ import annotations

import json
import typing

import pytest
from ledger_world import AT, edge, hold, node, note

from dream.ledger import body
from dream.model import change as c
from dream.model import codec
from dream.model.fold import is_stub
from dream.model.graph import Tier

ONE, TWO = node(1), node(2, 'Deux « mots » \ud83d\n\t"fin"', pinned=True, values=("9464",))
CHANGES: list[c.Change] = [
    c.NotesAdded("s", (note(1), note(2))), c.NotesAdded("s", ()), c.NodeAdded(ONE), c.NodeWithdrawn(TWO),
    c.NodeRevised(ONE, TWO), c.EdgeAdded(edge(ONE, TWO)), c.EdgeWithdrawn(edge(ONE, TWO)),
    c.EdgeRevised(edge(ONE, TWO), edge(ONE, TWO)), c.NodesMerged(ONE, TWO, ONE, ((edge(ONE, TWO), None),)),
    c.NodesUnmerged(3, ONE, TWO, ONE, ((edge(ONE, TWO), edge(TWO, ONE)),)), c.TierChanged(ONE.id, Tier.HOT, Tier.COLD),
    c.NodeForgotten(ONE.id, (note(1).id,), ("h-1",)), c.NoteHeld(hold(1)), c.HoldResolved(hold(1), True, "undo"),
    c.HoldReopened(hold(1), withdrawn=True), c.DebateRejected("c-1", (note(1).id,), 12, "Non.", "ab"),
    c.ClusterRefused("c-1", (note(1).id,), "n", lifted=True), c.CycleRecorded("n", AT, AT, "rules", (("a", 1),)),
    c.NightUndone("n", 1, 2), c.ModelChanged("m", 3),
]  # fmt: skip


def back(change: c.Change, gone: tuple[int, ...] = ()) -> c.Change:
    frame, parts = body.split(change)
    lines = [body.part_line("s" * body.SALT_CHARS, value) for _, value in parts]
    assert all(b"\n" not in line for line in lines)
    lines = [body.GONE if place in gone else line for place, line in enumerate(lines)]
    plain = json.loads(json.dumps(frame))
    return body.join(plain, [key for key, _ in parts], [body.part_value(line) for line in lines])


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_a_change_comes_back_as_it_was(change: c.Change) -> None:
    assert back(change) == change
    assert codec.change_from_plain(codec.change_to_plain(change)) == change


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_no_text_stands_in_the_frame(change: c.Change) -> None:
    frame, _ = body.split(change)
    told = json.dumps(frame, ensure_ascii=False)
    assert "SQLite" not in told
    assert "mots" not in told
    assert "Non." not in told


def test_a_redacted_note_is_left_out_and_a_redacted_node_is_a_stub() -> None:
    assert back(CHANGES[0], (0,)) == c.NotesAdded("s", (note(2),))
    revised = back(c.NodeRevised(ONE, TWO), (0,))
    assert isinstance(revised, c.NodeRevised)
    assert is_stub(revised.before)
    assert revised.before.id == ONE.id
    assert revised.after == TWO
    held = back(c.NoteHeld(hold(1)), (0,))
    assert isinstance(held, c.NoteHeld)
    assert is_stub(held.hold)
    rejected = back(CHANGES[15], (0,))
    assert isinstance(rejected, c.DebateRejected)
    assert (rejected.cluster, rejected.reason) == ("c-1", "")


def test_what_a_newer_version_wrote_is_refused_and_not_guessed() -> None:
    frame, _ = body.split(c.NightUndone("n", 1, 2))
    with pytest.raises(codec.NewerFormat, match="'mood'"):
        body.join({**frame, "mood": 1}, [], [])
    with pytest.raises(codec.NewerFormat, match="'Dreamt'"):
        body.join({"kind": "Dreamt"}, [], [])
    with pytest.raises(codec.NewerFormat, match="Tier"):
        body.join({"kind": "TierChanged", "node": "f", "before": "hot", "after": "lukewarm"}, [], [])


def test_every_kind_is_tried_here_or_has_no_text_of_its_own() -> None:
    tried = {type(change) for change in CHANGES}
    for kind in set(typing.get_args(c.Change)) - tried:
        parted = [hint for _, hint, _ in codec.fields(kind) if hint in body._PARTED]
        texts = [name for name, hint, _ in codec.fields(kind) if hint is str]
        assert parted or set(texts) <= {"cluster", "why", "night"}, kind
