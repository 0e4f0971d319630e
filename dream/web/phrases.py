"""Sentences that Dream's code makes (reasons, faults, advice, errors), said in another language by their form.

A reason stands in the signed log as an English sentence; its form, the sentence with its figures left out, is its code.
A sentence of no known form is shown as it is: what a model or the system said is not ours to put into other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from dream.web.words import said, table

_HOLE = re.compile(r"\{(\w+\*?)\}")
_DEEPEST = 3
Form = tuple[re.Pattern[str], str]


def told(sentence: str, tongue: str, depth: int = 0) -> str:
    """The sentence in `tongue`; several joined by `; ` or commas are said one by one where each is known."""
    if tongue != "fr" or not sentence:
        return said(sentence, tongue)
    for sign, french in (("; ", " ; "), (", ", ", ")):
        parts = sentence.split(sign)
        known = [_told(part, depth) for part in parts] if len(parts) > 1 else []
        if known and None not in known:
            return french.join(each for each in known if each is not None)
    whole = _told(sentence, depth)
    return sentence if whole is None else whole


def _told(sentence: str, depth: int) -> str | None:
    exact = said(sentence, "fr")
    if exact != sentence:
        return exact
    for form, words in _forms():
        match = form.fullmatch(sentence)
        if match is not None:
            return _HOLE.sub(_filled(match, depth), words)
    return None


def _filled(match: re.Match[str], depth: int) -> Callable[[re.Match[str]], str]:
    def fill(hole: re.Match[str]) -> str:
        name = hole[1]
        held = match[name.rstrip("*")]
        return told(held, "fr", depth + 1) if name.endswith("*") and depth < _DEEPEST else held

    return fill


@cache
def _forms() -> tuple[Form, ...]:
    """Patterns with their French words; those that say more of themselves come first."""
    rows = sorted(table("phrases_fr.tsv").items(), key=lambda row: -len(_HOLE.sub("", row[0])))
    return tuple((_pattern(form), words) for form, words in rows)


def _pattern(form: str) -> re.Pattern[str]:
    made, at = "", 0
    for hole in _HOLE.finditer(form):
        made += re.escape(form[at : hole.start()]) + f"(?P<{hole[1].rstrip('*')}>.+?)"
        at = hole.end()
    return re.compile(made + re.escape(form[at:]), re.DOTALL)
