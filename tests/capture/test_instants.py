"""Timestamps to UTC instants without `datetime`, held against `datetime`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.capture.instants import instant, of_epoch, to_epoch


def plain(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


MOMENTS = st.datetimes(min_value=datetime(1971, 1, 2), max_value=datetime(2199, 12, 30))  # noqa: DTZ001 - zone added below


@given(MOMENTS, st.integers(-14 * 60, 14 * 60))
def test_any_offset_becomes_utc_with_milliseconds(moment: datetime, minutes: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert instant(aware.isoformat()) == plain(aware)


@given(MOMENTS)
def test_instants_and_seconds_go_both_ways(moment: datetime) -> None:
    text = plain(moment.replace(tzinfo=UTC))
    assert instant(text) == text
    assert to_epoch(text) == pytest.approx(moment.replace(tzinfo=UTC).timestamp(), abs=0.001)
    whole = int(to_epoch(text))
    assert of_epoch(whole) == text[:19] + ".000Z"


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026-02-30T10:00:00.000Z", "2026-01-12", "2026-01-12T08:18:53", "2026-13-01T00:00:00.000Z", "x" * 24),
        *("2026-01-12T24:00:00.000Z", "２０２６-01-12T08:18:53.613Z", "2026-01-12T08:60:53.613Z", None, 7),
    ],
)
def test_what_is_no_instant_is_refused(text: object) -> None:
    assert instant(text) == ""


def test_seconds_of_no_instant_are_refused() -> None:
    with pytest.raises(ValueError, match="instant"):
        to_epoch("yesterday")
