"""English periods and days in them: `next month`, `end of March`, `the second Friday of March`, `March 3rd`, `the 14th`."""

from __future__ import annotations

import re
from datetime import date

from dream.model import calendar as cal
from dream.model.calendar import FUTURE, OPEN, PAST, Span
from dream.model.relative_rule import Found, Reading, Scene, Vocabulary, any_of, around
from dream.model.relative_words import (
    EN_MONTHS,
    EN_NUMBERS,
    EN_ORDINALS,
    EN_SEASONS,
    EN_UNITS,
    EN_WEEKDAYS,
    day_number,
)

_FULL_MONTHS = [name for name in EN_MONTHS if len(name) > 4 or name in ("june", "july")]
_YEAR = r"(?:,? (?:of )?(?:(?P<y>{Y})|(?P<yrel>{REL}) year))?"

GRAMMAR = Vocabulary(
    {
        "N": any_of(EN_NUMBERS) + r"|\d{1,4}",
        "ABOUT": r"about|around|roughly|nearly|almost|over|more than|less than|approximately|some|maybe|circa|just over|just under",
        "UNIT": any_of(EN_UNITS),
        "WD": any_of(EN_WEEKDAYS),
        "MON": any_of(EN_MONTHS),
        "NTH": any_of(EN_ORDINALS),
        "D": r"(?:0?[1-9]|[12]\d|3[01])(?: ?(?:st|nd|rd|th))?",
        "DTH": r"(?:[1-9]|[12]\d|3[01])(?:st|nd|rd|th)",
        "Y": r"(?:19|20)\d\d",
        "PART": r"(?: (?:early )?(?:morning|afternoon|evening|night|noon|lunchtime)| at (?:noon|lunch|night))",
        "REL": r"this coming|this past|this|the current|current|the next|next|the coming|the upcoming|the last|last|the past|the previous|previous",
        "GRAIN": r"weekend|week-end|week|month|quarter|year|semester",
        "SEASON": any_of(EN_SEASONS),
        "WEEK": r"{REL} week|the week (?:after next|before last)|this week",
        "THAT_YEAR": r"(?:,? (?:of )?(?:{Y}|{REL} year))?",
        "QUARTER": r"q[1-4]|h[12]|(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter",
        "NAMED": r"(?:{REL} )?{MON}{THAT_YEAR}|{QUARTER}{THAT_YEAR}",
        "PERIOD": r"{REL} {GRAIN}|the {GRAIN} (?:after next|before last)|the (?:week|month|quarter|year)|month|year"
        r"|{NAMED}|{REL} {SEASON}|{Y}",
    }
)
rule = GRAMMAR.rule

_FORMS: list[tuple[str, re.Pattern[str]]] = [
    (name, GRAMMAR.compile(pattern, bounded=False))
    for name, pattern in (
        ("relative", r"(?P<rel>{REL}) (?P<grain>{GRAIN})"),
        ("relative", r"the (?P<grain>{GRAIN}) (?P<rel>after next|before last)"),
        ("relative", r"(?:the )?(?P<grain>week|month|quarter|year)"),
        ("month", r"(?:(?P<rel>{REL}) )?(?P<month>{MON})" + _YEAR),
        ("quarter", r"(?:the )?(?:q(?P<q>[1-4])|h(?P<h>[12])|(?P<nth>\w+) quarter)" + _YEAR),
        ("season", r"(?P<rel>{REL}) (?P<season>{SEASON})"),
        ("year", r"(?P<y>{Y})"),
    )
]


def offset(words: str | None) -> int:
    """-2 (`before last`) to 2 (`after next`); 0 where nothing or `this` is said."""
    if words in (None, "after next", "before last"):
        return {None: 0, "after next": 2, "before last": -2}[words]
    if re.search(r"next|coming", str(words)):
        return 1
    return -1 if re.search(r"last|past|previous", str(words)) else 0


def read_period(words: str, today: date, lean: int) -> Span | None:
    """The stretch that `words` (all of them) name."""
    for kind, pattern in _FORMS:
        match = pattern.match(words)
        if match:
            return _PERIODS[kind](match.groupdict(), today, lean)
    return None


Parts = dict[str, str | None]


def year_of(parts: Parts, today: date) -> int | None:
    """The year that `y` names or `yrel` (`last year`) points to."""
    if parts.get("y"):
        return int(str(parts["y"]))
    return today.year + offset(parts["yrel"]) if parts.get("yrel") else None


def _relative(parts: Parts, today: date, lean: int) -> Span | None:
    grain, shift = str(parts["grain"]), offset(parts.get("rel"))
    grain = {"week-end": "weekend", "semester": "half"}.get(grain, grain)
    if grain == "weekend" and shift == 0 and lean == PAST and today.weekday() < 5:
        shift = -1
    return around(today, grain, shift)


def _month(parts: Parts, today: date, lean: int) -> Span | None:
    return cal.named_month(today, EN_MONTHS[str(parts["month"])], offset(parts["rel"]), year_of(parts, today), lean)


def _quarter(parts: Parts, today: date, lean: int) -> Span | None:
    if parts["h"]:
        return cal.part_of_year(today, "half", int(parts["h"]), year_of(parts, today), lean)
    index = int(parts["q"]) if parts["q"] else EN_ORDINALS.get(str(parts["nth"]), 0)
    return cal.part_of_year(today, "quarter", 4 if index == -1 else index, year_of(parts, today), lean)


def _season(parts: Parts, today: date, lean: int) -> Span | None:
    return cal.named_season(today, EN_SEASONS[str(parts["season"])], offset(parts["rel"]))


def _year(parts: Parts, today: date, lean: int) -> Span | None:
    return Span(date(int(str(parts["y"])), 1, 1), "year")


_PERIODS = {"relative": _relative, "month": _month, "quarter": _quarter, "season": _season, "year": _year}


@rule(
    r"(?:(?P<edge>earlier|later|early|late|mid|middle of|during|over|throughout|sometime)[\x20-]*)?"
    r"(?P<period>{REL} (?:{GRAIN}|{SEASON})|the {GRAIN} (?:after next|before last))"
)
def _relative_period(match: re.Match[str], scene: Scene) -> Reading:
    """`next week`, `earlier this month`, `the year before last`; not `the last week of`."""
    if re.match(r" (?:of|in|for)\b(?! (?:us|our))", scene.after(match.end())) and re.search(
        r"\b(?:last|past|next|first) \w+$", match[0]
    ):
        return None
    if (
        match["period"].startswith(("the past", "the last", "the next", "the coming"))
        and "weekend" not in match["period"]
    ):
        return None
    return read_period(match["period"], scene.today, scene.lean(match))


@rule(r"(?:over|during) the weekend", r"the weekend")
def _weekend(match: re.Match[str], scene: Scene) -> Reading:
    lean = scene.lean(match)
    return around(scene.today, "weekend", -1 if lean == PAST and scene.today.weekday() < 6 else 0)


@rule(
    r"(?:the )?week (?:of|starting|beginning|commencing|from) (?:{WD},? )?(?:the )?(?:(?P<mon>{MON}) (?P<d>{D})|(?P<d2>{D})(?: of)? (?P<mon2>{MON})|(?P<d3>{DTH}))"
)
def _week_of(match: re.Match[str], scene: Scene) -> Reading:
    month, lean = match["mon"] or match["mon2"], scene.lean(match)
    number = day_number(match["d"] or match["d2"] or match["d3"])
    if month:
        there = cal.day_in_year(scene.today, EN_MONTHS[month], number, lean)
    else:
        there = cal.day_of_month(scene.today, number, lean)
    return cal.period(there, "week", 0) if there else None


_CONTEXT = re.compile(
    r"\b(?:in|since|by|until|till|before|after|from|during|through|throughout|for|of|around|early|mid|late|end|to|starting|as of|between"
    r"|late in|early in|back in|come|effective)[ -]*$"
)


@rule(r"(?:(?P<vague>early|late|mid)[\x20-]*)?(?:in )?(?P<period>{NAMED})")
def _named_period(match: re.Match[str], scene: Scene) -> Reading:
    """`March`, `Q2`, `March 2025`; a bare `May`, `march`, `April` needs a word of time before it."""
    words, first = match["period"], match.start("period")
    bare = words in EN_MONTHS
    prefixed = bool(match["vague"]) or bool(_CONTEXT.search(scene.before(first)))
    if re.match(r" ?\d{1,2}(?:st|nd|rd|th)?\b(?!\d)", scene.after(match.end())) and bare:
        return None
    if re.search(r"\d(?:st|nd|rd|th)?(?: of)? $", scene.before(first)) and bare:
        return None
    if bare and not prefixed:
        return None
    named_month = any(word in EN_MONTHS for word in words.split())
    if (
        words.split()[0] in ("may", "march", "mar", "jan", "jun", "dec", "sun")
        and not scene.original(first, first + 1).isupper()
    ):
        return None
    if not named_month and re.match(r"q[1-4]$|h[12]$", words):
        outside = re.match(r"\s*[:.)]", scene.after(match.end())) and not scene.before(first).strip()
        heading = words.startswith("h") and not prefixed
        if outside or heading:
            return None
    span = read_period(words, scene.today, scene.lean(match))
    if span and match["vague"] == "mid":
        return cal.edge(span, "middle")
    return span


@rule(
    r"(?:in|since|by|until|before|from|during|through|back in|as of|(?:early|mid|late)[\x20-](?:in )?)(?: early| mid| late)? (?P<y>{Y})",
    r"(?:early|mid|late)[\x20-](?P<y>{Y})",
)
def _year_alone(match: re.Match[str], scene: Scene) -> Reading:
    follow = re.match(r" +([a-z]+)", scene.after(match.end()))
    if follow and (follow[1].endswith("s") and follow[1] not in ("as", "this", "is", "was", "has")):
        return None
    if re.match(r" ?(?:ms|px|mb|kb|gb|bits?|bytes?|k|rows?|x|-)\b", scene.after(match.end())):
        return None
    return [Found(match.start("y"), match.end("y"), Span(date(int(match["y"]), 1, 1), "year"))]


_EDGES = {
    "end": "end",
    "close": "end",
    "start": "start",
    "beginning": "start",
    "top": "start",
    "middle": "middle",
    "mid": "middle",
}


@rule(
    r"(?:the )?(?:very )?(?P<edge>end|close|start|beginning|middle)(?: of|) (?P<period>{PERIOD})",
    r"(?P<edge>end|start|beginning|middle)-of-(?P<period>month|year|week|quarter)",
    r"(?P<edge>mid)[\x20-](?P<period>{REL} {GRAIN})",
    r"(?P<period>{PERIOD})'s (?P<edge>end|close|start|beginning)",
)
def _edge(match: re.Match[str], scene: Scene) -> Reading:
    span = read_period(match["period"], scene.today, scene.lean(match))
    return cal.edge(span, _EDGES[match["edge"]]) if span else None


@rule(r"(?:the )?(?P<period>month|year|quarter)[\x20-]end", r"eo(?P<letter>[wmqy])")
def _end_of(match: re.Match[str], scene: Scene) -> Reading:
    letters = {"w": "week", "m": "month", "q": "quarter", "y": "year"}
    grain = match.groupdict().get("period") or letters[match["letter"]]
    span = cal.period(scene.today, grain, 0)
    return cal.edge(span, "end") if span else None


@rule(
    r"(?:the )?(?P<nth>{NTH}) (?:(?P<wd>{WD}){PART}?|(?P<unit>day|week|weekend|business day|working day)) (?:of|in) (?P<period>{PERIOD})",
)
def _nth_of(match: re.Match[str], scene: Scene) -> Reading:
    """`the second Friday of March`; not `the first Monday of the month` where nothing says which."""
    lean = scene.lean(match)
    if (
        re.search(r"\b(?:every|each|on) (?:the )?$", scene.before(match.start()))
        and match["period"] == "the month"
        and lean == OPEN
    ):
        return None
    nth = EN_ORDINALS[match["nth"]]
    if match["period"] == "the month" and match["wd"]:
        return cal.nth_weekday_soon(scene.today, EN_WEEKDAYS[match["wd"]], nth, lean)
    span = read_period(match["period"], scene.today, lean)
    if span is None or match["wd"] is None:
        part = str(match["unit"])
        return span and cal.nth_part(span, nth, "workday" if part.endswith(" day") else part)
    there = cal.nth_weekday(span, EN_WEEKDAYS[match["wd"]], nth)
    return Span(there) if there else None


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
    r"(?:{WD},? )?(?:the )?(?P<mon>{MON})\.? (?:the )?(?P<d>{D}|first)" + _YEAR + "{PART}?",
    r"(?:(?P<wd>{WD}),? )?(?:the )?(?P<d>{D}|first)(?: of)? (?P<mon>{MON})\b\.?" + _YEAR + "{PART}?",
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
    named = re.match(GRAMMAR.fragments["WD"], match[0])
    weekday = EN_WEEKDAYS[named[0]] if named else None
    if year is not None:
        there = cal.make_date(year, month, number)
    else:
        there = cal.day_in_year(scene.today, month, number, scene.lean(match), weekday)
    return Span(there) if there else None


@rule(
    r"(?:from |between )?(?P<mon>{MON})\.? (?P<a>{D}) ?(?:-|to|and|through|until) ?(?P<b>{D})" + _YEAR,
    r"(?:from |between )?(?:the )?(?P<a>{D}) ?(?:-|to|and|through|until) ?(?:the )?(?P<b>{D})(?: of)? (?P<mon>{MON})"
    + _YEAR,
)
def _range(match: re.Match[str], scene: Scene) -> Reading:
    """`March 3-7`, `from the 3rd to the 7th of March`."""
    month, lean, year = EN_MONTHS[match["mon"]], scene.lean(match), year_of(match.groupdict(), scene.today)
    first = cal.day_in_year(scene.today, month, day_number(match["a"]), lean) if year is None else None
    first = first or (cal.make_date(year, month, day_number(match["a"])) if year else None)
    last = first and cal.make_date(first.year, month, day_number(match["b"]))
    if not first or not last or last <= first:
        return None
    return [
        Found(match.start(), match.end("a"), Span(first), "from"),
        Found(match.start("b"), match.end(), Span(last), "until"),
    ]


_DAY_FOLLOWS = re.compile(
    r" *(?:$|[.,;:!?)\n\"]|- )| +(?:at|and|or|we|i|they|he|she|it|you|because|but|so|when|if|as|with|for|in|to|before|after|onwards?|on"
    r"|instead|please|again|by|then|not|until|since|that|already|latest|this time)\b"
)
_DAY_BEFORE = re.compile(
    r"\b(?:on|by|since|until|till|from|before|after|starting|effective|as of|for|to|through|around|is|was|due)(?: about)? +$"
)


@rule(r"(?:(?P<wd>{WD}),? )?the (?P<d>{DTH}){PART}?", r"(?P<wd>{WD}),? (?P<d>{DTH}){PART}?")
def _day_alone(match: re.Match[str], scene: Scene) -> Reading:
    """`on the 14th`, `Tuesday the 3rd`; not `the 3rd option`."""
    if not _DAY_FOLLOWS.match(scene.after(match.end())):
        return None
    if not match["wd"] and not _DAY_BEFORE.search(scene.before(match.start())) and scene.lean(match) == OPEN:
        return None
    weekday = EN_WEEKDAYS[match["wd"]] if match["wd"] else None
    there = cal.day_of_month(scene.today, day_number(match["d"]), scene.lean(match), weekday)
    return Span(there) if there else None


@rule(
    r"(?P<day>christmas eve|christmas(?: day)?|new year's eve|new year's(?: day)?|easter(?: (?:sunday|monday))?|good friday|boxing day|halloween)(?: (?P<y>{Y}))?"
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


__all__ = ["GRAMMAR", "OPEN", "offset", "read_period"]
