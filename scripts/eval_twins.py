"""Measure what a model adds where the rules leave unsure whether two statements are one.

    python scripts/eval_twins.py DIR --judge MODEL [--answers FILE] [--work DIR] [--json]

DIR is a consolidation corpus. The rules judge all else; each pair they leave unsure is put to the model, which is heard
above the bar that known pairs set (`dream/debate/twins.py`). Prints the known pairs, the corpus's unsure pairs by
their labels, its look-alikes and its repeats in two languages, and the corpus's metrics with and without the model.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from eval_answers import WrittenDown
from eval_corpus import loaded_in, nights_of, scored
from play_corpus import memory

from dream.compose import open_house
from dream.debate.asking import Asker
from dream.debate.court import Court, Sitting, Step
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.debate.twin_trials import PAIRS
from dream.debate.twins import bar, readings_of_pairs, twin_reading
from dream.house import House
from dream.model.calibration import Reading, auc, standard_error
from dream.ports import NodeFilter

ACROSS = 40
"""Repeats in two languages that are put to the model."""


class Comparing(Court):
    """Rules judge; what they leave unsure is put to a model, or only noted down where there is none."""

    def __init__(self, asker: Asker | None, above: float) -> None:
        self._asks = asker
        self._above = above
        self.asked: list[tuple[str, tuple[str, ...], float]] = []

    @property
    def asker(self) -> Any:
        return self._asks

    def judge(self, cases: Sequence[Case], step: Step = lambda done: None) -> Sitting:
        sitting = Sitting("rules", {case.cluster.id: judge_by_rules(case) for case in cases})
        for case in cases:
            best = self._above
            for node_id, text in case.twins:
                reading = twin_reading(self._asks, text, case.text) if self._asks else 0.0
                self.asked.append((node_id, tuple(note.turn for note in case.cluster.notes), reading))
                if reading > best:
                    best, sitting.twins[case.cluster.id] = reading, node_id
        return sitting


def main() -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path, metavar="DIR")
    parser.add_argument("--judge", metavar="MODEL", help="a model served by Ollama; without it pairs are only counted")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="keep the model's answers here, and go on from them"
    )
    parser.add_argument("--work", type=Path, help="keep the homes here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    gold = json.loads((arguments.corpus / "gold.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        without = Comparing(None, math.inf)
        result: dict[str, Any] = {"rules": {"metrics": played(arguments.corpus, work / "rules", without, gold)[0]}}
        if arguments.judge:
            with open_house(loaded_in(work / "model", "UTC"), create=True) as house:
                model = WrittenDown(house.chat(arguments.judge), arguments.answers or work / "answers.jsonl")
                model.prepare()
                result[arguments.judge] = of_model(model, arguments.corpus, work, gold)
    print(json.dumps(result, indent=None if arguments.json else 1, ensure_ascii=False))
    return 0


def of_model(model: WrittenDown, corpus: Path, work: Path, gold: dict[str, Any]) -> dict[str, Any]:
    """Its known pairs, the gold's pairs, and the corpus played with it."""
    asker = Asker(model, model.seconds)
    known = readings_of_pairs(PAIRS, asker)
    above = bar(known)
    apart, across = gold_pairs(gold)
    alike = [(twin_reading(asker, one, other), False) for one, other in apart]
    repeats = [(twin_reading(asker, one, other), True) for one, other in across]
    # Without a say it changes nothing; what its word would be worth is still measured, above the same ceiling.
    ceiling = max(reading for reading, same in known if not same)
    with_model = Comparing(asker, above)
    metrics, unsure = played(corpus, work / "model", with_model, gold)
    return {
        "has_a_say": above < 1,
        "bar": round(ceiling, 3),
        "known_pairs": told(known, ceiling),
        "unsure_pairs": told(unsure, ceiling),
        "look_alikes_and_repeats": told([*alike, *repeats], ceiling),
        "metrics": metrics,
        "tokens": asker.spent.tokens,
        "seconds": round(asker.spent.seconds),
        "calls": asker.spent.calls,
    }


def told(pairs: Sequence[Reading], above: float) -> dict[str, Any]:
    """How a model ranks pairs, and what it would make one above a bar."""
    worth = auc(pairs)
    return {
        "same": sum(label for _, label in pairs),
        "other": sum(not label for _, label in pairs),
        "auc": [round(worth, 3), round(standard_error(worth, pairs), 3)],
        "made_one_rightly": sum(reading > above and label for reading, label in pairs),
        "made_one_wrongly": sum(reading > above and not label for reading, label in pairs),
    }


def gold_pairs(gold: dict[str, Any]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """A statement of each side of every look-alike; of repeats in two languages one in each."""
    facts = {fact["id"]: fact for fact in gold["facts"]}
    apart = [tuple(facts[pair[side]]["statements"][0]["text"] for side in ("a", "b")) for pair in gold["lookalikes"]]
    across = []
    for fact in facts.values():
        by_lang = {each["lang"]: each["text"] for each in reversed(fact["statements"])}
        if {"en", "fr"} <= set(by_lang):
            across.append((by_lang["en"], by_lang["fr"]))
    return [(one, other) for one, other in apart], across[:ACROSS]


def played(corpus: Path, out: Path, court: Comparing, gold: dict[str, Any]) -> tuple[dict[str, Any], list[Reading]]:
    """The corpus's metrics, and the unsure pairs with whether the gold calls them one."""
    loaded = loaded_in(out, gold["timezone"])
    nights_of(corpus, loaded, gold["timezone"], court)
    with open_house(loaded) as house:
        labels = list(labelled(house, court.asked, gold))
        return scored(corpus, memory(house)), labels


def labelled(
    house: House, asked: Iterable[tuple[str, tuple[str, ...], float]], gold: dict[str, Any]
) -> Iterable[Reading]:
    """Pairs of which the gold knows both sides."""
    fact_of = {each["uuid"]: fact["id"] for fact in gold["facts"] for each in fact["statements"]}
    nodes = {node.id: node for node in house.store.nodes(NodeFilter(statuses=None))}
    for node_id, turns, reading in asked:
        node = nodes.get(node_id)
        notes = house.store.notes_by_id(node.notes).values() if node is not None else ()
        mine = {fact_of[turn] for turn in turns if turn in fact_of}
        first = {fact_of[note.turn] for note in list(notes)[:1] if note.turn in fact_of}
        if mine and first:
            yield reading, bool(mine & first)


if __name__ == "__main__":
    sys.exit(main())
