"""English dates by day, weekday and amount: `the day before yesterday`, `Friday of next week`, `ten days ago`."""

from __future__ import annotations

import re
from datetime import date

from dream.model import calendar as cal
from dream.model.calendar import FUTURE, OPEN, PAST, Span
from dream.model.relative_en_periods import FRAGMENTS, offset, read_period
from dream.model.relative_rule import Reading, Scene, Vocabulary, amount_away, any_of, around, hours_away
from dream.model.relative_words import EN_UNITS, EN_WEEKDAYS, number_en

GRAMMAR = Vocabulary(FRAGMENTS)
rule = GRAMMAR.rule
_ANY_WEEKDAY = any_of(EN_WEEKDAYS)


@rule(
    r"(?:earlier |later |as of )?today",
    r"this (?:early |late )?(?:morning|afternoon|evening|lunchtime)",
    r"tonight|tonite",
)
def _today(match: re.Match[str], scene: Scene) -> Reading:
    return None if inside_name(match, scene) else Span(scene.today)


def inside_name(match: re.Match[str], scene: Scene) -> bool:
    """A capital inside a sentence next to another capitalised word: `USA Today`, `Taco Tuesday`."""
    if not scene.original(match.start(), match.start() + 1).isupper():
        return False
    return bool(re.search(r"\b[A-Z]\w*[ ]$", scene.original(max(0, match.start() - 40), match.start())))


@rule(
    r"(?P<a>(?:the )?day before yesterday{PART}?|(?:the )?night before last)|(?P<b>(?:the )?day after"
    r" tom+or+ow{PART}?)"
    r"|(?P<c>yesterday{PART}?|last (?:night|evening)|the previous night)|(?P<d>(?:tom+or+ow|tmrw){PART}?)"
)
def _near_day(match: re.Match[str], scene: Scene) -> Reading:
    if inside_name(match, scene):
        return None
    return around(scene.today, "day", {"a": -2, "b": 2, "c": -1, "d": 1}[str(match.lastgroup)])


@rule(r"(?:by|before|until) (?:eod|end of (?:the )?day|end of business|cob|close of business)", r"eod(?: today)?")
def _end_of_day(match: re.Match[str], scene: Scene) -> Reading:
    after = scene.after(match.end())
    return None if re.match(rf" (?:on )?(?:tomorrow|{_ANY_WEEKDAY})\b", after) else Span(scene.today)


@rule(
    r"(?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)? (?:ago|back)"
    r"(?: (?P<from>today|yesterday|tomorrow|(?:last |on |this )?(?P<wd>{WD}){PART}?))?"
)
def _ago(match: re.Match[str], scene: Scene) -> Reading:
    if re.search(r"(?:\bor|\bto|\da?-) ?$", scene.before(match.start())):
        return None
    start: date | None = scene.today
    if match["wd"]:
        start = cal.last_weekday(scene.today, EN_WEEKDAYS[match["wd"]])
    elif match["from"]:
        start = cal.shift_days(scene.today, {"today": 0, "yesterday": -1, "tomorrow": 1}[match["from"]])
    return away(match, scene, start, PAST)


def away(match: re.Match[str], scene: Scene, start: date | None, way: int) -> Reading:
    """The amount in the groups `n`, `unit`, `half`, `about` before or after `start`."""
    count, unit = number_en(match["n"]), EN_UNITS[match["unit"]]
    if count is None or start is None:
        return None
    exact = "today" in match[0]
    if unit in ("hour", "minute"):
        return hours_away(scene, count if unit == "hour" else count // 60, way)
    about = not exact and (bool(match["about"]) or unit in ("month", "quarter", "year"))
    return amount_away(start, count + (0.5 if match["half"] else 0), unit, way, about)


@rule(r"(?:this|the same) (?:time|day) (?P<rel>next|last) (?P<unit>week|month|year)")
def _this_time(match: re.Match[str], scene: Scene) -> Reading:
    return amount_away(scene.today, 1, match["unit"], FUTURE if match["rel"] == "next" else PAST)


@rule(r"(?P<wd>{WD}){PART}? (?P<n>a|one|two|three|four) weeks? ago")
def _weekday_weeks_ago(match: re.Match[str], scene: Scene) -> Reading:
    """The one nearest to the day that many weeks ago."""
    there = cal.shift_days(scene.today, -7 * (number_en(match["n"]) or 1))
    there = there and cal.near_weekday(there, EN_WEEKDAYS[match["wd"]])
    return Span(there) if there else None


@rule(r"the night of (?P<wd>{WD})(?: to {WD})?")
def _night_of(match: re.Match[str], scene: Scene) -> Reading:
    weekday, past = EN_WEEKDAYS[match["wd"]], scene.lean(match) == PAST
    there = cal.last_weekday(scene.today, weekday) if past else cal.next_weekday(scene.today, weekday)
    return Span(there) if there else None


@rule(r"half a year (?P<way>ago|back|from now)", r"in half a year")
def _half_year(match: re.Match[str], scene: Scene) -> Reading:
    way = PAST if match[0].endswith(("ago", "back")) else FUTURE
    return amount_away(scene.today, 6, "month", way, about=True)


@rule(r"(?P<n>{N}) (?P<wd>{WD})s? (?P<way>ago|from now|from today)")
def _weekdays_away(match: re.Match[str], scene: Scene) -> Reading:
    count, weekday = number_en(match["n"]), EN_WEEKDAYS[match["wd"]]
    back = match["way"] == "ago"
    first = cal.last_weekday(scene.today, weekday) if back else cal.next_weekday(scene.today, weekday)
    there = first and count and cal.shift_days(first, (-7 if back else 7) * (count - 1))
    return Span(there) if there else None


@rule(
    r"in (?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)?(?P<sure>'?s?'? time)?",
    r"(?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)?(?P<sure> (?:from (?:now|today)"
    r"|hence))",
)
def _in_amount(match: re.Match[str], scene: Scene) -> Reading:
    if EN_UNITS[match["unit"]] in ("hour", "minute"):
        return None
    if not match["sure"]:
        repeated = re.search(
            r"\b(?:once|twice|times?|only|within|any|every|all|done|days?|hours?|first) +$", scene.before(match.start())
        )
        goes_on = re.match(r"(?: +(?:or|to|of|for|per|flat|a row|total|advance)\b| ?-\d)", scene.after(match.end()))
        if repeated or goes_on or scene.lean(match) == PAST:
            return None
    return away(match, scene, scene.today, FUTURE)


@rule(
    r"(?P<n>{N}) (?P<unit>{UNIT})(?P<half>(?P<about>)) (?:from|after) (?P<day>tomorrow|(?:on |this |next"
    r" )?(?P<wd>{WD}))"
)
def _from_day(match: re.Match[str], scene: Scene) -> Reading:
    return away(match, scene, _named_day(match, scene), FUTURE)


@rule(
    r"(?P<n>a|one|two|three) weeks? (?P<day>today|tomorrow|(?:on |this |next |last )?(?P<wd>{WD}))",
    r"(?P<day>(?P<wd>{WD})|today|tomorrow) (?P<n>week|fortnight)",
)
def _british_week(match: re.Match[str], scene: Scene) -> Reading:
    if re.search(r"\bin $", scene.before(match.start())):
        return None
    back = match["day"].startswith("last ")
    start = cal.last_weekday(scene.today, EN_WEEKDAYS[match["wd"]]) if back else _named_day(match, scene)
    weeks = {"two": 2, "three": 3, "fortnight": 2}.get(match["n"], 1)
    there = start and cal.shift_days(start, -7 * weeks if back else 7 * weeks)
    return Span(there) if there else None


def _named_day(match: re.Match[str], scene: Scene) -> date | None:
    if match["wd"]:
        return cal.next_weekday(scene.today, EN_WEEKDAYS[match["wd"]])
    return cal.shift_days(scene.today, 1 if match["day"] == "tomorrow" else 0)


@rule(
    r"(?:since|for) (?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)? (?:now|already)",
    r"since (?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)?",
    r"for the (?:past|last) (?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)?",
    r"(?:it's|it is|it has) been (?:(?P<about>{ABOUT}) )?(?P<n>{N}) (?P<unit>{UNIT})(?P<half> and a half)?(?: now)?",
    role="from",
)
def _for_amount(match: re.Match[str], scene: Scene) -> Reading:
    return away(match, scene, scene.today, PAST)


@rule(
    r"(?P<rel>last|this past|past|this|this coming|the coming|coming|upcoming|this upcoming|next)"
    r" (?P<wd>{WD}){PART}?",
    r"(?:the )?(?P<wd>{WD}){PART}? (?P<rel>after next|before last)",
)
def _relative_weekday(match: re.Match[str], scene: Scene) -> Reading:
    weekday, rel = EN_WEEKDAYS[match["wd"]], match["rel"]
    if rel in ("this", "past") and re.search(r"\b(?:the|a|half|quarter) $", scene.before(match.start())):
        return None
    if rel == "this":
        if scene.lean(match) == PAST and weekday != scene.today.weekday():
            there = cal.last_weekday(scene.today, weekday)
        else:
            there = cal.shift_days(scene.today, (weekday - scene.today.weekday()) % 7)
        return Span(there) if there else None
    shift = offset(rel) or 1
    there = cal.next_weekday(scene.today, weekday) if shift > 0 else cal.last_weekday(scene.today, weekday)
    there = there and cal.shift_days(there, 7 * (shift - (1 if shift > 0 else -1)))
    return Span(there) if there else None


@rule(
    r"(?:the )?(?P<wd>{WD}){PART}?,? (?:of |in |from )?(?P<week>{WEEK}){PART}?",
    r"(?P<week>{WEEK})(?:'s)?,? (?:on )?(?P<wd>{WD}){PART}?",
    r"(?P<later>in (?:a|one|two|three) weeks?),? on (?P<wd>{WD}){PART}?",
    r"(?:the )?(?P<wd>{WD}){PART}? (?P<later>(?:in )?(?:a|one|two|three) weeks?(?: from now)?)",
)
def _weekday_of_week(match: re.Match[str], scene: Scene) -> Reading:
    later = match.groupdict().get("later")
    if later:
        ahead = next((n for word, n in (("two", 2), ("three", 3)) if word in later), 1)
        week = cal.period(scene.today, "week", ahead) if later.startswith("in ") else None
    else:
        week = read_period(match["week"], scene.today, OPEN)
    there = week and cal.in_week(week, EN_WEEKDAYS[match["wd"]])
    return Span(there) if there else None


_PREPOSITION = re.compile(
    r"\b(?:on|by|until|till|since|from|before|after|starting|effective|as of|for|to|beginning|past|come"
    r"|through|this|due|was|is|it's|that's)"
    r"(?:,| -)? +$"
)
_FIRM = re.compile(r"\b(?:on|by|until|till|since|before|starting|effective|as of) +$")
_WHAT_MAY_FOLLOW = re.compile(
    r" *(?:$|[.,;:!?)\n\"]|- |'s\b)| +(?:at|and|or|we|i|they|he|she|it|you|the|because|but|so|when|if|as|with"
    r"|for|in|to|before|after"
    r"|instead|already|please|again|a|an|by|then|not|around|onwards?|on|until|since|that|this|our|my|latest|\d+)\b"
)
_CUSTOM = re.compile(
    r"\b(?:no longer|any longer|any ?more|nowadays|these days|no other day|as usual|as always|always|full stop"
    r"|and only)\b"
)
_HABIT = re.compile(
    r"\b(?:every|each|all|most|the|an?|our|my|your|their|his|her|any|some|no|one|alternate|good|black|ash|via"
    r"|these|those|other|always"
    r"|usual|usually|weekly|per|first|second|third|fourth|casual|taco|app|called|named)(?: other)? +$"
)
_TO_WEEKDAY = re.compile(rf" ?(?:to|through|thru|-|/|until) ?(?:{_ANY_WEEKDAY})\b")
_AND_WEEKDAY = re.compile(rf"(?:,| and|,? or| &) (?:on )?(?:{_ANY_WEEKDAY})\b")
_WEEKDAY_AND = re.compile(rf"\b(?:{_ANY_WEEKDAY})(?:,| and|,? or| &) (?:on )?$")
_FROM_WEEKDAY = re.compile(rf"\b(?:{_ANY_WEEKDAY})s? ?(?:to|through|thru|-|/) ?$")
_PARTS = re.compile(r" (?:mornings|afternoons|evenings|nights|lunchtimes)\b")


@rule(r"(?P<wd>{WD}){PART}?")
def _weekday(match: re.Match[str], scene: Scene) -> Reading:
    """`Tuesday` alone: by tense; not `every Tuesday`, `the Tuesday build`, `Tuesday mornings`, `Tuesday to Friday`."""
    before, after = scene.before(match.start()), scene.after(match.end())
    if _CUSTOM.search(before) or _CUSTOM.search(after):
        return None  # a day of every week
    if _HABIT.search(before) or _TO_WEEKDAY.match(after) or _FROM_WEEKDAY.search(before) or _PARTS.match(after):
        return None
    short = len(match["wd"]) <= 5
    if short and not (_PREPOSITION.search(before) and scene.original(*match.span())[0].isupper()):
        return None
    if not _FIRM.search(before) and not _WHAT_MAY_FOLLOW.match(after):
        return None
    weekday, lean = EN_WEEKDAYS[match["wd"]], scene.lean(match)
    if lean == OPEN and (_AND_WEEKDAY.match(after) or _WEEKDAY_AND.search(before)):
        return None
    if lean == OPEN and after.startswith("'s"):
        there = cal.near_weekday(scene.today, weekday)
    elif lean == PAST:
        there = cal.last_weekday(scene.today, weekday)
    else:
        there = cal.next_weekday(scene.today, weekday)
    return Span(there) if there else None
