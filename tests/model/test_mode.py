"""The breaker's table: every threshold at its edge, every edge of the machine walked, absences that trip nothing."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dream.model.graph import Node, NodeKind
from dream.model.mode import ALLOWS, GREENS, Mode, Readings, State, faults, step
from dream.model.time import format_instant
from dream.model.vitality import mean_vitality, vitality

FINE = Readings(search_p95_ms=80.0, searches=50, consensus=82.0, clusters=30, memory_gb=1.0, available_gb=8.0,
                vitality=0.7, ledger_ok=True, ollama_up=True)  # fmt: skip
BAD: dict[Mode, Readings] = {
    Mode.NORMAL: FINE,
    Mode.CONSERVATIVE: dataclasses.replace(FINE, search_p95_ms=900.0),
    Mode.SECURE: dataclasses.replace(FINE, ledger_ok=False),
}


def asks(**altered: object) -> Mode | None:
    """The worst mode that readings ask for when they differ from fine ones so."""
    found = [fault.mode for fault in faults(dataclasses.replace(FINE, **altered))]  # type: ignore[arg-type]
    return max(found, key=lambda mode: mode.level, default=None)


@pytest.mark.parametrize(
    ("altered", "mode"),
    [
        ({"search_p95_ms": 500.0}, None),
        ({"search_p95_ms": 500.1}, Mode.CONSERVATIVE),
        ({"search_p95_ms": 9000.0, "searches": 19}, None),
        ({"search_p95_ms": 9000.0, "searches": 20}, Mode.CONSERVATIVE),
        ({"consensus": 70.0}, None),
        ({"consensus": 69.9}, Mode.CONSERVATIVE),
        ({"consensus": 55.0, "clusters": 9}, None),
        ({"consensus": 55.0, "clusters": 10}, Mode.CONSERVATIVE),
        ({"memory_gb": 15.0}, None),
        ({"memory_gb": 15.1}, Mode.SECURE),
        ({"available_gb": 1.0}, None),
        ({"available_gb": 0.9}, Mode.SECURE),
        ({"available_gb": 0.3, "models_gb": 0.69}, Mode.SECURE),
        ({"vitality": 0.4}, None),
        ({"vitality": 0.39}, Mode.SECURE),
        ({"vitality": 0.1, "exempt": "age alone"}, None),
        ({"vitality": None}, None),
        ({"ledger_ok": None}, None),
        ({"ledger_ok": False}, Mode.SECURE),
        ({"ollama_up": False}, None),
        ({"night_age_days": 400.0, "disk_gb": 0.0}, None),
    ],
)
def test_each_threshold_at_its_edge(altered: dict[str, object], mode: Mode | None) -> None:
    assert asks(**altered) is mode


def test_what_cannot_be_measured_trips_nothing() -> None:
    assert list(faults(Readings())) == []


def test_a_16_gb_machine_with_a_12_gb_model_of_ours_stays_normal() -> None:
    during = Readings(memory_gb=12.4, models_gb=12.0, available_gb=0.3, ledger_ok=True)
    assert step(State(), during).mode is Mode.NORMAL
    other = Readings(memory_gb=0.4, models_gb=0.0, available_gb=0.3, ledger_ok=True)
    assert step(State(), other).mode is Mode.SECURE  # another program took it


@pytest.mark.parametrize("before", Mode)
@pytest.mark.parametrize("asked", Mode)
def test_every_edge(before: Mode, asked: Mode) -> None:
    """Down at once and to the worst; up one step after three greens; a worse or equal probe begins anew."""
    for greens in range(GREENS):
        after = step(State(before, greens), BAD[asked])
        if asked.level > before.level:
            assert after == State(asked, 0)
        elif asked is before or before is Mode.NORMAL:
            assert after == State(before, 0)
        elif greens + 1 < GREENS:
            assert after == State(before, greens + 1)
        else:
            assert after == State(before.milder, 0)


def test_from_secure_it_takes_three_greens_for_each_step() -> None:
    state, seen = State(Mode.SECURE), []
    for _ in range(6):
        state = step(state, FINE)
        seen.append(state.mode)
    assert seen == [Mode.SECURE, Mode.SECURE, Mode.CONSERVATIVE, Mode.CONSERVATIVE, Mode.CONSERVATIVE, Mode.NORMAL]


def test_what_each_mode_allows() -> None:
    assert ALLOWS[Mode.NORMAL].writes and ALLOWS[Mode.NORMAL].garden and ALLOWS[Mode.NORMAL].quorum == 3
    assert ALLOWS[Mode.CONSERVATIVE].nights and ALLOWS[Mode.CONSERVATIVE].quorum == 2
    assert not ALLOWS[Mode.SECURE].nights
    for mode in (Mode.CONSERVATIVE, Mode.SECURE):
        assert not (ALLOWS[mode].writes or ALLOWS[mode].garden or ALLOWS[mode].admits)


class Breaker(RuleBasedStateMachine):
    """Against a second account of the rules: how many greens in a row since it came into its mode."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.history: list[Mode] = [Mode.NORMAL]
        self.row = 0

    @rule(asked=st.sampled_from(Mode))
    def probe(self, asked: Mode) -> None:
        before = self.state.mode
        self.state = step(self.state, BAD[asked])
        self.history.append(self.state.mode)
        self.row = self.row + 1 if asked.level < before.level else 0
        if asked.level > before.level:
            assert self.state.mode is asked
        elif self.row == GREENS:
            assert self.state.mode is before.milder
            self.row = 0
        else:
            assert self.state.mode is before

    @invariant()
    def never_more_than_a_step_up(self) -> None:
        assert all(later.level >= before.level - 1 for before, later in pairwise(self.history))

    @invariant()
    def counts_are_small(self) -> None:
        assert 0 <= self.state.greens < GREENS


TestBreaker = Breaker.TestCase


def test_three_simulated_years_with_six_months_away_stay_normal() -> None:
    """Work on weekdays, half a year away, back again; every day a probe over what a store would hold."""
    begun = datetime(2023, 1, 2, 9, tzinfo=UTC)
    kinds = list(NodeKind)
    nodes: list[Node] = []
    days: set[str] = set()
    state = State()
    for day in range(3 * 365):
        at = begun + timedelta(days=day)
        now = format_instant(at)
        away = 400 <= day < 583
        if not away and at.weekday() < 5:
            days.add(now[:10])
            nodes.append(Node(f"f-{day}", kinds[day % len(kinds)], "x", "", ("n-1",), now, now))
            again = len(nodes) // 3
            nodes[again] = dataclasses.replace(nodes[again], evidence_at=now)
        if day % 3:
            continue
        scored = [(node, vitality(node, now), ()) for node in nodes]
        mean = mean_vitality(scored, days, now)
        state = step(state, dataclasses.replace(FINE, vitality=mean.value, exempt=mean.exempt, night_age_days=1.0))
        assert state.mode is Mode.NORMAL, f"day {day}: {mean}"
