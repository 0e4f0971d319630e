"""Play a consolidation corpus day by day, a night after each day, and write what the memory holds.

    python scripts/play_corpus.py DIR OUT [--judge rules] [--json]

DIR holds transcripts `NN_YYYY-MM-DD_<session>.jsonl` and `gold.json` (its `timezone` and `questions` are read, never
its answers). OUT gets `memory.jsonl` and `answers.jsonl`; the store stays in `OUT/home`. Each session is swept as a
transcript that no hook has seen; each night is played as of 02:05 of the next day. What was copied of DIR is removed
at the end. Run it where Dream is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections import defaultdict
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from dream.api import Dream
from dream.compose import open_house
from dream.house import House
from dream.model.graph import NodeStatus
from dream.ports import NodeFilter, NoteFilter
from dream.settings import load

K = 10
"""Hits kept for each question."""


def main() -> int:
    """Parse the command line, play, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path, metavar="DIR")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--judge", default="rules", help="auto, rules or a model's name (default: rules)")
    parser.add_argument("--keep", action="store_true", help="leave OUT/transcripts, which hold the corpus's secrets")
    parser.add_argument("--no-answers", action="store_true", help="do not ask the corpus's questions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if not (arguments.corpus / "gold.json").is_file():
        parser.error(f"{arguments.corpus} holds no gold.json")
    try:
        figures = play(arguments.corpus, arguments.out, arguments.judge, not arguments.no_answers)
    finally:
        if not arguments.keep:
            shutil.rmtree(arguments.out / "transcripts", ignore_errors=True)
    if arguments.json:
        print(json.dumps(figures))
    else:
        print("\n".join(f"{name:>10}  {value}" for name, value in figures.items()))
    return 0


def play(corpus: Path, out: Path, judge: str, answers: bool) -> dict[str, Any]:
    """Play all days; the figures `sessions nights notes nodes seconds`."""
    began = time.monotonic()
    gold = json.loads((corpus / "gold.json").read_text(encoding="utf-8"))
    zone = gold["timezone"]
    shutil.rmtree(out / "home", ignore_errors=True)
    shutil.rmtree(out / "transcripts", ignore_errors=True)
    transcripts = out / "transcripts" / "corpus"
    transcripts.mkdir(parents=True)
    environ = {
        "DREAM_SANITIZE_MODEL": "",  # a replay is judged by what is named; a model reads again where the caller says so
        **os.environ,
        "DREAM_HOME": str((out / "home").resolve()),
        "DREAM_TRANSCRIPTS": str(transcripts.parent.resolve()),
        "DREAM_STATE": str((out / "state").resolve()),
        "DREAM_TZ": zone,
    }
    shutil.rmtree(out / "state", ignore_errors=True)
    days = by_day(corpus)
    loaded = load(environ)
    with open_house(loaded, create=True):
        pass
    for day in sorted(days):
        for path in days[day]:
            shutil.copy(path, transcripts / (path.stem.split("_")[-1] + ".jsonl"))
        with open_house(loaded) as house:
            Dream(house).cycle(now=night_after(day, zone), judge=judge)
    with open_house(loaded) as house:
        held = memory(house)
        (out / "memory.jsonl").write_text("".join(line(each) for each in held), encoding="utf-8")
        if answers:
            answered = [answer(Dream(house), question["q"]) for question in gold.get("questions", [])]
            (out / "answers.jsonl").write_text("".join(line(each) for each in answered), encoding="utf-8")
        notes = len(house.store.notes(NoteFilter()))
    return {
        "sessions": sum(map(len, days.values())),
        "nights": len(days),
        "notes": notes,
        "nodes": len(held),
        "seconds": round(time.monotonic() - began, 1),
    }


def by_day(corpus: Path) -> dict[date, list[Path]]:
    """Transcripts by the day in their name."""
    days: dict[date, list[Path]] = defaultdict(list)
    for path in sorted(corpus.glob("*.jsonl")):
        days[date.fromisoformat(path.stem.split("_")[1])].append(path)
    return days


def night_after(day: date, zone: str) -> str:
    """02:05 of the next day, local time, as an instant."""
    local = datetime.combine(day + timedelta(days=1), datetime.min.time(), ZoneInfo(zone)).replace(hour=2, minute=5)
    return local.isoformat()


def memory(house: House) -> list[dict[str, Any]]:
    """Every node, in the form that the corpus's scorer reads."""
    nodes = house.store.nodes(NodeFilter(statuses=tuple(NodeStatus)))
    turns = {note.id: note.turn for note in house.store.notes(NoteFilter())}
    return [
        {
            "id": node.id,
            "text": node.text,
            "status": node.status.value,
            "sources": sorted({turns[note] for note in node.notes if note in turns}),
            "valid_from": node.valid_from,
            "dates": list(node.dates),
        }
        for node in nodes
    ]


def answer(dream: Dream, question: str) -> dict[str, Any]:
    """The first hits for a question."""
    hits = dream.recall(question, k=K).hits
    return {
        "q": question,
        "hits": [
            {
                "text": hit.text,
                "sources": list(dict.fromkeys(note.turn for note in hit.sources)),
                "status": "superseded" if hit.stale else hit.status.value,
            }
            for hit in hits
        ],
    }


def line(value: dict[str, Any]) -> str:
    """A value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
