"""Time search over a store of made-up notes, beside FTS5 alone and a brute-force scan of the vectors in the same run.

    python scripts/bench_recall.py --notes 10000 [--queries 100] [--keep DIR] [--json]

Keys: `notes p50_ms p95_ms fts5_p50_ms fts5_p95_ms scan_p95_ms ratio cpu_p50_ms cpu_p95_ms cpu_fts5_p95_ms cpu_ratio
p50_model_ms p95_model_ms rss_mb rss_model_mb cold_s cold_cpu_s cold_words_s index_mb vectors_mb fill_s`.

Notes are sentences of French and English words (and one in eight made up) by Zipf's law, in sessions of 400; one in ten
has a node, every second node an edge; every note and node has a drawn unit vector. `p50_ms`, `p95_ms`: warm, all
signals, the question's vector given (no model time); `fts5`: plain FTS5, the ten best of the same index by one
statement, between the searches; `scan`: one product of a question with all vectors, 32 bits, in memory; `ratio`: p95
over that of FTS5; `cpu_`: the same by processor time, which other programs on the machine alter less. `model`: with the
packaged embedder. `rss_mb`: what such a process takes beyond a bare interpreter. `cold_s`: a fresh `dream search`
with `--json` to its end, the best of five; `cold_cpu_s` its processor time; `cold_words_s` without an embedder. The
store is written through the ledger's door, then pgt.sqlite is made by a restore; `--keep` leaves it there and uses it
again.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from dream.model.change import Change, EdgeAdded, Entry, NodeAdded, NotesAdded
from dream.model.graph import Edge, Node, NodeKind, Relation
from dream.model.ids import make_id
from dream.model.note import Note, Origin

if TYPE_CHECKING:
    from dream.adapters.snowball import SnowballAnalyser

PER_SESSION = 400
NODES = 10
"""One in so many notes has a node."""
SIZE = 512
MODEL = "use-multilingual-3"
WARM = 40
"""Other questions asked before any is timed."""
PROJECT = "p"


def main() -> int:
    """Parse the command line, make a store, time it in fresh processes, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make the store here, or use the one that is here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--part", choices=("search", "model", "scan"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(PARTS[given.part](given.keep, given.notes, given.queries)))
        return 0
    with nullcontext(given.keep) if given.keep else tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        figures: dict[str, Any] = {"notes": given.notes}
        if not (folder / "home").is_dir():
            began = time.perf_counter()
            fill(folder, given.notes)
            figures["fill_s"] = round(time.perf_counter() - began, 1)
        (folder / "questions.json").write_text(json.dumps(questions(given.notes)))
        for part in PARTS:
            command = [sys.executable, __file__, "--part", part, "--keep", str(folder)]
            command += ["--notes", str(given.notes), "--queries", str(given.queries)]
            figures |= json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        figures["rss_mb"] = round(figures["rss_mb"] - bare(), 1)
        figures["rss_model_mb"] = round(figures["rss_model_mb"] - bare(), 1)
        figures |= cold(folder, given.notes)
        figures["index_mb"] = _megabytes([folder / "home" / "pgt.sqlite"])
        figures["vectors_mb"] = _megabytes((folder / "home" / "vectors").rglob("*"))
    if given.json:
        print(json.dumps(figures))
    else:
        print("\n".join(f"{name:>16}  {value}" for name, value in figures.items()))
    return 0


def environ(folder: Path) -> dict[str, str]:
    """A home, and nothing of the machine's own settings."""
    own = {"DREAM_HOME": f"{folder}/home", "DREAM_STATE": f"{folder}/state", "DREAM_TZ": "UTC", "DREAM_REDIS_PORT": "1"}
    return {key: value for key, value in os.environ.items() if not key.startswith("DREAM_")} | own


def vocabulary() -> tuple[list[str], list[float]]:
    """Words in the order of how often they are said, with their shares."""
    draw = random.Random(5)
    lines = files("dream.lexicon").joinpath("stems.tsv").read_text("utf-8").splitlines()
    words = draw.sample([line.split("\t")[0] for line in lines], 12_000)
    words[7::8] = ["".join(draw.choices("aeioubcdfglmnprst", k=draw.randint(4, 9))) for _ in words[7::8]]
    return words, [1 / (rank + 3) for rank in range(len(words))]


def questions(number: int) -> list[str]:
    """Three to eight words by the same law."""
    draw, (words, shares) = random.Random(number + 1), vocabulary()
    return [" ".join(draw.choices(words, shares, k=draw.randint(3, 8))) for _ in range(WARM + 300)]


def changes(number: int) -> Iterator[list[Change]]:
    """What is committed, a session at a time."""
    draw, (words, shares) = random.Random(number), vocabulary()
    for first in range(0, number, PER_SESSION):
        session = f"session-{first:08d}"
        notes: list[Note] = []
        for place in range(first, min(number, first + PER_SESSION)):
            text = " ".join(draw.choices(words, shares, k=draw.randint(6, 22)))
            turn = f"{session}-{place // 3:08d}"
            at = f"2026-{1 + place % 12:02d}-{1 + place % 28:02d}T10:{place % 60:02d}:00.000Z"
            key = make_id("n", turn, str(place))
            notes.append(Note(key, text, at, session, turn, place % 3, Origin.USER, place % 90, (), PROJECT))
        nodes = [
            Node(make_id("f", note.id), NodeKind.FACT, note.text, PROJECT, (note.id,), note.at, note.at, load=note.load)
            for note in notes[::NODES]
        ]
        edges = [
            Edge(make_id("e", one.id), one.id, Relation.USES, other.id, one.recorded_at)
            for one, other in zip(nodes[::2], nodes[1::2], strict=False)
        ]
        yield [NotesAdded(session, tuple(notes)), *map(NodeAdded, nodes), *map(EdgeAdded, edges)]


def fill(folder: Path, number: int) -> None:
    """A log, its database, and vectors of all that is in it."""
    from dream.adapters.memory import MemoryStore
    from dream.adapters.snowball import SnowballAnalyser
    from dream.adapters.system import SystemClock
    from dream.compose import _signer, restore_store
    from dream.ledger.ledger import Ledger
    from dream.model.fold import apply as fold_in
    from dream.paths import Home

    class InRam(MemoryStore):
        """Takes entries in without a copy of all it holds: here no one reads it."""

        def apply(self, entries: Sequence[Entry]) -> None:
            for entry in entries:
                if entry.seq >= self._mark and entry.change is not None:
                    fold_in(self.state, entry.change)
                self._mark = max(self._mark, entry.seq + 1)

    gc.disable()  # a million values that stay
    home = Home(folder / "home")
    signer = _signer(home, create=True)
    ids: list[str] = []
    with Ledger.open(home, signer, SystemClock(), [InRam(SnowballAnalyser())], outer=folder / "state") as ledger:
        for told in changes(number):
            ledger.commit(told)
            for each in told:
                ids += [note.id for note in each.notes] if isinstance(each, NotesAdded) else []
                ids += [each.node.id] if isinstance(each, NodeAdded) else []
        size = ledger.size
    gc.enable()
    restore_store(environ(folder), None)
    draw_vectors(folder, ids, size)


def draw_vectors(folder: Path, ids: list[str], watermark: int) -> None:
    """Unit vectors around some themes, as sentences have them, under the name of the packaged model."""
    import numpy as np

    from dream.adapters.vector_matrix import MatrixVectors

    index = MatrixVectors(folder / "home" / "vectors" / MODEL, MODEL)
    draw = np.random.default_rng(11)
    themes = draw.standard_normal((2_000, SIZE), dtype=np.float32)
    step = max(100_000, len(ids) // 4)
    for start in range(0, len(ids), step):
        some = ids[start : start + step]
        made = themes[draw.integers(0, len(themes), len(some))] + draw.standard_normal((len(some), SIZE), np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        index.write([(key, PROJECT, row) for key, row in zip(some, made, strict=True)], [], watermark)


class Drawn:
    """An embedder without a model: a theme's vector for each question."""

    model, dimension = MODEL, SIZE

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        import numpy as np

        made = []
        for text in texts:
            row = np.random.default_rng(len(text)).standard_normal(SIZE)
            made.append((row / np.linalg.norm(row)).tolist())
        return made


def search(folder: Path, number: int, queries: int, model: bool = False) -> dict[str, Any]:
    """Warm searches with FTS5 alone between them, on the clock and by processor time."""
    from dream.adapters.snowball import SnowballAnalyser
    from dream.adapters.sqlite import SqliteStore
    from dream.compose_meaning import Meaning, Near
    from dream.compose_recall import Searching
    from dream.model.hit import Query
    from dream.paths import Home

    home, analyser = Home(folder / "home"), SnowballAnalyser()
    store = SqliteStore(home.database, analyser)

    class Given(Meaning):
        def near(self) -> Near:
            return Near(Drawn(), super().near().vectors)

    meaning = Meaning(home) if model else Given(home)
    made = Searching(home, store, analyser, meaning=meaning)
    asked = json.loads((folder / "questions.json").read_text())  # the words they are drawn from are no part of a search
    for text in asked[:WARM]:
        made().search(Query(text))
    asked = asked[WARM : WARM + queries]
    took, alone = [], []
    connection = sqlite3.connect(home.database)
    for text in asked:
        alone.append(_took(partial(plain, connection, analyser, text)))
        took.append(_took(lambda text=text: made().search(Query(text))))  # type: ignore[misc]
    whole, words = _quantiles(took, 0), _quantiles(alone, 0)
    if model:
        return {"p50_model_ms": whole[0], "p95_model_ms": whole[1], "rss_model_mb": rss()}
    cpu, cpu_words = _quantiles(took, 1), _quantiles(alone, 1)
    return {
        "p50_ms": whole[0],
        "p95_ms": whole[1],
        "fts5_p50_ms": words[0],
        "fts5_p95_ms": words[1],
        "ratio": round(whole[1] / words[1], 2),
        "cpu_p50_ms": cpu[0],
        "cpu_p95_ms": cpu[1],
        "cpu_fts5_p95_ms": cpu_words[1],
        "cpu_ratio": round(cpu[1] / cpu_words[1], 2),
        "rss_mb": rss(),
    }


def plain(connection: sqlite3.Connection, analyser: SnowballAnalyser, text: str) -> list[Any]:
    """What FTS5 finds by itself."""
    from dream.adapters import sqlite_best

    return sqlite_best.plain(connection, "lex", list(dict.fromkeys(analyser.terms(text))), 10)


def scan(folder: Path, number: int, queries: int) -> dict[str, Any]:
    """p95 of one product of a query with all vectors, 32 bits, in memory."""
    import numpy as np

    rows = number + number // NODES
    held = min(rows, 200_000)
    draw = np.random.default_rng(7)
    matrix = draw.standard_normal((held, SIZE), dtype=np.float32)
    asked = draw.standard_normal(SIZE, dtype=np.float32)
    took = [_took(lambda: np.argpartition(matrix @ asked, -10)[-10:]) for _ in range(queries)]
    return {"scan_p95_ms": round(_quantiles(took, 0)[1] * rows / held, 2)}


PARTS: dict[str, Callable[[Path, int, int], dict[str, Any]]] = {
    "search": search,
    "model": partial(search, model=True),
    "scan": scan,
}


def cold(folder: Path, number: int) -> dict[str, float]:
    """Seconds of fresh processes to their answer."""
    text = questions(number)[0]
    command = [sys.executable, "-m", "dream", "search", text, "--json"]
    figures = {}
    for name, more in (("cold", {}), ("cold_words", {"DREAM_EMBEDDER": "none"})):
        took = []
        for _ in range(5):
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            began = time.perf_counter()
            subprocess.run(command, env=environ(folder) | more, check=True, capture_output=True, cwd=ROOT)
            spent = time.perf_counter() - began
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append((spent, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime))
        figures[f"{name}_s"] = round(min(each for each, _ in took), 2)
        figures[f"{name}_cpu_s"] = round(min(each for _, each in took), 2)
    return figures


def bare() -> float:
    """Megabytes of an interpreter that does nothing."""
    from dream.adapters.machine import LocalMachine

    with subprocess.Popen([sys.executable, "-c", "print(1, flush=True); input()"], stdin=-1, stdout=-1) as child:
        assert child.stdout is not None and child.stdout.readline()  # noqa: S101 -- it is up
        taken = LocalMachine().taken(child.pid) / 2**20
        child.communicate(b"\n")
    return taken


def rss() -> float:
    """Megabytes that this process takes now."""
    from dream.adapters.machine import LocalMachine

    return round(LocalMachine().taken(os.getpid()) / 2**20, 1)


def _took(act: Callable[[], object]) -> tuple[float, float]:
    began, used = time.perf_counter(), time.process_time()
    act()
    return (time.perf_counter() - began) * 1000, (time.process_time() - used) * 1000


def _quantiles(took: Sequence[tuple[float, float]], which: int) -> tuple[float, float]:
    """p50 and p95."""
    ordered = sorted(each[which] for each in took)
    return round(ordered[len(ordered) // 2], 2), round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 2)


def _megabytes(paths: Any) -> float:
    taken: int = sum(path.stat().st_size for path in paths if path.is_file())
    return round(taken / 1e6, 1)


if __name__ == "__main__":
    raise SystemExit(main())
