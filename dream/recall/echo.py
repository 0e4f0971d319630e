"""What the best turns have in common beside the question's words, found in the others: the same matter told elsewhere.

A question names part of what it is about; turns that answer it name the rest (the town, the ship, the ticket), and the
other turns about it hold that and not a word of the question. Pseudo relevance feedback (Rocchio; RM3 by Lavrenko and
Croft): a term counts where two of the best turns hold it, by its rarity in the pool and by how good they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping

from dream.recall.scoring import Candidate

BEST = 10
"""Turns that are listened to."""
AGREE = 2
"""Of them, how many must hold a term."""
TERMS = 20
LONG = 20.0
"""Terms of a turn from which it pays for its length."""


def echo(turns: Mapping[str, Candidate], worths: Mapping[str, float], asked: Collection[str]) -> dict[str, float]:
    """For each turn, how much of what the best have in common it holds, 0..1.

    Args:
        worths: how well each turn fits the question.
        asked: terms of the question, which count elsewhere.
    """
    best = sorted(turns, key=lambda key: (-worths[key], key))[:BEST]
    found: dict[str, float] = {}
    for key in best:
        share = worths[key] / math.sqrt(max(1, len(turns[key].terms)))
        for term in turns[key].terms.difference(asked):
            found[term] = found.get(term, 0.0) + share
    agreed = Counter(term for key in best for term in turns[key].terms)
    held = Counter(term for each in turns.values() for term in each.terms)
    weights = {
        term: value * math.log(1 + len(turns) / held[term]) for term, value in found.items() if agreed[term] >= AGREE
    }
    first = sorted(weights, key=lambda term: (-weights[term], term))[:TERMS]
    whole = sum(weights[term] for term in first)
    if not whole:
        return dict.fromkeys(turns, 0.0)
    kept = frozenset(first)
    return {
        key: sum(weights[term] for term in kept & each.terms) / whole / max(1.0, len(each.terms) / LONG) ** 0.5
        for key, each in turns.items()
    }
