"""When a dream is due (cases G01, G02)."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from dream.cycle.gates import Due, Facts, NotDue, Trigger, due, latest_slot, next_run

PARIS = "Europe/Paris"


def facts(now: str, last: str | None = None, pending: int = 1, sessions: int = 0, zone: str = PARIS) -> Facts:
    return Facts(now=now, pending=pending, sessions=sessions, last_good_night=last, zone=zone)


def instant(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def runs_of_a_timer(first: str, last: str, minutes: int, zone: str) -> list[str]:
    """The nights that run where a timer asks every `minutes`, with work always pending."""
    now, end, good, ran = datetime.fromisoformat(first), datetime.fromisoformat(last), None, []
    while now <= end:
        if isinstance(due(Trigger.NIGHTLY, facts(instant(now), good, zone=zone)), Due):
            good = instant(now)
            ran.append(good)
        now += timedelta(minutes=minutes)
    return ran


@pytest.mark.parametrize("date", ["2027-03-28", "2026-10-25", "2027-10-31", "2026-12-01"])
def test_g01_one_run_a_night_when_the_slot_is_missing_or_comes_twice(date: str) -> None:
    start = datetime.fromisoformat(date + "T00:00:00+00:00")
    ran = runs_of_a_timer(instant(start - timedelta(days=1)), instant(start + timedelta(days=2)), 5, PARIS)
    local = [datetime.fromisoformat(each).astimezone(ZoneInfo(PARIS)).date().isoformat() for each in ran[1:]]
    assert local.count(date) == 1
    assert len(local) == len(set(local))


def test_g01_inputs_of_the_case(shared: Path) -> None:
    case = json.loads((shared / "cases" / "inputs" / "g01_clock.json").read_text("utf-8"))
    for night in case["nights"]:
        noon_before = datetime.fromisoformat(night["date"] + "T11:00:00+00:00") - timedelta(days=1)
        now, slots = instant(noon_before), []
        while (now := next_run(now, case["tz"], case["at"])) < instant(noon_before + timedelta(days=1)):
            slots.append(now)
        assert len(slots) == night["runs"]


def test_g01_a_slot_that_does_not_exist_is_the_first_moment_after_the_gap() -> None:
    assert next_run("2027-03-27T12:00:00.000Z", PARIS) == "2027-03-28T01:00:00.000Z"


def test_g01_a_slot_that_comes_twice_is_the_first() -> None:
    assert next_run("2026-10-24T12:00:00.000Z", PARIS) == "2026-10-25T00:05:00.000Z"
    assert next_run("2026-10-25T00:05:00.000Z", PARIS) == "2026-10-26T01:05:00.000Z"
    second = facts("2026-10-25T01:05:00.000Z", last="2026-10-25T00:05:00.000Z")
    assert isinstance(due(Trigger.NIGHTLY, second), NotDue)


def test_g01_a_timer_that_fires_at_either_end_of_the_gap_is_in_time() -> None:
    for fired in ("2027-03-28T01:00:00.000Z", "2027-03-28T01:05:00.000Z"):
        assert isinstance(due(Trigger.NIGHTLY, facts(fired, last="2027-03-27T01:05:00.000Z")), Due)


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"])
def test_each_day_of_a_year_has_one_slot(zone: str) -> None:
    now, days = "2026-01-01T12:00:00.000Z", []
    for _ in range(365):
        now = next_run(now, zone)
        days.append(datetime.fromisoformat(now).astimezone(ZoneInfo(zone)).date())
        assert latest_slot(now, zone) == now
    assert all(after - before == timedelta(days=1) for before, after in pairwise(days))


def test_g02_a_night_slept_through_runs_once_at_boot_however_many_were_missed() -> None:
    for hours in (30, 24 * 10):
        last = instant(datetime.fromisoformat("2026-12-02T08:00:00+00:00") - timedelta(hours=hours))
        assert isinstance(due(Trigger.NIGHTLY, facts("2026-12-02T08:00:00.000Z", last)), Due)
    again = facts("2026-12-02T08:10:00.000Z", last="2026-12-02T08:00:00.000Z")
    assert isinstance(due(Trigger.NIGHTLY, again), NotDue)
    assert isinstance(due(Trigger.NIGHTLY, facts("2026-12-03T01:05:00.000Z", "2026-12-02T08:00:00.000Z")), Due)


def test_a_timer_a_little_early_is_not_a_night_lost() -> None:
    early = facts("2026-12-02T01:04:58.000Z", last="2026-12-01T01:05:10.000Z")
    assert isinstance(due(Trigger.NIGHTLY, early), Due)
    again = facts("2026-12-02T01:05:30.000Z", last="2026-12-02T01:04:58.000Z")
    assert isinstance(due(Trigger.NIGHTLY, again), NotDue)


def test_a_night_with_nothing_pending_is_not_due_and_says_so() -> None:
    answer = due(Trigger.NIGHTLY, facts("2026-12-02T01:05:00.000Z", pending=0))
    assert answer == NotDue(Trigger.NIGHTLY, "nothing is pending")


@pytest.mark.parametrize(
    ("hours", "sessions", "expected"),
    [(24, 6, Due), (23, 6, NotDue), (24, 5, NotDue), (None, 6, Due), (None, 0, NotDue)],
)
def test_automatic_asks_for_a_day_and_more_than_five_sessions(
    hours: int | None, sessions: int, expected: type[object]
) -> None:
    now = datetime.fromisoformat("2026-12-02T12:00:00+00:00")
    last = None if hours is None else instant(now - timedelta(hours=hours))
    assert isinstance(due(Trigger.AUTOMATIC, facts(instant(now), last, sessions=sessions)), expected)


@pytest.mark.parametrize(("hours", "pending", "expected"), [(4, 1, Due), (3, 1, NotDue), (9, 0, NotDue)])
def test_the_reminder_asks_for_pending_work_and_four_hours(hours: int, pending: int, expected: type[object]) -> None:
    now = datetime.fromisoformat("2026-12-02T12:00:00+00:00")
    last = instant(now - timedelta(hours=hours))
    assert isinstance(due(Trigger.REMINDER, facts(instant(now), last, pending)), expected)


def test_by_hand_no_gate_is_closed() -> None:
    now = "2026-12-02T12:00:00.000Z"
    assert isinstance(due(Trigger.BY_HAND, facts(now, last=now, pending=0)), Due)


def test_a_last_night_in_the_future_does_not_block_for_ever() -> None:
    ahead = facts("2026-12-02T12:00:00.000Z", last="2031-01-01T00:00:00.000Z", sessions=9)
    for trigger in Trigger:
        assert isinstance(due(trigger, ahead), Due)
