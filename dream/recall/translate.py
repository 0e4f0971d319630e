"""What the words of a question are called in the other language, French or English, from the lexicon Dream ships.

1. Only what the lexicon says is added; without it, or for a word it lacks, nothing is.
2. A rendering that is a word of the question's own language too (`bread` is `pain`) is left out: it would find the
   wrong thing.
3. A rendering of several words counts where all of them stand in one sentence.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from dream.ports import Analyser

Stems = tuple[str, ...]
LONGEST_PHRASE = 4
BEGINNING = 3


@dataclass(frozen=True, slots=True)
class Renderings:
    """Other ways to say the terms of a question.

    Attributes:
        by_term: for each term, stems that stand for it when all of them are there.
        words: the same as plain words, to find candidates by.
    """

    by_term: Mapping[str, tuple[Stems, ...]]
    words: tuple[str, ...]


class Translations:
    """Renderings by stems. A line of the lexicon is taken apart only when a question's word may stand in it.

    Args:
        lines: `français|…<TAB>english|…`.
    """

    def __init__(self, analyser: Analyser, lines: Iterable[str]) -> None:
        self._analyser = analyser
        self._held = [line for line in lines if line.count("\t") == 1]
        self._begins = tuple(_by_beginning(line.split("\t")[side] for line in self._held) for side in (0, 1))
        self._stems = lru_cache(maxsize=20_000)(self._analysed)

    @classmethod
    def packaged(cls, analyser: Analyser) -> Translations:
        """The lexicon that ships with Dream."""
        text = resources.files("dream.lexicon").joinpath("fr_en.tsv").read_text("utf-8")
        return cls(analyser, text.splitlines())

    def of(self, terms: Sequence[str]) -> Renderings:
        """The renderings of a question's terms, of phrases and of the words in them."""
        by_term: dict[str, dict[Stems, None]] = {}
        words: dict[str, None] = {}
        for start in range(len(terms)):
            for end in range(start + 1, min(start + LONGEST_PHRASE, len(terms)) + 1):
                phrase = tuple(terms[start:end])
                for stems, text in self._renderings(phrase):
                    words[text] = None
                    for term in phrase:
                        by_term.setdefault(term, {})[stems] = None
        return Renderings({term: tuple(found) for term, found in by_term.items()}, tuple(words))

    def _renderings(self, phrase: Stems) -> list[tuple[Stems, str]]:
        found: dict[Stems, str] = {}
        for own in (0, 1):
            for line in self._lines(own, phrase):
                for text in self._side(1 - own, line):
                    stems = self._stems(text)
                    if stems and stems != phrase and stems not in found and not self._lines(own, stems):
                        found[stems] = text
        return list(found.items())

    def _lines(self, side: int, phrase: Stems) -> list[int]:
        """Numbers of the lines on whose `side` the phrase stands."""
        near = self._begins[side].get(max(phrase, key=len)[:BEGINNING], ())
        return [number for number in near if any(self._stems(each) == phrase for each in self._side(side, number))]

    def _side(self, side: int, line: int) -> list[str]:
        """What stands on a side of a line; taken apart when asked, which is seldom, as it is five times as big then."""
        return self._held[line].split("\t")[side].split("|")

    def _analysed(self, phrase: str) -> Stems:
        return tuple(self._analyser.terms(phrase.replace("-", " ")))


def _by_beginning(texts: Iterable[str]) -> dict[str, array[int]]:
    """Numbers of the texts by the first letters of their words: a stem may end otherwise than its word, not begin."""
    found: dict[str, dict[int, None]] = {}
    for number, text in enumerate(texts):
        for word in re.findall(r"\w+", _fold(text)):
            found.setdefault(word[:BEGINNING], {})[number] = None
    return {begin: array("I", numbers) for begin, numbers in found.items()}


def _fold(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in spread if not unicodedata.combining(char))
