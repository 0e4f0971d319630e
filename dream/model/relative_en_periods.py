"""English periods and their parts: `next month`, `end of March`, `the second Friday of March`, `Q2`, `EOM`."""

from __future__ import annotations

import re
from datetime import date

from dream.model import calendar as cal
from dream.model.calendar import OPEN, PAST, Span
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
YEAR = r"(?:,? (?:of )?(?:(?P<y>{Y})|(?P<yrel>{REL}) year))?"

FRAGMENTS = {
    "N": any_of(EN_NUMBERS) + r"|\d{1,4}",
    "ABOUT": r"a (?:bit|little) (?:over|under|more than|less than)|about|around|roughly|nearly|almost|over|more than"
    r"|less than|approximately|some|maybe|circa|just over|just under",
    "UNIT": any_of(EN_UNITS),
    "WD": any_of(EN_WEEKDAYS),
    "MON": any_of(EN_MONTHS),
    "NTH": any_of(EN_ORDINALS),
    "D": r"(?:0?[1-9]|[12]\d|3[01])(?: ?(?:st|nd|rd|th))?",
    "DTH": r"(?:[1-9]|[12]\d|3[01])(?:st|nd|rd|th)",
    "Y": r"(?:19|20)\d\d",
    "PART": r"(?: (?:early )?(?:morning|afternoon|evening|night|noon|lunchtime)| at (?:noon|lunch|night))",
    "REL": r"this coming|this past|this|the current|current|the next|next|the coming|the upcoming|the last|last|the"
    r" past|the previous|previous",
    "GRAIN": r"weekend|week-end|week|month|quarter|year|semester",
    "SEASON": any_of(EN_SEASONS),
    "WEEK": r"{REL} week|the week (?:after next|before last)|this week",
    "THAT_YEAR": r"(?:,? (?:of )?(?:{Y}|{REL} year))?",
    "QUARTER": r"q[1-4]|h[12]|(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter",
    "NAMED": r"(?:{REL} )?{MON}{THAT_YEAR}|{QUARTER}{THAT_YEAR}",
    "PERIOD": r"{REL} {GRAIN}|the {GRAIN} (?:after next|before last)|the (?:week|month|quarter|year)|month|year"
    r"|{NAMED}|(?:{REL}|the) {SEASON}|{Y}",
}
GRAMMAR = Vocabulary(FRAGMENTS)
rule = GRAMMAR.rule

_FORMS: list[tuple[str, re.Pattern[str]]] = [
    (name, GRAMMAR.compile(pattern, bounded=False))
    for name, pattern in (
        ("relative", r"(?P<rel>{REL}) (?P<grain>{GRAIN})"),
        ("relative", r"the (?P<grain>{GRAIN}) (?P<rel>after next|before last)"),
        ("relative", r"(?:the )?(?P<grain>week|month|quarter|year)"),
        ("month", r"(?:(?P<rel>{REL}) )?(?P<month>{MON})" + YEAR),
        ("quarter", r"(?:the )?(?:q(?P<q>[1-4])|h(?P<h>[12])|(?P<nth>\w+) quarter)" + YEAR),
        ("season", r"(?P<rel>{REL}|the) (?P<season>{SEASON})"),
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
    return cal.named_season(today, EN_SEASONS[str(parts["season"])], offset(parts["rel"]), lean)


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


@rule(r"(?:since|over|during|in|by|until|before|after) (?P<period>the {SEASON})")
def _season_alone(match: re.Match[str], scene: Scene) -> Reading:
    span = read_period(match["period"], scene.today, scene.lean(match))
    return [Found(match.start("period"), match.end(), span)] if span else None


@rule(
    r"(?:from|between) (?P<a>{MON}) (?:to|and|through|until) (?P<b>{MON})(?P<year>{THAT_YEAR})",
)
def _month_range(match: re.Match[str], scene: Scene) -> Reading:
    """`from March to June`."""
    lean, year = scene.lean(match), match["year"]
    last = read_period(match["b"] + year, scene.today, lean)
    first = read_period(match["a"] + year, last.first, PAST) if last else None
    if not first or not last or (year and first.first > last.first):
        return None
    return [
        Found(match.start("a"), match.end("a"), first, "from"),
        Found(match.start("b"), match.end(), last, "until"),
    ]


@rule(r"(?:over|during) the weekend", r"the weekend")
def _weekend(match: re.Match[str], scene: Scene) -> Reading:
    lean = scene.lean(match)
    return around(scene.today, "weekend", -1 if lean == PAST and scene.today.weekday() < 6 else 0)


@rule(
    r"(?:the )?(?P<grain>week|weekend) (?:of|starting|beginning|commencing|from) (?:{WD},? )?(?:the"
    r" )?(?:(?P<mon>{MON}) (?P<d>{D})|(?P<d2>{D})(?: of)? (?P<mon2>{MON})|(?P<d3>{DTH}))"
)
def _week_of(match: re.Match[str], scene: Scene) -> Reading:
    month, lean = match["mon"] or match["mon2"], scene.lean(match)
    number = day_number(match["d"] or match["d2"] or match["d3"])
    if month:
        there = cal.day_in_year(scene.today, EN_MONTHS[month], number, lean)
    else:
        there = cal.day_of_month(scene.today, number, lean)
    return cal.period(there, match["grain"], 0) if there else None


_CONTEXT = re.compile(
    r"\b(?:in|since|by|until|till|before|after|from|during|through|throughout|for|of|around|early|mid|late|end"
    r"|to|starting|as of|between"
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
    if words == "jan" and not re.search(r"\b(?:in|since|until|early|mid|late|end of)[ -]*$", scene.before(first)):
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
    r"(?:in|since|by|until|before|from|during|through|back in|as of|(?:early|mid|late)[\x20-](?:in )?)(?:"
    r" early| mid| late)? (?P<y>{Y})",
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
    r"(?:the )?(?:very )?(?P<edge>end|close|start|beginning|middle)(?: of|) (?P<period>{PERIOD}|week|quarter)",
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
    r"(?:the )?(?P<nth>{NTH}) (?:(?P<wd>{WD}){PART}?|(?P<unit>day|week|weekend|business day|working day))"
    r" (?:of|in) (?P<period>{PERIOD})",
)
def _nth_of(match: re.Match[str], scene: Scene) -> Reading:
    """`the second Friday of March`; not `the first Monday of the month` where nothing says which."""
    lean = scene.lean(match)
    unsaid = lean == OPEN or re.search(r"\b(?:every|each|to) (?:the )?$", scene.before(match.start()))
    if match["period"] == "the month" and match["wd"] and unsaid:
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
