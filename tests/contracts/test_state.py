"""One suite for both keepers of figures; what several processes add, and what happens to a damaged file."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.adapters.memory_state import MemoryState
from dream.adapters.state import SqliteState
from dream.operations import State

T0, T1, T2 = "2026-03-09T08:00:00.000Z", "2026-03-09T09:00:00.000Z", "2026-03-09T10:00:00.000Z"
EDGES = (1.0, 5.0, 10.0)


@pytest.fixture(params=["sqlite", "memory"])
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[State]:
    made: State = SqliteState(tmp_path / "state.sqlite") if request.param == "sqlite" else MemoryState()
    yield made
    made.close()


def test_counters_add_up_by_label_in_any_order(state: State) -> None:
    state.count("a", (("x", "1"), ("y", "2")))
    state.count("a", (("y", "2"), ("x", "1")), 2)
    state.count("a", (("x", "3"), ("y", "2")))
    state.count("b")
    found = state.totals().counters
    assert found["a", (("x", "1"), ("y", "2"))] == 3
    assert found["a", (("x", "3"), ("y", "2"))] == 1
    assert found["b", ()] == 1


@pytest.mark.parametrize("by", [-1.0, math.nan, math.inf])
def test_a_counter_only_grows(state: State, by: float) -> None:
    with pytest.raises(ValueError, match="only grows"):
        state.count("a", by=by)


def test_a_value_falls_into_the_first_edge_that_is_not_below_it(state: State) -> None:
    for value in (0.5, 1.0, 1.1, 10.0, 11.0):
        state.observe("h", value, EDGES)
    found = state.totals().histograms["h"]
    assert dict(found.counts) == {1.0: 2, 5.0: 1, 10.0: 1, math.inf: 1}
    assert (found.number, round(found.total, 1)) == (5, 23.6)


def test_samples_and_uses_come_back_from_an_instant_on(state: State) -> None:
    for at, value in ((T1, 2.0), (T0, 1.0), (T2, 3.0)):
        state.sample("s", value, at)
        state.touch([f"f-{value}"], at)
    assert state.since("s", T1) == [2.0, 3.0]
    assert dict(state.uses(T1)) == {"f-2.0": [T1], "f-3.0": [T2]}
    assert state.uses_of("f-1.0") == [T0] and not state.uses_of("f-9")
    assert state.since("other", "") == []


def test_a_mark_replaces_the_last_of_its_name(state: State) -> None:
    state.put("process:1", "a", T0)
    state.put("process:1", "b", T1)
    state.put("else", "c", T2)
    assert state.get("process:1") == ("b", T1)
    assert dict(state.named("process:")) == {"process:1": ("b", T1)}
    state.drop("process:1")
    assert state.get("process:1") is None


def test_processes_and_threads_add_to_the_same_figures(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    state = SqliteState(path)
    code = (
        "import sys, pathlib; from dream.adapters.state import SqliteState\n"
        "s = SqliteState(pathlib.Path(sys.argv[1]))\n"
        "[s.count('n') for _ in range(100)]; sys.exit(bool(s.lost))"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
    threads = [threading.Thread(target=lambda: [state.count("n") for _ in range(50)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert [each.wait(60) for each in others] == [0, 0, 0]
    for thread in threads:
        thread.join()
    assert state.totals().counters["n", ()] == 400


def test_a_busy_database_costs_a_figure_and_no_verb(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    state = SqliteState(path)
    state.count("n")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    state.count("n")
    assert "locked" in state.lost
    assert state.totals().counters == {}
    other.execute("COMMIT")
    state.count("n")
    assert state.totals().counters["n", ()] == 2


def test_a_damaged_database_is_put_aside_and_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    path.write_bytes(b"this is no database at all, whatever its name says" * 100)
    state = SqliteState(path)
    state.count("n")
    assert state.totals().counters["n", ()] == 1
    assert path.with_name("state.sqlite.damaged").exists()


def test_a_folder_that_cannot_be_written_is_told_and_not_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    state = SqliteState(tmp_path / "file" / "state.sqlite")
    state.count("n")
    state.sample("s", 1.0, T0)
    assert state.lost and state.since("s", "") == []
