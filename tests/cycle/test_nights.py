"""Nights can be listed, shown and undone, and what builds on one is named."""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from ledger_world import AT, edge, hold, home_at, node, note, opened

from dream.adapters.memory_trail import MemoryTrail
from dream.cycle import nights
from dream.errors import Conflict, NodeNotFound
from dream.ledger import merging
from dream.ledger.ledger import Ledger
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Node, NodeStatus, Tier
from tests.cycle.plans import told_alike


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    ledger = opened(home_at(tmp_path))
    ledger.commit([c.NotesAdded("s", (note(1), note(2), note(3)))], night="n1")
    ledger.commit([c.NodeAdded(node(1)), c.NodeAdded(node(2)), ended("n1")], night="n1")
    return ledger


def ended(night: str) -> c.CycleRecorded:
    return c.CycleRecorded(night, AT, AT, "rules", ())


def seen(ledger: Ledger) -> tuple[object, ...]:
    """What undo must put back: nodes, edges, holds, tiers, and what is found."""
    state = fold.fold(ledger.entries())
    found = {word: set(ledger._store.match(word, 50)) for word in ("sqlite", "redis", "port", "garde")}  # type: ignore[union-attr]
    return state.nodes, state.edges, state.holds, state.notes, found


def test_nights_are_ranges_of_entries(ledger: Ledger) -> None:
    ledger.commit([c.NodeRevised(node(1), node(1, pinned=True))])
    ledger.commit([c.NodeAdded(node(3)), ended("n2")], night="n2")
    store = ledger._store
    assert [(each.night, each.first, each.last, each.entries, each.undone) for each in nights.nights(store)] == [
        ("n1", 0, 3, 4, False),
        ("n2", 5, 6, 2, False),
    ]
    assert [type(entry.change).__name__ for entry in nights.diff(ledger, store, "n2")] == ["NodeAdded", "CycleRecorded"]
    with pytest.raises(NodeNotFound):
        nights.diff(ledger, store, "n9")


def test_undoing_a_night_on_which_nothing_depends_restores_the_state_before(ledger: Ledger) -> None:
    first, second, third = node(1), node(2), node(3, "Redis sur le port 6379")
    before = seen(ledger)
    closed = node(2, status=NodeStatus.SUPERSEDED, superseded_by=third.id, valid_to="2026-01")
    told = [c.NodeAdded(third), c.EdgeAdded(edge(first, third)), c.NodeRevised(second, closed)]
    told += [c.TierChanged(first.id, Tier.ACTIVE, Tier.HOT), c.NoteHeld(hold(4)), ended("n2")]
    ledger.commit(told, night="n2")
    assert seen(ledger) != before
    done = nights.undo(ledger, ledger._store, "n2")
    assert seen(ledger) == before
    assert done.nights == ("n2",)
    assert ledger._store.undone() == frozenset({"n2"})
    refused = ledger._store.refused()
    assert {each for refusal in refused.values() for each in refusal.notes} == {note(3).id, note(4).id}
    with pytest.raises(Conflict, match="undone already"):
        nights.undo(ledger, ledger._store, "n2")
    assert nights.rejudge(ledger, ledger._store) == len(refused)
    assert ledger._store.refused() == {}


def test_what_depends_on_a_night_is_listed_and_refused_or_cascaded(ledger: Ledger) -> None:
    start = seen(ledger)
    third = node(3, "Redis sur le port 6379")
    ledger.commit([c.NodeAdded(third), ended("n2")], night="n2")
    ledger.commit(
        [c.EdgeAdded(edge(node(1), third)), c.TierChanged(node(2).id, Tier.ACTIVE, Tier.COLD), ended("n3")], "n3"
    )
    ledger.commit([c.NodeRevised(third, node(3, third.text, pinned=True))])
    ledger.commit([c.NodeAdded(node(9)), ended("n4")], night="n4")
    store = ledger._store
    size = ledger.size
    assert {(each.night, each.seq) for each in nights.dependents(ledger, store, "n2")} == {("n3", 6), ("", 9)}
    with pytest.raises(Conflict, match=r"night n3, entry 9") as caught:
        nights.undo(ledger, store, "n2")
    assert "--cascade" in caught.value.hint
    assert ledger.size == size
    assert nights.dependents(ledger, store, "n4") == []
    done = nights.undo(ledger, store, "n2", cascade=True)
    assert (done.nights, done.days) == (("n3", "n2"), (9,))
    nights.undo(ledger, store, "n4")
    assert seen(ledger) == start


def test_a_night_in_the_middle_can_be_undone_alone(ledger: Ledger) -> None:
    ledger.commit([c.NodeAdded(node(3)), ended("n2")], night="n2")
    ledger.commit([c.NodeAdded(node(4)), c.TierChanged(node(3).id, Tier.ACTIVE, Tier.DARK), ended("n3")], night="n3")
    nights.undo(ledger, ledger._store, "n2")
    assert set(fold.fold(ledger.entries()).nodes) == {node(1).id, node(2).id, node(4).id}
    nights.undo(ledger, ledger._store, "n3")
    nights.undo(ledger, ledger._store, "n1")
    assert fold.fold(ledger.entries()).nodes == {}
    assert len(fold.fold(ledger.entries()).notes) == 3, "notes are never undone"


def test_undo_never_brings_back_what_was_forgotten(ledger: Ledger) -> None:
    secret = node(3, "Redis sur le port 6379")
    ledger.commit([c.NodeAdded(secret), ended("n2")], night="n2")
    ledger.commit([c.NodeRevised(secret, node(3, secret.text, pinned=True)), c.NodeAdded(node(5)), ended("n3")], "n3")
    ledger.forget(ledger._store, secret.id)  # type: ignore[arg-type]
    done = nights.undo(ledger, ledger._store, "n3", cascade=True)
    assert any("forgotten" in sentence for sentence in done.kept)
    assert set(fold.fold(ledger.entries()).nodes) == {node(1).id, node(2).id}
    nights.undo(ledger, ledger._store, "n2", cascade=True)
    assert ledger._store.node(secret.id) is None
    assert "6379" not in repr(list(ledger.entries()))


def test_merging_and_unmerging_put_everything_back(ledger: Ledger) -> None:
    one, two, three = node(1), node(2), node(3, "Redis")
    ledger.commit([c.NodeAdded(three), c.EdgeAdded(edge(two, three)), c.EdgeAdded(edge(one, three))])
    ledger.commit([c.EdgeAdded(edge(one, two))])
    before = seen(ledger)
    store = ledger._store
    merging.merge(ledger, store, one.id, two.id)
    after = store.node(one.id)
    assert after is not None
    assert after.notes == (*one.notes, *two.notes)
    assert store.node(two.id) is None
    assert [each.id for each in store.touching(one.id)] == [edge(one, three).id], "doubles and loops fall away"
    (line,) = merging.audit(store)
    assert (line.kept, line.absorbed, line.unmerged) == (one.id, two.id, None)
    merging.unmerge(ledger, store, two.id)
    assert seen(ledger) == before
    assert merging.audit(store)[0].unmerged == ledger.size - 1
    with pytest.raises(NodeNotFound):
        merging.unmerge(ledger, store, one.id)


def test_an_unmerge_that_would_lose_something_is_refused_or_cascaded(ledger: Ledger) -> None:
    store = ledger._store
    merging.merge(ledger, store, node(1).id, node(2).id)
    after = store.node(node(1).id)
    assert after is not None
    ledger.commit([c.TierChanged(after.id, Tier.ACTIVE, Tier.HOT)])
    ledger.commit([c.NodeRevised(store.node(after.id), node(1, "Corrigé", notes=after.notes, tier=Tier.HOT))])  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="would lose"):
        merging.unmerge(ledger, store, node(1).id)
    merging.unmerge(ledger, store, node(1).id, cascade=True)
    assert store.node(node(1).id) == node(1)
    assert store.node(node(2).id) == node(2)


def test_a_night_that_merged_is_undone_by_unmerging(ledger: Ledger) -> None:
    one, two = node(1), node(2)
    before = seen(ledger)
    ledger.commit([merging.merged(one, two, []), ended("n2")], night="n2")
    nights.undo(ledger, ledger._store, "n2")
    assert seen(ledger) == before
    assert merging.audit(ledger._store)[0].unmerged is not None


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    some.lists(
        some.tuples(some.sampled_from("node revise tie loosen move merge hold close".split()), some.integers(0, 9)),
        max_size=12,
    )
)
def test_undoing_any_night_on_which_nothing_depends_restores_the_state_before(acts: list[tuple[str, int]]) -> None:
    """The property of decision 5, over nights made at random."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = opened(home_at(Path(folder)))
        one, two, three = node(1), node(2, "Le port est 9464"), node(3, "Redis sur le port 6379")
        ledger.commit([c.NodeAdded(one), c.NodeAdded(two), c.NodeAdded(three), c.EdgeAdded(edge(one, two))])
        ledger.commit(
            [c.EdgeAdded(edge(three, two)), c.NoteHeld(hold(1)), c.TierChanged(two.id, Tier.ACTIVE, Tier.DARK)]
        )
        before = seen(ledger)
        state = fold.fold(ledger.entries())
        told: list[c.Change] = []
        for number, (act, choice) in enumerate(acts):
            change = made(state, act, choice, number)
            if change is not None and fold.refuse(state, change) is None:
                fold.apply(state, change)
                told.append(change)
        ledger.commit([*told, ended("n1")], night="n1")
        assert fold.fold(ledger.entries()).nodes == state.nodes
        nights.undo(ledger, ledger._store, "n1")
        assert seen(ledger) == before
        ledger._store.close()  # type: ignore[union-attr]


def made(state: fold.State, act: str, choice: int, number: int) -> c.Change | None:
    """A change that a night could make of this state."""
    nodes, edges = (
        sorted(state.nodes.values(), key=lambda each: each.id),
        sorted(state.edges.values(), key=lambda each: each.id),
    )
    holds = list(state.holds.values())
    if act == "node":
        return c.NodeAdded(node(100 + number, f"SQLite sur le port {number}"))
    if act == "hold":
        return c.NoteHeld(hold(100 + number))
    if act == "close" and holds:
        return c.HoldResolved(holds[choice % len(holds)], accepted=False)
    if act == "loosen" and edges:
        old = edges[choice % len(edges)]
        return c.EdgeRevised(old, dataclasses.replace(old, weight=choice)) if choice % 2 else c.EdgeWithdrawn(old)
    if not nodes:
        return None
    first, second = nodes[choice % len(nodes)], nodes[(choice + 1) % len(nodes)]
    if act == "revise":
        return c.NodeRevised(first, dataclasses.replace(first, text=f"Redis {number}", load=first.load + 1))
    if act == "move":
        return c.TierChanged(first.id, first.tier, list(Tier)[choice % 4])
    if first.id == second.id:
        return None
    if act == "tie":
        return c.EdgeAdded(edge(first, second))
    if act == "merge":
        touching = {each.id: each for end in (first, second) for each in state.touching(end.id)}
        return merging.merged(first, second, [touching[each] for each in sorted(touching)])
    return None


def test_what_a_person_accepted_goes_with_the_night_that_held_it(ledger: Ledger) -> None:
    before = seen(ledger)
    waiting = hold(7)
    ledger.commit([c.NoteHeld(waiting), ended("n2")], night="n2")
    ledger.commit([c.HoldResolved(waiting, accepted=True), c.NodeAdded(waiting.proposal)])
    with pytest.raises(Conflict, match="entry"):
        nights.undo(ledger, ledger._store, "n2")
    assert len(nights.undo(ledger, ledger._store, "n2", cascade=True).days) == 2
    assert seen(ledger) == before


def test_a_night_that_lost_a_part_to_another_can_be_undone_for_the_rest(ledger: Ledger) -> None:
    """What went with one night is not taken back again with its own, nor does it stand in anyone's way."""
    start = seen(ledger)
    ledger.commit([c.NodeAdded(node(3)), ended("n2")], night="n2")
    ledger.commit([c.NodeRevised(node(3), node(3, pinned=True)), c.NodeAdded(node(4)), ended("n3")], night="n3")
    ledger.commit([c.NodeRevised(node(3, pinned=True), node(3, pinned=True, adjust=5))])
    done = nights.undo(ledger, ledger._store, "n2", cascade=True)
    assert (done.nights, done.parts, len(done.days)) == (("n2",), (("n3", 1),), 1)
    assert set(fold.fold(ledger.entries()).nodes) == {node(each).id for each in (1, 2, 4)}
    assert nights.dependents(ledger, ledger._store, "n1") == []
    assert nights.undo(ledger, ledger._store, "n3").days == ()
    assert seen(ledger) == start


class Acts:
    """Nights made of small acts, each a function of the state and at most one entry: some can be left out of a play.

    An act that does nothing in the first play does nothing in any.
    """

    def __init__(self, folder: Path, acts: list[tuple[str, str, int, int]]) -> None:
        folder.mkdir()
        self.ledger, self.acts = opened(home_at(folder)), acts
        notes = tuple(note(n, at=f"2026-01-{1 + n * 7 % 28:02d}T08:00:00.000Z", load=n * 13 % 50) for n in range(60))
        self.ledger.commit([c.NotesAdded("s", notes)])
        self.said = {each.id: each for each in notes}
        self.ledger.commit([c.NodeAdded(self._node(1)), c.NodeAdded(self._node(2)), c.NoteHeld(hold(1))])
        self.seqs: dict[int, int] = {}

    def play(self, places: Iterable[int]) -> None:
        """The acts at these places; an act is (night or "", what, one, other)."""
        for place in places:
            change = self._change(place, *self.acts[place][1:])
            if change is not None and fold.refuse(fold.fold(self.ledger.entries()), change) is None:
                self.seqs[place] = self.ledger.commit([change], night=self.acts[place][0]).first

    def left(self) -> list[int]:
        """The places of the acts that were not taken back."""
        undone = [entry.change for entry in self.ledger.entries() if isinstance(entry.change, c.NightUndone)]
        names = {each.night for each in undone}
        taken = {seq for each in undone for seq in each.taken}
        return [place for place, seq in self.seqs.items() if self.acts[place][0] not in names and seq not in taken]

    def _node(self, number: int) -> Node:
        said = self.said[note(number).id]
        return node(number, f"SQLite {number}", evidence_at=said.at, load=said.load)

    def _change(self, place: int, what: str, one: int, other: int) -> c.Change | None:
        state = fold.fold(self.ledger.entries())
        first, second = state.node(node(one).id), state.node(node(other).id)
        if what == "add":
            return c.NodeAdded(self._node(one))
        if what == "hold":  # only a night holds
            return c.NoteHeld(hold(one)) if self.acts[place][0] else None
        if what in ("decide", "accept"):
            waiting = state.hold(hold(one).id)
            return None if waiting is None else c.HoldResolved(waiting, accepted=what == "accept")
        if first is None:
            return None
        if what == "again":
            said = self.said[note(place % 60).id]
            if said.id in first.notes or first.status is not NodeStatus.CURRENT:
                return None
            laid = {"evidence_at": max(first.evidence_at, said.at), "load": max(first.load, said.load)}
            return c.NodeRevised(first, dataclasses.replace(first, notes=(*first.notes, said.id), **laid))
        if what == "enrich":
            values = tuple(sorted({*first.values, str(place)}))
            return c.NodeRevised(first, dataclasses.replace(first, text=f"Redis {place}", values=values))
        if what == "pin":
            return c.NodeRevised(first, dataclasses.replace(first, pinned=not first.pinned))
        if second is None or first.id == second.id:
            return None
        if what == "tie":
            return c.EdgeAdded(edge(first, second))
        if what == "loosen":
            tied = state.edge(edge(first, second).id)
            return None if tied is None else c.EdgeWithdrawn(tied)
        if what == "merge":
            touching = {each.id: each for end in (first, second) for each in state.touching(end.id)}
            return merging.merged(first, second, [touching[each] for each in sorted(touching)])
        closed = {"status": NodeStatus.SUPERSEDED, "superseded_by": second.id, "valid_to": "2026-02"}
        return None if first.superseded_by else c.NodeRevised(first, dataclasses.replace(first, **closed))


ACTS = some.tuples(
    some.sampled_from(["n1", "n2", "n3", "n4", ""]),
    some.sampled_from("add again again again enrich pin tie loosen close merge hold decide".split()),
    some.integers(1, 4),
    some.integers(1, 4),
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(some.lists(ACTS, min_size=4, max_size=16), some.permutations(["n1", "n2", "n3", "n4"]))
def test_undoing_any_night_leaves_what_there_would_be_without_it_and_what_built_on_it(
    acts: list[tuple[str, str, int, int]], order: list[str]
) -> None:
    """Decision 5: what later nights did by themselves stays, to the letter; what they built on it goes, and no more."""
    acts = sorted(acts, key=lambda act: act[0] or "n2")
    with tempfile.TemporaryDirectory() as folder:
        played = Acts(Path(folder) / "played", acts)
        played.play(range(len(acts)))
        ledger, store, trail = played.ledger, played.ledger._store, MemoryTrail()
        for number, name in enumerate(order):
            if name not in {each.night for each in nights.nights(store) if not each.undone}:
                continue
            told_alike(ledger, trail)
            alone = not nights.dependents(ledger, store, name)
            done = nights.undo(ledger, store, name, cascade=not alone)
            assert alone == (done.nights == (name,) and not done.parts and not done.days)
            again = Acts(Path(folder) / str(number), acts)
            again.play(played.left())
            assert seen(ledger) == seen(again.ledger)
            told_alike(ledger, trail)
            again.ledger._store.close()  # type: ignore[union-attr]
        store.close()  # type: ignore[union-attr]
