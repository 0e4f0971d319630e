"""Measure what judges a night is worth: rules, one pass of a model, four blind roles, four roles that see one another.

    python scripts/eval_night.py DIR [--judge MODEL] [--cases N] [--whole] [--gate] [--answers FILE] [--work DIR]

DIR is a consolidation corpus (transcripts and `gold.json`). Without more it plays the corpus with the rules and prints
the corpus's own figures where its `score.py` is found. `--judge` names a model that Ollama serves: it sits its exam,
and each arrangement judges N statements whose fate is known. `--whole` also plays the corpus with it. `--gate` asks the
corpus's questions with nodes and without, and exits 1 where dreaming does not help. `--answers` writes the model's
answers down as they come: a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from eval_answers import WrittenDown
from eval_corpus import loaded_in, nights_of, scored
from eval_court import Labelled, figures, of_model
from eval_gate import gate
from play_corpus import play

from dream.compose import open_house
from dream.debate.cluster import single
from dream.debate.court import Court, Sitting, Step
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.ports import NoteFilter

SEED = 7


def main() -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path, metavar="DIR")
    parser.add_argument("--judge", metavar="MODEL", help="a model served by Ollama, beside the rules")
    parser.add_argument("--cases", type=int, default=40, metavar="N", help="statements judged by each arrangement")
    parser.add_argument("--whole", action="store_true", help="also play the whole corpus with the model")
    parser.add_argument("--gate", action="store_true", help="dream on against dream off; exit 1 where it does not help")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="keep the model's answers here, and go on from them"
    )
    parser.add_argument("--work", type=Path, help="keep the homes here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        result: dict[str, Any] = {"rules": whole(arguments.corpus, work / "rules" / arguments.corpus.name, "rules")}
        cases = labelled(arguments.corpus, work / "cases")
        result["rules"]["cases"] = figures([(judge_by_rules(case), keep) for case, keep in cases])
        if arguments.judge:
            with open_house(loaded_in(work / "model", "UTC"), create=True) as house:
                model = WrittenDown(house.chat(arguments.judge), arguments.answers or work / "answers.jsonl")
                result[arguments.judge] = of_model(model, sample(cases, arguments.cases))
            if arguments.whole:
                result[arguments.judge]["whole"] = whole(arguments.corpus, work / "model", arguments.judge)
        if arguments.gate:
            result["gate"] = gate(arguments.corpus, work / "rules")
    print(json.dumps(result) if arguments.json else table(result))
    return 0 if result.get("gate", {}).get("passed", True) else 1


def whole(corpus: Path, out: Path, judge: str) -> dict[str, Any]:
    """Play the corpus and score what is held, by the corpus's own program where it lies beside it."""
    played = play(corpus, out, judge, answers=False)
    held = [json.loads(line) for line in (out / "memory.jsonl").read_text("utf-8").splitlines()]
    metrics = scored(corpus, held)
    return {**played, "metrics": metrics} if metrics else played


class _Recorder(Court):
    """A court that judges by rules and keeps the cases it was given."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    @property
    def asker(self) -> Any:
        return None

    def judge(self, cases: Sequence[Case], step: Step = lambda done: None) -> Sitting:
        self.cases += cases
        return Sitting("rules", {case.cluster.id: judge_by_rules(case) for case in cases})


def labelled(corpus: Path, out: Path) -> list[Labelled]:
    """Every statement that the gold knows, as a night would put it, and whether it should be kept."""
    gold = json.loads((corpus / "gold.json").read_text("utf-8"))
    good = {each["uuid"] for fact in gold["facts"] for each in fact["statements"]}
    bad = {each["uuid"] for each in gold["noise"]}
    loaded = loaded_in(out, gold["timezone"])
    recorder = _Recorder()
    nights_of(corpus, loaded, gold["timezone"], recorder)
    found = []
    for case in recorder.cases:
        turns = {note.turn for note in case.cluster.notes}
        if turns & good or turns & bad:
            found.append((case, bool(turns & good)))
    put = {note.id for case, _ in found for note in case.cluster.notes}
    with open_house(loaded) as house:
        for note in house.store.notes(NoteFilter()):
            if note.turn in bad and note.id not in put:
                # Capture and clustering keep most noise from the court; here it has to tell it apart itself.
                frame = house.frames.read_said(note.text, note.at, house.zone, note.signals)
                found.append((Case(single(note), note.text, len(frame.values), len(frame.topic)), False))
    return found


def sample(cases: Sequence[Labelled], number: int) -> list[Labelled]:
    """As many to keep as to refuse where there are, drawn repeatably."""
    draw = random.Random(SEED)
    good = [each for each in cases if each[1]]
    bad = [each for each in cases if not each[1]]
    few = min(number // 2, len(bad))
    kept, refused = draw.sample(good, min(number - few, len(good))), draw.sample(bad, few)
    # One of each in turn, so that a run that is stopped has seen both.
    return [each for pair in zip_longest(kept, refused) for each in pair if each is not None]


def table(result: dict[str, Any]) -> str:
    """The figures as text."""
    lines = []
    for judge, told in result.items():
        lines.append(judge)
        for name, value in told.items():
            lines.append(f"  {name}: {json.dumps(value)}" if not isinstance(value, dict) else f"  {name}")
            if isinstance(value, dict):
                lines += [f"    {key:24} {json.dumps(each)}" for key, each in value.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
