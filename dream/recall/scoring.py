"""What each signal says about each passage of a pool, 0..1; `node_score` makes nodes candidates beside them.

`lexical` the turn's words and its best sentence's · `dense` nearness in meaning, worth more the less of the question
the words cover · `context` the words of the turns around, and their fit · `session` the session's words and best turns
· `verbatim` a sentence that is the question over again · `load` what capture graded · `statement` says rather than asks
· `speaker`, `time`, `answer` what the question itself says (see `cues`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache

from dream.model.graph import Node
from dream.model.hit import Weights
from dream.model.note import Note
from dream.ports import Analyser, LexicalScorer
from dream.recall import passages as p
from dream.recall.cues import Cues, label, voices
from dream.recall.pool import Pool
from dream.recall.translate import Renderings

COSINE_FLOOR = 0.25
"""Cosine at or below which two sentences have nothing in common for the packaged embedder."""
TRUST_LEAST = 0.2
"""What meaning is worth where the words of a question are all found, against 1 where none is."""
RENDERED = 0.75
"""What a word in the other language counts, against the question's own."""
COPIED = 0.8
"""Share of the terms of both from which a sentence is the question over again; below `COPIED_TERMS` nothing is."""
COPIED_TERMS = 3
RECENT_DAYS = 60.0
YOUNG = 200
"""Texts a store is taken to hold at least: in a younger one no word has had the chance to be rare."""


@dataclass(slots=True)
class Candidate:
    """A node or a passage, its best note first, with its signals.

    Attributes:
        terms: of its text, for likeness between candidates.
    """

    id: str
    node: Node | None
    notes: list[Note]
    terms: frozenset[str]
    signals: dict[str, float] = field(default_factory=dict)

    @property
    def at(self) -> str:
        return self.node.evidence_at if self.node else self.notes[0].at


@dataclass(frozen=True)
class Words:
    """A question's terms, their renderings, and their rarity in the whole store; counts them in texts."""

    terms: tuple[str, ...]
    idf: Mapping[str, float]
    renderings: Renderings
    analyser: Analyser
    scorer: LexicalScorer
    seen: dict[str, tuple[p.Counts, list[str]]] = field(default_factory=dict)

    def count(self, text: str) -> tuple[p.Counts, list[str]]:
        """How often a text says each term, in either language, and the text's own terms; a text is counted once."""
        if text not in self.seen:
            self.seen[text] = self._count(text)
        return self.seen[text]

    def _count(self, text: str) -> tuple[p.Counts, list[str]]:
        own = self.analyser.terms(text)
        shared = self.vocabulary.intersection(own)
        counts: p.Counts = {}
        if not shared:
            return counts, own
        held = {term: own.count(term) for term in shared}
        meant = {term for each in shared for term in self._meant[each]}
        for term in self._asked if len(meant) > 1 else meant:
            if term in meant:
                number = float(held.get(term, 0))
                for stems in self.renderings.by_term.get(term, ()):
                    if shared.issuperset(stems):
                        number += RENDERED * min(map(held.__getitem__, stems))
                if number:
                    counts[term] = number
        return counts, own

    @cached_property
    def _asked(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.terms))

    @cached_property
    def _meant(self) -> Mapping[str, frozenset[str]]:
        """For each word of the vocabulary, the terms that it may stand for."""
        found = {term: {term} for term in self.terms}
        for term in self.terms:
            for stem in (stem for stems in self.renderings.by_term.get(term, ()) for stem in stems):
                found.setdefault(stem, set()).add(term)
        return {stem: frozenset(terms) for stem, terms in found.items()}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All terms that count for something."""
        others = (stem for each in self.renderings.by_term.values() for stems in each for stem in stems)
        return frozenset((*self.terms, *others))

    def score(self, texts: Sequence[tuple[p.Counts, int]]) -> list[float]:
        return self.scorer.score(self.terms, [each for each, _ in texts], [size for _, size in texts], self.idf)

    def covered(self, counts: p.Counts) -> float:
        """The share of the question's weight that a text has words of."""
        return sum(self.idf[term] for term in counts) / (sum(self.idf.values()) or 1.0)


def rarity(terms: Iterable[str], held: tuple[int, Mapping[str, int]], renderings: Renderings) -> dict[str, float]:
    """Idf of each term; one that no text holds counts as the rarest, so that a query it is half of is half covered."""
    total, holding = max(held[0], YOUNG), held[1]
    found: dict[str, float] = {}
    for term in dict.fromkeys(terms):
        others = (min(holding.get(stem, 0) for stem in stems) for stems in renderings.by_term.get(term, ()))
        number = min(total, holding.get(term, 0) + sum(others))
        found[term] = math.log(1 + (total - number + 0.5) / (number + 0.5))
    return found


def verbatim(own: Sequence[str], asked: Sequence[str]) -> float:
    """How nearly a sentence is the question itself, where somebody looks for what was said: 0 but for near copies."""
    others = frozenset(asked)
    if len(others) < COPIED_TERMS or len(own) / len(others) < COPIED:
        return 0.0
    same = len(others.intersection(own))
    if same / len(others) < COPIED:
        return 0.0
    share = same / len(others.union(own))
    return share if share >= COPIED else 0.0


def nearness(cosine: float) -> float:
    """Cosine as a signal."""
    return max(0.0, (cosine - COSINE_FLOOR) / (1.0 - COSINE_FLOOR))


def trusted(pool: Pool, words: Words, cues: Cues) -> float:
    """What meaning is worth, by how much of the question the pool's best sentence has words of.

    The words of a request for advice are those of a request; what decides it shares none of them.
    """
    if cues.advice:
        return 1.0
    texts = (words.count(note.text)[0] for each in pool.passages for note in each.notes)
    return 1.0 - (1.0 - TRUST_LEAST) * max(map(words.covered, texts), default=0.0)


def candidates(
    pool: Pool, words: Words, cues: Cues, cosines: Mapping[str, float], weights: Weights
) -> dict[str, Candidate]:
    """Score the pool's passages."""
    counted = {note.id: words.count(note.text) for each in pool.passages for note in each.notes}
    sentences = dict(zip(counted, words.score([(counts, len(own)) for counts, own in counted.values()]), strict=True))
    for passage in pool.passages:
        held = [counted[note.id] for note in passage.notes]
        passage.counts = p.total([counts for counts, _ in held])
        passage.length = sum([len(own) for _, own in held])
    trust = trusted(pool, words, cues)
    turns = words.score([(each.counts, each.length) for each in pool.passages])
    speaking = voices(label(each.notes) for each in pool.passages)
    near = {key: nearness(cosine) for key, cosine in cosines.items()}
    nothing = nearness(0.0)
    enough = int(COPIED * len(words.terms))  # terms of the question that a copy of it holds
    found: dict[str, Candidate] = {}
    for passage, turn in zip(pool.passages, turns, strict=True):
        notes = passage.notes
        held = [counted[note.id] for note in notes]
        copied = [0.0 if len(counts) < enough else verbatim(own, words.terms) for counts, own in held]
        fits = [near.get(note.id, nothing) for note in notes]
        best = notes
        if len(notes) > 1:
            worth = {
                note.id: (-copy, -sentences[note.id] - fit, note.index)
                for note, copy, fit in zip(notes, copied, fits, strict=True)
            }
            best = sorted(notes, key=lambda note: worth[note.id])
        text = " ".join([note.text for note in notes])
        one = Candidate(passage.turn, None, list(best), frozenset().union(*[own for _, own in held]))
        one.signals = {
            "lexical": (2 * turn + sentences[best[0].id]) / 3,
            "dense": trust * max(fits),
            "load": max([note.load for note in notes]) / 100,
            "statement": 0.0 if text.rstrip().endswith("?") else 1.0,
            "speaker": cues.speaker(notes, speaking),
            "time": cues.time(passage.at),
            "answer": cues.answers(text),
            "verbatim": max(copied),
        }
        passage.base = _base(one, weights)
        found[passage.key] = one
    _surround(pool.passages, words, found)
    return found


def _base(one: Candidate, weights: Weights) -> float:
    lexical, dense = weights.signals["lexical"], weights.signals["dense"]
    return (lexical * one.signals["lexical"] + dense * one.signals["dense"]) / (lexical + dense)


def _surround(passages: Sequence[p.Passage], words: Words, found: Mapping[str, Candidate]) -> None:
    """What stands around a passage: the words before and after it, its neighbours' fit, its session's."""
    wide, before = words.score(p.windows(passages, 2, 2)), words.score(p.windows(passages, 1, 0))
    for passage, one, other, fit in zip(passages, wide, before, p.lent(passages), strict=True):
        found[passage.key].signals["context"] = (one + other + 2 * fit) / 4
    held = p.by_session(passages)
    texts = [(p.total([each.counts for each in own]), sum([each.length for each in own])) for own in held.values()]
    for own, spoken in zip(held.values(), words.score(texts), strict=True):
        fit = (spoken + 2 * p.top(own)) / 3
        for passage in own:
            found[passage.key].signals["session"] = fit


def recency(at: str, now: str) -> float:
    """Halves every 60 days."""
    days = (_moment(now) - datetime.fromisoformat(at)).total_seconds() / 86_400
    return float(0.5 ** (max(0.0, days) / RECENT_DAYS))


@lru_cache(maxsize=8)
def _moment(now: str) -> datetime:
    return datetime.fromisoformat(now)
