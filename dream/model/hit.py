"""What is asked, what is answered, and how signals become one ranking. Pure: values in, values out.

1. A signal is a number in 0..1 and may be absent for a candidate; absent counts 0.
2. The score is the weighted sum of the signals over the sum of the weights of the signals that took part at all, so a
   missing signal (no embedder, no reranker) does not lower every score.
3. `Hit.signals` holds each signal's share of the score: they add up to it, but for `adjusted`, which says what
   supersession or a successor's rank moved it by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from dream.model.graph import NodeKind, NodeStatus
from dream.model.note import Note


@dataclass(frozen=True, slots=True)
class Query:
    """A question put to memory.

    Attributes:
        k: how many hits at most.
        projects: keys of the projects to look in, besides what holds everywhere; None looks in all.
        kinds: only nodes of these kinds (and then no bare notes); None is any.
        as_of: a moment; what was true and had been said then.
        history: superseded and retracted facts too.
        asked_at: the instant of asking, for "last week" and recency; None ignores both.
        zone: IANA name of the zone in which the asker says "yesterday".
        rerank: whether a reranker may be used.
        nodes: False answers from notes alone (what an evaluation calls dream off).
    """

    text: str
    k: int = 5
    projects: tuple[str, ...] | None = None
    kinds: tuple[NodeKind, ...] | None = None
    as_of: str | None = None
    history: bool = False
    asked_at: str | None = None
    zone: str = "UTC"
    rerank: bool = True
    nodes: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """One result.

    Attributes:
        id: of a node (`f-…`), or of the note that fits best in its turn (`n-…`).
        text: the node's, or the fitting sentence.
        score: 0..1.
        signals: share of each signal in the score, biggest first.
        sources: the notes it stands on, best first; for a bare note those of its turn that fit, itself first.
        status: of the node; a note is current unless `stale`.
        stale: a note on which only superseded or retracted nodes stand.
        superseded_by: id of the current node that replaced it.
        at: when it was last said (instant).
    """

    id: str
    text: str
    score: float
    signals: tuple[tuple[str, float], ...]
    sources: tuple[Note, ...]
    project: str
    at: str
    kind: NodeKind | None = None
    status: NodeStatus = NodeStatus.CURRENT
    stale: bool = False
    superseded_by: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits, best first.

    Attributes:
        degraded: what was missing and why, one entry per absent signal (`dense: no embedder`).
        abstained: candidates were found, but none above the floor.
    """

    hits: tuple[Hit, ...] = ()
    degraded: tuple[str, ...] = ()
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal is worth, set on LongMemEval dev and consolidation dev (`scripts/fit_recall.py`).

    Attributes:
        floor: evidence (see `evidence`) that the best hit must reach for anything to be returned.
        least: evidence that each hit must reach.
        diversity: what full likeness to a better hit takes off (see `diversify`).
        stale: share of its score that an outdated candidate without a successor keeps.
        near: share of an outdated candidate's score that its successor must reach by itself to replace it.
    """

    signals: Mapping[str, float] = field(
        default_factory=lambda: {
            "lexical": 0.6,
            "dense": 0.75,
            "verbatim": 1.5,
            "context": 1.2,
            "session": 0.5,
            "echo": 0.05,
            "load": 0.12,
            "statement": 0.08,
            "speaker": 0.15,
            "time": 0.15,
            "answer": 0.05,
            "activation": 0.05,
            "consolidated": 0.01,
            "recency": 0.03,
            "rerank": 0.5,
        }
    )
    floor: float = 0.04
    least: float = 0.01
    diversity: float = 0.25
    stale: float = 0.5
    near: float = 0.5


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its place in the ranking."""

    id: str
    score: float
    signals: tuple[tuple[str, float], ...]


def fuse(
    candidates: Mapping[str, Mapping[str, float]], weights: Mapping[str, float], present: Iterable[str]
) -> list[Ranked]:
    """Rank candidates by the weighted sum of their signals; ties go by id, so that two runs agree.

    Args:
        candidates: signals by name, by candidate id.
        present: names of the signals that took part (a candidate may still lack one).
    """
    names = [name for name in present if weights.get(name, 0.0) > 0.0]
    whole = sum(weights[name] for name in names) or 1.0
    weighed = [(name, weights[name]) for name in names]
    ranked = []
    for key, signals in candidates.items():
        held = [(name, weight, signals[name]) for name, weight in weighed if name in signals]
        shares = [
            (name, weight * (value if value < 1.0 else 1.0) / whole) for name, weight, value in held if value > 0.0
        ]
        score = sum([share for _, share in shares])
        shares.sort(key=itemgetter(1), reverse=True)
        ranked.append(Ranked(key, score, tuple(shares)))
    return sorted(ranked, key=lambda each: (-each.score, each.id))


EVIDENCE = frozenset(("lexical", "dense", "verbatim", "context", "session", "adjusted"))
"""Signals that a text cannot have without fitting the question."""


def evidence(ranked: Ranked) -> float:
    """How much of a score is about the question; the rest (load, recency, echo, …) any text may have."""
    return sum(share for name, share in ranked.signals if name in EVIDENCE and share > 0.0)


def diversify(ranked: Sequence[Ranked], likeness: Callable[[str, str], float], k: int, penalty: float) -> list[Ranked]:
    """Pick `k` by maximal marginal relevance: each next one is good and unlike those picked before (Carbonell 1998).

    Args:
        likeness: of two candidates, 0..1.
        penalty: what full likeness to a better hit takes off, as a share of the candidate's score.
    """
    left = list(ranked)
    picked: list[Ranked] = []
    worst: dict[str, float] = {}
    while left and len(picked) < k:
        best = max(left, key=lambda each: each.score * (1.0 - penalty * worst.get(each.id, 0.0)))
        left.remove(best)
        picked.append(best)
        for each in left:
            worst[each.id] = max(worst.get(each.id, 0.0), likeness(each.id, best.id))
    return picked


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the terms of both that both have."""
    return len(one & other) / len(one | other) if one and other else 0.0
