"""What was built on a night is the same whether a trail names it or the whole log is read."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from ledger_world import AT, edge, home_at, node, note, opened

from dream.adapters.memory_trail import MemoryTrail
from dream.adapters.sqlite_trail import SqliteTrail
from dream.cycle import nights
from dream.errors import Conflict, DreamError
from dream.ledger import merging
from dream.ledger.ledger import Ledger
from dream.ledger.receipt import Receipt
from dream.model import change as c
from dream.model.change import Entry
from dream.model.graph import Tier
from tests.cycle.plans import told_alike


def ended(night: str) -> c.CycleRecorded:
    return c.CycleRecorded(night, AT, AT, "rules", ())


@pytest.fixture
def built(tmp_path: Path) -> Ledger:
    """Nights and a day that build on one another."""
    ledger = opened(home_at(tmp_path))
    ledger.commit([c.NotesAdded("s", (note(1), note(2), note(3)))], night="n1")
    ledger.commit([c.NodeAdded(node(1)), c.NodeAdded(node(2)), ended("n1")], night="n1")
    third = node(3, "Redis sur le port 6379")
    ledger.commit([c.NodeAdded(third), ended("n2")], night="n2")
    told = [c.EdgeAdded(edge(node(1), third)), c.TierChanged(node(2).id, Tier.ACTIVE, Tier.COLD), c.NodeAdded(node(6))]
    ledger.commit([*told, ended("n3")], "n3")
    ledger.commit([c.NodeRevised(third, node(3, third.text, pinned=True))])
    ledger.commit([c.NodeAdded(node(9)), ended("n4")], night="n4")
    return ledger


def test_a_plan_by_a_trail_is_the_one_by_the_whole_log_through_undo_and_forgetting(
    built: Ledger, tmp_path: Path
) -> None:
    trail = SqliteTrail(tmp_path / "trail.sqlite")
    told_alike(built, trail)
    assert trail.mark()[0] == built.size
    nights.undo(built, built._store, "n4")  # type: ignore[arg-type]
    told_alike(built, trail)
    built.forget(built._store, node(3).id)  # type: ignore[arg-type]
    told_alike(built, trail)
    nights.undo(built, built._store, "n2", cascade=True)  # type: ignore[arg-type]
    told_alike(built, trail)
    trail.close()


def test_a_trail_of_another_log_or_one_that_fails_is_not_believed(built: Ledger, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = opened(home_at(tmp_path / "other"))
    other.commit([c.NotesAdded("s", (note(1), note(2), note(3))), c.NodeAdded(node(1)), ended("n1")], night="n1")
    trail = SqliteTrail(tmp_path / "trail.sqlite")
    told_alike(other, trail)
    told_alike(built, trail)
    trail.close()
    (tmp_path / "trail.sqlite").write_bytes(b"damaged" * 1000)
    told_alike(built, trail)
    assert trail.mark()[0] == built.size, "it is made again"
    trail.close()

    class Failing(MemoryTrail):
        def naming(self, ids: object, start: int) -> set[int]:
            raise DreamError("trail.sqlite: disk I/O error.", "Run `dream doctor`.")

    told_alike(built, Failing())


def test_an_undo_does_what_was_shown_or_nothing(built: Ledger) -> None:
    store = built._store
    shown = nights.plan(built, store, "n4").mark  # type: ignore[arg-type]
    built.commit([c.NodeRevised(node(9), node(9, pinned=True))])
    size = built.size
    with pytest.raises(Conflict):
        nights.undo(built, store, "n4", shown=shown)  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="not what was shown"):
        nights.undo(built, store, "n4", cascade=True, shown=shown)  # type: ignore[arg-type]
    assert built.size == size
    shown = nights.plan(built, store, "n4", cascade=True).mark  # type: ignore[arg-type]
    assert nights.undo(built, store, "n4", cascade=True, shown=shown).nights == ("n4",)  # type: ignore[arg-type]


def test_what_ties_to_a_node_that_was_unmerged_goes_with_it_and_a_tier_stands_in_no_way(built: Ledger) -> None:
    """A random history found it: the cascade was refused, though nothing may stand in its way."""
    store = built._store
    merging.merge(built, store, node(1).id, node(2).id)
    merging.unmerge(built, store, node(1).id)
    told = [c.NodeAdded(node(7)), c.EdgeAdded(edge(node(7), node(2))), c.TierChanged(node(1).id, Tier.ACTIVE, Tier.HOT)]
    built.commit([*told, ended("n5")], night="n5")
    told_alike(built)
    done = nights.undo(built, store, "n1", cascade=True)  # type: ignore[arg-type]
    assert ("n5", 1) in done.parts
    left = {each.id for each in (node(n) for n in range(1, 10)) if store.node(each.id) is not None}  # type: ignore[union-attr]
    assert left == {node(n).id for n in (3, 6, 7, 9)}


def test_what_is_left_of_a_night_that_was_undone_stands_in_no_way_of_a_cascade(built: Ledger) -> None:
    """A random history found it: two nights laid evidence on one node, the first of them was undone."""
    store, made = built._store, node(3, "Redis sur le port 6379", pinned=True)
    for number, name in ((1, "n5"), (2, "n6")):
        before = store.node(made.id)  # type: ignore[union-attr]
        assert before is not None
        built.commit([c.NodeRevised(before, dataclasses.replace(before, load=number)), ended(name)], night=name)
    nights.undo(built, store, "n5")  # type: ignore[arg-type]
    told_alike(built)
    nights.undo(built, store, "n2", cascade=True)  # type: ignore[arg-type]
    assert store.node(made.id) is None  # type: ignore[union-attr]


def test_an_undo_is_not_written_over_what_came_between_its_plan_and_its_commit(built: Ledger) -> None:
    class Meanwhile:
        """The log, to which another process adds once it was read."""

        log_id = built.log_id

        def entries(self, start: int = 0) -> Iterator[Entry]:
            yield from list(built.entries(start))
            built.commit([c.EdgeAdded(edge(node(9), node(1)))])

        def commit(self, changes: Sequence[c.Change], night: str = "", after: int = -1) -> Receipt:
            return built.commit(changes, night, after)

    with pytest.raises(Conflict, match="meanwhile"):
        nights.undo(Meanwhile(), built._store, "n4")  # type: ignore[arg-type]
    store = built._store
    assert store.node(node(9).id) is not None and store.touching(node(9).id)  # type: ignore[union-attr]
    assert nights.undo(built, store, "n4", cascade=True).days  # type: ignore[arg-type]
