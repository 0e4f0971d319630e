"""Measure what a model's drafts are worth: what it writes of kept statements, what is struck out, what is left to read.

    python scripts/eval_drafts.py DIR --judge MODEL [--cases N] [--answers FILE] [--work DIR] [--json]

DIR is a consolidation corpus. N statements that the rules keep are drafted as a night drafts them. Prints how many
facts, dates, entities and relations were written and how many stood in their notes, and each draft beside its notes, so
that a person can say which of what was left is right.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from eval_answers import WrittenDown
from eval_corpus import loaded_in
from eval_night import SEED, labelled

from dream.compose import open_house
from dream.debate.asking import Asker
from dream.debate.drafts import Draft, dates_meant, drafted
from dream.debate.prompts import drafting
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.errors import ReplyLost
from dream.model.debate import Decision

SORTS = ("facts", "dates", "entities", "relations")


def main() -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path, metavar="DIR")
    parser.add_argument("--judge", required=True, metavar="MODEL", help="a model served by Ollama")
    parser.add_argument("--cases", type=int, default=20, metavar="N", help="statements drafted")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="keep the model's answers here, and go on from them"
    )
    parser.add_argument("--work", type=Path, help="keep the homes here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        kept = [
            case
            for case, keep in labelled(arguments.corpus, work / "cases")
            if keep and judge_by_rules(case).decision is Decision.ACCEPT
        ]
        with open_house(loaded_in(work / "model", "UTC"), create=True) as house:
            model = WrittenDown(house.chat(arguments.judge), arguments.answers or work / "answers.jsonl")
            model.prepare()
            some = random.Random(SEED).sample(kept, min(arguments.cases, len(kept)))
            result = of_drafts(Asker(model, model.seconds), some)
    print(json.dumps(result, indent=None if arguments.json else 1, ensure_ascii=False))
    return 0


def of_drafts(asker: Asker, cases: list[Case]) -> dict[str, Any]:
    """Written and left of each sort, what it cost, and every draft beside its notes."""
    written: Counter[str] = Counter()
    left: Counter[str] = Counter()
    shown = []
    lost = 0
    for case in cases:
        try:
            plain = asker.ask(drafting(case.cluster.notes, dates_meant(case))).plain
        except ReplyLost:
            lost += 1
            continue
        draft = drafted(plain, case)
        written.update(_written(plain))
        left.update(_left(draft))
        shown.append({
            "notes": [note.text for note in case.cluster.notes],
            "dated": case.text,
            "said": plain,
            "left": {
                "facts": [text for text, _ in draft.facts],
                "dates": draft.dates,
                "entities": draft.entities,
                "relations": [[each.source, each.relation.value, each.target] for each in draft.relations],
            },
        })  # fmt: skip
    return {
        "drafts": len(shown),
        "lost": lost,
        "of_each": {sort: {"written": written[sort], "left": left[sort]} for sort in SORTS},
        "struck_out": round(1 - sum(left.values()) / max(1, sum(written.values())), 3),
        "tokens": asker.spent.tokens,
        "seconds": round(asker.spent.seconds),
        "shown": shown,
    }


def _written(plain: dict[str, Any]) -> Counter[str]:
    facts = plain["facts"]
    return Counter(
        facts=len(facts),
        dates=len({each for fact in facts for each in fact.get("dates", ())}),
        entities=len({each for fact in facts for each in fact.get("entities", ())}),
        relations=len(plain["relations"]),
    )


def _left(draft: Draft) -> Counter[str]:
    return Counter(
        facts=len(draft.facts), dates=len(draft.dates), entities=len(draft.entities), relations=len(draft.relations)
    )


if __name__ == "__main__":
    sys.exit(main())
