"""Measure recall on a dataset: conversations with questions and the turns that hold the answer.

    python scripts/eval_recall.py DATASET [--work DIR] [--cases N] [--without] [--json]

DATASET holds `cases.jsonl.gz` (a conversation a line: turns, questions, evidence) or transcripts with `gold.json`. Each
conversation goes through the real write path in a home of its own: transcripts, sweep, night, ledger, store. A note
counts for its turn; a node stands for the turns it cites, best first, each taking a rank of its own. Conversations
between a user and an assistant with long turns are scored by sessions, the others by turns.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import math
import os
import random
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from play_corpus import play

from dream.compose import open_house
from dream.compose_recall import Searching
from dream.cycle.cycle import run_night
from dream.house import House
from dream.model.hit import Hit, Query, Weights
from dream.settings import load

K = 10
ASKED = {False: 30, True: 100}
"""Hits asked for, by whether sessions are counted, so that ten turns or sessions come of them."""
DRAWS = 1_000
SIGNALS = ("lexical", "dense", "verbatim", "context", "session", "echo", "load", "statement", "speaker", "time",
           "answer", "activation", "consolidated", "recency")  # fmt: skip
Figures = dict[str, float]
Ranker = Callable[[str, str], list[str]]


@dataclasses.dataclass(frozen=True)
class Question:
    """One question of a case.

    Attributes:
        evidence: turn uuids or session ids that hold the answer.
        stale: turns that state an outdated answer.
        turns: those of the evidence, also where it is counted by sessions.
    """

    text: str
    sort: str
    asked_at: str
    evidence: frozenset[str]
    stale: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()


@dataclasses.dataclass(frozen=True)
class Case:
    """A conversation that has been played into a home."""

    environ: dict[str, str]
    questions: list[Question]
    by_session: bool


def main() -> int:
    """Parse the command line, play, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("dataset", type=Path, metavar="DATASET")
    parser.add_argument("--work", type=Path, help="keep the homes here and use them again")
    parser.add_argument("--cases", type=int, default=0, metavar="N", help="only the first N conversations")
    parser.add_argument("--without", action="store_true", help="also with each signal left out in turn")
    parser.add_argument("--no-embedder", action="store_true", help="as where no embedder is installed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        cases = list(played(arguments.dataset, work, arguments.cases))
        result = evaluate(cases, arguments.without, not arguments.no_embedder)
    print(json.dumps(result) if arguments.json else table(result))
    return 0


def evaluate(cases: Sequence[Case], without: bool, embed: bool) -> dict[str, Any]:
    """All figures over the cases: `all by_type without dream_on dream_off fts5 difference`."""
    rows: dict[str, list[Figures]] = {}
    sorts: list[str] = []
    tuned = Weights()
    for number, case in enumerate(cases, 1):
        print(f"\rcase {number} of {len(cases)}", end="", file=sys.stderr)
        with open_house(load(case.environ)) as house:
            rankers = _rankers(house, case, without, tuned, embed)
            for question in case.questions:
                sorts.append(question.sort)
                for name, ranker in rankers.items():
                    ranked = ranker(question.text, question.asked_at)
                    rows.setdefault(name, []).append(measure(ranked, question))
    print(file=sys.stderr)
    on, off = rows["dream_on"], rows["dream_off"]
    result: dict[str, Any] = {"all": mean(on), "dream_on": mean(on), "dream_off": mean(off), "fts5": mean(rows["fts5"])}
    result["by_type"] = {
        sort: mean([row for row, each in zip(on, sorts, strict=True) if each == sort]) for sort in sorted(set(sorts))
    }
    result["without"] = {name[8:]: mean(each) for name, each in rows.items() if name.startswith("without ")}
    result["difference"] = {
        f"on - {name}": {key: interval(on, rows[name], key) for key in ("recall@10", "hit@5", "hit@10")}
        for name in rows
        if name != "dream_on"
    }
    return result


def _rankers(house: House, case: Case, without: bool, tuned: Weights, embed: bool) -> dict[str, Ranker]:
    def asking(weights: Weights, nodes: bool = True) -> Ranker:
        search = Searching(house.home, house.store, house.analyser, weights=weights, embed=embed)()  # type: ignore[arg-type]

        def ask(text: str, asked_at: str) -> list[str]:
            query = Query(text, k=ASKED[case.by_session], asked_at=asked_at, zone=house.zone, nodes=nodes)
            return expand(search.search(query).hits, case.by_session)

        return ask

    def fts5(text: str, asked_at: str) -> list[str]:
        ids = [each for each in house.store.match(text, 200) if each.startswith("n-")]
        notes = house.store.notes_by_id(ids)
        return _unique((notes[each].session if case.by_session else notes[each].turn) for each in ids if each in notes)

    rankers = {"dream_on": asking(tuned), "dream_off": asking(tuned, nodes=False), "fts5": fts5}
    for name in SIGNALS if without else ():
        rankers[f"without {name}"] = asking(dataclasses.replace(tuned, signals={**tuned.signals, name: 0.0}))
    return rankers


def expand(hits: Iterable[Hit], by_session: bool) -> list[str]:
    """The turns (or sessions) that hits stand for, in the order of their ranks."""
    return _unique(note.session if by_session else note.turn for hit in hits for note in _of(hit))


def _of(hit: Hit) -> Sequence[Any]:
    return hit.sources if hit.kind is not None else hit.sources[:1] or hit.sources


def _unique(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def measure(ranked: Sequence[str], question: Question) -> Figures:
    """The figures of one question."""
    places = [place for place, key in enumerate(ranked[:K]) if key in question.evidence]
    number = len(question.evidence)
    first = next((place for place, key in enumerate(ranked) if key in question.evidence), None)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(number, K)))
    figures = {f"recall@{k}": sum(place < k for place in places) / number for k in (1, 5, 10)}
    figures |= {f"hit@{k}": float(any(place < k for place in places)) for k in (1, 5, 10)}
    figures["full@10"] = float(len(places) == number)
    figures["mrr"] = 0.0 if first is None else 1 / (first + 1)
    figures["ndcg@10"] = sum(1 / math.log2(place + 2) for place in places) / ideal
    if question.stale:
        outdated = next((place for place, key in enumerate(ranked) if key in question.stale), None)
        figures["stale_above"] = float(outdated is not None and (first is None or outdated < first))
    return figures


def mean(rows: Sequence[Figures]) -> dict[str, float]:
    """Averages, each over the questions that have the figure."""
    names = dict.fromkeys(name for row in rows for name in row)
    held = {name: [row[name] for row in rows if name in row] for name in names}
    return {**{name: round(sum(each) / len(each), 4) for name, each in held.items()}, "n": len(rows)}


def interval(one: Sequence[Figures], other: Sequence[Figures], key: str) -> tuple[float, float, float]:
    """Mean difference and its 95 % interval by paired bootstrap."""
    pairs = [row[key] - against[key] for row, against in zip(one, other, strict=True)]
    draw = random.Random(7)
    means = sorted(sum(draw.choices(pairs, k=len(pairs))) / len(pairs) for _ in range(DRAWS))
    return (round(sum(pairs) / len(pairs), 4), round(means[DRAWS // 40], 4), round(means[-DRAWS // 40], 4))


def played(dataset: Path, work: Path, limit: int) -> Iterable[Case]:
    """The cases of a dataset, each played unless its home is there already."""
    if (dataset / "gold.json").is_file():
        yield _consolidation(dataset, work)
        return
    with gzip.open(dataset / "cases.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, text in enumerate(lines):
            if not limit or number < limit:
                yield _conversation(json.loads(text), work / f"{dataset.name}-{number:02d}")


def _consolidation(dataset: Path, work: Path) -> Case:
    gold = json.loads((dataset / "gold.json").read_text("utf-8"))
    out = work / dataset.name
    if not (out / "memory.jsonl").is_file():
        play(dataset, out, "rules", answers=False)
    said = {each["uuid"]: each["lang"] for fact in gold["facts"] for each in fact["statements"]}

    def sort(question: dict[str, Any]) -> str:
        languages = {said.get(each) for each in question["evidence"]}
        return "across languages" if question["lang"] not in languages else f"in {question['lang']}"

    asked = datetime.fromisoformat(gold["now"]).astimezone(tz=None)
    instant = f"{asked.astimezone(_UTC):%Y-%m-%dT%H:%M:%S}.000Z"
    questions = [
        Question(each["q"], sort(each), instant, frozenset(each["evidence"]), frozenset(each.get("stale", ())))
        for each in gold["questions"]
    ]
    return Case(_environ(out, gold["timezone"]), questions, by_session=False)


def _conversation(case: dict[str, Any], out: Path) -> Case:
    by_session = set(case["speakers"]) == {"user", "assistant"}
    turns = {turn["id"]: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{case['case']}/{turn['id']}")) for turn in case["turns"]}
    sessions = {turn["session"]: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{case['case']}/{turn['session']}"))
                for turn in case["turns"]}  # fmt: skip
    environ = _environ(out, "UTC")
    if not (out / "done").is_file():
        shutil.rmtree(out, ignore_errors=True)
        with open_house(load(environ), create=True) as house:
            for day, files in _days(case, turns, sessions).items():
                for name, text in files.items():
                    path = out / "transcripts" / "conversation" / f"{name}.jsonl"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, "utf-8")
                run_night(house, now=f"{day + timedelta(days=1)}T02:05:00.000Z")
        (out / "done").touch()
    questions = []
    for each in case["questions"]:
        keys = (
            [sessions[name] for name in each["sessions"]] if by_session else [turns[name] for name in each["evidence"]]
        )
        if keys:
            said = frozenset(turns[name] for name in each["evidence"])
            asked_at = f"{each['asked_at'][:19]}.000Z"
            questions.append(Question(each["q"], each["type"], asked_at, frozenset(keys), turns=said))
    return Case(environ, questions, by_session)


def _days(case: dict[str, Any], turns: dict[str, str], sessions: dict[str, str]) -> dict[date, dict[str, str]]:
    """Each day's sessions as the client would write them: text by session id, oldest day first."""
    lines: dict[str, list[str]] = {}
    begun: dict[str, date] = {}
    for turn in case["turns"]:
        held = lines.setdefault(turn["session"], [])
        at = datetime.fromisoformat(turn["at"]) + timedelta(seconds=len(held))
        begun[turn["session"]] = max(at.date(), begun.get(turn["session"], at.date()))
        speaker = turn["speaker"]
        role = speaker if speaker in ("user", "assistant") else "user"
        text = turn["text"] if speaker == role else f"{speaker}: {turn['text']}"
        line = {
            "type": role,
            "uuid": turns[turn["id"]],
            "parentUuid": json.loads(held[-1])["uuid"] if held else None,
            "sessionId": sessions[turn["session"]],
            "timestamp": f"{at:%Y-%m-%dT%H:%M:%S}.000Z",
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/someone/conversation",
            "version": "2.1.0",
            "gitBranch": "",
            "message": {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]},
        }
        held.append(json.dumps(line))
    days: dict[date, dict[str, str]] = {}
    for session, day in sorted(begun.items(), key=lambda pair: (pair[1], pair[0])):
        days.setdefault(day, {})[sessions[session]] = "\n".join(lines[session]) + "\n"
    return days


def _environ(out: Path, zone: str) -> dict[str, str]:
    root = out.resolve()
    return {**os.environ, "DREAM_HOME": str(root / "home"), "DREAM_TRANSCRIPTS": str(root / "transcripts"),
            "DREAM_STATE": str(root / "state"), "DREAM_TZ": zone}  # fmt: skip


def table(result: dict[str, Any]) -> str:
    """The figures as text."""
    names = ("recall@1", "recall@5", "recall@10", "hit@5", "hit@10", "full@10", "mrr", "ndcg@10", "stale_above", "n")
    rows = {key: result[key] for key in ("dream_on", "dream_off", "fts5")}
    rows |= {f"  {sort}": each for sort, each in result["by_type"].items()}
    rows |= {f"  without {name}": each for name, each in result["without"].items()}
    lines = [" " * 28 + " ".join(f"{name:>11}" for name in names)]
    lines += [f"{row:28}" + " ".join(f"{each.get(name, ''):>11}" for name in names) for row, each in rows.items()]
    for pair, each in result["difference"].items():
        lines += [f"{pair}: {key} {low:+.4f} [{least:+.4f}, {most:+.4f}]" for key, (low, least, most) in each.items()]
    return "\n".join(lines)


_UTC = datetime.fromisoformat("2000-01-01T00:00:00+00:00").tzinfo

if __name__ == "__main__":
    raise SystemExit(main())
