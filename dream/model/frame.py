"""A frame: what a sentence speaks of (topic) and what it says of it (values), so that two sentences can be compared.

A *sense* is a set of words that name one thing, in one language or two: two words are alike where their senses meet.
Values are what must agree for two nodes to be one: figures with their unit, names, identifiers, recurring days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Sense = frozenset[str]
Weight = Callable[[Sense], float]
"""How telling a sense is, in 0..1: what every sentence says is worth little."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what it counts; `unit` is "" where the sentence names none, `@word` for the word before it."""

    amount: str
    unit: str

    @property
    def kind(self) -> str:
        """Its unit of measure, "" for a bare number: only figures of one kind can take each other's place."""
        return self.unit if self.measured else ""

    @property
    def measured(self) -> bool:
        """Whether it has a unit of measure, money or time."""
        return bool(self.unit) and not self.unit.startswith("@")


@dataclass(frozen=True, slots=True)
class Frame:
    """One sentence, taken apart.

    Attributes:
        topic: senses of its content words, without values and without words that only steer (always, from now on).
        figures: numbers, versions, times, prices.
        names: proper names, each as its folded words.
        codes: identifiers: file names, tickets, anything written with digits, dots or humps inside.
        days: recurring weekdays.
        gone: words, figures and identifiers of what the sentence says is over (`instead of X`, `no longer X`).
        negative: whether it forbids or denies.
        update: it says that something changed; retract: that something ended and nothing took its place.
        dates: ISO dates it resolves to.
        size: how many words it has.
        lang: `fr`, `en`, or "" where it does not tell.
        verbs: those senses of the topic that are only what one does.
        loose: words that count as names only because neither language knows them; they are written small.
        listed: values that stand beside another of their kind as one list (`Postgres and Redis`, `Friday or Monday`).
        placed: words of names that something is done in, with or by way of (`stored in Vault`, `chez Vault`).
    """

    topic: tuple[Sense, ...]
    figures: frozenset[Figure]
    names: frozenset[tuple[str, ...]]
    codes: frozenset[str]
    days: frozenset[str]
    gone: frozenset[str]
    negative: bool
    update: bool
    retract: bool
    dates: tuple[str, ...]
    size: int
    lang: str = ""
    verbs: frozenset[Sense] = frozenset()
    loose: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    placed: frozenset[str] = frozenset()

    @property
    def values(self) -> tuple[str, ...]:
        """All that must agree, as sorted text."""
        figures = {f"{f.amount} {f.unit}" if f.measured else f.amount for f in self.figures}
        return tuple(sorted(figures | self.codes | self.days | {" ".join(name) for name in self.names}))

    @property
    def anchors(self) -> int:
        """How many of its values one could look it up by; a bare small number needs two words to stand with."""
        told = sum(figure.measured or len(figure.amount) > 2 or len(self.topic) > 1 for figure in self.figures)
        return told + len(self.names) + len(self.codes) + len(self.days) + len(self.dates)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far two lists of senses meet: summed weights of what is shared and of what each has alone.

    `unknown`: all that one of them has alone are words the lexicon does not know, so they may well be the other's.
    """

    shared: float
    mine: float
    theirs: float
    count: int
    unknown: bool = False

    @property
    def of_mine(self) -> float:
        """Share of the first's weight that the second has too; 1 where the first is empty."""
        return self.shared / (self.shared + self.mine) if self.shared + self.mine else 1.0

    @property
    def of_theirs(self) -> float:
        return self.shared / (self.shared + self.theirs) if self.shared + self.theirs else 1.0


def overlap(mine: Iterable[Sense], theirs: Iterable[Sense], weight: Weight) -> Overlap:
    """Pair senses that meet, each once, in order."""
    left = list(theirs)
    alone: list[Sense] = []
    shared = 0.0
    count = 0
    for sense in mine:
        partner = next((index for index, other in enumerate(left) if sense & other), None)
        if partner is None:
            alone.append(sense)
        else:
            shared += max(weight(sense), weight(left.pop(partner)))
            count += 1
    return Overlap(
        shared,
        sum(map(weight, alone)),
        sum(map(weight, left)),
        count,
        not any(map(_known, alone)) or not any(map(_known, left)),
    )


def cognate(word: str) -> str:
    """What a word that no lexicon has may share with its like in the other language (`tabular`, `tabulaire`)."""
    return f"~{word[:6]}" if len(word) > 6 else f"~{word}"


def _known(sense: Sense) -> bool:
    return any(word.startswith("#") for word in sense)
