"""Sentences of prose, French and English, from a message.

Promises to keep every sentence of prose in its order, each once, and to leave out code, logs, tables, quoted pages
(see prose.py). A full stop ends a sentence only where white space follows it: never inside `3.5`, `booking.spec.ts`,
a URL or a tag such as `[redacted:github-token]`; nor after an abbreviation, nor inside brackets or guillemets.
"""

from __future__ import annotations

import re

from dream.capture.prose import plain, prose_lines

LONGEST = 1_000
"""Characters of a sentence; a longer one is cut at white space."""

_ABBREVIATIONS = frozenset(
    "m mm mme mmes mlle mlles mr mrs dr drs prof st ste sr jr mgr gen sgt rev hon cf vs ibid env av tel tél réf"
    " resp n° e.g i.e eg ie a.k.a aka c.-à-d c-à-d càd p.ex n.b nb approx dept inc ltd corp sté ets janv"
    " févr juil sept".split()
)
_BEFORE_A_NUMBER = frozenset(
    "no nos num p pp art fig chap ch vol v sec max min jan feb fev mar apr avr jul aug oct nov dec ex".split()
)
_ENDS_ETC = frozenset(("etc", "cie", "a.m", "p.m", "u.s", "u.k", "e.u"))
_BULLET = r"(?:[-*+•‣◦▪–—→]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+(?:\[[ xX]\]\s+)?"
_HEADING = r"#{1,6}\s+(.*?)\s*#*$"
_STOP = r"([.!?…]+|[。！？]+)((?:[ \u00a0\u202f]?[»”’\"')\]]+)*)(?=\s|$)|[。！？]+[」』]*"
_OPEN_ENDED = frozenset(
    "a an the of to in on at by for with from and or but nor that which who as than is are was be not no"
    " le la les l un une des du de d à au aux en et ou mais que qui dont pour par sur sous avec sans dans chez ne pas"
    " est sont ce cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs".split()
)
_MISSING_STOP = (
    r"(?<=[\w)\]»\"'])\s+(?=(?:Et|And|Also|Mais|But|Sinon|Anyway|Bref|Puis|Then|Please|Merci de|Can you|Could you|"
    r"Tu peux|Peux-tu|Pourrais-tu|Est-ce que|S'il te pla[iî]t),?\s+[a-zà-ÿ])"
)


def split(text: str) -> list[str]:
    """The sentences of prose in `text`."""
    found: list[str] = []
    for unit in _units(prose_lines(plain(text))):
        for sentence in _split_unit(unit):
            found.extend(_cut(sentence))
    return found


def _units(lines: list[str]) -> list[str]:
    """Paragraphs: a hard-wrapped line is joined to the next; a bullet and a heading stand alone."""
    units: list[str] = []
    wraps = False
    for line in lines:
        heading = re.match(_HEADING, line) if line.startswith("#") else None
        bullet = None if heading else re.match(_BULLET, line)
        text = heading[1] if heading else line[bullet.end() :] if bullet else line
        if wraps and text and not heading and not bullet and _continues(units[-1], text):
            units[-1] += " " + text
        elif text:
            units.append(text)
        wraps = bool(text) and not heading
    return units


def _continues(before: str, after: str) -> bool:
    """Whether a line break between the two is only a wrap."""
    if before[-1] in ".!?…:;。！？":
        return False
    last = before.split()[-1].lower().rsplit("'", 1)[-1]
    if before[-1] == "," or last in _OPEN_ENDED:
        return True
    return len(before.rsplit("\n", 1)[-1]) >= 55 and (after[0].islower() or after[0] in "(«“\"'")


def _split_unit(unit: str) -> list[str]:
    """The sentences of one paragraph."""
    parts: list[str] = []
    start = 0
    for stop in re.finditer(_STOP, unit):
        end = stop.end()
        if end < len(unit) and _ends(unit, start, stop):
            parts.append(unit[start:end])
            start = end
    parts.append(unit[start:])
    pieces: list[str] = []
    for part in parts:
        pieces.extend(re.split(_MISSING_STOP, part))
    return [piece.strip() for piece in pieces if any(map(str.isalnum, piece))]


def _ends(unit: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a sentence ends at this mark."""
    mark, closers = stop[1], stop[2]
    if mark is None or mark[0] in "。！？":
        return True
    rest = unit[stop.end() :].lstrip()
    if not rest:
        return False
    if not _balanced(unit[start : stop.end()]) and len(unit) - start < LONGEST:
        return False
    following = rest.lstrip("«“\"'([ \u00a0\u202f")[:1]
    lower = following.islower()
    if mark[0] in "!?":
        return not (closers and lower) and rest[0] not in "!?:;,»)"
    if len(mark) > 1 or mark == "…":
        return not lower
    words = unit[start : stop.start()].split()
    word = words[-1].lstrip("«“\"'([") if words else ""
    bare = word.lower()
    if bare in _ENDS_ETC:
        return not lower and following.isalpha()
    if bare in _ABBREVIATIONS or bare.rsplit("'", 1)[-1] in _ABBREVIATIONS:
        return False
    if bare in _BEFORE_A_NUMBER and following.isdigit():
        return False
    if len(words) == 1 and (word.isdigit() or len(word) == 1):
        return False  # "1. Faire", "a. Do"
    if len(word) == 1 and word.isupper() and not lower:
        return False  # an initial
    if lower and word[-1:].isdigit():
        return False
    return not closers or not lower


def _balanced(text: str) -> bool:
    """Whether no bracket or guillemet is left open; a smiley's lone bracket does not count as one."""
    return all(text.count(opening) <= text.count(closing) for opening, closing in ("()", "[]", "«»", "“”"))


def _cut(sentence: str) -> list[str]:
    """A sentence in pieces of at most LONGEST characters, cut at white space where there is any."""
    pieces: list[str] = []
    while len(sentence) > LONGEST:
        place = sentence.rfind(" ", LONGEST // 2, LONGEST)
        place = place if place > 0 else LONGEST
        pieces.append(sentence[:place].strip())
        sentence = sentence[place:].strip()
    return [*pieces, sentence] if sentence else pieces
