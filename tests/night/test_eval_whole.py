"""A slice of a corpus is a corpus of its own, and what a judge changes in it is paired case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dream.debate.prompts import BALLOT
from dream.ports import Answer, Question
from tests.surfaces.line import script


def oracle(gold: dict[str, Any]) -> list[dict[str, Any]]:
    """A memory that holds what the gold wants, in the scorer's form."""
    since = {each["new"]: each["effective"] for each in gold["supersessions"]}
    dates: dict[str, list[str]] = {}
    for each in gold["dates"]:
        dates.setdefault(each["statement"], []).append(each["resolves"])
    return [
        {
            "id": fact["id"],
            "text": fact["canonical"] + " " + " ".join(group[0] for group in fact["keys"]),
            "status": fact["status"],
            "sources": [each["uuid"] for each in fact["statements"]],
            "valid_from": since.get(fact["id"], ""),
            "dates": [day for each in fact["statements"] for day in dates.get(each["uuid"], ())][:3],
        }
        for fact in gold["facts"]
    ]


def test_a_fact_whose_change_is_not_said_yet_is_current_in_a_slice(shared: Path, tmp_path: Path) -> None:
    corpus = shared / "corpora" / "consolidation" / "dev"
    whole = script("eval_whole")
    first, all_of_it = whole.Nights.named(corpus, "1-3"), whole.Nights.named(corpus, None)
    assert first.first == all_of_it.first and first.last < all_of_it.last
    made = whole.sliced(corpus, tmp_path / "slice", first.last)
    gold = json.loads((made / "gold.json").read_text("utf-8"))
    before = {fact["id"]: fact["status"] for fact in json.loads((corpus / "gold.json").read_text("utf-8"))["facts"]}
    assert len(list(made.glob("*.jsonl"))) == len(gold["sessions"]) == 3
    assert {fact["status"] for fact in gold["facts"]} == {"current"}
    assert "superseded" in {before[fact["id"]] for fact in gold["facts"]}


def test_each_case_a_judge_loses_is_told_and_what_it_shares_is_not(shared: Path, tmp_path: Path) -> None:
    corpus = shared / "corpora" / "consolidation" / "dev"
    whole = script("eval_whole")
    span = whole.Nights.named(corpus, "2-3")
    made = whole.sliced(corpus, tmp_path / "slice", span.last)
    held = oracle(json.loads((made / "gold.json").read_text("utf-8")))
    best = whole.outcomes(made, held, span.first)
    assert set(best["survival"].values()) == {1.0} == set(best["noise_kept_out"].values())
    lost = next(iter(best["survival"]))
    worse = whole.outcomes(made, [each for each in held if each["id"] != lost], span.first)
    told = whole.beside(best, worse)["survival"]
    assert (told["better"], told["worse"]) == (0, 1) and told["n"] == len(best["survival"])
    assert whole.beside(best, best)["survival"]["holds"]


def test_a_ballot_stopped_before_its_reason_reads_as_a_ballot() -> None:
    answers = script("eval_answers")
    asked: list[dict[str, Any]] = []

    class Stopped:
        """Answers as a server does that was told where to stop."""

        name = "stopped:1b"

        def _options(self, budget: int) -> dict[str, Any]:
            return {"num_predict": budget}

        def complete(self, question: Question) -> Answer:
            asked.append(self._options(7))
            return Answer('{"vote": "accept", "score": 75, ', "", True, 9, 9, {})

    told = answers.Brief(Stopped()).complete(Question("s", "u", BALLOT, 120))
    assert json.loads(told.text) == {"vote": "accept", "score": 75, "reason": ""}
    assert asked == [{"num_predict": 7, "stop": ['"reason"']}]
