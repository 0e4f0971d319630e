"""How near a node lies to what its project works on (G of the vitality): boosts for the project one is in.

What a project works on is what was said in it in the last days. Nearness is the cosine of their words, each counted by
how rare it is among the project's statements: no model is needed, and the same night gives the same figures. Of a
project in which nothing was said lately, and of what holds everywhere, nothing is known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta

from dream.cycle.night import Gathered
from dream.house import House
from dream.model.graph import Node, NodeStatus
from dream.model.note import Note
from dream.model.time import format_instant, to_datetime
from dream.model.vitality import goal_of_cosine
from dream.ports import NoteFilter

LATELY = 14
"""Days that count as now."""

Terms = Callable[[str], Sequence[str]]


def goals_of(house: House, gathered: Gathered, now: str) -> Callable[[Iterable[Node]], dict[str, float]]:
    """`goals` for a night as of `now`, with what it gathered."""
    since = format_instant(to_datetime(now) - timedelta(days=LATELY))
    fresh = (note for session in gathered.sessions for note in session if note.at >= since)
    said = {note.id: note for note in (*house.store.notes(NoteFilter(since=since)), *fresh)}
    return lambda nodes: goals(nodes, said.values(), house.analyser.terms)


def goals(nodes: Iterable[Node], said: Iterable[Note], terms: Terms) -> dict[str, float]:
    """By node id, 0..1; ids of which nothing is known are left out.

    Args:
        nodes: as the night leaves them; those that are not current are passed over. said: the notes of the last days.
    """
    work: dict[str, Counter[str]] = {}
    for note in said:
        if note.project:
            work.setdefault(note.project, Counter()).update(set(terms(note.text)))
    words: dict[str, dict[str, Counter[str]]] = {}
    for node in nodes:
        if node.project in work and node.status is NodeStatus.CURRENT:
            words.setdefault(node.project, {})[node.id] = Counter(terms(node.text))
    found: dict[str, float] = {}
    for project, of_node in words.items():
        spread = Counter(word for counted in of_node.values() for word in counted)
        rare = {word: math.log(1 + len(of_node) / count) for word, count in spread.items()}
        centre = {word: count * rare[word] for word, count in work[project].items() if word in rare}
        for node_id, counted in of_node.items():
            vector = {word: count * rare[word] for word, count in counted.items()}
            found[node_id] = goal_of_cosine(_cosine(vector, centre))
    return found


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    size = math.hypot(*one.values()) * math.hypot(*other.values())
    return sum(value * other.get(word, 0.0) for word, value in one.items()) / size if size else 0.0
