"""How alive a node is: V from decay, use, goal and contradiction, and the tier it lives in.

`V = clamp01(0.45·D + 0.25·U + 0.30·G − 0.50·C)`; where G is unknown, `(0.45·D + 0.25·U) / 0.70 − 0.50·C`.
Scores are derived and never signed, so they are floats. An age is never negative: what is dated in the future
counts as said now, and is flagged.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from dream.model.graph import Edge, Node, NodeKind, Relation, Tier
from dream.model.time import days_between, to_datetime

HALF_LIFE_DAYS: dict[NodeKind, int] = {
    NodeKind.PERSON: 346,
    NodeKind.PROJECT: 138,
    NodeKind.PREFERENCE: 693,
    NodeKind.CONCEPT: 693,
    NodeKind.DECISION: 231,
    NodeKind.FACT: 173,
    NodeKind.EVENT: 99,
    NodeKind.OBJECT: 173,
    NodeKind.CODE: 138,
    NodeKind.PROCESS: 346,
    NodeKind.ERROR: 138,
}
WEIGHT_DECAY, WEIGHT_USE, WEIGHT_GOAL, WEIGHT_CONTRADICTION = 0.45, 0.25, 0.30, 0.50
USE_HALF_LIFE_DAYS = 30
USE_SCALE = 3
FLOOR = 0.4
HOT_ABOVE, ACTIVE_FROM, DARK_FROM = 0.85, 0.4, 0.2
WINDOW_DAYS = 30


@dataclass(frozen=True, slots=True)
class Vitality:
    """A score in 0..1 and what it is made of.

    Attributes:
        goal: None where no project is at hand.
        future: the evidence is dated after now (a wrong clock or a wrong date), see case E11.
        floored: pinned or standing, and lifted to 0.4.
        uncontradicted: the score without its contradictions, to tell age from conflict.
    """

    value: float
    decay: float
    use: float
    goal: float | None
    contradiction: float
    future: bool
    floored: bool
    uncontradicted: float

    @property
    def tier(self) -> Tier:
        return tier_of(self.value)


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean vitality for the breaker.

    Attributes:
        value: None where there is nothing to take a mean of.
        nodes: how many it is taken over.
        exempt: why it must not trip the breaker, "" where it may.
    """

    value: float | None
    nodes: int
    exempt: str


def _clamp01(value: float) -> float:
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0


def decay(kind: NodeKind, evidence_at: str, now: str) -> float:
    """D: halves every half-life of the kind since the node was last said."""
    return float(0.5 ** (max(0.0, days_between(evidence_at, now)) / HALF_LIFE_DAYS[kind]))


def use(uses: Iterable[str], now: str) -> float:
    """U: of the instants at which a search returned it or evidence repeated it, fading by half in 30 days."""
    weight = sum(0.5 ** (max(0.0, days_between(used, now)) / USE_HALF_LIFE_DAYS) for used in uses)
    return 1.0 - math.exp(-weight / USE_SCALE)


def goal_of_cosine(cosine: float) -> float:
    """G: a cosine in -1..1 mapped to 0..1."""
    return _clamp01((cosine + 1.0) / 2.0)


def contradiction(confidences: Iterable[int]) -> float:
    """C: the chance that at least one of the contradictions (confidence in hundredths) is right."""
    return 1.0 - math.prod(1.0 - _clamp01(confidence / 100) for confidence in confidences)


def contradicting(node_id: str, edges: Iterable[Edge]) -> list[Edge]:
    """The live edges that contradict the node, from either side."""
    return [
        edge
        for edge in edges
        if edge.relation is Relation.CONTRADICTS and edge.valid_to is None and node_id in (edge.source, edge.target)
    ]


def vitality(
    node: Node, now: str, uses: Sequence[str] = (), goal: float | None = None, contradictions: Iterable[int] = ()
) -> Vitality:
    """V of a node; `goal` in 0..1 or None where unknown, `contradictions` in hundredths.

    A person's correction (`node.adjust`) is added after the formula; the floor of pinned and standing nodes comes last.
    """
    d, u, c = decay(node.kind, node.evidence_at, now), use(uses, now), contradiction(contradictions)
    g = None if goal is None or not math.isfinite(goal) else _clamp01(goal)
    if g is None:
        alive = (WEIGHT_DECAY * d + WEIGHT_USE * u) / (WEIGHT_DECAY + WEIGHT_USE)
    else:
        alive = WEIGHT_DECAY * d + WEIGHT_USE * u + WEIGHT_GOAL * g
    alive += node.adjust / 100
    kept = node.pinned or node.standing
    value = _clamp01(alive - WEIGHT_CONTRADICTION * c)
    floored = kept and value < FLOOR
    return Vitality(
        value=FLOOR if floored else value,
        decay=d,
        use=u,
        goal=g,
        contradiction=c,
        future=days_between(node.evidence_at, now) < 0,
        floored=floored,
        uncontradicted=max(FLOOR, _clamp01(alive)) if kept else _clamp01(alive),
    )


def tier_of(value: float) -> Tier:
    """Hot above 0.85, active from 0.4, dark from 0.2, cold below."""
    if value > HOT_ABOVE:
        return Tier.HOT
    if value >= ACTIVE_FROM:
        return Tier.ACTIVE
    return Tier.DARK if value >= DARK_FROM else Tier.COLD


def mean_vitality(
    scored: Iterable[tuple[Node, Vitality, Sequence[str]]], capture_days: Collection[str], now: str
) -> Mean:
    """Mean over the nodes with evidence or use on a day of the last 30 on which anything was captured.

    Args:
        scored: each current node, its vitality, and the instants it was used at.
        capture_days: UTC dates (`2026-01-12`) on which a note was captured.

    It exempts an empty graph, a long absence, and a mean that is low by age alone: contradictions are what the
    breaker is for, and three years of a quiet project are not a fault.
    """
    since = (to_datetime(now) - timedelta(days=WINDOW_DAYS)).date().isoformat()
    live_days = {day for day in capture_days if day >= since}
    counted = [score for node, score, uses in scored if any(at[:10] in live_days for at in (node.evidence_at, *uses))]
    if not counted:
        return Mean(None, 0, "no node was said or used in the last 30 days")
    value = math.fsum(score.value for score in counted) / len(counted)
    by_age = math.fsum(score.uncontradicted for score in counted) / len(counted)
    return Mean(value, len(counted), "age alone" if by_age < FLOOR - 1e-9 else "")
