"""English days by number: `March 3rd`, `Tuesday the 3rd`, `on the 14th`, `March 3-7`, `Christmas`."""

from __future__ import annotations

import re
from datetime import date

from dream.model import calendar as cal
from dream.model.calendar import FUTURE, OPEN, Span
from dream.model.relative_en_periods import FRAGMENTS, YEAR, read_period, year_of
from dream.model.relative_rule import Found, Reading, Scene, Vocabulary
from dream.model.relative_words import EN_MONTHS, EN_WEEKDAYS, day_number

GRAMMAR = Vocabulary(FRAGMENTS)
rule = GRAMMAR.rule


@rule(r"(?:the )?(?P<d>{DTH}|first) of (?P<month>(?:{REL}|the|this) month)")
def _day_of_period(match: re.Match[str], scene: Scene) -> Reading:
    lean = scene.lean(match)
    if match["month"] == "the month":
        there: date | None = None if lean == OPEN else cal.day_of_month(scene.today, day_number(match["d"]), lean)
        return Span(there) if there else None
    span = read_period(match["month"], scene.today, lean)
    there = None if span is None else cal.make_date(span.first.year, span.first.month, day_number(match["d"]))
    return Span(there) if there else None


@rule(
    r"(?:{WD},? )?(?:the )?(?P<mon>{MON})\.? (?:the )?(?P<d>{D}|first)" + YEAR + "{PART}?",
    r"(?:(?P<wd>{WD}),? )?(?:the )?(?P<d>{D}|first)(?: of)? (?P<mon>{MON})\b\.?" + YEAR + "{PART}?",
)
def _day_month(match: re.Match[str], scene: Scene) -> Reading:
    """`March 3rd`, `Tuesday 3 March`, `the 3rd of March last year`."""
    month, number = EN_MONTHS[match["mon"]], day_number(match["d"])
    if (
        match["mon"] in ("may", "mar", "sun")
        and match["d"].isdecimal()
        and not scene.original(match.start("mon"), match.end("mon"))[0].isupper()
    ):
        return None
    if re.match(r" ?(?:%|st\b|people|of the|times)|:\d", scene.after(match.end())):
        return None
    year = year_of(match.groupdict(), scene.today)
    named = re.match(FRAGMENTS["WD"], match[0])
    weekday = EN_WEEKDAYS[named[0]] if named else None
    if year is not None:
        there = cal.make_date(year, month, number)
    else:
        there = cal.day_in_year(scene.today, month, number, scene.lean(match), weekday)
    return Span(there) if there else None


@rule(
    r"(?:from |between )?(?P<mon>{MON})\.? (?P<a>{D}) ?(?:-|to|and|through|until) ?(?P<b>{D})" + YEAR,
    r"(?:from |between )?(?:the )?(?P<a>{D}) ?(?:-|to|and|through|until) ?(?:the )?(?P<b>{D})(?: of)? (?P<mon>{MON})"
    + YEAR,
)
def _range(match: re.Match[str], scene: Scene) -> Reading:
    """`March 3-7`, `from the 3rd to the 7th of March`."""
    moved, month, year = scene.moved(match), EN_MONTHS[match["mon"]], year_of(match.groupdict(), scene.today)
    lean = FUTURE if moved else scene.lean(match)
    first = cal.day_in_year(scene.today, month, day_number(match["a"]), lean) if year is None else None
    first = first or (cal.make_date(year, month, day_number(match["a"])) if year else None)
    last = first and cal.make_date(first.year, month, day_number(match["b"]))
    if not first or not last or last <= first:
        return None
    return [
        Found(match.start(), match.end("a"), Span(first), "at" if moved else "from"),
        Found(match.start("b"), match.end(), Span(last), "at" if moved else "until"),
    ]


_DAY_FOLLOWS = re.compile(
    r" *(?:$|[.,;:!?)\n\"]|- )| +(?:at|and|or|we|i|they|he|she|it|you|because|but|so|when|if|as|with|for|in|to"
    r"|before|after|onwards?|on"
    r"|instead|please|again|by|then|not|until|since|that|already|latest|this time)\b"
)
_DAY_BEFORE = re.compile(
    r"\b(?:on|by|since|until|till|from|before|after|starting|effective|as of|for|to|through|around|is|was"
    r"|due)(?: about)? +$"
)


@rule(r"(?:(?P<wd>{WD}),? )?the (?P<d>{DTH}){PART}?", r"(?P<wd>{WD}),? (?P<d>{DTH}){PART}?")
def _day_alone(match: re.Match[str], scene: Scene) -> Reading:
    """`on the 14th`, `Tuesday the 3rd`; not `the 3rd option`."""
    if not _DAY_FOLLOWS.match(scene.after(match.end())):
        return None
    if not match["wd"] and not _DAY_BEFORE.search(scene.before(match.start())) and scene.lean(match) == OPEN:
        return None
    weekday = EN_WEEKDAYS[match["wd"]] if match["wd"] else None
    there = cal.day_of_month(scene.today, day_number(match["d"]), scene.lean(match) or FUTURE, weekday)
    return Span(there) if there else None


@rule(
    r"(?P<day>christmas eve|christmas(?: day)?|new year's eve|new year's(?: day)?|easter(?: (?:sunday"
    r"|monday))?|good friday|boxing day|halloween|valentine's day)(?: (?P<y>{Y}))?"
)
def _holiday(match: re.Match[str], scene: Scene) -> Reading:
    if re.match(r" (?:party|tree|card|egg|eggs|break|holidays?|bonus|sale|song|theme)\b", scene.after(match.end())):
        return None
    year = int(match["y"]) if match["y"] else None
    years = [year] if year else [scene.today.year + step for step in (-1, 0, 1)]
    there = cal.pick(
        scene.today, (cal.holiday(match["day"].split(" (")[0], each) for each in years), scene.lean(match) or FUTURE
    )
    return Span(there) if there else None
