"""Fusion and diversity, as values."""

from __future__ import annotations

import pytest

from dream.model.hit import Ranked, diversify, fuse, jaccard

WEIGHTS = {"lexical": 1.0, "dense": 1.0}


def test_the_score_is_the_weighted_mean_of_the_signals_that_took_part() -> None:
    (one,) = fuse({"a": {"lexical": 0.8, "dense": 0.2}}, WEIGHTS, ["lexical", "dense"])
    assert one.score == pytest.approx(0.5)
    assert one.signals == (("lexical", pytest.approx(0.4)), ("dense", pytest.approx(0.1)))


def test_a_missing_signal_does_not_lower_every_score() -> None:
    with_both = fuse({"a": {"lexical": 0.8, "dense": 0.8}}, WEIGHTS, ["lexical", "dense"])[0]
    alone = fuse({"a": {"lexical": 0.8}}, WEIGHTS, ["lexical"])[0]
    assert with_both.score == pytest.approx(alone.score)


def test_signals_are_held_to_their_range_and_ties_go_by_id() -> None:
    ranked = fuse({"b": {"lexical": 7.0}, "a": {"lexical": 1.0}, "c": {"lexical": -1.0}}, WEIGHTS, ["lexical"])
    assert [(each.id, each.score) for each in ranked] == [("a", 1.0), ("b", 1.0), ("c", 0.0)]


def test_diversity_passes_over_what_repeats_a_better_hit() -> None:
    ranked = [Ranked("a", 1.0, ()), Ranked("a2", 0.9, ()), Ranked("b", 0.8, ())]
    likeness = {frozenset(("a", "a2")): 1.0}
    picked = diversify(ranked, lambda one, other: likeness.get(frozenset((one, other)), 0.0), 2, 0.25)
    assert [each.id for each in picked] == ["a", "b"]


def test_likeness_of_term_sets() -> None:
    assert jaccard(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 3)
    assert jaccard(frozenset(), frozenset()) == 0.0
