"""Dates in prose, relative or not, to ISO 8601: `hier`, `Friday of next week`, `à compter du 20`, `end of March`.

A date is read from the day the line was said in the configured zone, never from the night that reads it. What could be
no date, or one of several, is left alone. The grammar is in `relative_en*`, `relative_fr*` and `relative_iso`; it is
loaded with the first text, for its expressions take a fifth of a second to compile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from dream.model.calendar import Span


@dataclass(frozen=True, slots=True)
class Dated:
    """A date that a sentence speaks of.

    Attributes:
        start, end: where its phrase stands in the text, in code points.
        phrase: the words as written.
        iso: `2026`, `2026-02` or `2026-02-09`; of a week its Monday, of a weekend its Saturday, of a quarter,
            half year or season its first month.
        granularity: day, week, weekend, month, quarter, season, half or year.
        role: `from` or `until` where the words before it make it a border of a validity, else `at`.
        about: the words only approximate it (`two months ago`, `mi-avril`).
        last: ISO date of the last day of the stretch.
    """

    start: int
    end: int
    phrase: str
    iso: str
    granularity: str = "day"
    role: str = "at"
    about: bool = False
    last: str = ""


def resolve(text: str, said_at: str, zone: str) -> tuple[Dated, ...]:
    """The dates of a text, in its order, none overlapping.

    Args:
        said_at: the instant at which the text was said.
        zone: IANA name of the zone whose calendar counts.

    Raises:
        UsageError: `said_at` is no instant or `zone` no zone. Never because of the text.
    """
    from dream.model.relative_scan import scan

    return scan(text, said_at, zone)


def resolve_on(text: str, day: date) -> tuple[Dated, ...]:
    """As `resolve`, for a text said at noon of a day."""
    return resolve(text, f"{day.isoformat()}T12:00:00.000Z", "UTC")


def rewrite(text: str, dated: tuple[Dated, ...]) -> str:
    """The text with the date put in after each phrase that needs its day to be understood.

    The words stay as they were. A phrase that names its year, or is followed by its date already, is left alone.
    """
    parts: list[str] = []
    done = 0
    for each in dated:
        insertion = _insertion(each)
        if re.search(r"(?:19|20)\d\d", each.phrase) or text[each.end :].startswith(insertion):
            continue
        parts += [text[done : each.end], insertion]
        done = each.end
    return "".join([*parts, text[done:]])


def _insertion(dated: Dated) -> str:
    about = "about " if dated.about else ""
    if dated.granularity in ("week", "weekend"):
        return f" ({about}{dated.granularity} of {dated.iso})"
    if dated.granularity in ("quarter", "half", "season"):
        return f" ({about}{dated.iso} to {dated.last[:7]})"
    return f" ({about}{dated.iso})"


def span_of(dated: Dated) -> Span:
    """The stretch of the calendar that a date stands for."""
    first = (dated.iso + "-01-01")[:10] if len(dated.iso) == 4 else (dated.iso + "-01")[:10]
    return Span(date.fromisoformat(first), dated.granularity, dated.about)
