"""Passages: the notes of one turn, the unit in which bare notes are ranked; one hit a turn, shown by its best sentence.

A sentence alone has lost what the turn was about, so words are scored over the turn, and turns lend their neighbours
in the session some of their score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

from dream.model.note import Note

NEAR = (0.5, 0.25)
"""What a turn one and two places away lends of its own fit."""
SESSION_TOP = 3
"""Best turns of a session that speak for it."""

Counts = dict[str, float]


@dataclass(slots=True)
class Passage:
    """Notes of one turn in their order.

    Attributes:
        counts: how often the turn holds each term of the question; `length` of it in terms.
        base: how well the turn fits by itself, 0..1.
    """

    session: str
    turn: str
    notes: list[Note] = field(default_factory=list)
    counts: Counts = field(default_factory=dict)
    length: int = 0
    base: float = 0.0

    @property
    def at(self) -> str:
        return self.notes[0].at

    @property
    def key(self) -> str:
        return f"{self.session}/{self.turn}"


def group(notes: Iterable[Note]) -> list[Passage]:
    """Notes as passages, ordered by session and time; each note once."""
    by_turn: dict[tuple[str, str], Passage] = {}
    seen: set[str] = set()
    for note in notes:
        if note.id not in seen:
            seen.add(note.id)
            passage = by_turn.get((note.session, note.turn))
            if passage is None:
                by_turn[note.session, note.turn] = Passage(note.session, note.turn, [note])
            else:
                passage.notes.append(note)
    for passage in by_turn.values():
        if len(passage.notes) > 1:
            passage.notes.sort(key=attrgetter("index"))
    return sorted(by_turn.values(), key=lambda each: (each.session, each.at, each.turn))


def windows(passages: Sequence[Passage], before: int, after: int) -> list[tuple[Counts, int]]:
    """Counts and length of each passage with the ones around it in its session. `passages` as `group` orders them."""
    made: list[tuple[Counts, int]] = []
    for first, after_last in _sessions(passages):
        for place in range(first, after_last):
            near = passages[max(first, place - before) : min(after_last, place + after + 1)]
            made.append((total([each.counts for each in near]), sum([each.length for each in near])))
    return made


def _sessions(passages: Sequence[Passage]) -> list[tuple[int, int]]:
    """First place and the one after the last of each session."""
    begins = [
        place for place, passage in enumerate(passages) if place == 0 or passages[place - 1].session != passage.session
    ]
    return list(pairwise([*begins, len(passages)]))


def total(counts: Sequence[Counts]) -> Counts:
    """The sum of counts."""
    summed: Counts = {}
    for each in counts:
        if not summed:
            summed = dict(each)
        elif each:
            for term, number in each.items():
                summed[term] = summed.get(term, 0.0) + number
    return summed


def lent(passages: Sequence[Passage]) -> list[float]:
    """For each passage what its neighbours in the session lend it of their fit, 0..1."""
    made = []
    most = 2 * sum(NEAR)
    for place, passage in enumerate(passages):
        summed = 0.0
        for away, share in enumerate(NEAR, start=1):
            for other in (place - away, place + away):
                if 0 <= other < len(passages) and passages[other].session == passage.session:
                    summed += share * passages[other].base
        made.append(summed / most)
    return made


def by_session(passages: Sequence[Passage]) -> dict[str, list[Passage]]:
    """The passages of each session."""
    held: dict[str, list[Passage]] = {}
    for passage in passages:
        held.setdefault(passage.session, []).append(passage)
    return held


def top(passages: Iterable[Passage]) -> float:
    """How well the best passages of a session fit, on average."""
    return sum(sorted(each.base for each in passages)[-SESSION_TOP:]) / SESSION_TOP
