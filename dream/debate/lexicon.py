"""The French-English lexicon: which words of the two languages name one thing, and which words are no names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from importlib import resources

_ACCENTS = re.compile("[\u0300-\u036f]")
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)'")
_VERB = re.compile(r"[^\t|]*(?:er|ir|re)(?:\|[^\t]*)?\|[^\t|]*ons(?:\||\t)")
"""A line of the lexicon that is a verb's: its infinitive comes first, and a form of `nous` is with it."""


def fold(text: str) -> str:
    """Lower case, no accents."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))


class Lexicon:
    """Senses of words, by stem, and `words`: every form that is no proper name.

    A sense id is `#n`, the line of the lexicon; a word may have several.

    Args:
        stem: from one folded word to its stem, "" where it carries nothing.
        lines: `français|…<TAB>english|…`.
        common: word forms that are not proper names.
    """

    def __init__(self, stem: Callable[[str], str], lines: Iterable[str], common: Iterable[str]) -> None:
        self._senses: dict[str, set[str]] = {}
        self._phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._verbs: set[str] = set()
        self.words = set(fold("\n".join(common)).split("\n"))
        for number, line in enumerate(fold("\n".join(lines)).split("\n")):
            if _VERB.match(line):
                self._verbs.add(f"#{number}")
            for word in line.replace("\t", "|").split("|"):
                self._add(word, f"#{number}", stem)
                self.words.add(word)

    def _add(self, word: str, sense: str, stem: Callable[[str], str]) -> None:
        word = _ELISION.sub("", word)  # as sentences are read: `capture d'écran` is two words
        stems = tuple(found for part in word.replace("-", " ").replace("'", " ").split() if (found := stem(part)))
        if len(stems) == 1:
            self._senses.setdefault(stems[0], set()).add(sense)
        elif stems:
            self._phrases.setdefault(stems[0], []).append((stems, sense))

    def senses(self, stem: str) -> frozenset[str]:
        """The stem itself and the ids of the concepts it names."""
        return frozenset(self._senses.get(stem, ())) | {stem}

    def is_verb(self, sense: frozenset[str]) -> bool:
        """Whether all concepts of a sense are what one does."""
        concepts = {word for word in sense if word.startswith("#")}
        return bool(concepts) and concepts <= self._verbs

    def phrase(self, stems: tuple[str, ...]) -> tuple[int, frozenset[str]] | None:
        """The longest phrase that `stems` begins with: its length in stems, and its senses."""
        found = [(phrase, sense) for phrase, sense in self._phrases.get(stems[0], ()) if stems[: len(phrase)] == phrase]
        if not found:
            return None
        longest = max(len(phrase) for phrase, _ in found)
        senses = {sense for phrase, sense in found if len(phrase) == longest}
        return longest, frozenset(senses) | {" ".join(stems[:longest])}

    @classmethod
    def packaged(cls, stem: Callable[[str], str]) -> Lexicon:
        """The lexicon that ships with Dream."""
        folder = resources.files("dream.lexicon")
        lists = [file for file in folder.iterdir() if file.name.startswith("common_")]
        common = [word for file in lists for word in file.read_text("utf-8").split()]
        return cls(stem, folder.joinpath("fr_en.tsv").read_text("utf-8").splitlines(), common)
