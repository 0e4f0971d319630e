"""Sentences to frames: tokens are told apart into figures, names, identifiers, days and topic words.

A name is a word written as one (capital inside a sentence) or a word neither language knows. Whether a word at the
start of a sentence is a name is decided by the lexicon's list of common words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dream.capture.salience import language
from dream.debate import frame_words as words
from dream.debate.figures import figure_at
from dream.debate.lexicon import Lexicon
from dream.debate.over import Endings
from dream.debate.over_words import STOPS
from dream.debate.tokens import Token, tokens_of
from dream.model.frame import Figure, Frame, Sense, cognate
from dream.model.relative import Dated, resolve

_REMIND = re.compile(
    r"(?i)\b(?:n['’]oublie[zs]?\s+pas|ne\s+pas\s+oublier|(?:don['’]t|do\s+not|never)\s+forget|[àa]\s+partir"
    r"|ne\s+(?:te|vous)\s+trompe[zs]?\s+pas|make\s+no\s+mistake|no\s+exceptions?|(?:every|each)\s+time|(?:[àa]\s+)?chaque\s+fois"
    r"|n['’](?:a|ont)\s+pas\s+(?:bougé|changé)|ha(?:s|ve)(?:n['’]t|\s+not)\s+(?:moved|changed))\b"
)
"""What asks to remember, and what stays as it was, denies nothing; `à partir de` leaves nowhere."""
_TAIL = re.compile(
    r"(?i),\s*(?:so|donc)\s+(?:no|pas)\s+\w.*\Z"
    r"|,\s*(?:no|pas\s+de|aucune?)\s+(?:new|other|more|nouvelle|nouveau|autre)\s+\S+\Z"
    rf"|,\s*(?:never|jamais)\s+(?!.*(?:\d|\b(?:{'|'.join(words.DAYS)})\b))\S+(?:\s+\S+){{0,2}}\Z"
    r"|,\s*(?:and\s+|et\s+|so\s+|donc\s+|alors\s+)?(?:please|pls|don't|do\s+not|merci|stp|svp|s'il\s+(?:te|vous)\s+pla[iî]t"
    r"|(?:on\s+)?ne\s|n'|rien|nothing|no\s+change|pas\s+de|you\s+know|tu\s+sais|as\s+agreed|comme\s+(?:convenu|dit|prévu)"
    r"|combien\s+de\s+fois|how\s+(?:many\s+times|often)|same\s+as|just\s+so|so\s+that|thanks|je\s+te|i\s+told)\b.*\Z"
)
_HUMP = re.compile(r"[a-z][A-Z]")
_PARTICLES = frozenset("de du des le la van von der den el al bin da di dos".split())


class FrameReader:
    """Reads frames. Pure but for its caches.

    Args:
        stem: a folded word to its stem, "" for a stop word.
        lexicon: senses and common words.
    """

    def __init__(self, stem: Callable[[str], str], lexicon: Lexicon) -> None:
        self._stem = stem
        self._lexicon = lexicon
        self._endings = Endings()
        steering = {sense for word in words.GLUE if (found := stem(word)) for sense in lexicon.senses(found)}
        self._steering = frozenset(sense for sense in steering if lexicon.is_verb(frozenset({sense})))

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
        tokens = tokens_of(text)
        gone, steering = self._gone(tokens)
        tokens = tokens_of(_TAIL.sub("", text)) or tokens
        lang = language([token.folded for token in tokens])
        figures, names, codes, days, placed, loose = set(), [], set(), set(), set(), set()
        topic: list[tuple[str, str]] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            step = 1
            if token.folded not in words.NO_NUMBERS.get(lang, ()) and (figure := figure_at(tokens, index)):
                found, step = figure
                figures.add(found if found.unit else Figure(found.amount, self._counted(tokens, index)))
            elif token.folded in words.LANGUAGES and index and tokens[index - 1].folded in words.WRITTEN_IN:
                codes.add(words.LANGUAGES[token.folded])
                placed.add(words.LANGUAGES[token.folded])
            elif token.folded in words.DAYS:
                days.add(words.DAYS[token.folded])
            elif self._is_code(token) or _is_called(tokens, index):
                codes.add(token.folded)
            elif self._is_name(token):
                name, step = self._name(tokens, index)
                if not _calls(tokens, index, step):
                    names.append(name)
                    loose |= set() if token.text[0].isupper() else set(name)
                    placed |= set(name) if _placed(tokens, index) else set()
            elif token.folded not in words.EMPTY_IN.get(lang, ()):
                topic.extend(self._parts(token))
            index += step
        if any(figure.unit == "hour" for figure in figures):
            figures = {_lasting(figure, text) for figure in figures}
        retract = "retract" in signals
        senses = self._senses(topic)
        return Frame(
            topic=senses,
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
            verbs=frozenset(filter(self._lexicon.is_verb, senses)),
            loose=frozenset(loose),
            listed=_listed(tokens),
            placed=frozenset(placed),
        )

    def _counted(self, tokens: list[Token], index: int) -> str:
        """What a bare number stands right behind (`berth 5` is `@berth`), or ""."""
        before = tokens[index - 1].folded if index else ""
        if not before.isalpha() or before in words.GLUE or before in STOPS:
            return ""
        stem = self._stem(before)
        return f"@{stem}" if len(stem) > 2 else ""

    def _parts(self, token: Token) -> list[tuple[str, str]]:
        """(stem, folded word) of each piece that the stemmer keeps; glue may still be part of a phrase."""
        pieces = re.split(r"[-/.+#@]+", token.folded)
        return [(stem, piece) for piece in pieces if piece and (stem := self._stem(piece))]

    def _senses(self, parts: list[tuple[str, str]]) -> tuple[Sense, ...]:
        found: list[Sense] = []
        index = 0
        while index < len(parts):
            phrase = self._lexicon.phrase(tuple(stem for stem, _ in parts[index : index + 4]))
            step, sense = phrase if phrase else (1, frozenset())
            carrying = [part for part in parts[index : index + step] if not self._steers(*part)]
            for stem, piece in carrying:
                sense |= self._lexicon.senses(stem) | {piece}
                sense |= {cognate(piece)} if len(self._lexicon.senses(stem)) == 1 else set()
                sense |= {f"={piece}"} if piece in self._lexicon.words else set()
            if carrying and not any(sense == other for other in found):
                found.append(sense)
            index += step
        return tuple(found)

    def _steers(self, stem: str, piece: str) -> bool:
        """Whether a word steers the sentence: a known one, or any form of a verb that is one, in either language."""
        senses = self._lexicon.senses(stem)
        concepts = {sense for sense in senses if sense.startswith("#")}
        return piece in words.GLUE or (bool(concepts) and concepts <= self._steering)

    def _is_code(self, token: Token) -> bool:
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

    def _is_name(self, token: Token) -> bool:
        text = token.text
        if not text[0].isalpha() or len(text) < 2 or token.folded in words.GLUE or token.folded in words.CAPITALISED:
            return False
        if token.folded in words.PLACE_NAMES and text[0].isupper():
            return True
        if text.isupper() and len(text) <= 5:
            return False
        if text[0].isupper() and (not token.first or _HUMP.search(text)):
            return True
        if text[0].isupper() and bool(self._stem(token.folded)):
            return self._lexicon.words.isdisjoint({token.folded, *token.folded.split("-")})
        worded = not text.isascii() or (len(text) > 5 and token.folded.endswith(words.ENDINGS))
        return len(text) > 2 and not worded and not any(self._known(part) for part in token.folded.split("-"))

    def _name(self, tokens: list[Token], index: int) -> tuple[tuple[str, ...], int]:
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

    def _gone(self, tokens: list[Token]) -> tuple[frozenset[str], frozenset[int]]:
        """The words of what is over, and the places of the words that say so."""
        found: set[str] = set()
        places: set[int] = set()
        for told, beside in self._endings.found(tokens):
            places |= set(told)
            found |= self._run(beside)
        return frozenset(found), frozenset(places)

    def _run(self, tokens: Sequence[Token]) -> set[str]:
        """The words of what is over, up to where the phrase ends."""
        found: set[str] = set()
        for token in tokens:
            if token.folded in STOPS and found:
                break
            if token.folded in STOPS and not token.folded.isalnum():
                break
            number = words.NUMBER_WORDS.get(token.folded, token.folded)
            if token.folded in words.GLUE or (not self._stem(number) and not number[0].isdigit()):
                continue
            if token.folded in words.UNITS:
                continue
            found |= {number.rstrip(".,"), words.DAYS.get(token.folded, number)}
            found |= {form for part in self._parts(token) for form in part}
        return found


def _is_called(tokens: list[Token], index: int) -> bool:
    """Whether words tied by hyphens name a thing beside them (`the bucket raw-files`, `la branche mise-en-page`)."""
    tied = "-" in tokens[index].text and tokens[index].text.islower()
    beside = [token.folded for token in (*tokens[max(0, index - 1) : index], *tokens[index + 1 : index + 2])]
    return tied and not words.NAMED_THINGS.isdisjoint(beside)


def _listed(tokens: Sequence[Token]) -> frozenset[str]:
    """Folded words beside an `and` or `or`, units and articles aside."""
    found: set[str] = set()
    for index, token in enumerate(tokens):
        if token.folded in words.JOINING:
            near = [*tokens[max(0, index - 2) : index], *tokens[index + 1 : index + 3]]
            found |= {words.NUMBER_WORDS.get(other.folded, other.folded) for other in near}
    return frozenset(found)


def _lasting(figure: Figure, text: str) -> Figure:
    """A whole hour that is told in words beside another length is a length too (`plus 10 heures mais à 6 heures`)."""
    hours = int(figure.amount[:2]) if figure.unit == "clock" and figure.amount.endswith(":00") else None
    written = hours is not None and re.search(rf"(?i)\b0?{hours}\s+h(?:eures?|ours?)\b", text)
    return Figure(str(hours), "hour") if written else figure


def _placed(tokens: list[Token], index: int) -> bool:
    """Whether a name stands where something is done, or is what it is done with: behind such a preposition or an is."""
    before = [token.folded for token in tokens[max(0, index - 3) : index] if token.folded not in words.ARTICLES]
    return bool(before) and (before[-1] in words.PLACING or " ".join(before[-2:]) in words.PASSING)


def _calls(tokens: list[Token], index: int, step: int) -> bool:
    """Whether a name only calls somebody (`Thanks, Camille!`): who is spoken to is no value of what is said."""
    before = [token.folded for token in tokens[max(0, index - 2) : index]]
    after = tokens[index + step].text if index + step < len(tokens) else ""
    greeted = bool(before) and (before[-1] in words.CALLS or (before[-1] == "," and before[0] in words.CALLS))
    return greeted or (after == "!" and before[-1:] == [","])


def _inner(token: Token) -> bool:
    return token.text in _PARTICLES
