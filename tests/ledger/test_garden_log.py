"""Branches and carried clusters in the log: replayed, inverted, and gone when they are settled."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from dream.adapters.sqlite import SqliteStore
from dream.cycle.inverse import invert
from dream.model import change as c
from dream.model import fold
from dream.model.branch import Branch, BranchStatus, Foretold, pruned
from tests.ledger_world import AT, Words, home_at, node, note, opened

GROWN = Branch("b-1", node(1).id, "p", "Had the cache been purged", Foretold.CEASES, (), AT, AT, AT)
RIGHT = dataclasses.replace(GROWN, status=BranchStatus.RIGHT, settled_at=AT)
CARRIED = c.ClusterCarried("c-1", ("n-1",), 1, "the time was up")


def lived(folder: Path, *changes: c.Change) -> tuple[Any, SqliteStore]:
    home = home_at(folder)
    with opened(home) as log:
        log.commit([c.NodeAdded(node(1)), *changes])
        entries = list(log.entries())
    return entries, SqliteStore(home.database, Words())


def test_a_store_holds_what_the_log_folds_to(tmp_path: Path) -> None:
    entries, store = lived(tmp_path, c.BranchGrown(GROWN), c.BranchSettled(GROWN, RIGHT), CARRIED)
    state = fold.fold(entries)
    assert state.branches == {"b-1": RIGHT} == {each.id: each for each in store.branches()}
    assert state.carried == {"c-1": CARRIED} == store.carried()


def test_what_is_pruned_or_settled_leaves_the_store_and_stays_in_the_log(tmp_path: Path) -> None:
    done = dataclasses.replace(CARRIED, settled=True)
    entries, store = lived(tmp_path, c.BranchGrown(GROWN), CARRIED, c.BranchSettled(GROWN, pruned(GROWN)), done)
    assert store.branches() == [] and store.carried() == {}
    assert any(entry.change == c.BranchGrown(GROWN) for entry in entries)


def test_undo_takes_each_back_exactly(tmp_path: Path) -> None:
    told = [
        c.BranchGrown(GROWN),
        c.BranchSettled(GROWN, RIGHT),
        c.BranchSettled(RIGHT, pruned(RIGHT)),
        CARRIED,
        c.ClusterCarried("c-1", ("n-1",), 2, "the time was up", before=1),
    ]
    states = [fold.State()]
    for change in told:
        after = dataclasses.replace(states[-1], branches=dict(states[-1].branches), carried=dict(states[-1].carried))
        fold.apply(after, change)
        states.append(after)
    now = states[-1]
    for change, before in reversed(list(zip(told, states[:-1], strict=True))):
        inverse = invert(c.Entry(0, "log", AT, "night", change), now)
        assert not isinstance(inverse, str)
        for each in inverse:
            fold.apply(now, each)
        assert now.branches == before.branches
        assert now.carried.keys() == before.carried.keys()
        assert [each.times for each in now.carried.values()] == [each.times for each in before.carried.values()]


def test_a_projection_rebuilt_from_the_log_is_the_same(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    with opened(home) as log:
        log.commit([c.NodeAdded(node(1)), c.BranchGrown(GROWN), CARRIED])
    home.database.unlink()
    with opened(home):
        store = SqliteStore(home.database, Words())
        assert [each.id for each in store.branches()] == ["b-1"] and store.carried() == {"c-1": CARRIED}


def test_forgetting_a_root_takes_its_branches_and_their_words_along(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    said = note(1, "La cuve fuit abracadabra.")
    root = node(1, said.text, notes=(said.id,))
    grown = dataclasses.replace(GROWN, root=root.id, premise="Had abracadabra been mended", notes=(said.id,))
    with opened(home) as log:
        log.commit([c.NotesAdded("s", (said,)), c.NodeAdded(root), c.BranchGrown(grown)])
        log.forget(log._store, root.id)  # type: ignore[arg-type]
    assert SqliteStore(home.database, Words()).branches() == []
    assert [path for path in home.root.rglob("*") if path.is_file() and b"abracadabra" in path.read_bytes()] == []
