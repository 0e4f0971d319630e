"""French dates by day, weekday and amount: « avant-hier », « mardi en huit », « il y a quinze jours »."""

from __future__ import annotations

import re
from datetime import date

from dream.model import calendar as cal
from dream.model.calendar import FUTURE, OPEN, PAST, Span
from dream.model.relative_fr_periods import FRAGMENTS, read_period
from dream.model.relative_rule import Reading, Scene, Vocabulary, amount_away, any_of, around, hours_away
from dream.model.relative_words import FR_COLLECTIVES, FR_DAY_IDIOMS, FR_UNITS, FR_WEEKDAYS, number_fr

GRAMMAR = Vocabulary(FRAGMENTS)
rule = GRAMMAR.rule
_ANY_WEEKDAY = any_of(FR_WEEKDAYS)


@rule(
    r"(?:au jour d')?aujourd[' ]?hui(?: meme)?(?P<later> en (?:huit|quinze))?|auj",
    r"ce (?:matin|midi|soir)(?:[- ]?la)?",
    r"cet(?:te)?[\x20-](?:apres[\x20-]?midi|aprem|nuit)",
)
def _today(match: re.Match[str], scene: Scene) -> Reading:
    if re.search(r"[- ]?la$", match[0]) and match[0].startswith("ce "):
        return None
    later = match.groupdict().get("later")
    return around(scene.today, "day", 0 if not later else 7 if "huit" in later else 14)


@rule(
    r"(?P<a>avant[\x20-]?hier{PART}?)|(?P<b>apres[\x20-]?demain{PART}?)"
    r"|(?P<c>hier{PART}?|la (?:nuit|soiree) (?:derniere|passee))|(?P<d>demain{PART}?)"
)
def _near_day(match: re.Match[str], scene: Scene) -> Reading:
    if re.search(r"\b(?:pas|pas d'|jamais) $", scene.before(match.start())) and match[0] == "hier":
        return None  # « pas d'hier », « né d'hier »
    return around(scene.today, "day", {"a": -2, "b": 2, "c": -1, "d": 1}[str(match.lastgroup)])


@rule(r"demain en (?P<n>huit|quinze)")
def _tomorrow_week(match: re.Match[str], scene: Scene) -> Reading:
    return around(scene.today, "day", 8 if match["n"] == "huit" else 15)


_AMOUNT = (
    r"(?:(?P<about>{ABOUT})(?: |(?<=')))?(?:(?P<n>{N}) (?:bon(?:ne)?s? |petite?s? |grosses?"
    r" )?(?P<unit>{UNIT})(?P<half> et demie?)?"
    r"|une (?:petite |bonne )?(?P<coll>{COLL})(?: (?:de |d')(?P<cunit>{UNIT}))?)"
)


def away(match: re.Match[str], scene: Scene, way: int) -> Reading:
    """The amount in the groups of `_AMOUNT` before or after the day it was said."""
    about = bool(match["about"]) or bool(re.search(r"bonne?|petite|grosse", match[0]))
    if match["coll"]:
        unit = FR_UNITS[match["cunit"]] if match["cunit"] else "day"
        if not match["cunit"] and match["coll"] not in ("huitaine", "quinzaine"):
            return None
        count = FR_COLLECTIVES[match["coll"]]
        if unit != "day" and match["coll"] == "quinzaine":
            count = 15
        return amount_away(scene.today, count, unit, way, about or match["coll"] not in ("huitaine", "quinzaine"))
    number, unit = number_fr(match["n"]), FR_UNITS[match["unit"]]
    if number is None:
        return None
    if unit in ("hour", "minute"):
        return hours_away(scene, number if unit == "hour" else number // 60, way)
    if unit == "day":
        number = FR_DAY_IDIOMS.get(number, number)
    about = about or unit in ("month", "quarter", "half", "year")
    return amount_away(scene.today, number + (0.5 if match["half"] else 0), unit, way, about)


@rule(
    r"(?:il )?y a " + _AMOUNT,
    r"voi(?:la|ci) " + _AMOUNT,
)
def _ago(match: re.Match[str], scene: Scene) -> Reading:
    """Not « il y a deux ans de garantie » : what follows must not make it a quantity."""
    after, before = scene.after(match.end()), scene.before(match.start())
    if re.match(r" (?:de|d')(?! cela| ca)\b", after) or re.match(
        r" (?:dans|par|pour|en) (?:l[ae]|un|une|chaque)\b", after
    ):
        return None
    if re.match(r" entre\b", after) or re.search(r"\bqu'$", before):
        return None
    return away(match, scene, PAST)


@rule(
    r"(?:depuis|ca fait|cela fait|ca va faire|voila) " + _AMOUNT + "(?: deja| maintenant)?",
    role="from",
)
def _since_amount(match: re.Match[str], scene: Scene) -> Reading:
    if match[0].startswith(("ca", "cela")) and not re.match(
        r" (?:que|qu'|maintenant)|[.,!]|$", scene.after(match.end())
    ):
        return None
    return away(match, scene, PAST)


@rule(r"(?:dans|d[' ]?ici(?: a)?) " + _AMOUNT + r"(?P<sharp> jour pour jour)?")
def _in_amount(match: re.Match[str], scene: Scene) -> Reading:
    if FR_UNITS.get(match["unit"] or "day") in ("hour", "minute"):
        return None
    if re.match(r" (?:de|d'|sur|cas sur)\b", scene.after(match.end())):
        return None
    return away(match, scene, FUTURE)


@rule(r"(?:il )?y a (?P<n>{N}) (?P<wd>{WD})s?")
def _weekdays_ago(match: re.Match[str], scene: Scene) -> Reading:
    count, first = number_fr(match["n"]), cal.last_weekday(scene.today, FR_WEEKDAYS[match["wd"]])
    there = first and count and cal.shift_days(first, -7 * (count - 1))
    return Span(there) if there else None


@rule(
    r"(?:le )?(?P<wd>{WD}){PART}? (?P<rel>prochain|dernier|passe|precedent|qui (?:vient|arrive)(?: de passer)?"
    r"|a venir|en huit|en quinze)",
    r"(?P<rel>ce|l'autre|dernier|prochain) (?P<wd>{WD})(?:[\x20-]ci)?{PART}?",
)
def _relative_weekday(match: re.Match[str], scene: Scene) -> Reading:
    weekday, rel = FR_WEEKDAYS[match["wd"]], match["rel"]
    there: date | None
    if scene.passed(match):
        return None
    if rel == "ce":
        if scene.lean(match) == PAST and weekday != scene.today.weekday():
            there = cal.last_weekday(scene.today, weekday)
        else:
            there = cal.shift_days(scene.today, (weekday - scene.today.weekday()) % 7)
        return Span(there) if there else None
    if rel in ("dernier", "passe", "precedent", "l'autre") or rel.endswith("passer"):
        there = cal.last_weekday(scene.today, weekday)
        if rel == "l'autre":
            return Span(there, about=True) if there else None
    else:
        there = cal.next_weekday(scene.today, weekday)
        there = there and cal.shift_days(there, {"en huit": 7, "en quinze": 14}.get(rel, 0))
    return Span(there) if there else None


@rule(
    r"(?:le )?(?P<wd>{WD}){PART}? (?:de |d')(?P<week>{WEEK}|dans {N} semaines|il y a {N} semaines)",
    r"(?P<week>{WEEK}),? (?:le )?(?P<wd>{WD}){PART}?",
    r"(?:le )?(?P<wd>{WD}){PART}?,? (?P<week>la semaine (?:prochaine|derniere|passee))",
    r"(?:le )?(?P<wd>{WD}) dans (?P<n>{N}) semaines?",
)
def _weekday_of_week(match: re.Match[str], scene: Scene) -> Reading:
    parts = match.groupdict()
    if parts.get("n"):
        week = cal.period(scene.today, "week", number_fr(match["n"]) or 1)
    else:
        week = read_period(match["week"], scene.today, OPEN)
    there = week and cal.in_week(week, FR_WEEKDAYS[match["wd"]])
    return Span(there) if there else None


@rule(r"(?:dans |pendant |de )?la nuit (?:de |du )(?P<wd>{WD})(?: (?:a|au) {WD})?")
def _night_of(match: re.Match[str], scene: Scene) -> Reading:
    weekday, past = FR_WEEKDAYS[match["wd"]], scene.lean(match) == PAST
    there = cal.last_weekday(scene.today, weekday) if past else cal.next_weekday(scene.today, weekday)
    return Span(there) if there else None


@rule(r"(?P<wd>{WD}){PART}? il y a (?P<n>{N}) semaines?")
def _weekday_weeks_ago(match: re.Match[str], scene: Scene) -> Reading:
    """The one nearest to the day that many weeks ago."""
    there = cal.shift_days(scene.today, -7 * (number_fr(match["n"]) or 1))
    there = there and cal.near_weekday(there, FR_WEEKDAYS[match["wd"]])
    return Span(there) if there else None


_CUSTOM = re.compile(
    r"\b(?:non plus|aucun autre jour|comme d'habitude|comme toujours|toujours|point final|un point c'est tout)\b"
)
_HABIT = re.compile(
    r"\b(?:le|les|chaque|tous|un|une|du|au|aux|aucun|certains?|quelques?|premier|deuxieme|second|troisieme"
    r"|dernier|notre|votre|mon|ton"
    r"|son|autre|sauf le|seul|pas de|bon|cyber|black|super|mon) +$"
)
_TO_WEEKDAY = re.compile(rf" ?(?:a|au|-|/|jusqu'a) ?(?:{_ANY_WEEKDAY})\b")
_FROM_WEEKDAY = re.compile(rf"\b(?:{_ANY_WEEKDAY})s? ?(?:a|au|-|/) ?$")
_NOT_A_DAY = re.compile(
    r" (?:noir|saint|gras|suivant|d'apres|sur deux|precedent|de chaque|de paques|de pentecote)\b|-(?:la|ci)\b"
)


@rule(r"(?P<wd>{WD}){PART}?")
def _weekday(match: re.Match[str], scene: Scene) -> Reading:
    """« mardi » seul : by tense; not « le mardi », « tous les mardis », « mardi-jeudi »."""
    before, after = scene.before(match.start()), scene.after(match.end())
    if _CUSTOM.search(before) or _CUSTOM.search(after):
        return None  # a day of every week
    if _HABIT.search(before) or _TO_WEEKDAY.match(after) or _FROM_WEEKDAY.search(before) or _NOT_A_DAY.match(after):
        return None
    weekday, lean = FR_WEEKDAYS[match["wd"]], scene.lean(match)
    if lean == OPEN and re.search(r"\b(?:de|d') ?$", before):
        there = cal.near_weekday(scene.today, weekday)
    elif lean == PAST:
        there = cal.last_weekday(scene.today, weekday)
    else:
        there = cal.next_weekday(scene.today, weekday)
    return Span(there) if there else None
