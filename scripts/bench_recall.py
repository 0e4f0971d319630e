"""Time search over a store of made-up notes, beside plain FTS5 and a brute-force scan of the vectors in the same run.

    python scripts/bench_recall.py --notes 10000 [--queries 60] [--embedder] [--json]

Keys: `notes p50_ms p95_ms fts5_p95_ms scan_p95_ms rss_mb cold_s index_mb`. Times are warm and without model time unless
`--embedder` is given (then `p95_model_ms` counts it); `rss_mb` is what search adds to a bare interpreter; `cold_s` is a
fresh `dream search --json` process to its answer. Vectors are random: their search time does not depend on meaning.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from dream.compose import open_house
from dream.compose_recall import Searching
from dream.house import House
from dream.model.change import NotesAdded
from dream.model.hit import Query
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.settings import load

WORDS = 12_000
PER_SESSION = 400
SIZE = 512


def main() -> int:
    """Parse the command line, fill a store, time it, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--embedder", action="store_true", help="time the packaged embedder too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    bare = _rss()
    with tempfile.TemporaryDirectory() as scratch:
        environ = {**os.environ, "DREAM_HOME": f"{scratch}/home", "DREAM_STATE": f"{scratch}/state", "DREAM_TZ": "UTC"}
        with open_house(load(environ), create=True) as house:
            texts = fill(house, arguments.notes)
        figures = timed(environ, texts, arguments.queries, bare, arguments.embedder)
        figures["cold_s"] = cold(environ, texts[0])
        figures["index_mb"] = _megabytes(Path(scratch) / "home" / "pgt.sqlite")
    figures = {"notes": arguments.notes, **figures}
    if arguments.json:
        print(json.dumps(figures))
    else:
        print("\n".join(f"{name:>14}  {value}" for name, value in figures.items()))
    return 0


def fill(house: House, number: int) -> list[str]:
    """Commit notes whose words follow Zipf's law; questions of three to eight words from the same law."""
    draw = random.Random(number)
    words = ["".join(draw.choices("aeioubcdfglmnprst", k=draw.randint(3, 9))) for _ in range(WORDS)]
    weights = [1 / (rank + 3) for rank in range(WORDS)]
    for first in range(0, number, PER_SESSION):
        session = f"session-{first:08d}"
        made = []
        for place in range(first, min(number, first + PER_SESSION)):
            text = " ".join(draw.choices(words, weights, k=draw.randint(6, 22)))
            turn = f"{session}-{place // 3:08d}"
            at = f"2026-{1 + place % 12:02d}-{1 + place % 28:02d}T10:{place % 60:02d}:00.000Z"
            made.append(
                Note(
                    make_id("n", turn, str(place)), text, at, session, turn, place % 3, Origin.USER, place % 90, (), "p"
                )
            )
        house.ledger.commit([NotesAdded(session, tuple(made))])
    return [" ".join(draw.choices(words, weights, k=draw.randint(3, 8))) for _ in range(200)]


def timed(environ: dict[str, str], texts: Sequence[str], queries: int, bare: float, embedder: bool) -> dict[str, Any]:
    """Warm times of search, of FTS5 alone and of a scan, interleaved."""
    figures: dict[str, Any] = {}
    with open_house(load(environ)) as house:
        search = Searching(house.home, house.store, house.analyser, embed=False)()  # type: ignore[arg-type]
        search.search(Query(texts[0]))
        rss = _rss() - bare
        runs: dict[str, list[float]] = {"search": [], "fts5": []}
        for text in texts[:queries]:
            runs["fts5"].append(_took(partial(house.store.match, text, 10)))
            runs["search"].append(_took(partial(search.search, Query(text))))
        figures |= {"p50_ms": _at(runs["search"], 0.5), "p95_ms": _at(runs["search"], 0.95)}
        figures["fts5_p95_ms"] = _at(runs["fts5"], 0.95)
        figures["rss_mb"] = round(rss, 1)
        figures["scan_p95_ms"] = scan(len(house.store.match(texts[0], 1)) and _count(house), queries)
        if embedder:
            house.embedding()
            meaning = Searching(house.home, house.store, house.analyser)()  # type: ignore[arg-type]
            meaning.search(Query(texts[0]))
            took = [_took(partial(meaning.search, Query(text))) for text in texts[:queries]]
            figures |= {"p50_model_ms": _at(took, 0.5), "p95_model_ms": _at(took, 0.95)}
    return figures


def scan(rows: int, queries: int) -> float:
    """p95 of one product of a query with all vectors, 32 bits, in memory."""
    import numpy as np

    held = min(rows, 200_000)
    draw = np.random.default_rng(7)
    matrix = draw.standard_normal((held, SIZE), dtype=np.float32)
    asked = draw.standard_normal(SIZE, dtype=np.float32)
    took = [_took(lambda: np.argpartition(matrix @ asked, -10)[-10:] if held > 10 else None) for _ in range(queries)]
    return round(_at(took, 0.95) * rows / max(1, held), 2)


def cold(environ: dict[str, str], text: str) -> float:
    """Seconds of a fresh process to its answer; the better of three."""
    command = [sys.executable, "-m", "dream", "search", text, "--json"]
    took = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run(command, env=environ, check=False, capture_output=True, cwd=Path(__file__).resolve().parents[1])
        took.append(time.perf_counter() - began)
    return round(min(took), 2)


def _count(house: House) -> int:
    return house.store.frequencies([])[0]


def _took(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def _at(times: Sequence[float], share: float) -> float:
    return round(sorted(times)[min(len(times) - 1, int(len(times) * share))], 2)


def _rss() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _megabytes(path: Path) -> float:
    return round(path.stat().st_size / 1e6, 1)


if __name__ == "__main__":
    raise SystemExit(main())
