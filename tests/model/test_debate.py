"""The thresholds of the mission, at and beside their edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.model.debate import WEIGHT, Ballot, Decision, Role, consensus, decide


def ballots(*scores: int | None, veto: Role | None = None) -> list[Ballot]:
    return [Ballot(role, score, role.value, role is veto) for role, score in zip(Role, scores, strict=True)]


def test_the_weights_are_those_of_the_mission() -> None:
    assert WEIGHT == {Role.ARCHIVIST: 25, Role.SCEPTIC: 30, Role.OPTIMISER: 20, Role.DOMAIN_EXPERT: 25}


@pytest.mark.parametrize(
    ("score", "decision"),
    [(71, Decision.ACCEPT), (70, Decision.HOLD), (50, Decision.HOLD), (49, Decision.REJECT), (0, Decision.REJECT)],
)
def test_accept_is_above_70_and_reject_below_50(score: int, decision: Decision) -> None:
    verdict = decide(ballots(score, score, score, score), "rules")
    assert (verdict.consensus, verdict.decision) == (score, decision)


def test_the_weight_of_a_role_that_abstains_is_shared_out() -> None:
    assert consensus(ballots(100, None, 100, 100)) == 100
    assert consensus(ballots(100, 0, 100, 100)) == 70


def test_fewer_ballots_than_the_quorum_is_a_hold() -> None:
    assert decide(ballots(95, 95, None, None), "rules").decision is Decision.HOLD
    assert decide(ballots(95, 95, None, None), "rules", quorum=2).decision is Decision.ACCEPT


def test_a_veto_caps_at_hold_and_the_archivists_rejects() -> None:
    assert decide(ballots(95, 95, 95, 95, veto=Role.SCEPTIC), "rules").decision is Decision.HOLD
    assert decide(ballots(95, 95, 95, 95, veto=Role.ARCHIVIST), "rules").decision is Decision.REJECT


def test_no_ballot_at_all_is_no_acceptance() -> None:
    assert decide(ballots(None, None, None, None), "rules").decision is Decision.REJECT


@given(st.lists(st.one_of(st.none(), st.integers(0, 100)), min_size=4, max_size=4))
def test_the_consensus_lies_among_the_scores_cast(scores: list[int | None]) -> None:
    cast = [score for score in scores if score is not None]
    found = consensus(ballots(*scores))
    assert min(cast, default=0) <= found <= max(cast, default=0)
