"""Scores of a union of candidates."""

from __future__ import annotations

from dream.adapters.bm25 import RankBm25

IDF = {"port": 1.0, "postgres": 3.0, "the": 0.0}


def test_a_rare_word_weighs_more_however_often_the_union_holds_it() -> None:
    union = [{"port": 1.0}, {"postgres": 1.0}, {"postgres": 1.0}, {"postgres": 1.0}]
    scores = RankBm25().score(["postgres", "port"], union, [2, 2, 2, 2], IDF)
    assert min(scores[1:]) > scores[0] > 0


def test_scores_lie_between_0_and_1_and_grow_with_what_is_covered() -> None:
    union = [{"postgres": 1.0, "port": 1.0}, {"postgres": 1.0}, {}]
    scores = RankBm25().score(["postgres", "port"], union, [2, 2, 2], IDF)
    assert 1 >= scores[0] > scores[1] > scores[2] == 0


def test_a_longer_text_that_says_it_once_scores_less() -> None:
    short, long = RankBm25().score(["port"], [{"port": 1.0}, {"port": 1.0}], [3, 60], IDF)
    assert short > long > 0


def test_nothing_asked_or_nothing_known_scores_zero() -> None:
    assert RankBm25().score([], [{"a": 1.0}], [1], {}) == [0.0]
    assert RankBm25().score(["a"], [], [], {"a": 1.0}) == []
    assert RankBm25().score(["the"], [{"the": 1.0}, {}], [1, 0], IDF) == [0.0, 0.0]
