"""The programs that measure a judge: a good model shows as good, a bad one as bad, the night as no worse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dream.debate.exam import TRIALS
from dream.debate.roles import Case
from dream.errors import ModelUnavailable
from dream.model.ids import make_id
from dream.ports import Question
from tests.night.spoken import SpokenChat
from tests.surfaces.line import script

ARRANGEMENTS = ("calibrated", "blind", "one_pass", "seeing")


def cases() -> list[tuple[Case, bool]]:
    return [(trial.case, trial.keep) for trial in TRIALS[:16]]


def claim_of(question: Question) -> str:
    return question.user.split("Claim: <said>")[1].split("</said>")[0]


def voting(right: Callable[[bool], str]) -> Callable[[Question], str]:
    """A model that knows each claim's fate and votes as `right` makes of it."""

    def says(question: Question) -> str:
        (keep,) = {trial.keep for trial in TRIALS if trial.claim == claim_of(question) and trial.said in question.user}
        return json.dumps({"vote": right(keep), "score": 75, "reason": "so it is"})

    return says


def measured(says: Callable[[Question], str], path: Path) -> dict[str, Any]:
    court = script("eval_court")
    model = script("eval_answers").WrittenDown(SpokenChat("spoken:1b", says), path)
    told: dict[str, Any] = court.of_model(model, cases())
    return told


def test_a_model_that_knows_is_above_the_rules_and_one_that_is_wrong_falls_below_alone(tmp_path: Path) -> None:
    good = measured(voting(lambda keep: "accept" if keep else "reject"), tmp_path / "good.jsonl")
    assert good["exam"]["auc"]["chance"][0] == 1.0
    assert good["one_pass"]["auc"] == 1.0 and good["one_pass"]["readings_auc"]["chance"][0] == 1.0
    assert all(good[each]["against_rules"]["holds"] for each in ARRANGEMENTS)
    bad = measured(voting(lambda keep: "reject" if keep else "accept"), tmp_path / "bad.jsonl")
    assert bad["one_pass"]["auc"] == 0.0 and not bad["one_pass"]["against_rules"]["holds"]
    assert bad["calibrated"]["against_rules"] == {"mean": 0.0, "interval": [0.0, 0.0], "holds": True}


def test_a_run_that_lost_its_model_tells_what_it_had_seen(tmp_path: Path) -> None:
    left = [len(TRIALS) + 16 * 4 + 16 + 9]
    says = voting(lambda keep: "accept" if keep else "reject")

    def dies(question: Question) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise ModelUnavailable("It went away.", "Wait.")
        return says(question)

    told = measured(dies, tmp_path / "answers.jsonl")
    assert told["one_pass"]["n"] == 16 and told["seeing"]["n"] < 16


@pytest.mark.parametrize(
    ("differences", "holds"), [([0.0] * 9, True), ([-0.5] * 9, False), ([-0.5, 0.5, 0.0] * 3, True), ([], True)]
)
def test_below_the_rules_is_below_by_more_than_the_interval(differences: list[float], holds: bool) -> None:
    assert script("eval_court").interval(differences)["holds"] is holds


def test_the_cases_of_the_measured_slice_are_told_apart_by_their_clusters() -> None:
    ids = [case.cluster.id for case, _ in cases()]
    assert len(set(ids)) == len(ids) and ids[0] == make_id("c", cases()[0][0].cluster.notes[0].id, TRIALS[0].claim)
