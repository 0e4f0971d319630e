"""Instants, moments, intervals, local days."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.errors import UsageError
from dream.model.time import (
    at_local,
    check_interval,
    days_between,
    format_instant,
    parse_instant,
    parse_moment,
    to_datetime,
    to_local_date,
)

PARIS = "Europe/Paris"


@pytest.mark.parametrize(
    ("value", "zone", "instant"),
    [
        ("2026-11-29T20:00:00Z", None, "2026-11-29T20:00:00.000Z"),
        ("2026-11-29T21:00:00+01:00", None, "2026-11-29T20:00:00.000Z"),
        ("2026-11-29T20:00:00", PARIS, "2026-11-29T19:00:00.000Z"),
        ("2026-11-29", PARIS, "2026-11-28T23:00:00.000Z"),
        ("29/11/2026", PARIS, "2026-11-28T23:00:00.000Z"),
        (1764446400, None, "2025-11-29T20:00:00.000Z"),
        (1764446400000, None, "2025-11-29T20:00:00.000Z"),
        ("2026-10-25T02:30:00 Europe/Paris", None, "2026-10-25T00:30:00.000Z"),
        ("2026-10-25T02:30:00[Europe/Paris]", None, "2026-10-25T00:30:00.000Z"),
        ("2026-01-12T08:18:53.613999Z", None, "2026-01-12T08:18:53.613Z"),
    ],
)
def test_e01_every_valid_form_is_one_aware_utc_text(value: object, zone: str | None, instant: str) -> None:
    assert parse_instant(value, zone) == instant


@pytest.mark.parametrize(
    ("value", "zone", "reason"),
    [
        ("2026-02-30", PARIS, "2026-02-30"),
        ("", PARIS, "empty"),
        ("   ", None, "empty"),
        (None, PARIS, "not a date"),
        (True, PARIS, "not a date"),
        ("hier", PARIS, "not a date"),
        ("2026-11-29T20:00:00", None, "no time zone"),
        ("03/04/2026", PARIS, "two dates"),
        ("2026-11-29T20:00:00", "Mars/Olympus", "Mars/Olympus"),
        (float("nan"), None, "nan"),
        (10**18, None, "epoch"),
    ],
)
def test_e01_the_rest_is_refused_with_a_reason(value: object, zone: str | None, reason: str) -> None:
    with pytest.raises(UsageError) as refusal:
        parse_instant(value, zone)
    assert reason in refusal.value.sentence
    assert refusal.value.hint


def test_e01_naive_and_aware_never_meet_so_the_order_is_total() -> None:
    given_values = [
        "2026-11-29T20:00:00",
        "2026-11-29T20:00:00Z",
        "2026-11-29T21:00:00+01:00",
        "2026-11-29",
        1764446400,
    ]
    instants = [parse_instant(value, PARIS) for value in given_values]
    assert sorted(instants) == sorted(instants, key=to_datetime)


@given(
    st.datetimes(datetime.fromisoformat("1900-01-01"), datetime.fromisoformat("2300-01-01")),
    st.timedeltas(-timedelta(hours=23), timedelta(hours=23)),
)
def test_text_order_is_time_order_and_reading_back_is_exact(when: datetime, shift: timedelta) -> None:
    first, second = when.replace(tzinfo=UTC), (when + shift).replace(tzinfo=UTC)
    a, b = format_instant(first), format_instant(second)
    assert parse_instant(a) == a
    assert (a < b) <= (first < second)
    assert (days_between(a, b) < 0) == (b < a)


@given(st.text(max_size=40))
def test_any_text_is_an_instant_or_a_usage_error(text: str) -> None:
    try:
        instant = parse_instant(text, PARIS)
    except UsageError:
        return
    assert parse_instant(instant) == instant


def test_a_naive_datetime_is_refused() -> None:
    with pytest.raises(UsageError, match="no time zone"):
        format_instant(datetime.fromisoformat("2026-01-01"))


def test_moments_keep_their_granularity() -> None:
    assert parse_moment("2026") == "2026"
    assert parse_moment(" 2026-02 ") == "2026-02"
    assert parse_moment("2026-02-09") == "2026-02-09"
    assert parse_moment("2026-02-09T01:00:00+01:00") == "2026-02-09T00:00:00.000Z"
    for bad in ("2026-13", "2026-02-30", "février", ""):
        with pytest.raises(UsageError):
            parse_moment(bad)


def test_e02_a_validity_that_ends_before_it_starts_is_refused_with_both_dates() -> None:
    with pytest.raises(UsageError) as refusal:
        check_interval("2026-05-01", "2026-04-01")
    assert "2026-05-01" in refusal.value.sentence
    assert "2026-04-01" in refusal.value.sentence


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (None, "2026-04-01"),
        ("2026-04-01", None),
        ("2026-04-01", "2026-04-01"),
        ("2026-04-10", "2026-04"),
        ("2026", "2026-04"),
    ],
)
def test_an_open_equal_or_coarser_end_is_no_fault(start: str | None, end: str | None) -> None:
    check_interval(start, end)


def test_the_local_day_is_the_day_of_the_line_not_of_utc() -> None:
    assert to_local_date("2026-02-19T23:38:00.632Z", PARIS) == date(2026, 2, 20)
    assert to_local_date("2026-02-19T23:38:00.632Z", "America/Montreal") == date(2026, 2, 19)


@pytest.mark.parametrize(
    ("day", "instant"),
    [
        (date(2027, 3, 28), "2027-03-28T01:05:00.000Z"),  # 02:05 does not exist: 03:05
        (date(2026, 10, 25), "2026-10-25T00:05:00.000Z"),  # comes twice: the first
        (date(2027, 10, 31), "2027-10-31T00:05:00.000Z"),
        (date(2026, 12, 1), "2026-12-01T01:05:00.000Z"),
    ],
)
def test_g01_each_day_has_exactly_one_0205(day: date, instant: str) -> None:
    assert at_local(day, "02:05", PARIS) == instant
