"""Stretches of the Gregorian calendar and the steps between them; no clock, no language.

A function that would leave the years 1 to 9999, or ask for a day that does not exist, returns None.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

PAST, OPEN, FUTURE = -1, 0, 1
"""Which way a date without a year (or month) is to be sought from the day it was said; OPEN takes the nearest."""

_MONTHS_OF = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12}


@dataclass(frozen=True, slots=True)
class Span:
    """A day, or a stretch of days known by its first.

    Attributes:
        first: its first day; of a week the Monday, of a weekend the Saturday.
        granularity: day, week, weekend, month, quarter, season, half or year.
        about: the words only approximate it (`about two weeks ago`).
    """

    first: date
    granularity: str = "day"
    about: bool = False

    @property
    def last(self) -> date:
        """Its last day."""
        if self.granularity in _MONTHS_OF:
            after = shift_months(self.first, _MONTHS_OF[self.granularity])
            return date.max if after is None else after - timedelta(days=1)
        length = {"week": 6, "weekend": 1}.get(self.granularity, 0)
        return self.first + timedelta(days=min(length, (date.max - self.first).days))

    @property
    def iso(self) -> str:
        """ISO 8601: `2026`, `2026-02`, or a day; a quarter, half or season is named by its first month."""
        if self.granularity == "year":
            return f"{self.first.year:04d}"
        if self.granularity in _MONTHS_OF:
            return f"{self.first.year:04d}-{self.first.month:02d}"
        return self.first.isoformat()


def make_date(year: int, month: int, day: int) -> date | None:
    """The day, or None where the calendar has none."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def shift_days(day: date, count: int) -> date | None:
    try:
        return day + timedelta(days=count)
    except OverflowError:
        return None


def shift_months(day: date, count: int) -> date | None:
    """The same day of another month, or that month's last where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    if not 1 <= year <= 9999:
        return None
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def shift_workdays(day: date, count: int) -> date | None:
    """`count` days from Monday to Friday later (or earlier, where negative)."""
    if abs(count) > 4000:
        return None
    step = 1 if count > 0 else -1
    here: date | None = day
    for _ in range(abs(count)):
        here = shift_days(here, step) if here else None
        while here and here.weekday() >= 5:
            here = shift_days(here, step)
    return here


def period(today: date, grain: str, offset: int) -> Span | None:
    """The week, weekend, month, quarter, half, season or year that holds `today`, or one `offset` away."""
    if grain == "day":
        there = shift_days(today, offset)
        return None if there is None else Span(there)
    if grain in ("week", "weekend"):
        monday = shift_days(today, 7 * offset - today.weekday())
        first = monday and (shift_days(monday, 5) if grain == "weekend" else monday)
    else:
        size = _MONTHS_OF[grain]
        start = (today.month - 1) // size * size + 1
        first = shift_months(today.replace(month=start, day=1), size * offset)
    return None if not first else Span(first, grain)


def edge(span: Span, which: str) -> Span:
    """The start, middle or end of a stretch as a day; a week ends on its Friday, a year has no middle day."""
    if which == "start":
        return Span(span.first, about=span.about)
    if which == "end":
        last = shift_days(span.first, 4) if span.granularity == "week" else span.last
        return Span(last or span.last, about=span.about)
    if span.granularity == "month":
        return Span(span.first.replace(day=15), about=True)
    if span.granularity == "week":
        return Span(shift_days(span.first, 2) or span.first, about=True)
    return replace(span, about=True)


def next_weekday(today: date, weekday: int) -> date | None:
    """The first such weekday after today."""
    return shift_days(today, (weekday - today.weekday() - 1) % 7 + 1)


def last_weekday(today: date, weekday: int) -> date | None:
    """The last such weekday before today."""
    return shift_days(today, -((today.weekday() - weekday - 1) % 7 + 1))


def near_weekday(today: date, weekday: int) -> date | None:
    """The nearest such weekday but today: of the three days before, else after."""
    return shift_days(today, (weekday - today.weekday() + 3) % 7 - 3 or 7)


def in_week(week: Span, weekday: int) -> date | None:
    return shift_days(week.first, weekday)


def nth_weekday(span: Span, weekday: int, nth: int) -> date | None:
    """The nth (1..5, or -1 for the last) such weekday of a month or longer stretch, None where it has none."""
    if nth == -1:
        return last_weekday(span.last + timedelta(days=1), weekday) if span.last < date.max else None
    first = shift_days(span.first, (weekday - span.first.weekday()) % 7)
    there = first and shift_days(first, 7 * (nth - 1))
    return there if there and there <= span.last else None


def pick(today: date, candidates: Iterable[date | None], lean: int) -> date | None:
    """The candidate that the lean asks for: latest not after today, earliest not before, or nearest."""
    days = sorted(day for day in candidates if day is not None)
    if lean == PAST:
        return max((day for day in days if day <= today), default=days[0] if days else None)
    if lean == FUTURE:
        return min((day for day in days if day >= today), default=days[-1] if days else None)
    return min(days, key=lambda day: abs((day - today).days), default=None)


def day_of_month(today: date, day: int, lean: int, weekday: int | None = None) -> date | None:
    """The nth of a month near today that has one (and, where given, falls on that weekday)."""
    around = range(-12, 13) if weekday is not None else range(-2, 3)
    months = [shift_months(today.replace(day=1), step) for step in around]
    days = [make_date(month.year, month.month, day) for month in months if month]
    return pick(today, (each for each in days if each and weekday in (None, each.weekday())), lean)


def day_in_year(today: date, month: int, day: int, lean: int, weekday: int | None = None) -> date | None:
    """The day of the year near today; a weekday, where given, decides between years that have it."""
    around = range(-4, 5) if (month, day) == (2, 29) else range(-1, 2)
    days = [make_date(today.year + step, month, day) for step in around]
    fitting = [each for each in days if each and each.weekday() == weekday]
    return pick(today, fitting or days, lean)


def month_near(today: date, month: int, lean: int) -> Span | None:
    """The month near today, this one included."""
    here = today.replace(day=1)
    first = pick(here, (make_date(today.year + step, month, 1) for step in (-1, 0, 1)), lean)
    return None if first is None else Span(first, "month")


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (a + 11 * h) // 319
    r = (2 * e + 2 * i - k - h + m + 32) % 7
    month = (h - m + r + 90) // 25
    return date(year, month, (h - m + r + month + 19) % 32)


def named_month(today: date, month: int, shift: int, year: int | None, lean: int) -> Span | None:
    """A month by its number: of a year, or `last` (-1), `next` (1) or by the lean (0)."""
    if year is not None:
        first = make_date(year, month, 1)
        return Span(first, "month") if first else None
    if shift == 0:
        return month_near(today, month, lean)
    passed = month < today.month if shift < 0 else month <= today.month
    step = (0 if passed else -1) if shift < 0 else (1 if passed else 0)
    first = make_date(today.year + step, month, 1)
    return Span(first, "month") if first else None


def part_of_year(today: date, grain: str, index: int, year: int | None, lean: int) -> Span | None:
    """The nth quarter or half of a year, or of the year that the lean asks for."""
    size = _MONTHS_OF[grain]
    if not 1 <= index <= 12 // size:
        return None
    month = (index - 1) * size + 1
    if year is None:
        here = period(today, grain, 0)
        years = (today.year + step for step in (-1, 0, 1))
        first = here and pick(here.first, (make_date(each, month, 1) for each in years), lean)
    else:
        first = make_date(year, month, 1)
    return Span(first, grain) if first else None


def named_season(today: date, month: int, shift: int, lean: int) -> Span | None:
    """The season that starts in `month`: `last` (-1), `next` (1), or the one the lean asks for (0)."""
    starts = [make_date(today.year + step, month, 1) for step in (-2, -1, 0, 1, 2)]
    spans = [Span(start, "season") for start in starts if start]
    if shift < 0:
        return max((each for each in spans if each.last < today), key=lambda each: each.first, default=None)
    if shift > 0:
        return min((each for each in spans if each.first > today), key=lambda each: each.first, default=None)
    now = next((each for each in spans if each.first <= today <= each.last), None)
    there = pick(today, (each.first for each in spans), lean)
    return now or (Span(there, "season") if there else None)


def nth_week(span: Span, nth: int) -> Span | None:
    """The nth week of a month (1..5, or -1), by the Monday on or before its 1st, 8th, …; an approximation."""
    day = span.last if nth == -1 else shift_days(span.first, 7 * (nth - 1))
    monday = day and shift_days(day, -day.weekday())
    return Span(monday, "week", about=True) if monday else None


_FIXED = {
    (2, 14): ("valentine's day", "saint-valentin", "saint valentin"),
    (12, 24): ("christmas eve", "veille de noel", "reveillon de noel"),
    (12, 25): ("christmas", "christmas day", "noel"),
    (12, 26): ("boxing day",),
    (12, 31): ("new year's eve", "saint-sylvestre", "saint sylvestre"),
    (1, 1): ("new year's", "new year's day", "jour de l'an", "nouvel an"),
    (10, 31): ("halloween",),
    (11, 1): ("toussaint",),
    (11, 11): ("armistice",),
    (7, 14): ("fete nationale",),
    (8, 15): ("assomption",),
}
_AFTER_EASTER = {
    -2: ("good friday", "vendredi saint"),
    0: ("easter", "easter sunday", "paques"),
    1: ("easter monday", "lundi de paques"),
    39: ("ascension",),
    49: ("pentecote",),
    50: ("lundi de pentecote",),
}


def holiday(name: str, year: int) -> date | None:
    """The day a feast falls on in that year, None where the name is not known."""
    for (month, day), names in _FIXED.items():
        if name in names:
            return make_date(year, month, day)
    for days, names in _AFTER_EASTER.items():
        if name in names and 1 <= year <= 9999:
            return shift_days(easter(year), days)
    return None


HOLIDAYS = tuple(name for names in (*_FIXED.values(), *_AFTER_EASTER.values()) for name in names)


def iso_week(today: date, number: int, lean: int) -> Span | None:
    """The ISO week of that number in the year that the lean asks for."""
    mondays = []
    for year in (today.year - 1, today.year, today.year + 1):
        try:
            mondays.append(date.fromisocalendar(year, number, 1))
        except ValueError:
            continue
    there = pick(today, mondays, lean)
    return Span(there, "week") if there else None


def nth_part(span: Span, nth: int, part: str) -> Span | None:
    """The nth (or last, -1) day, workday, week or weekend of a stretch."""
    if part == "week":
        return nth_week(span, nth)
    if part == "weekend":
        saturday = nth_weekday(span, 5, nth)
        return Span(saturday, "weekend") if saturday else None
    if part == "day":
        there = span.last if nth == -1 else shift_days(span.first, nth - 1)
    else:
        border = shift_days(span.last if nth == -1 else span.first, 1 if nth == -1 else -1)
        there = border and shift_workdays(border, nth)
    return Span(there) if there else None


def nth_weekday_soon(today: date, weekday: int, nth: int, lean: int) -> Span | None:
    """The nth such weekday of this month; where the lean is against it, of the last or the next."""
    here, later = period(today, "month", 0), period(today, "month", 1)
    there = here and nth_weekday(here, weekday, nth)
    if there and lean != PAST and there < today:
        there = later and nth_weekday(later, weekday, nth)
    elif there and lean == PAST and there > today:
        earlier = period(today, "month", -1)
        there = earlier and nth_weekday(earlier, weekday, nth)
    return Span(there) if there else None
