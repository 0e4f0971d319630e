"""Passages: the notes of one turn, the unit in which bare notes are ranked; one hit a turn, shown by its best sentence.

A sentence alone has lost what the turn was about, so words are scored over the turn, and turns lend their neighbours
in the session some of their score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dream.model.note import Note

NEAR = (0.5, 0.25)
"""What a turn one and two places away lends."""
SESSION_TOP = 3
"""Best turns of a session that speak for it."""


@dataclass(slots=True)
class Passage:
    """Notes of one turn in their order, and how well the turn fits so far (`base`, 0..1)."""

    session: str
    turn: str
    notes: list[Note] = field(default_factory=list)
    base: float = 0.0

    @property
    def at(self) -> str:
        return self.notes[0].at


def group(notes: Iterable[Note]) -> list[Passage]:
    """Notes as passages, ordered by session and time; each note once."""
    by_turn: dict[tuple[str, str], Passage] = {}
    seen: set[str] = set()
    for note in notes:
        if note.id not in seen:
            seen.add(note.id)
            by_turn.setdefault((note.session, note.turn), Passage(note.session, note.turn)).notes.append(note)
    for passage in by_turn.values():
        passage.notes.sort(key=lambda note: note.index)
    return sorted(by_turn.values(), key=lambda each: (each.session, each.at, each.turn))


def context(passages: Sequence[Passage]) -> list[float]:
    """For each passage what its neighbours in the session lend it, 0..1. `passages` as `group` orders them."""
    lent = []
    most = 2 * sum(NEAR)
    for place, passage in enumerate(passages):
        total = 0.0
        for away, share in enumerate(NEAR, start=1):
            for other in (place - away, place + away):
                if 0 <= other < len(passages) and passages[other].session == passage.session:
                    total += share * passages[other].base
        lent.append(total / most)
    return lent


def sessions(passages: Sequence[Passage]) -> Mapping[str, float]:
    """How well each session fits as a whole, 0..1: the mean of its best passages over that of the best session."""
    bases: dict[str, list[float]] = {}
    for passage in passages:
        bases.setdefault(passage.session, []).append(passage.base)
    fits = {session: sum(sorted(each)[-SESSION_TOP:]) / SESSION_TOP for session, each in bases.items()}
    best = max(fits.values(), default=0.0)
    return {session: fit / best if best else 0.0 for session, fit in fits.items()}
