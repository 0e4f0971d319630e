"""Vitality: its formula, its bounds, its tiers, its mean."""

from __future__ import annotations

import dataclasses
import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.model.graph import Edge, Node, NodeKind, Relation, Tier
from dream.model.time import format_instant
from dream.model.vitality import (
    HALF_LIFE_DAYS,
    contradicting,
    contradiction,
    decay,
    goal_of_cosine,
    mean_vitality,
    tier_of,
    use,
    vitality,
)

NOW = "2026-06-01T02:05:00.000Z"


def ago(days: float) -> str:
    return format_instant(datetime(2026, 6, 1, 2, 5, tzinfo=UTC) - timedelta(days=days))


def node(days_old: float = 0.0, kind: NodeKind = NodeKind.FACT, pinned: bool = False, standing: bool = False) -> Node:
    at = ago(days_old)
    return Node(
        "f-" + "0" * 24, kind, "The port is 5433.", "p", ("n-" + "0" * 24,), at, at, pinned=pinned, standing=standing
    )


def test_the_half_lives_are_those_decided() -> None:
    assert [HALF_LIFE_DAYS[kind] for kind in NodeKind] == [346, 138, 693, 693, 231, 173, 99, 173, 138, 346, 138]


@pytest.mark.parametrize("kind", list(NodeKind))
def test_decay_halves_each_half_life(kind: NodeKind) -> None:
    assert decay(kind, NOW, NOW) == 1.0
    assert decay(kind, ago(HALF_LIFE_DAYS[kind]), NOW) == pytest.approx(0.5)
    assert decay(kind, ago(2 * HALF_LIFE_DAYS[kind]), NOW) == pytest.approx(0.25)


def test_use_saturates_and_fades_by_half_in_thirty_days() -> None:
    assert use([], NOW) == 0.0
    assert use([NOW], NOW) == pytest.approx(1 - math.exp(-1 / 3))
    assert use([ago(30), ago(30)], NOW) == pytest.approx(1 - math.exp(-1 / 3))
    assert use([NOW] * 100, NOW) == pytest.approx(1.0)


def test_contradictions_combine_as_independent_chances() -> None:
    assert contradiction([]) == 0.0
    assert contradiction([50, 50]) == pytest.approx(0.75)
    assert contradiction([100]) == 1.0


def test_the_formula_with_and_without_a_goal() -> None:
    uses, edges = [NOW, ago(10)], [40]
    d, u, c = decay(NodeKind.FACT, ago(50), NOW), use(uses, NOW), 0.4
    known = vitality(node(50), NOW, uses, 0.8, edges)
    unknown = vitality(node(50), NOW, uses, None, edges)
    assert known.value == pytest.approx(0.45 * d + 0.25 * u + 0.30 * 0.8 - 0.50 * c)
    assert unknown.value == pytest.approx((0.45 * d + 0.25 * u) / 0.70 - 0.50 * c)
    assert goal_of_cosine(1.0) == 1.0
    assert goal_of_cosine(-1.0) == 0.0


@pytest.mark.parametrize(
    ("value", "tier"),
    [
        (1.0, Tier.HOT),
        (0.8501, Tier.HOT),
        (0.85, Tier.ACTIVE),
        (0.4, Tier.ACTIVE),
        (0.3999, Tier.DARK),
        (0.2, Tier.DARK),
        (0.1999, Tier.COLD),
        (0.0, Tier.COLD),
    ],
)
def test_tiers_begin_where_decided(value: float, tier: Tier) -> None:
    assert tier_of(value) is tier


@pytest.mark.parametrize("kept", [{"pinned": True}, {"standing": True}])
def test_pinned_and_standing_never_fall_below_0_4(kept: dict[str, bool]) -> None:
    score = vitality(node(5000, **kept), NOW, contradictions=[100, 100])  # type: ignore[arg-type]
    assert score.value == 0.4
    assert score.floored
    assert score.tier is Tier.ACTIVE


def test_a_persons_correction_moves_the_score() -> None:
    plain = vitality(node(100), NOW)
    raised = vitality(dataclasses.replace(node(100), adjust=20), NOW)
    assert raised.value == pytest.approx(plain.value + 0.20)


def test_e11_a_node_dated_2031_is_flagged_and_counts_as_said_now() -> None:
    late = dataclasses.replace(node(), evidence_at="2031-01-01T00:00:00.000Z")
    score = vitality(late, NOW)
    assert score.future
    assert score.value == vitality(node(), NOW).value
    assert not vitality(node(), NOW).future


def test_e11_a_clock_set_back_a_day_moves_no_tier() -> None:
    back = ago(1)
    for days in range(0, 400, 7):
        before, after = vitality(node(days), NOW), vitality(node(days), back)
        assert abs(before.value - after.value) < 0.01
        if min(abs(before.value - edge) for edge in (0.85, 0.4, 0.2)) > 0.01:
            assert before.tier is after.tier


def test_only_live_contradictions_count() -> None:
    edge = Edge("e-" + "0" * 24, "a", Relation.CONTRADICTS, "b", NOW, confidence=70)
    closed = dataclasses.replace(edge, valid_to="2026-05-01")
    other = dataclasses.replace(edge, relation=Relation.SUPERSEDES)
    assert contradicting("b", [edge, closed, other]) == [edge]
    assert contradicting("c", [edge]) == []


INSTANTS = st.datetimes(datetime.fromisoformat("1900-01-01"), datetime.fromisoformat("2300-01-01")).map(
    lambda d: format_instant(d.replace(tzinfo=UTC))
)
ANY_FLOAT = st.floats(allow_nan=True, allow_infinity=True)


@given(
    st.sampled_from(NodeKind),
    INSTANTS,
    INSTANTS,
    st.lists(INSTANTS, max_size=8),
    st.none() | ANY_FLOAT,
    st.lists(st.integers(-50, 500), max_size=6),
    st.booleans(),
    st.integers(-100, 100),
)
def test_e11_v_is_always_a_number_in_0_to_1(
    kind: NodeKind,
    evidence: str,
    now: str,
    uses: list[str],
    goal: float | None,
    contradictions: list[int],
    pinned: bool,
    adjust: int,
) -> None:
    subject = dataclasses.replace(node(0, kind, pinned=pinned), evidence_at=evidence, adjust=adjust)
    score = vitality(subject, now, uses, goal, contradictions)
    for part in (score.value, score.decay, score.use, score.contradiction, score.uncontradicted):
        assert 0.0 <= part <= 1.0
    assert score.value >= 0.4 or not pinned
    assert score.value <= score.uncontradicted


@given(st.floats(0, 2000), st.floats(0, 2000), st.integers(0, 10))
def test_older_evidence_and_fewer_uses_never_raise_v(a: float, b: float, uses: int) -> None:
    young, old = sorted((a, b))
    assert vitality(node(old), NOW).value <= vitality(node(young), NOW).value + 1e-12
    assert vitality(node(a), NOW, [NOW] * uses).value <= vitality(node(a), NOW, [NOW] * (uses + 1)).value + 1e-12


def test_an_empty_graph_and_a_long_absence_are_exempt() -> None:
    assert mean_vitality([], [], NOW).exempt
    old = node(190)
    absent = mean_vitality([(old, vitality(old, NOW), [])], [ago(190)[:10]], NOW)
    assert absent.value is None
    assert absent.exempt


def test_use_on_a_day_without_capture_does_not_count() -> None:
    old = node(190)
    scored = [(old, vitality(old, NOW, [ago(2)]), [ago(2)])]
    assert mean_vitality(scored, [], NOW).exempt
    assert mean_vitality(scored, [ago(2)[:10]], NOW).nodes == 1


def test_contradictions_can_trip_the_mean() -> None:
    fresh = node(1)
    mean = mean_vitality([(fresh, vitality(fresh, NOW, contradictions=[100]), [])], [ago(1)[:10]], NOW)
    assert mean.value is not None
    assert mean.value < 0.4
    assert mean.exempt == ""


def test_three_years_and_six_months_away_never_trip_by_age_alone() -> None:
    """Every fourth day a fact is learned and old ones are searched; then half a year of nothing, then one search."""
    days = list(range(3 * 365, 183, -4))
    nodes = [node(day) for day in days]
    for today in [*range(3 * 365 - 40, 183, -50), 0]:
        now = ago(today)
        known = [each for each in nodes if each.evidence_at <= now]
        uses = [ago(today)] * 3
        scored = [
            (each, vitality(each, now, uses if i % 3 == 0 else []), uses if i % 3 == 0 else [])
            for i, each in enumerate(known)
        ]
        mean = mean_vitality(scored, {*(ago(day)[:10] for day in days if day >= today), now[:10]}, now)
        assert mean.exempt or (mean.value is not None and mean.value >= 0.4)
