"""Sentences to frames: tokens are told apart into figures, names, identifiers, days and topic words.

A name is a word written as one (capital inside a sentence) or a word neither language knows. Whether a word at the
start of a sentence is a name is decided by the lexicon's list of common words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dream.capture.salience import language
from dream.debate import frame_words as words
from dream.debate.lexicon import Lexicon, fold
from dream.model.frame import Figure, Frame, Sense
from dream.model.relative import Dated, resolve

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " "})
_TOKEN = re.compile(
    r"\[redacted:[^\]]*\]"
    r"|https?://\S+"
    r"|\d{1,2}\s?(?:h|:)\s?\d{2}(?!\d)|\d{1,2}\s?(?:[ap]\.m\.|[ap]m)(?!\w)"
    r"|\d{1,3}(?:[ ,]\d{3})+(?![\d.,])"
    r"|\d+(?:[.,]\d+)+(?![\w.])"
    r"|\.?[^\W_](?:[\w.+#/@-]*[\w+#])?"
    r"|[€$£%°]|[,;:.!?()→=—–]"
)
_DAY_LIST = re.compile(rf"(?i)\b({'|'.join(words.DAYS)})/(?=\w)")
_NE = re.compile(r"(?i)\bn'(?=\w)")
_CLITIC = re.compile(r"(?i)(?<=\w)'(?:s|re|ve|ll|d|m)\b")
_REMIND = re.compile(r"(?i)\b(?:n['’]oublie[zs]?\s+pas|ne\s+pas\s+oublier|(?:don['’]t|do\s+not|never)\s+forget)\b")
"""What asks to remember denies nothing."""
_TAIL = re.compile(
    r"(?i),\s*(?:and\s+|et\s+|so\s+|donc\s+|alors\s+)?(?:please|pls|don't|do\s+not|merci|stp|svp|s'il\s+(?:te|vous)\s+pla[iî]t|(?:on\s+)?ne\s|n'|rien|nothing|no\s+change|pas\s+de|"
    r"you\s+know|tu\s+sais|as\s+agreed|comme\s+(?:convenu|dit|prévu)|same\s+as|just\s+so|so\s+that|thanks|je\s+te|i\s+told)\b.*\Z"
)
_ELISION = re.compile(r"(?i)\b(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu)'(?=\w)")
_THOUSANDS = re.compile(r"\d{1,3}(?:[ ,]\d{3})+")
_NUMBER = re.compile(r"\d[\d.,]*\Z")
_TIME = re.compile(r"(\d{1,2})\s?(?:h|:)\s?(\d{2})\Z")
_HALF_DAY = re.compile(r"(\d{1,2})\s?([ap])\.?m\.?\Z", re.I)
_AMOUNT_UNIT = re.compile(r"(\d[\d.,]*)([a-zA-Z]{1,4})\Z")
_HUMP = re.compile(r"[a-z][A-Z]")
_PARTICLES = frozenset("de du des le la van von der den el al bin da di dos".split())


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    folded: str
    first: bool  # opens a sentence or a clause after a full stop


class FrameReader:
    """Reads frames. Pure but for its caches.

    Args:
        stem: a folded word to its stem, "" for a stop word.
        lexicon: senses and common words.
    """

    def __init__(self, stem: Callable[[str], str], lexicon: Lexicon) -> None:
        self._stem = stem
        self._lexicon = lexicon
        self._after = _phrases(words.OVER_AFTER)
        self._before = _phrases(words.OVER_BEFORE)

    def read_said(self, text: str, said_at: str, zone: str, signals: Sequence[str] = ()) -> Frame:
        """Read a sentence said at an instant: its dates are resolved from there, in `zone`."""
        return self.read_dated(text, resolve(text, said_at, zone), signals)

    def read_dated(self, text: str, dated: Sequence[Dated], signals: Sequence[str]) -> Frame:
        """Read a sentence whose dates are resolved; one that says since when tells of something new."""
        told = (*signals, "fresh") if any(date.role == "from" for date in dated) else signals
        return self.read(text, told, tuple(date.iso for date in dated), [(date.start, date.end) for date in dated])

    def read(
        self,
        text: str,
        signals: Sequence[str] = (),
        dates: tuple[str, ...] = (),
        dated: Sequence[tuple[int, int]] = (),
    ) -> Frame:
        """Read one sentence.

        Args:
            signals: what `capture.salience` saw in it.
            dates: ISO dates it resolves to; dated: the spans that say so, which are no topic and no figure.
        """
        for start, end in dated:
            text = text[:start] + "," * (end - start) + text[end:]
        text = _REMIND.sub(lambda found: " " * len(found[0]), text)
        tokens = _tokens(text)
        gone, steering = self._gone(tokens)
        tokens = _tokens(_TAIL.sub("", text)) or tokens
        lang = language([token.folded for token in tokens])
        figures, names, codes, days = set(), [], set(), set()
        topic: list[tuple[str, str]] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            step = 1
            if token.folded not in words.NO_NUMBERS.get(lang, ()) and (figure := _figure(tokens, index)):
                found, step = figure
                figures.add(found if found.unit else Figure(found.amount, self._counted(tokens, index)))
            elif token.folded in words.LANGUAGES and index and tokens[index - 1].folded in {"in", "into", "en"}:
                codes.add(words.LANGUAGES[token.folded])
            elif token.folded in words.DAYS:
                days.add(words.DAYS[token.folded])
            elif self._is_code(token) or _is_called(tokens, index):
                codes.add(token.folded)
            elif self._is_name(token):
                name, step = self._name(tokens, index)
                if not _calls(tokens, index, step):
                    names.append(name)
            else:
                topic.extend(self._parts(token))
            index += step
        retract = "retract" in signals
        return Frame(
            topic=self._senses(topic),
            figures=frozenset(figures),
            names=frozenset(names),
            codes=frozenset(codes),
            days=frozenset(days),
            gone=gone,
            negative=any(
                token.folded in words.NEGATIONS for index, token in enumerate(tokens) if index not in steering
            ),
            update=bool({"update", "fresh"} & set(signals)) or bool(gone),
            retract=retract,
            dates=dates,
            size=sum(token.folded[0].isalnum() for token in tokens),
            lang=lang,
        )

    def _counted(self, tokens: list[_Token], index: int) -> str:
        """What a bare number stands right behind (`berth 5` is `@berth`), or ""."""
        before = tokens[index - 1].folded if index else ""
        if not before.isalpha() or before in words.GLUE or before in words.STOPS:
            return ""
        stem = self._stem(before)
        return f"@{stem}" if len(stem) > 2 else ""

    def _parts(self, token: _Token) -> list[tuple[str, str]]:
        """(stem, folded word) of each piece that the stemmer keeps; glue may still be part of a phrase."""
        pieces = re.split(r"[-/.+#@]+", token.folded)
        return [(stem, piece) for piece in pieces if piece and (stem := self._stem(piece))]

    def _senses(self, parts: list[tuple[str, str]]) -> tuple[Sense, ...]:
        found: list[Sense] = []
        index = 0
        while index < len(parts):
            phrase = self._lexicon.phrase(tuple(stem for stem, _ in parts[index : index + 4]))
            step, sense = phrase if phrase else (1, frozenset())
            carrying = [part for part in parts[index : index + step] if part[1] not in words.GLUE]
            for stem, piece in carrying:
                sense |= self._lexicon.senses(stem) | {piece}
                sense |= {f"={piece}"} if piece in self._lexicon.words else set()
            if carrying and not any(sense == other for other in found):
                found.append(sense)
            index += step
        return tuple(found)

    def _is_code(self, token: _Token) -> bool:
        text = token.text
        if len(text) == 1 and text.isupper() and text != "I" and not token.first:
            return True  # `server A`
        if text.startswith("http") or (text.startswith(".") and len(text) > 2):
            return True
        letters, digits = any(c.isalpha() for c in text), any(c.isdigit() for c in text)
        if letters and digits:
            return True
        if re.search(r"\w[._/@]\w", text):
            return not re.fullmatch(r"(?:\w\.)+\w?", text)
        return "-" in text and text.islower() and any(not self._known(part) for part in token.folded.split("-"))

    def _known(self, folded: str) -> bool:
        """Whether either language has the word, in this form or another."""
        stem = self._stem(folded)
        return not stem or folded in self._lexicon.words or len(self._lexicon.senses(stem)) > 1

    def _is_name(self, token: _Token) -> bool:
        text = token.text
        if not text[0].isalpha() or len(text) < 2 or token.folded in words.GLUE or token.folded in words.CAPITALISED:
            return False
        if text.isupper() and len(text) <= 5:
            return False
        if text[0].isupper() and (not token.first or _HUMP.search(text)):
            return True
        if text[0].isupper() and bool(self._stem(token.folded)):
            return self._lexicon.words.isdisjoint({token.folded, *token.folded.split("-")})
        return len(text) > 2 and not any(self._known(part) for part in token.folded.split("-"))

    def _name(self, tokens: list[_Token], index: int) -> tuple[tuple[str, ...], int]:
        parts, step = [tokens[index].folded], 1
        if not tokens[index].text[0].isupper():
            return tuple(parts), 1
        while index + step < len(tokens):
            ahead = tokens[index + step]
            after = tokens[index + step + 1] if index + step + 1 < len(tokens) else None
            if _inner(ahead) and after is not None and after.text[0].isupper():
                step += 1
            elif ahead.text[0].isupper() and not ahead.first and ahead.text.isalpha():
                parts.append(ahead.folded)
                step += 1
            else:
                break
        return tuple(parts), step

    def _gone(self, tokens: list[_Token]) -> tuple[frozenset[str], frozenset[int]]:
        """The words of what is over, and the places of the words that say so."""
        folded = [token.folded for token in tokens]
        found: set[str] = set()
        places: set[int] = set()
        for index in range(len(folded)):
            reach = _no_more(folded, index) or _from_to(folded, index)
            if reach:
                places |= set(range(index, index + reach))
                found |= self._run(tokens[index + reach : index + reach + 4])
            length = _longest(self._after, folded, index)
            told = tokens[index].first and " ".join(folded[index : index + length]) in words.PAST
            if length and not told and not _denied(folded, index, length):
                places |= set(range(index, index + length))
                found |= self._run(tokens[index + length : index + length + 4])
            length = _longest(self._before, folded, index)
            if length:
                places |= set(range(index, index + length))
                found |= self._run(tokens[max(0, index - 4) : index][::-1])
        return frozenset(found), frozenset(places)

    def _run(self, tokens: Sequence[_Token]) -> set[str]:
        """The words of what is over, up to where the phrase ends."""
        found: set[str] = set()
        for token in tokens:
            if token.folded in words.STOPS and found:
                break
            if token.folded in words.STOPS and not token.folded.isalnum():
                break
            number = words.NUMBER_WORDS.get(token.folded, token.folded)
            if token.folded in words.GLUE or (not self._stem(number) and not number[0].isdigit()):
                continue
            if token.folded in words.UNITS:
                continue
            found |= {number.rstrip(".,"), words.DAYS.get(token.folded, number)}
            found |= {form for part in self._parts(token) for form in part}
        return found


def _tokens(text: str) -> list[_Token]:
    text = _CLITIC.sub("", unicodedata.normalize("NFC", text.translate(_APOSTROPHES)).replace("n't", " not"))
    text = _DAY_LIST.sub(r"\1 ", _ELISION.sub("", _NE.sub("ne ", text)))
    raw = [
        (match.group(), match.start()) for match in _TOKEN.finditer(text) if not match.group().startswith("[redacted")
    ]
    found: list[_Token] = []
    first = True
    for (token, _), ahead in pairwise([*raw, ("", 0)]):
        del ahead
        found.append(_Token(token, fold(token), first))
        first = token in {".", "!", "?"} or (first and not token[0].isalnum())
    return found


def _is_called(tokens: list[_Token], index: int) -> bool:
    """Whether words tied by hyphens name a thing beside them (`the bucket raw-files`, `la branche mise-en-page`)."""
    tied = "-" in tokens[index].text and tokens[index].text.islower()
    beside = [token.folded for token in (*tokens[max(0, index - 1) : index], *tokens[index + 1 : index + 2])]
    return tied and not words.NAMED_THINGS.isdisjoint(beside)


def _calls(tokens: list[_Token], index: int, step: int) -> bool:
    """Whether a name only calls somebody (`Thanks, Camille!`): who is spoken to is no value of what is said."""
    before = [token.folded for token in tokens[max(0, index - 2) : index]]
    after = tokens[index + step].text if index + step < len(tokens) else ""
    greeted = bool(before) and (before[-1] in words.CALLS or (before[-1] == "," and before[0] in words.CALLS))
    return greeted or (after == "!" and before[-1:] == [","])


def _figure(tokens: list[_Token], index: int) -> tuple[Figure, int] | None:
    text = tokens[index].folded
    if clock := _TIME.match(text):
        return Figure(f"{int(clock[1]):02d}:{clock[2]}", "clock"), 1
    if half := _HALF_DAY.match(text):
        hour = int(half[1]) % 12 + (12 if half[2].lower() == "p" else 0)
        return Figure(f"{hour:02d}:00", "clock"), 1
    amount = words.NUMBER_WORDS.get(text)
    if _THOUSANDS.fullmatch(text):
        text = text.replace(" ", "").replace(",", "")
    if amount is None and _NUMBER.match(text):
        amount = text.rstrip(".,").replace(",", ".")
    if amount is None:
        if (glued := _AMOUNT_UNIT.match(text)) and glued[2] in words.UNITS:
            return _hour_or(Figure(glued[1].replace(",", "."), words.UNITS[glued[2]]), tokens, index), 1
        return None
    after = tokens[index + 1].folded if index + 1 < len(tokens) else ""
    if after in words.UNITS:
        return _hour_or(Figure(amount, words.UNITS[after]), tokens, index), 2
    before = tokens[index - 1].folded if index else ""
    return Figure(amount, words.UNITS[before] if before in {"€", "$", "£"} else ""), 1


def _hour_or(figure: Figure, tokens: list[_Token], index: int) -> Figure:
    """A whole number of hours behind a word of time is an hour of the day (`à 16h`, `entre 9h et 12h`), no length."""
    whole = figure.unit == "hour" and figure.amount.isdigit() and int(figure.amount) <= 24
    before = tokens[index - 1].folded if index else ""
    spans = before in {"et", "a", "-", "–"} and any(token.folded in {"entre", "de"} for token in tokens[:index])
    if whole and (spans or before in words.HOUR_AFTER):
        return Figure(f"{int(figure.amount) % 24:02d}:00", "clock")
    return figure


def _inner(token: _Token) -> bool:
    return token.text in _PARTICLES


def _denied(folded: list[str], index: int, length: int) -> bool:
    """Whether a phrase is turned round (`n'oublie pas`, `do not forget`) or compares (`c'est plus rapide`)."""
    before = folded[index - 1] if index else ""
    after = folded[index + length] if index + length < len(folded) else ""
    phrase = folded[index : index + length]
    compares = phrase == ["est", "plus"] and "mais" not in folded[index + length :]
    refuses = phrase == ["not"] and before in words.AUXILIARIES
    return after == "pas" or before in {"not", "never", "ne", "jamais"} or compares or refuses


def _no_more(folded: list[str], index: int) -> int:
    """Length of `ne … plus` (`on ne livre plus le jeudi`), or 0."""
    for span in (3, 4):
        run = folded[index : index + span]
        if len(run) == span and run[0] == "ne" and run[-1] == "plus":
            return span
    return 0


def _from_to(folded: list[str], index: int) -> int:
    """1 where a `from` is followed by a `to`, or 0."""
    return int(folded[index] == "from" and "to" in folded[index + 2 : index + 7])


def _phrases(lines: list[str]) -> dict[str, list[list[str]]]:
    table: dict[str, list[list[str]]] = {}
    for line in lines:
        phrase = _ELISION.sub("", line.strip()).split()
        table.setdefault(phrase[0], []).append(phrase)
    return table


def _longest(table: dict[str, list[list[str]]], folded: list[str], index: int) -> int:
    fits = (len(p) for p in table.get(folded[index], ()) if folded[index : index + len(p)] == p)
    return max(fits, default=0)
