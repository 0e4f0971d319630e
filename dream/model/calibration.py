"""What a judge's word is worth: how well it ranks, how its readings map to being right, and how far it may move a vote.

A *reading* is what a model said of one case, in 0..1 (the probability of its vote, or its vote, or the score it wrote);
a *label* is whether the claim should be kept. Trust is earned: a model that ranks no better than chance moves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Reading = tuple[float, bool]
"""(reading, label)."""

MOST_TRUST = 0.5
"""A model's evidence weighs half the instruments' at most: alone it takes a good claim to a person, not to refusal."""
SURE = 1.64
"""Standard errors that the ranking must lie above chance: 95 %, one-sided."""
_RIDGE = 0.05
_EDGE = 0.02


@dataclass(frozen=True, slots=True)
class Calibration:
    """How to read a model.

    Attributes:
        reading: which of its words counts: `chance`, `vote` or `score`.
        auc: how well that ranks right above wrong, 0.5 is chance; n: on how many cases.
        slope, shift: from the logit of a reading to the logit of being right.
        trust: weight of its evidence beside the instruments', 0..MOST_TRUST.
    """

    reading: str = "chance"
    auc: float = 0.5
    n: int = 0
    slope: float = 0.0
    shift: float = 0.0
    trust: float = 0.0

    def probability(self, reading: float) -> float:
        """How likely a claim with this reading should be kept."""
        return sigmoid(self.slope * logit(reading) + self.shift)

    def moved(self, score: int, reading: float) -> int:
        """An instrument's score with the model's evidence, in whole hundredths.

        Log-odds add up: what the model does not tell moves nothing, and what both say is said more firmly.
        """
        if not self.trust:
            return score
        return round(100 * sigmoid(logit(score / 100) + self.trust * logit(self.probability(reading))))


def best_reading(readings: Iterable[Mapping[str, Sequence[Reading]]]) -> str:
    """The kind of reading that ranks best on the average of the roles; `chance` where two are even.

    Chosen once for all roles: a choice for each would find a lucky one for some.
    """
    worth: dict[str, list[float]] = {}
    for kinds in readings:
        for kind, pairs in kinds.items():
            worth.setdefault(kind, []).append(auc(pairs))
    means = {kind: sum(values) / len(values) for kind, values in worth.items()}
    return max(means, key=lambda kind: (means[kind], kind == "chance"), default="chance")


def calibrate(reading: str, pairs: Sequence[Reading]) -> Calibration:
    """What a kind of reading is worth, from cases whose answer is known."""
    if not pairs:
        return Calibration(reading)
    worth = auc(pairs)
    slope, shift = platt(pairs)
    low = worth - SURE * standard_error(worth, pairs)
    trust = min(MOST_TRUST, max(0.0, 2 * low - 1))
    return Calibration(reading, worth, len(pairs), slope, shift, trust if slope > 0 else 0.0)


def auc(pairs: Sequence[Reading]) -> float:
    """How often a right case reads higher than a wrong one; ties count half; 0.5 where one sort is missing."""
    right = [reading for reading, label in pairs if label]
    wrong = [reading for reading, label in pairs if not label]
    if not right or not wrong:
        return 0.5
    won = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    return won / (len(right) * len(wrong))


def standard_error(value: float, pairs: Sequence[Reading]) -> float:
    """Of an AUC (Hanley and McNeil 1982), never 0."""
    right = sum(label for _, label in pairs)
    wrong = len(pairs) - right
    if not right or not wrong:
        return 0.5
    value = min(max(value, 1 - value), 1 - 1 / (2 * len(pairs)))
    first, second = value / (2 - value), 2 * value * value / (1 + value)
    spread = value * (1 - value) + (right - 1) * (first - value**2) + (wrong - 1) * (second - value**2)
    return math.sqrt(spread / (right * wrong))


def platt(pairs: Sequence[Reading], rounds: int = 60) -> tuple[float, float]:
    """(slope, shift) of a logistic fit with a small ridge, by Newton's method; (0, 0) without cases."""
    slope, shift = 0.0, 0.0
    points = [(logit(reading), float(label)) for reading, label in pairs]
    for _ in range(rounds):
        g0, g1, h00, h01, h11 = _RIDGE * slope, _RIDGE * shift, _RIDGE, 0.0, _RIDGE
        for x, y in points:
            p = sigmoid(slope * x + shift)
            g0 += (p - y) * x
            g1 += p - y
            h00 += p * (1 - p) * x * x
            h01 += p * (1 - p) * x
            h11 += p * (1 - p)
        det = h00 * h11 - h01 * h01
        if not points or abs(det) < 1e-12:
            break
        slope -= (h11 * g0 - h01 * g1) / det
        shift -= (h00 * g1 - h01 * g0) / det
    return slope, shift


@dataclass(frozen=True, slots=True)
class Bin:
    """Of a reliability curve: cases whose consensus lies in [low, high) hundredths, their mean, how many were right."""

    low: int
    high: int
    n: int
    mean: float
    right: float


def reliability(pairs: Sequence[tuple[int, bool]], width: int = 10) -> list[Bin]:
    """Consensus against being right; empty bins are left out."""
    found = []
    for low in range(0, 100, width):
        high = low + width
        inside = [(score, label) for score, label in pairs if low <= score < high or (high == 100 == score)]
        if inside:
            n = len(inside)
            found.append(Bin(low, high, n, sum(s for s, _ in inside) / n, sum(label for _, label in inside) / n))
    return found


def calibration_error(pairs: Sequence[tuple[int, bool]]) -> float:
    """Expected calibration error in 0..1: mean distance of the curve from the diagonal, weighted by cases."""
    bins = reliability(pairs)
    total = sum(each.n for each in bins)
    return sum(each.n * abs(each.mean / 100 - each.right) for each in bins) / total if total else 0.0


def paired_interval(differences: Sequence[float]) -> tuple[float, float, float]:
    """(mean, low, high) of paired differences, 95 % by the normal approximation; zeros where there are none."""
    n = len(differences)
    if n == 0:
        return 0.0, 0.0, 0.0
    mean = sum(differences) / n
    if n == 1:
        return mean, -math.inf, math.inf
    spread = math.sqrt(sum((each - mean) ** 2 for each in differences) / (n - 1) / n)
    return mean, mean - 1.96 * spread, mean + 1.96 * spread


def logit(p: float) -> float:
    """Log-odds, with p kept off the edges."""
    p = min(max(p, _EDGE), 1 - _EDGE)
    return math.log(p / (1 - p))


def sigmoid(x: float) -> float:
    """From log-odds to a probability."""
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, x))))
