"""Sentences of prose, French and English, from a message.

Promises to keep every sentence of prose in its order, each once, and to leave out code, logs, tables, quoted pages
(see prose.py). A full stop ends a sentence only where white space follows it: never inside `3.5`, `booking.spec.ts`,
a URL or a tag such as `[redacted:github-token]`; nor after an abbreviation, nor inside brackets or guillemets.
"""

from __future__ import annotations

import re

from dream.capture.prose import plain, prose_lines
from dream.capture.salience_tasks import TASK_EN, TASK_FR

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
_MARKS = frozenset("-*+•‣◦▪–—→")
_STOP = r"[.!?]+"
_STOP_WIDE = r"[.!?…]+|[。！？]+"
_WIDE = "…。！？"
_CLOSERS = frozenset("»”’\"')]』」")
_SPACES = " \u00a0\u202f"
_OPEN_ENDED = frozenset(
    "a an the of to in on at by for with from and or but nor that which who as than is are was be not no"
    " le la les l un une des du de d à au aux en et ou mais que qui dont pour par sur sous avec sans dans chez ne pas"
    " est sont ce cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs".split()
)
_MISSING_STOP = re.compile(
    r"(?<=[\w)\]»\"'])\s+(?=(?:Et|And|Also|Aussi|Mais|But|Sinon|Anyway|Bref|Puis|Then|Ensuite|Now|Maintenant|So|Donc|Alors"
    r"|Allez|Bon|Right|Well|Ok|Okay|OK|Please|Merci|Thanks|Let's|Let us|Back|Revenons|Can|Could|Would|Do|Does|Did"
    r"|Peux|Pourrais|Pouvez|Pourriez|Est-ce|S'il|Tu|Vous|On|Nous|Je|Il|Elle|Ils|Elles|C'est|Ça|We|You|He|She|They|It|This"
    r"|That|There|What|How|Why|When|Where|Quand|Comment|Pourquoi)(?:-\w+)?,?\s+[a-zà-ÿ])"
)
"""Where a sentence opens without a stop before it: words that have a capital nowhere else."""
_REQUEST = re.compile(
    r"(?<=[\w)\]»\"'])\s+(?=([A-ZÀ-Þ][a-zà-ÿ]+),?\s+(?!for\b|in\b|on\b|with\b|as\b|at\b|to\b|and\b|or\b|is\b|was\b|pour\b"
    r"|en\b|dans\b|avec\b|sur\b|comme\b|et\b|ou\b|est\b)[a-zà-ÿ'’]+(?:\s|\W|\Z))"
)
_VERBS = frozenset(phrase.strip() for phrase in f"{TASK_EN}|{TASK_FR}".replace("\n", "").split("|"))
"""With a capital inside a sentence these open a request (`… on l'a acté Relance les tests aussi`)."""

_LOOK_BACK = 200
"""Characters before a mark that can matter to it; keeps the work linear."""


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
        heading = line.startswith("#") and line.lstrip("#")[:1] == " "
        text = line.strip("# ") if heading else _without_bullet(line)
        if wraps and text and not heading and text is line and _continues(units[-1][-_LOOK_BACK:], text):
            units[-1] += " " + text
        elif text:
            units.append(text)
        wraps = bool(text) and not heading
    return units


def _without_bullet(line: str) -> str:
    """The line without its bullet, number and check box; the very same string where it has none."""
    mark, _, text = line.partition(" ")
    if not text:
        return line
    number = mark.lstrip("(")[:-1]
    is_bullet = mark in _MARKS or (mark[-1] in ".)" and len(number) <= 3 and number.isdigit())
    if not is_bullet and not (mark[-1] == ")" and len(number) == 1 and number.isalpha()):
        return line
    text = text.lstrip()
    return text[3:].lstrip() if text[:4] in ("[ ] ", "[x] ", "[X] ") else text


def _continues(before: str, after: str) -> bool:
    """Whether a line break between the two is only a wrap."""
    if before[-1] in ".!?…:;。！？":
        return False
    last = before.split()[-1].lower().rsplit("'", 1)[-1]
    if before[-1] == "," or last in _OPEN_ENDED:
        return True
    return len(before) >= 55 and (after[0].islower() or after[0] in "(«“\"'")


def _split_unit(unit: str) -> list[str]:
    """The sentences of one paragraph."""
    parts: list[str] = []
    start = 0
    for stop in re.finditer(_STOP_WIDE if any(mark in unit for mark in _WIDE) else _STOP, unit):
        end = _past_closers(unit, stop.end())
        if stop.start() >= start and end < len(unit) and _ends(unit, start, stop.start(), stop[0], end):
            parts.append(unit[start:end])
            start = end
    parts.append(unit[start:])
    pieces: list[str] = []
    for part in parts:
        pieces.extend(_without_stops(part))
    return [piece.strip() for piece in pieces if any(map(str.isalnum, piece))]


def _without_stops(part: str) -> list[str]:
    """Parted where a new sentence opens behind a word that is written small (`… de fin Tu relances le test ?`)."""
    gaps = {gap.span() for gap in _MISSING_STOP.finditer(part)}
    gaps |= {gap.span() for gap in _REQUEST.finditer(part) if _asks(gap[1].lower())}
    pieces, start = [], 0
    for left, right in sorted(gaps):
        before = part[start:left].rsplit(None, 1)
        last = before[-1].lower() if before else ""
        if len(before) > 1 and len(before[0].split()) > 1 and not before[-1][0].isupper() and last not in _OPEN_ENDED:
            pieces.append(part[start:left])
            start = right
    return [*pieces, part[start:]]


def _asks(word: str) -> bool:
    """Whether a word is a verb by which work is asked for, done again or not (`repasse`)."""
    bare = word.replace("é", "e").replace("è", "e")
    return bare in _VERBS or (bare.startswith("re") and bare[2:] in _VERBS)


def _past_closers(unit: str, place: int) -> int:
    """Where the quotes and brackets that close right after a mark end; French sets a space before its guillemet."""
    while place < len(unit):
        if unit[place] in _CLOSERS:
            place += 1
        elif unit[place] in _SPACES and unit[place + 1 : place + 2] == "»":
            place += 2
        else:
            break
    return place


def _ends(unit: str, start: int, at: int, mark: str, end: int) -> bool:
    """Whether the sentence from `start` ends at the mark that stands at `at`; what closes after it ends at `end`."""
    if mark[0] in "。！？":
        return True
    if not unit[end].isspace():
        return False
    rest = unit[end : end + _LOOK_BACK].lstrip()
    if not rest or (end - start < LONGEST and _inside_brackets(unit, start, end)):
        return False
    lower = rest.lstrip("«“\"'([ \u00a0\u202f")[:1].islower()
    closed = end > at + len(mark)
    if mark[0] in "!?":
        return not (closed and lower) and rest[0] not in "!?:;,»)"
    if len(mark) > 1 or mark == "…":
        return not lower
    if closed:
        return not lower
    return _is_full_stop(unit[max(start, at - _LOOK_BACK) : at].split(), rest.lstrip("«“\"'([")[:1], lower)


def _is_full_stop(words: list[str], following: str, lower: bool) -> bool:
    """Whether the point after `words` ends a sentence, and not an abbreviation, an initial or a number."""
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
    return not (lower and word[-1:].isdigit() and (len(word) == 1 or "." in word))  # "v4.2. et", not "5433. ok"


def _inside_brackets(unit: str, start: int, end: int) -> bool:
    """Whether a bracket or guillemet opened since `start` closes only after `end`."""
    for opening, closing in ("()", "[]", "«»", "“”"):
        is_open = opening in unit and unit.count(opening, start, end) > unit.count(closing, start, end)
        if is_open and unit.find(closing, end, end + LONGEST) >= 0:
            return True
    return False


def _cut(sentence: str) -> list[str]:
    """A sentence in pieces of at most LONGEST characters, cut at white space where there is any."""
    pieces: list[str] = []
    while len(sentence) > LONGEST:
        place = sentence.rfind(" ", LONGEST // 2, LONGEST)
        place = place if place > 0 else LONGEST
        pieces.append(sentence[:place].strip())
        sentence = sentence[place:].strip()
    return [*pieces, sentence] if sentence else pieces
