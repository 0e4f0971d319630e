"""Does a sentence place a date behind it or ahead of it? By the verb nearest to the date, in French and English."""

from __future__ import annotations

import re

from dream.model import tense_words as said
from dream.model.calendar import FUTURE, OPEN, PAST
from dream.model.folding import Folded

_BREAK = re.compile(r"[.;!?](?=[ \n]|$)|\n")
_REACH = 400  # characters of a sentence looked at on either side
Stretch = tuple[int, int]


def lean(text: Folded, start: int, end: int) -> int:
    """PAST, FUTURE, or OPEN where the sentence does not tell, for the date at `text.plain[start:end]`."""
    before = text.plain[max(0, start - 120) : start]
    if said.SINCE.search(before):
        return PAST
    if said.RESCHEDULED.search(before) or said.FROM.search(before):
        return FUTURE
    found = _nearest_verb(text, _sentence(text.plain, start, end), (start, end))
    return FUTURE if found == OPEN and said.AHEAD.search(before) else found


def _sentence(plain: str, start: int, end: int) -> Stretch:
    low, high = max(0, start - _REACH), min(len(plain), end + _REACH)
    first = max((mark.end() for mark in _BREAK.finditer(plain, low, start)), default=low)
    after = _BREAK.search(plain, end, high)
    return first, after.start() if after else high


def _nearest_verb(text: Folded, sentence: Stretch, phrase: Stretch) -> int:
    """A future form hides the past participle inside it (`will be moved`), and either hides a present."""
    first, last = sentence
    plain, accented = text.plain[first:last], text.accented[first:last]
    date = (phrase[0] - first, phrase[1] - first)
    taken = [date]
    verbs: list[tuple[int, int]] = []

    def take(found: list[Stretch], value: int) -> None:
        for verb in found:
            if all(verb[1] <= low or high <= verb[0] for low, high in taken):
                taken.append(verb)
                verbs.append((_distance(plain, verb, date), value))

    take([match.span() for match in said.FUTURE.finditer(plain)], FUTURE)
    take([match.span() for match in said.PAST.finditer(plain)], PAST)
    bare = [match.span() for match in said.BARE_PARTICIPLE.finditer(accented)]
    take([verb for verb in bare if not said.PASSIVE_PRESENT.search(plain[: verb[0]])], PAST)
    take([match.span() for match in said.PRESENT.finditer(plain)], OPEN)
    return min(verbs, key=lambda verb: (verb[0], -verb[1]), default=(0, OPEN))[1]


def _distance(sentence: str, verb: Stretch, date: Stretch) -> int:
    """Characters between, and more for each border of a clause that lies between them."""
    low, high = (verb[1], date[0]) if verb[1] <= date[0] else (date[1], verb[0])
    between = sentence[low:high]
    borders = 20 * between.count(",") + 40 * between.count(" - ") + 60 * (between.count("(") + between.count(")"))
    joints = sum(15 for word in (" but ", " mais ", " and ", " et ", " que ", " that ") if word in between)
    return len(between) + borders + joints
