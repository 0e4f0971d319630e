"""What the next session learns about the nights (case G07)."""

from __future__ import annotations

import json
from pathlib import Path

from dream.cycle.status import Outcome, Pending, Status, read_status, record_pending, record_run
from dream.paths import Home


def test_g07_a_run_with_nothing_due_leaves_a_record_and_the_last_good_night_stands(tmp_path: Path) -> None:
    home = Home(tmp_path)
    record_run(home, "2026-12-01T01:05:00.000Z", Outcome.DONE, "12 notes, 3 nodes.", Pending(0, 0, 2), "nightly")
    for night in (2, 3, 4):
        record_run(
            home, f"2026-12-0{night}T01:05:00.000Z", Outcome.NOTHING_DUE, "nothing is pending", trigger="nightly"
        )
    status = read_status(home)
    assert status.last_good_night == "2026-12-01T01:05:00.000Z"
    assert (status.last_run, status.outcome) == ("2026-12-04T01:05:00.000Z", "nothing due")
    assert status.runs_since_good == 3
    assert status.pending == Pending(0, 0, 2)
    lines = (tmp_path / "logs" / "nightly.log").read_text("utf-8").splitlines()
    assert len(lines) == 4
    assert lines[0] == "2026-12-01T01:05:00.000Z done (nightly): 12 notes, 3 nodes."


def test_g07_where_no_run_happened_the_record_says_so(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert read_status(home) == Status()
    record_pending(home, Pending(notes=4))
    assert read_status(home).last_run == ""
    assert read_status(home).pending.notes == 4


def test_a_failed_night_is_no_good_night_and_its_reason_is_one_line(tmp_path: Path) -> None:
    home = Home(tmp_path)
    record_run(home, "2026-12-01T01:05:00.000Z", Outcome.FAILED, "gather:\nthe disk is full", trigger="nightly")
    assert read_status(home).last_good_night == ""
    assert (tmp_path / "logs" / "nightly.log").read_text("utf-8").count("\n") == 1


def test_a_damaged_record_is_an_empty_one_and_the_next_run_mends_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.index.mkdir()
    for damage in (b"", b"{", b"[]", b'{"pending": 3}', b"\xff\xfe"):
        (home.index / "status.json").write_bytes(damage)
        assert read_status(home) == Status()
    record_run(home, "2026-12-01T01:05:00.000Z", Outcome.DONE, "ok")
    assert json.loads((home.index / "status.json").read_bytes())["version"] == 1


def test_the_log_does_not_grow_without_end(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for n in range(3):
        record_run(home, f"2026-12-01T01:05:0{n}.000Z", Outcome.FAILED, "x" * 600_000)
    assert sum(file.stat().st_size for file in home.logs.iterdir()) < 2_500_000


def test_no_spare_file_is_left(tmp_path: Path) -> None:
    home = Home(tmp_path)
    record_run(home, "2026-12-01T01:05:00.000Z", Outcome.DONE, "ok")
    assert [file.name for file in home.index.iterdir()] == ["status.json"]
