"""The gate: with nodes ranked where fusion puts them, dreaming helps where answers were superseded and harms nowhere.

A question is answered where a hit that rests on one of its turns is among the first five, with no outdated one above
it. Dream on and dream off answer the same questions, so their difference is paired; its interval is 95 %.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from eval_recall import played

from dream.compose import open_house
from dream.model.calibration import paired_interval
from dream.model.hit import Hit, Query
from dream.settings import load

FIRST = 5


def gate(corpus: Path, out: Path) -> dict[str, Any]:
    """`passed`, and by sort of question (`superseded`, `other`) on, off, the difference and its interval.

    Args:
        out: folder with the played corpus under its name, as `play_corpus.py` leaves it; played where it is missing.
    """
    gold = json.loads((corpus / "gold.json").read_text("utf-8"))
    (case,) = played(corpus, out, 0)
    rows: dict[str, list[tuple[float, float]]] = {"superseded": [], "other": []}
    with open_house(load(case.environ)) as house:
        search = house.searching()
        for question, told in zip(case.questions, gold["questions"], strict=True):
            pair = []
            for nodes in (True, False):
                query = Query(question.text, k=FIRST, asked_at=question.asked_at, zone=house.zone, nodes=nodes)
                pair.append(answered(search.search(query).hits, question.evidence, question.stale))
            rows["superseded" if told.get("stale") else "other"].append((pair[0], pair[1]))
    return verdict(rows)


def answered(hits: Sequence[Hit], evidence: Iterable[str], stale: Iterable[str]) -> float:
    """Whether the first hits answer with what holds now; a node stands for the turns it cites, a note for its own."""
    right, outdated = set(evidence), set(stale)
    for hit in hits[:FIRST]:
        turns = {note.turn for note in (hit.sources if hit.kind is not None else hit.sources[:1])}
        if turns & right:
            return 1.0
        if turns & outdated:
            return 0.0
    return 0.0


def verdict(rows: dict[str, list[tuple[float, float]]]) -> dict[str, Any]:
    """Above on superseded answers, not below on others: by the paired interval."""
    result: dict[str, Any] = {}
    passed = True
    for sort, pairs in rows.items():
        mean, low, high = paired_interval([on - off for on, off in pairs])
        holds = not pairs or (low > 0 if sort == "superseded" else high >= 0)
        passed = passed and holds
        result[sort] = {
            "n": len(pairs),
            "on": round(sum(on for on, _ in pairs) / len(pairs), 4) if pairs else None,
            "off": round(sum(off for _, off in pairs) / len(pairs), 4) if pairs else None,
            "difference": round(mean, 4),
            "interval": [round(low, 4), round(high, 4)],
            "holds": holds,
        }
    return {"passed": passed, **result}
