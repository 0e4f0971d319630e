"""A date that hangs on another: `the day after Christmas`, « la veille du 14 juillet », `a week before March 3rd`."""

from __future__ import annotations

import re
from dataclasses import replace

from dream.model.calendar import FUTURE, PAST, Span
from dream.model.relative_rule import Found, Scene, amount_away, any_of
from dream.model.relative_words import EN_NUMBERS, EN_UNITS, FR_NUMBERS, FR_UNITS, number_en, number_fr

_DAY = re.compile(
    r"\b(?P<back>the (?:day|night|evening) before|the eve of|(?:la|le|de la) (?:veille|soir precedent) (?:de"
    r"|du|d'))(?: the| le| l')? ?$"
    r"|\b(?P<ahead>the (?:day|morning) after|(?:le|du|au) lendemain (?:de|du|d'))(?: the| le| l')? ?$"
    r"|\b(?P<twice>(?:le |du )?surlendemain (?:de|du|d'))(?: le| l')? ?$"
)
_AMOUNT_EN = re.compile(
    rf"\b(?P<n>{any_of(EN_NUMBERS)}|\d{{1,3}}) (?P<unit>{any_of(EN_UNITS)}) (?P<way>before|after|prior to)(?: the)? $"
)
_AMOUNT_FR = re.compile(
    rf"\b(?P<n>{any_of(FR_NUMBERS)}|\d{{1,3}}) (?P<unit>{any_of(FR_UNITS)}) (?P<way>avant|apres)(?: le)? $"
)


def offset(scene: Scene, found: Found) -> Found:
    """The date itself, or the one that the words before it step to; only from a day."""
    if found.span.granularity != "day":
        return found
    words = scene.before(found.start)
    step = _DAY.search(words)
    if step:
        days = -1 if step["back"] else 1 if step["ahead"] else 2
        return _moved(found, step, amount_away(found.span.first, abs(days), "day", PAST if days < 0 else FUTURE))
    for pattern, units, number in ((_AMOUNT_EN, EN_UNITS, number_en), (_AMOUNT_FR, FR_UNITS, number_fr)):
        step = pattern.search(words)
        if step and units[step["unit"]] not in ("hour", "minute"):
            way = PAST if step["way"] in ("before", "prior to", "avant") else FUTURE
            return _moved(found, step, amount_away(found.span.first, number(step["n"]) or 0, units[step["unit"]], way))
    return found


def _moved(found: Found, step: re.Match[str], there: Span | None) -> Found:
    if there is None:
        return found
    length = len(step.string) - step.start()
    return replace(found, start=found.start - length, span=there)
