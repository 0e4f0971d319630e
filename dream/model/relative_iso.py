"""Dates that no language is needed for: ISO 8601, and day, month and year in figures."""

from __future__ import annotations

import re
from datetime import date

from dream.errors import UsageError
from dream.model import calendar as cal
from dream.model.calendar import Span
from dream.model.relative_rule import Reading, Scene, Vocabulary
from dream.model.relative_words import EN_MONTHS, FR_MONTHS
from dream.model.time import parse_instant, to_local_date

GRAMMAR = Vocabulary({"Y": r"(?:19|20)\d\d"})
rule = GRAMMAR.rule


@rule(r"(?P<day>{Y}-\d\d-\d\d)(?P<time>[t\x20]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d))?")
def _iso_day(match: re.Match[str], scene: Scene) -> Reading:
    """A day, or the local day of an instant."""
    if match["time"]:
        try:
            return Span(to_local_date(parse_instant(match[0].upper()), scene.zone))
        except UsageError:
            return None
    year, month, day = match["day"].split("-")
    there = cal.make_date(int(year), int(month), int(day))
    return Span(there) if there else None


@rule(r"(?P<d>\d{1,2})-(?P<mon>[a-z]{3,9})-(?P<y>{Y})")
def _dashed(match: re.Match[str], scene: Scene) -> Reading:
    """`12-Feb-2026`."""
    month = EN_MONTHS.get(match["mon"]) or FR_MONTHS.get(match["mon"])
    there = cal.make_date(int(match["y"]), month, int(match["d"])) if month else None
    return Span(there) if there else None


@rule(r"(?:calendar week|iso week|cw|kw) ?(?P<w>\d{1,2})")
def _numbered_week(match: re.Match[str], scene: Scene) -> Reading:
    return cal.iso_week(scene.today, int(match["w"]), scene.lean(match))


@rule(r"(?P<y>{Y})-(?P<m>0[1-9]|1[0-2])")
def _iso_month(match: re.Match[str], scene: Scene) -> Reading:
    return Span(date(int(match["y"]), int(match["m"]), 1), "month")


@rule(r"(?P<y>{Y})-?w(?P<w>\d\d)")
def _iso_week(match: re.Match[str], scene: Scene) -> Reading:
    try:
        return Span(date.fromisocalendar(int(match["y"]), int(match["w"]), 1), "week")
    except ValueError:
        return None


@rule(r"(?P<a>\d{1,2})[/.](?P<b>\d{1,2})[/.](?P<y>{Y})", r"(?P<y>{Y})/(?P<b>\d{1,2})/(?P<a>\d{1,2})")
def _figures(match: re.Match[str], scene: Scene) -> Reading:
    """`29/11/2026`; where both could be the month, French counts the day first and English is left alone."""
    a, b, year = int(match["a"]), int(match["b"]), int(match["y"])
    if match[0].startswith(match["y"]) or "." in match[0] or scene.french or a > 12:
        there = cal.make_date(year, b, a)
    elif b > 12:
        there = cal.make_date(year, a, b)
    else:
        there = cal.make_date(year, b, a) if a == b else None
    return Span(there) if there else None


@rule(r"(?:on|by|since|until|from|before|after) (?P<a>\d{1,2})/(?P<b>\d{1,2})")
def _english_figures(match: re.Match[str], scene: Scene) -> Reading:
    """`on 3/14`: only where one of the two can be no month."""
    a, b = int(match["a"]), int(match["b"])
    if scene.french or (a <= 12 and b <= 12) or (a, b) == (24, 7):
        return None
    month, day = (a, b) if b > 12 else (b, a)
    there = cal.day_in_year(scene.today, month, day, scene.lean(match)) if 1 <= month <= 12 else None
    return Span(there) if there else None
