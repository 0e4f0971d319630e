"""Does a sentence place a date behind it or ahead of it? By the verb nearest to the date, in French and English."""

from __future__ import annotations

import functools
import re

from dream.model import tense_words as said
from dream.model.calendar import FUTURE, OPEN, PAST
from dream.model.folding import Folded

_BREAK = re.compile(r"[.;!?](?=[ \n]|$)|\n")
_REACH = 160  # characters of a sentence looked at on either side
Stretch = tuple[int, int]


def lean(text: Folded, start: int, end: int) -> int:
    """PAST, FUTURE, or OPEN where the sentence does not tell, for the date at `text.plain[start:end]`."""
    before = text.plain[max(0, start - 120) : start]
    if said.SINCE.search(before) or said.DATES_FROM.search(before):
        return PAST
    if said.RESCHEDULED.search(before) or said.FROM.search(before):
        return FUTURE
    sentence = _sentence(text.plain, start, end)
    if said.UNTIL.search(before) and not said.WAS.search(text.plain, *sentence):
        return FUTURE
    found = _nearest_verb(text, sentence, (start, end))
    return FUTURE if found == OPEN and said.AHEAD.search(before) else found


def _sentence(plain: str, start: int, end: int) -> Stretch:
    low, high = max(0, start - _REACH), min(len(plain), end + _REACH)
    first = max((mark.end() for mark in _BREAK.finditer(plain, low, start)), default=low)
    after = _BREAK.search(plain, end, high)
    return first, after.start() if after else high


def _nearest_verb(text: Folded, sentence: Stretch, phrase: Stretch) -> int:
    first, last = sentence
    plain = text.plain[first:last]
    date = (phrase[0] - first, phrase[1] - first)
    verbs = (
        (_distance(plain, verb, date), -value, value)
        for verb, value in _verbs(plain, text.accented[first:last])
        if verb[1] <= date[0] or date[1] <= verb[0]
    )
    return min(verbs, default=(0, 0, OPEN))[2]


@functools.lru_cache(maxsize=64)
def _verbs(plain: str, accented: str) -> tuple[tuple[Stretch, int], ...]:
    """A future form hides the past participle inside it (`will be moved`), and either hides a present."""
    taken = bytearray(len(plain))
    verbs: list[tuple[Stretch, int]] = []
    for pattern, value in _patterns(plain):
        found = [match.span() for match in pattern.finditer(plain)]
        found += _bare_participles(plain, accented) if pattern is said.FR_PAST else []
        for start, end in found:
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                verbs.append(((start, end), value))
    return tuple(verbs)


def _patterns(plain: str) -> list[tuple[re.Pattern[str], int]]:
    """Those of the language of the sentence, of both where it does not tell; the later yield to the earlier."""
    balance = len(said.FRENCH.findall(plain)) - len(said.ENGLISH.findall(plain))
    both = (
        ((said.FR_FUTURE, FUTURE), balance >= 0),
        ((said.EN_FUTURE, FUTURE), balance <= 0),
        ((said.FR_PAST, PAST), balance >= 0),
        ((said.EN_PAST, PAST), balance <= 0),
        ((said.FR_PRESENT, OPEN), balance >= 0),
        ((said.EN_PRESENT, OPEN), balance <= 0),
    )
    return [pair for pair, spoken in both if spoken]


def _bare_participles(plain: str, accented: str) -> list[Stretch]:
    """French participles without their auxiliary (« signé mardi »), by their accent."""
    found = [match.span() for match in said.BARE_PARTICIPLE.finditer(accented)]
    return [span for span in found if not said.PASSIVE_PRESENT.search(plain, max(0, span[0] - 20), span[0])]


def _distance(sentence: str, verb: Stretch, date: Stretch) -> int:
    """Characters between, and more for each border of a clause that lies between them."""
    low, high = (verb[1], date[0]) if verb[1] <= date[0] else (date[1], verb[0])
    between = sentence[low:high]
    borders = 20 * between.count(",") + 40 * between.count(" - ") + 60 * (between.count("(") + between.count(")"))
    joints = sum(15 for word in (" but ", " mais ", " and ", " et ", " que ", " that ") if word in between)
    return len(between) + borders + joints
