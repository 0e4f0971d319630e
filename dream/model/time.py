"""Instants, moments and intervals: one text form each, so that order is the order of the text.

An *instant* is UTC with milliseconds (`2026-01-12T08:18:53.613Z`). A *moment* is an ISO 8601 date of any
granularity (`2026`, `2026-02`, `2026-02-09`) or an instant. Nothing here reads a clock.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dream.errors import UsageError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000  # 1973 in milliseconds, the year 5138 in seconds
_WITH_ZONE_NAME = re.compile(r"(.+?)[ \[]+([A-Za-z]+(?:[/_+-][A-Za-z0-9_+-]+)*)\]?")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_HINT = "Write it as 2026-11-29T20:00:00Z, or 2026-11-29 with a time zone."


def zone_info(zone: str) -> ZoneInfo:
    """The IANA zone called `zone`.

    Raises:
        UsageError: there is no such zone.
    """
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"No time zone is called {zone!r}.", "Use an IANA name such as Europe/Paris.") from error


def format_instant(moment: datetime) -> str:
    """An aware datetime as an instant; finer than a millisecond is cut off.

    Raises:
        UsageError: `moment` is naive, or leaves the years 1 to 9999 in UTC.
    """
    if moment.tzinfo is None:
        raise UsageError(f"{moment.isoformat()} has no time zone.", _HINT)
    try:
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except OverflowError as error:
        raise UsageError(f"{moment.isoformat()} is outside the years 1 to 9999.", _HINT) from error


def parse_instant(value: object, zone: str | None = None) -> str:
    """Read an instant: ISO 8601 text with an offset, `… Area/City` after it, or an epoch in seconds or milliseconds.

    A text without an offset is read in `zone` where one is given (a date alone is its first moment there) and
    refused where none is. A local time that comes twice is its first coming; one that does not exist is as
    much later as the clock jumped.

    Raises:
        UsageError: empty, relative (`hier`), impossible (30 February), ambiguous (03/04/2026) or without a zone.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise UsageError(f"{value!r} is not a date.", _HINT)
    if not isinstance(value, str):
        return _from_epoch(value)
    text = value.strip()
    if not text:
        raise UsageError("The date is empty.", _HINT)
    named = _WITH_ZONE_NAME.fullmatch(text)
    if named:
        text, zone = named[1], named[2]
    stamp = _parse_iso(text)
    if stamp.tzinfo is None:
        if zone is None:
            raise UsageError(f"{text!r} has no time zone, so it could be any of 26 hours.", _HINT)
        stamp = stamp.replace(tzinfo=zone_info(zone))
    return format_instant(stamp)


def _from_epoch(value: float) -> str:
    milliseconds = value if abs(value) >= _MILLISECONDS_FROM else value * 1000
    try:
        return format_instant(_EPOCH + timedelta(milliseconds=int(milliseconds)))
    except (OverflowError, ValueError) as error:
        raise UsageError(f"{value!r} is no epoch between the years 1 and 9999.", _HINT) from error


def _parse_iso(text: str) -> datetime:
    slashed = _SLASHED.fullmatch(text)
    if slashed:
        first, second, year = (int(part) for part in slashed.groups())
        if first <= 12 and second <= 12 and first != second:
            raise UsageError(f"{text!r} can be read as two dates.", _HINT)
        day, month = (second, first) if second > 12 else (first, second)
        text = f"{year:04d}-{month:02d}-{day:02d}"
    elif not re.match(r"\d{4}-?\d\d", text):
        raise UsageError(f"{text!r} is not a date in ISO 8601.", _HINT)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is not a date: {error}.", _HINT) from error


def parse_moment(text: str) -> str:
    """Read a moment: `2026`, `2026-02`, `2026-02-09`, or an instant (returned in UTC).

    Raises:
        UsageError: as `parse_instant`, and for a year or month that does not exist.
    """
    text = text.strip()
    if re.fullmatch(r"\d{4}", text) and int(text) >= 1:
        return text
    if re.fullmatch(r"\d{4}-\d\d", text):
        _parse_iso(f"{text}-01")
        return text
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return _parse_iso(text).date().isoformat()
    return parse_instant(text)


def check_interval(start: str | None, end: str | None) -> None:
    """Refuse a validity that ends before it starts; None is open, and a month is as long as it is.

    Raises:
        UsageError: quoting both moments.
    """
    if start is None or end is None:
        return
    first, last = parse_moment(start), parse_moment(end)
    shared = min(len(first), len(last))
    if last[:shared] < first[:shared]:
        raise UsageError(f"It cannot hold from {start} to {end}: that ends before it starts.", "Swap the two dates.")


def to_datetime(instant: str) -> datetime:
    """An instant as an aware datetime in UTC."""
    if _INSTANT.fullmatch(instant):
        return _parse_iso(instant)
    return datetime.fromisoformat(parse_instant(instant)).astimezone(UTC)


def to_local_date(instant: str, zone: str) -> date:
    """The calendar day it was in `zone` at `instant`."""
    try:
        return to_datetime(instant).astimezone(zone_info(zone)).date()
    except OverflowError as error:
        raise UsageError(f"{instant} is outside the years 1 to 9999 in {zone}.", _HINT) from error


def days_between(earlier: str, later: str) -> float:
    """Days of 24 hours from one instant to another, negative where `later` is the earlier one."""
    return (to_datetime(later) - to_datetime(earlier)) / timedelta(days=1)


def at_local(day: date, clock: str, zone: str) -> str:
    """The instant at which a clock in `zone` shows `clock` (`02:05`) on `day`.

    There is exactly one for each day: a time that comes twice is its first coming, one that the clock jumps over
    is as much later as it jumped.
    """
    return format_instant(datetime.combine(day, time.fromisoformat(clock), zone_info(zone)))
