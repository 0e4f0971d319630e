"""Measure what judges a night is worth: rules, one pass of a model, four blind roles, four roles that see one another.

    python scripts/eval_night.py DIR [--judge MODEL] [--cases N] [--whole] [--nights A-B] [--gate] [--answers FILE]

DIR is a consolidation corpus (transcripts and `gold.json`). Without more it plays the corpus with the rules and prints
the corpus's own figures where its `score.py` is found. `--judge` names a model that Ollama serves: it sits its exam,
and each arrangement judges N statements whose fate is known. `--whole` also plays the corpus with it, or some nights of
it on top of what the rules held until then, and pairs what is held with what the rules hold. `--gate` asks the corpus's
questions with nodes and without, and exits 1 where dreaming does not help. `--answers` writes the model's answers down
as they come: a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from eval_answers import Brief, WrittenDown
from eval_corpus import loaded_in, nights_of, scored
from eval_court import Labelled, examined, figures, of_chance, of_model
from eval_gate import gate
from eval_whole import ByRules, Nights, whole
from play_corpus import play

from dream.adapters.ollama import OllamaChat
from dream.compose import open_house
from dream.debate.cluster import single
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.house import House
from dream.ports import ChatModel, NoteFilter

SEED = 7


def main() -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path, metavar="DIR")
    parser.add_argument("--judge", metavar="MODEL", help="a model served by Ollama, beside the rules")
    parser.add_argument("--cases", type=int, default=40, metavar="N", help="statements judged by each arrangement")
    parser.add_argument("--whole", action="store_true", help="also play the whole corpus with the model")
    parser.add_argument(
        "--nights",
        metavar="A-B",
        help="with --whole the model judges these nights alone; statements to keep are of them",
    )
    parser.add_argument(
        "--brief", action="store_true", help="stop each ballot before its reason, which no figure reads"
    )
    parser.add_argument(
        "--few", type=int, default=0, metavar="N", help="statements that the other three arrangements judge (all)"
    )
    parser.add_argument("--chance", type=int, metavar="N", help="also N judges that answer at random")
    parser.add_argument("--gate", action="store_true", help="dream on against dream off; exit 1 where it does not help")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="keep the model's answers here, and go on from them"
    )
    parser.add_argument("--work", type=Path, help="keep the homes here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    span = Nights.named(arguments.corpus, arguments.nights)
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        result: dict[str, Any] = {"rules": played_by_rules(arguments.corpus, work / "rules" / arguments.corpus.name)}
        cases = labelled(arguments.corpus, work / "cases")
        result["rules"]["cases"] = figures([(judge_by_rules(case), keep) for case, keep in cases])
        if arguments.chance:
            result["chance"] = of_chance(cases, arguments.chance)
        if arguments.judge:
            with open_house(loaded_in(work / "model", "UTC"), create=True) as house:
                model = WrittenDown(_asked(house, arguments), arguments.answers or work / "answers.jsonl")
                kinds = kinds_of(cases, json.loads((arguments.corpus / "gold.json").read_text("utf-8")))
                some = sample(within(cases, span), arguments.cases, kinds)
                result[arguments.judge] = told = of_model(model, some, kinds, arguments.few) if some else {}
                if arguments.whole:
                    told["whole"] = whole(arguments.corpus, work, model, examined(model)[0], span)
        if arguments.gate:
            result["gate"] = gate(arguments.corpus, work / "rules")
    print(json.dumps(result) if arguments.json else table(result))
    return 0 if result.get("gate", {}).get("passed", True) else 1


def _asked(house: House, arguments: argparse.Namespace) -> ChatModel:
    model = house.chat(arguments.judge)
    return Brief(model) if arguments.brief and isinstance(model, OllamaChat) else model


def played_by_rules(corpus: Path, out: Path) -> dict[str, Any]:
    """Play the corpus and score what is held, by the corpus's own program where it lies beside it."""
    played = play(corpus, out, "rules", answers=False)
    held = [json.loads(line) for line in (out / "memory.jsonl").read_text("utf-8").splitlines()]
    metrics = scored(corpus, held)
    return {**played, "metrics": metrics} if metrics else played


def labelled(corpus: Path, out: Path) -> list[Labelled]:
    """Every statement that the gold knows, as a night would put it, and whether it should be kept."""
    gold = json.loads((corpus / "gold.json").read_text("utf-8"))
    good = {each["uuid"] for fact in gold["facts"] for each in fact["statements"]}
    bad = {each["uuid"] for each in gold["noise"]}
    loaded = loaded_in(out, gold["timezone"])
    recorder = ByRules()
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


def kinds_of(cases: Sequence[Labelled], gold: dict[str, Any]) -> dict[str, str]:
    """What each cluster is: `new`, `change`, `repeat`, `repeat in the other language`, or what noise it is."""
    changes = {each["new"] for each in gold["supersessions"]}
    told: dict[str, str] = {each["uuid"]: each["why"] for each in gold["noise"]}
    for fact in gold["facts"]:
        first, *again = sorted(fact["statements"], key=lambda each: str(each["at"]))
        told[first["uuid"]] = "change" if fact["id"] in changes else "new"
        langs = {first["lang"]}
        for each in again:
            told[each["uuid"]] = "repeat" if each["lang"] in langs else "repeat in the other language"
            langs.add(each["lang"])
    return {
        case.cluster.id: next((told[note.turn] for note in case.cluster.notes if note.turn in told), "other")
        for case, _ in cases
    }


def within(cases: Sequence[Labelled], span: Nights) -> list[Labelled]:
    """What is to be kept of these nights, so that playing them asks much the same; what is to be refused of all."""
    return [(case, keep) for case, keep in cases if not keep or span.first <= case.cluster.said_at[:10] <= span.last]


def sample(cases: Sequence[Labelled], number: int, kinds: Mapping[str, str]) -> list[Labelled]:
    """As many to keep as to refuse where there are, of each kind as evenly as there are, drawn repeatably."""
    draw = random.Random(SEED)
    good = _mixed([each for each in cases if each[1]], kinds, draw)
    bad = _mixed([each for each in cases if not each[1]], kinds, draw)
    few = min(number // 2, len(bad))
    # One of each in turn, so that a run that is stopped has seen both.
    return [each for pair in zip_longest(good[: number - few], bad[:few]) for each in pair if each is not None]


def _mixed(cases: Sequence[Labelled], kinds: Mapping[str, str], draw: random.Random) -> list[Labelled]:
    """Drawn by turns from each kind."""
    of_kind: dict[str, list[Labelled]] = {}
    for each in draw.sample(cases, len(cases)):
        of_kind.setdefault(kinds[each[0].cluster.id], []).append(each)
    rows = zip_longest(*(of_kind[kind] for kind in sorted(of_kind)))
    return [each for row in rows for each in row if each is not None]


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
