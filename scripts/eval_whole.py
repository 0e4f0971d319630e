"""A corpus, or some of its nights, played with a model at the bench, beside the same nights played by rules.

Nights before those are judged by rules, and the corpus ends with them: its gold is what was said until then, and a fact
whose change is not said yet is current. Only what was said in them is compared. Both memories are scored by the
corpus's own program, as a whole and case by case, so that a difference can be paired: each fact, change, date, repeat,
look-alike and piece of noise is one case.
"""

from __future__ import annotations

import functools
import json
import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from eval_answers import WrittenDown
from eval_corpus import loaded_in, nights_of, scored, scorer_of
from eval_court import interval
from play_corpus import by_day, memory

from dream.compose import open_house
from dream.debate.asking import Asker
from dream.debate.court import Court, Sitting, Step
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.debate.twin_trials import PAIRS
from dream.debate.twins import bar, readings_of_pairs
from dream.model.calibration import Calibration
from dream.model.debate import Role

ASIDE = "aside"
"""A fact's status in a question that is not about it."""


class ByRules(Court):
    """A court that judges by rules and keeps the cases it was given."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    @property
    def asker(self) -> Any:
        return None

    def judge(self, cases: Sequence[Case], step: Step = lambda done: None) -> Sitting:
        self.cases += cases
        return Sitting("rules", {case.cluster.id: judge_by_rules(case) for case in cases})


class From(ByRules):
    """Rules judge what was said before a day, `court` the rest."""

    def __init__(self, court: Court, day: str) -> None:
        super().__init__()
        self._court = court
        self._day = day

    def judge(self, cases: Sequence[Case], step: Step = lambda done: None) -> Sitting:
        if all(case.cluster.said_at[:10] < self._day for case in cases):
            return super().judge(cases, step)
        return self._court.judge(cases, step)


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights that are looked at, by the first and the last day they follow."""

    first: str
    last: str

    @classmethod
    def named(cls, corpus: Path, said: str | None) -> Nights:
        """From `3-7`, counted from 1; all without a name."""
        days = [day.isoformat() for day in sorted(by_day(corpus))]
        start, _, end = (said or f"1-{len(days)}").partition("-")
        return cls(days[int(start) - 1], days[int(end or start) - 1])


def whole(
    corpus: Path, work: Path, model: WrittenDown, worth: Mapping[Role, Calibration], nights: Nights
) -> dict[str, Any]:
    """Both memories after these nights, and what the model's differs by; drafts are left out."""
    corpus = sliced(corpus, work / "slice", nights.last)
    asker = Asker(model, model.seconds)
    heard = any(each.trust for each in worth.values())
    above = bar(readings_of_pairs(PAIRS, asker)) if heard else math.inf
    by_rules = ByRules()
    # A model without any trust is sent home, as `judges.seat` does it.
    court = Court(model, model.seconds, worth, draft=False, bar=above) if heard else ByRules()
    rules = _played(corpus, work / "whole-rules", by_rules)
    held = _played(corpus, work / "whole-model", From(court, nights.first))
    spent = court.asker.spent if heard else asker.spent
    return {
        "nights": sum(nights.first <= day.isoformat() for day in by_day(corpus)),
        "cases": sum(nights.first <= case.cluster.said_at[:10] for case in by_rules.cases),
        "sent_home": not heard,
        "says_what_is_one": above < 1,
        "rules": scored(corpus, rules),
        "model": scored(corpus, held),
        "paired": beside(outcomes(corpus, rules, nights.first), outcomes(corpus, held, nights.first)),
        "tokens": spent.tokens,
        "seconds": round(spent.seconds),
        "calls": spent.calls,
    }


def _played(corpus: Path, out: Path, court: Court) -> list[dict[str, Any]]:
    zone = json.loads((corpus / "gold.json").read_text("utf-8"))["timezone"]
    loaded = loaded_in(out, zone)
    nights_of(corpus, loaded, zone, court)
    with open_house(loaded) as house:
        return memory(house)


def sliced(corpus: Path, out: Path, last: str) -> Path:
    """A corpus until a day as one of its own."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    days = by_day(corpus)
    for day, paths in days.items():
        for path in paths if day.isoformat() <= last else ():
            shutil.copy(path, out)
    kept = {path.name for path in out.glob("*.jsonl")}
    scorer = corpus.parent / "score.py"
    if scorer.is_file():
        shutil.copy(scorer, out)
    gold = _until(json.loads((corpus / "gold.json").read_text("utf-8")), kept)
    (out / "gold.json").write_text(json.dumps(gold, ensure_ascii=False), "utf-8")
    return out


def _until(gold: dict[str, Any], files: set[str]) -> dict[str, Any]:
    sessions = {each["session"] for each in gold["sessions"] if each["file"] in files}
    facts = []
    for fact in gold["facts"]:
        inside = [each for each in fact["statements"] if each["session"] in sessions]
        if inside:
            facts.append({**fact, "statements": inside})
    ids = {fact["id"] for fact in facts}
    changes = [each for each in gold["supersessions"] if each["new"] in ids and each["old"] in ids]
    replaced = {each["old"] for each in changes}
    for fact in facts:
        if fact["status"] == "superseded" and fact["id"] not in replaced:
            fact["status"] = "current"
    said = {each["uuid"]: each["lang"] for fact in facts for each in fact["statements"]}
    groups = []
    for group in gold["duplicates"]:
        again = [uuid for uuid in group["statements"] if uuid in said]
        if len(again) > 1:
            groups.append({**group, "statements": again, "langs": sorted({said[uuid] for uuid in again})})
    return {
        **gold,
        "sessions": [each for each in gold["sessions"] if each["session"] in sessions],
        "facts": facts,
        "supersessions": changes,
        "dates": [each for each in gold["dates"] if each["statement"] in said],
        "duplicates": groups,
        "lookalikes": [each for each in gold["lookalikes"] if {each["a"], each["b"]} <= ids],
        "noise": [each for each in gold["noise"] if each["session"] in sessions],
        "secrets": [each for each in gold["secrets"] if each["session"] in sessions],
        "questions": [each for each in gold["questions"] if each["fact"] in ids],
    }


def outcomes(corpus: Path, held: Sequence[dict[str, Any]], first: str) -> dict[str, dict[str, float]]:
    """By what is asked of a memory, each case's 1 or 0, by the corpus's own program; empty where it has none.

    Args:
        first: the day from which on something of a case was said.
    """
    module = scorer_of(corpus)
    if module is None:
        return {}
    for name in ("has", "norm"):
        setattr(module, name, functools.lru_cache(maxsize=None)(getattr(module, name)))
    gold = json.loads((corpus / "gold.json").read_text("utf-8"))
    lists = ("supersessions", "dates", "duplicates", "lookalikes", "noise", "secrets")
    nothing = {**gold, **{name: [] for name in lists}}
    day_of = {each["uuid"]: each["at"][:10] for fact in gold["facts"] for each in fact["statements"]}
    late = {fact["id"] for fact in gold["facts"] if any(day_of[each["uuid"]] >= first for each in fact["statements"])}
    sessions = {each["session"] for each in gold["sessions"] if each["start"][:10] >= first}

    def asked(**only: Any) -> dict[str, Any]:
        told: dict[str, Any] = module.score({**nothing, **only}, [dict(each) for each in held])
        return told

    def one(name: str, key: str, cases: Sequence[dict[str, Any]]) -> dict[str, float]:
        values = {json.dumps(case, sort_keys=True): asked(**{name: [case]})[key] for case in cases}
        return {case: float(value) for case, value in values.items() if value is not None}

    survived = {}
    for fact in gold["facts"]:
        if fact["status"] == "current" and fact["id"] in late:
            others = [each if each is fact else {**each, "status": ASIDE} for each in gold["facts"]]
            survived[fact["id"]] = float(asked(facts=others)["survival_recall"])
    alike = [each for each in gold["lookalikes"] if late & {each["a"], each["b"]}]
    merged = one("lookalikes", "false_merge_rate", alike)
    noise = {
        each["uuid"]: float(asked(noise=[each])["noise_by_type"][each["why"]] == "0/1")
        for each in gold["noise"]
        if each["session"] in sessions
    }
    changes = [each for each in gold["supersessions"] if each["new"] in late]
    dates = [each for each in gold["dates"] if day_of[each["statement"]] >= first]
    groups = [each for each in gold["duplicates"] if any(day_of[uuid] >= first for uuid in each["statements"])]
    return {
        "survival": survived,
        "supersession": one("supersessions", "supersession_accuracy", changes),
        "supersession_dates": one("supersessions", "supersession_date_accuracy", changes),
        "dates": one("dates", "date_accuracy", dates),
        "repeats_made_one": one("duplicates", "duplicate_merge_recall", groups),
        "kept_apart": {case: 1 - value for case, value in merged.items()},
        "noise_kept_out": noise,
    }


def beside(rules: Mapping[str, Mapping[str, float]], model: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """The model's outcomes less the rules', case by case: mean, interval, and whether it falls below."""
    told = {}
    for name, cases in rules.items():
        differences = [model[name].get(case, 0.0) - value for case, value in cases.items()]
        better, worse = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
        told[name] = {"n": len(cases), "better": better, "worse": worse, **interval(differences)}
    return told
