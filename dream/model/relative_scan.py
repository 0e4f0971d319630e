"""One pass of the date grammar over a text: every rule tried, the longest reading kept, its role told."""

from __future__ import annotations

import re
from dataclasses import replace

from dream.model import calendar as cal
from dream.model import (
    relative_en,
    relative_en_days,
    relative_en_periods,
    relative_fr,
    relative_fr_days,
    relative_fr_periods,
    relative_iso,
    tense_words,
)
from dream.model.folding import Folded, fold
from dream.model.relative import Dated
from dream.model.relative_offset import offset
from dream.model.relative_rule import LEAD, Found, Scene, any_of
from dream.model.relative_words import (
    EN_MONTHS,
    EN_SEASONS,
    EN_UNITS,
    EN_WEEKDAYS,
    FR_COLLECTIVES,
    FR_MONTHS,
    FR_SEASONS,
    FR_UNITS,
    FR_WEEKDAYS,
)
from dream.model.tense_words import words
from dream.model.time import to_datetime, zone_info

_HINT = re.compile(
    r"\d|"
    + any_of([*EN_MONTHS, *FR_MONTHS, *EN_WEEKDAYS, *FR_WEEKDAYS, *EN_UNITS, *FR_UNITS, *EN_SEASONS, *FR_SEASONS])
    + "|"
    + any_of([*FR_COLLECTIVES, *cal.HOLIDAYS])
    + "|hier|hui\\b|demain|tom+or+ow|tmrw|tonite|night|nuit|noon|matin|morning|soir|evening|midi|aprem|auj\\b"
    "|eo[dwmqy]|cob|cw|kw"
)
"""Where nothing of this stands, no date does."""
QUOTED_CODE = re.compile(r"`[^`\n]*`|\b[a-z]+://\S+|\b\w+@\w+\.\w+")
_BETWEEN = words(
    r"the le la l' on about around toute_la_fin la_fin fin early late mid-? debut mi- the_end_of the_start_of"
)
_FROM = re.compile(
    r"\b(?:since|from|as of|as from|starting|starting (?:on|from)|beginning|effective|effective (?:on|from)"
    r"|with effect from"
    r"|depuis|des|a (?:partir|compter|dater) (?:de|du|d'|des)|(?:prend|prise d')effet|en vigueur(?: a partir)?)"
    rf"(?: (?:{_BETWEEN}))* ?$"
)
_UNTIL = re.compile(
    r"\b(?:until|till|up to|up until|through|thru|jusqu' ?(?:a|au|en|aux)?|valable|valid until|jusque)"
    rf"(?: (?:{_BETWEEN}))* ?$"
)

_GRAMMARS = (
    relative_iso.GRAMMAR,
    relative_fr.GRAMMAR,
    relative_fr_periods.GRAMMAR,
    relative_fr_days.GRAMMAR,
    relative_en.GRAMMAR,
    relative_en_periods.GRAMMAR,
    relative_en_days.GRAMMAR,
)


def scan(text: str, said_at: str, zone: str) -> tuple[Dated, ...]:
    """What `relative.resolve` promises."""
    local = to_datetime(said_at).astimezone(zone_info(zone))
    folded = fold(text)
    if not _HINT.search(folded.plain):
        return ()
    scene = Scene(folded, local.date(), _is_french(folded.plain), local.hour, zone)
    chosen = [offset(scene, found) for found in _longest(folded, [_trim(scene, found) for found in _candidates(scene)])]
    dated: list[Dated] = []
    for found in chosen:
        dated.append(_dated(scene, found, dated[-1] if dated else None))
    return tuple(dated)


def _is_french(plain: str) -> bool:
    return len(tense_words.FRENCH.findall(plain)) > len(tense_words.ENGLISH.findall(plain))


def _candidates(scene: Scene) -> list[Found]:
    found: list[Found] = []
    for grammar in _GRAMMARS:
        for rule in grammar.rules:
            found.extend(rule.matches(scene))
    return found


def _longest(folded: Folded, found: list[Found]) -> list[Found]:
    """Of overlapping readings the longest; what stands in code or an address is none."""
    taken = bytearray(len(folded.plain))
    for code in QUOTED_CODE.finditer(folded.plain):
        taken[code.start() : code.end()] = b"\1" * (code.end() - code.start())
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: (each.start - each.end, not each.role, each.start)):
        if not any(taken[each.start : each.end]):
            taken[each.start : each.end] = b"\1" * (each.end - each.start)
            kept.append(each)
    return sorted(kept, key=lambda each: each.start)


def _trim(scene: Scene, found: Found) -> Found:
    """A full stop after a date is the sentence's; the `'s` of `next month's` is the date's."""
    end = found.end
    if scene.text.plain[end - 1] == "." and scene.text.plain[found.start : end].count(".") == 1:
        end -= 1
    if scene.text.plain.startswith("'s", end):
        end += 2
    return replace(found, end=end)


def _dated(scene: Scene, found: Found, previous: Dated | None) -> Dated:
    start, end = scene.text.original_span(found.start, found.end)
    role = found.role or _role(scene, found)
    if role == "at" and previous and previous.role == "from":
        between = scene.text.original[previous.end : start]
        role = (
            "until"
            if re.fullmatch(r"(?i) ?(?:to|through|thru|till|au?|à|-|–|and|et) ?(?:the |le )?", between)
            else role
        )
    span = found.span
    if (
        role == "until"
        and previous
        and span.iso < previous.iso
        and not re.search(r"\d{4}", scene.text.original[start:end])
    ):
        span = replace(span, first=cal.shift_months(span.first, 12) or span.first)
    return Dated(
        start=start,
        end=end,
        phrase=scene.text.original[start:end],
        iso=span.iso,
        granularity=span.granularity,
        role=role,
        about=span.about,
        last=span.last.isoformat(),
    )


def _role(scene: Scene, found: Found) -> str:
    """By the words before it; an article that the phrase begins with belongs to them (`à partir du premier lundi`)."""
    inside = scene.text.plain[found.start : found.end]
    lead = LEAD.match(inside)
    words = scene.before(found.start)
    for before in (words, words + lead[0] if lead else words):
        border = _FROM.search(before)
        if border and not tense_words.DATES_FROM.search(before):
            moved = border[0].startswith("from") and tense_words.SHIFTED.search(before[: border.start()])
            return "at" if moved else "from"
        if _UNTIL.search(before):
            return "until"
    if re.match(r"(?:depuis|since|des)\b", inside):
        return "from"
    return "from" if re.match(r" (?:on|onwards?)(?: *[.,;:!?)]|$)", scene.after(found.end)) else "at"
