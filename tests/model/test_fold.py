"""What the fold refuses, and what is left of redacted values."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from ledger_world import AT, edge, hold, node, note

from dream.errors import Conflict
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Tier


def state(*changes: c.Change) -> fold.State:
    made = fold.State()
    for change in changes:
        fold.apply(made, change)
    return made


def refused(made: fold.State, change: c.Change) -> str:
    with pytest.raises(Conflict) as caught:
        fold.apply(made, change)
    return caught.value.sentence


def test_e02_a_validity_that_ends_before_it_starts_is_refused_with_both_dates() -> None:
    backwards = node(1, valid_from="2026-05-01", valid_to="2026-04-01")
    sentence = refused(state(), c.NodeAdded(backwards))
    assert "2026-05-01" in sentence
    assert "2026-04-01" in sentence
    held = state(c.NodeAdded(node(1)), c.NodeAdded(node(2)))
    assert "2026-04-01" in refused(held, c.NodeRevised(node(1), backwards))
    tie = edge(node(1), node(2))
    ended = type(tie)(tie.id, tie.source, tie.relation, tie.target, AT, valid_from="2026-05", valid_to="2026-04-30")
    assert "2026-04-30" in refused(held, c.EdgeAdded(ended))


@pytest.mark.parametrize(
    ("start", "end"),
    [("2026-01-05", "2026-01"), ("2026-01", "2026-01-05"), ("2026-01-05", "2026-01-05"), ("2026", "2026-12-31"),
     ("2026-01-05T08:00:00.000Z", "2026-01-05")],
)  # fmt: skip
def test_a_coarser_moment_may_hold_a_finer_one(start: str, end: str) -> None:
    assert state(c.NodeAdded(node(1, valid_from=start, valid_to=end))).nodes


def test_what_does_not_follow_is_refused_and_alters_nothing() -> None:
    one, two, three = node(1), node(2), node(3)
    made = state(c.NotesAdded("s", (note(1),)), c.NodeAdded(one), c.NodeAdded(two), c.EdgeAdded(edge(one, two)))
    made_before = (dict(made.nodes), dict(made.edges), dict(made.notes))
    assert "already there" in refused(made, c.NotesAdded("s", (note(2), note(1))))
    assert "twice" in refused(made, c.NotesAdded("s", (note(2), note(2))))
    assert "already there" in refused(made, c.NodeAdded(one))
    assert "has changed" in refused(made, c.NodeRevised(node(1, load=3), node(1, load=4)))
    assert "cannot become" in refused(made, c.NodeRevised(one, two))
    assert "would hang" in refused(made, c.EdgeAdded(edge(one, three)))
    assert "is active, not hot" in refused(made, c.TierChanged(one.id, Tier.HOT, Tier.COLD))
    assert "would hang" in refused(made, c.NodesMerged(one, two, one)), "an edge of the absorbed is not told"
    assert "itself" in refused(made, c.NodesMerged(one, one, one))
    assert "already there" in refused(made, c.NodesUnmerged(0, one, two, one))
    assert "not there" in refused(made, c.NodeForgotten(three.id, ()))
    assert "not there" in refused(made, c.HoldResolved(hold(1), True))
    assert (made.nodes, made.edges, made.notes) == made_before


def test_a_redacted_entry_still_follows_and_leaves_nothing() -> None:
    one, two = node(1), node(2)
    stub = fold.stub_node(one.id)
    told = [
        c.NodeAdded(stub),
        c.NodeAdded(two),
        c.EdgeAdded(edge(one, two)),
        c.TierChanged(one.id, Tier.ACTIVE, Tier.HOT),
    ]
    told += [c.NodeRevised(stub, stub), c.NoteHeld(fold.stub_hold("h-1")), c.DebateRejected("c-1", (), 0, "", "")]
    entries = [c.Entry(seq, "l", AT, "", change) for seq, change in enumerate(told)]
    folded = fold.fold(entries)
    assert (set(folded.nodes), folded.edges, folded.holds, folded.rejected) == ({two.id}, {}, {}, {})
    last = c.Entry(len(told), "l", AT, "", c.NodeForgotten(one.id, ()))
    assert fold.fold([*entries, last]).nodes == {two.id: two}
