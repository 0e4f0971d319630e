"""Time the sanitiser: the rules on prose and on a megabyte of it, and the second pass where a model answers.

    python scripts/bench_sanitize.py [--texts 300] [--deep | --model NAME] [--deep-texts 40] [--json]

Keys: `texts ms_per_kb p95_ms_per_kb megabyte_s`; with `--deep` (the configured model) or `--model` also `model
deep_texts deep_p50_ms deep_p95_ms deep_under_500ms` for texts of a few sentences (the mission's p95 is 500 ms) and
`deep_set_aside`, replies that made no sense; or `deep` saying why no model read them. Times are of the processor for
the rules, of the clock for the model, warm. Texts are put together at random from sentences of this file.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dream.api_sanitise import sanitise
from dream.capture.redact import redact
from dream.compose_reader import second_reader
from dream.errors import DreamError
from dream.settings import load

PATIENCE = 600.0
"""Seconds an answer is waited for: a slow model is to be told, not given up."""
SENTENCES = (
    "On garde SQLite pour la base de recette, et le port reste 5433.",
    "The deploy runs at 02:05 every night; the log is in logs/nightly.log.",
    "Le mot de passe est trop court, demande-en un autre avant vendredi.",
    "Please answer in French, and never force-push to main.",
    "J'ai appelé le support : ils rappellent demain matin vers 9 h 30.",
    "Version 2.1.3 broke the export, commit 9f2c4e1b7a3d mends it.",
    "Odile habite au bout de l'impasse et passe le mardi.",
    "The staging host answers in 12 ms, p95 under 40 ms over 1,200 calls.",
)


def main() -> int:
    """Parse the command line, time, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--deep", action="store_true", help="time the model of the second pass too (sanitize_model)")
    parser.add_argument("--model", metavar="NAME", help="time this model of Ollama's instead")
    parser.add_argument("--deep-texts", type=int, default=40, metavar="N", help="how many texts it reads (40)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    random = Random(4)
    texts = [written(random) for _ in range(max(20, arguments.texts))]
    figures: dict[str, Any] = {"texts": len(texts), **rules(texts)}
    if arguments.deep or arguments.model:
        figures |= deep(texts[: max(2, arguments.deep_texts)], arguments.model)
    if arguments.json:
        print(json.dumps(figures))
    else:
        print("\n".join(f"{name:>15}  {value}" for name, value in figures.items()))
    return 0


def written(random: Random) -> str:
    """A turn of two to forty sentences, one in five with a token in it."""
    said = random.choices(SENTENCES, k=random.randint(2, 40))
    if random.random() < 0.2:
        said.append("Le jeton : " + "gh" + "p_" + "".join(random.choices("abcdefghKLMNPQRS23456789", k=36)) + ".")
    return " ".join(said)


def rules(texts: list[str]) -> dict[str, float]:
    """Milliseconds a kilobyte, and seconds for a megabyte."""
    redact(texts[0])
    costs = sorted(milliseconds(text) / (len(text.encode()) / 1024) for text in texts)
    whole = (" ".join(texts) * (1 + 2**20 // sum(map(len, texts))))[: 2**20]
    return {
        "ms_per_kb": round(costs[len(costs) // 2], 3),
        "p95_ms_per_kb": round(costs[int(len(costs) * 0.95)], 3),
        "megabyte_s": round(milliseconds(whole) / 1000, 2),
    }


def milliseconds(text: str) -> float:
    """Of the processor, for one text."""
    begin = time.process_time()
    redact(text)
    return (time.process_time() - begin) * 1000


def deep(texts: list[str], name: str | None) -> dict[str, Any]:
    """Milliseconds of the clock for a text of a few sentences, read by the model too; the first is not counted."""
    named = {"DREAM_SANITIZE_MODEL": name} if name else {}
    try:
        model = second_reader(load({**os.environ, **named}), PATIENCE)()
        sanitise(texts[0][:400], reader=lambda: model)
    except DreamError as error:
        return {"deep": error.sentence}
    costs = []
    odd = 0
    for text in texts:
        begin = time.perf_counter()
        done = sanitise(text[:400], reader=lambda: model)
        costs.append((time.perf_counter() - begin) * 1000)
        if any(why.startswith("the model is away") for why in done.skipped):
            return {"deep": done.skipped[-1]}
        odd += bool(done.skipped)
    costs.sort()
    return {
        "model": model.name,
        "deep_texts": len(costs),
        "deep_p50_ms": round(costs[len(costs) // 2]),
        "deep_p95_ms": round(costs[int(len(costs) * 0.95)]),
        "deep_under_500ms": costs[int(len(costs) * 0.95)] < 500,
        "deep_set_aside": odd,
    }


if __name__ == "__main__":
    sys.exit(main())
