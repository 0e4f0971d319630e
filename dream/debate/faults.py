"""Does a statement tell of a fault, or deny one (`sans casse`, `no errors`, `n'a pas planté`)?

The name of a fault tells of none right after a word that leaves it out, with small words between; a verb of failing
tells of none a few words after a denial in its clause. Where one word is left undenied, something went wrong.
"""

from __future__ import annotations

import re

from dream.capture.salience_words import CUES
from dream.model.folding import fold

LEAVES_OUT = frozenset("without sans zero aucun aucune ni nor free exempt exempte exempts exemptes".split())
"""Before the name of a fault these leave it out, with small words between."""
NONE = frozenset("no not pas plus jamais any".split())
DENIES = frozenset("not never jamais pas ne n neither nobody hardly longer t".split())
"""Before a verb of failing these deny it; `t` is what is left of `didn't`."""
STILL = frozenset("only seulement que".split())
"""Right after a denial these take it back (`not only`)."""
AFTER = frozenset(["free"])
"""Right behind the name of a fault these leave it out (`error-free`)."""
SMALL = frozenset("the a an any one single more de d du des la le les un une seul seule moindre of from with".split())
REACH = 3
"""Words between a denial and the verb it denies, at most."""

_WORD = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(r"[,;:.!?()–—]|\b(?:but|mais|because|car|parce|since|puisque|and|et|then|puis)\b")
_FAULTS = tuple(tuple(phrase.split()) for phrase in CUES["error"].replace("\n", " ").split("|"))


def tells_a_fault(text: str) -> bool:
    """Whether a word of a fault stands undenied in `text`; True where it has none, for other signs may have told."""
    told = denied = False
    for clause in _CLAUSE.split(fold(text).plain):
        words = _WORD.findall(clause)
        for start, end in _places(words):
            if _denied(words[:start]) or AFTER.intersection(words[end : end + 1]):
                denied = True
            else:
                told = True
    return told or not denied


def _places(words: list[str]) -> list[tuple[int, int]]:
    """Where a fault is named, as (start, end)."""
    return [
        (index, index + len(phrase))
        for index in range(len(words))
        for phrase in _FAULTS
        if words[index] == phrase[0] and tuple(words[index : index + len(phrase)]) == phrase
    ]


def _denied(before: list[str]) -> bool:
    near = list(before)
    while near and near[-1] in SMALL:
        near.pop()
    if near and near[-1] in LEAVES_OUT | NONE:
        return True
    close = before[-REACH:]
    for place, word in enumerate(close):
        if word in DENIES and not STILL.intersection(close[place + 1 : place + 2]):
            return True
    return False
