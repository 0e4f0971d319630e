"""Scores of a union of candidates."""

from __future__ import annotations

import random

import numpy as np
from rank_bm25 import BM25Okapi

from dream.adapters.bm25 import K1, B, RankBm25

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


def test_scores_are_the_librarys_to_the_last_bit() -> None:
    draw = random.Random(3)
    for _ in range(200):
        terms = [f"t{number}" for number in range(draw.randint(1, 9))]
        idf = {term: draw.choice([0.0, draw.random() * 6]) for term in terms}
        held = [
            {term: draw.choice([1.0, 0.75, 3.1]) for term in draw.sample(terms, draw.randint(0, len(terms)))}
            for _ in range(draw.randint(1, 40))
        ]
        sizes = [draw.randint(1, 200) for _ in held]
        wanted = [term for term in terms if idf[term] > 0.0]
        library = BM25Okapi([[""]], k1=K1, b=B)
        library.corpus_size, library.doc_freqs, library.doc_len = len(held), held, np.array(sizes, dtype=float)
        library.avgdl, library.idf = max(1.0, sum(sizes) / len(sizes)), idf
        most = sum(idf[term] for term in wanted) * (K1 + 1)
        expected = (
            [float(each) / most for each in library.get_scores(wanted)] if most and any(held) else [0.0] * len(held)
        )
        assert RankBm25().score(terms, held, sizes, idf) == expected
