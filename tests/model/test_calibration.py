"""Trust is earned on known cases, evidence adds up in log-odds, and an interval is an interval."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.model.calibration import (
    MOST_TRUST,
    Calibration,
    auc,
    best_reading,
    calibrate,
    calibration_error,
    paired_interval,
    platt,
    reliability,
)

PERFECT = [(0.9 - n / 100, True) for n in range(6)] + [(0.1 + n / 100, False) for n in range(6)]


def test_ranking_right_above_wrong_is_1_and_the_other_way_0() -> None:
    assert auc(PERFECT) == 1.0
    assert auc([(1 - reading, label) for reading, label in PERFECT]) == 0.0
    assert auc([(0.5, True), (0.5, False)]) == 0.5
    assert auc([(0.5, True)]) == 0.5


def test_a_perfect_dozen_earns_half_and_an_inverted_one_nothing() -> None:
    assert calibrate("chance", PERFECT).trust == MOST_TRUST == 0.5
    assert calibrate("chance", [(1 - reading, label) for reading, label in PERFECT]).trust == 0.0
    assert calibrate("chance", []).trust == 0.0


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=0, max_size=30), st.floats(0, 1), st.integers(0, 100)
)
def test_a_moved_score_is_a_score_and_no_trust_moves_nothing(
    pairs: list[tuple[float, bool]], reading: float, score: int
) -> None:
    worth = calibrate("vote", pairs)
    assert 0 <= worth.trust <= MOST_TRUST
    assert 0 <= worth.moved(score, reading) <= 100
    if not worth.trust:
        assert worth.moved(score, reading) == score


def test_more_evidence_never_moves_a_score_the_wrong_way() -> None:
    worth = calibrate("chance", PERFECT)
    scores = [worth.moved(80, reading / 20) for reading in range(21)]
    assert scores == sorted(scores) and scores[0] < 80 < scores[-1]


def test_the_firmest_refusal_takes_a_good_claim_to_a_person_not_to_refusal() -> None:
    assert 50 <= calibrate("chance", PERFECT).moved(90, 0.0) <= 70


def test_one_reading_is_chosen_for_all_roles() -> None:
    lucky = {"chance": PERFECT, "score": [(0.5, True), (0.5, False)]}
    even = {"chance": [(0.5, True), (0.5, False)], "score": [(0.6, True), (0.5, False)]}
    assert best_reading([lucky, even]) in ("chance", "score")
    assert best_reading([lucky, lucky]) == "chance"
    assert best_reading([]) == "chance"


def test_platt_learns_slope_and_shift() -> None:
    slope, shift = platt([(0.8, True), (0.7, True), (0.4, False), (0.3, False), (0.6, False), (0.5, True)])
    assert slope > 0 and math.isfinite(shift)


def test_a_reliability_curve_counts_every_case_once() -> None:
    pairs = [(0, False), (9, False), (10, True), (95, True), (100, True)]
    assert [(each.low, each.n) for each in reliability(pairs)] == [(0, 2), (10, 1), (90, 2)]
    assert calibration_error([(100, True)] * 4) == 0.0
    assert calibration_error([(100, False)] * 4) == 1.0


@pytest.mark.parametrize(
    ("differences", "low", "high"),
    [([1.0] * 5, 1.0, 1.0), ([0.0] * 9, 0.0, 0.0), ([1.0, 0.0, 1.0, 0.0], -0.066, 1.066)],
)
def test_a_paired_interval(differences: list[float], low: float, high: float) -> None:
    found = paired_interval(differences)
    assert found[1:] == pytest.approx((low, high), abs=1e-3)


def test_an_untrained_calibration_is_neutral() -> None:
    assert Calibration().moved(73, 0.99) == 73
