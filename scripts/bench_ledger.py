"""Time the ledger: detecting a changed row, a full check, a restore, against one hash over the same bytes.

A store of N entries is made through the write door in a throw-away folder (half notes, the rest nodes, revisions,
edges and tiers): the log against a store in RAM, `--commit` entries at a time, then pgt.sqlite by a restore, which
takes minutes where a store on disk would take an hour at a million. Then each figure is taken in a fresh process,
imports not counted, the median of several: `detect_ms`, a quick verify after one random old row was changed through
another connection and the file's times were put back; `full_verify_s`; `restore_s`, of a lost database; `commit_ms`,
50 entries through the door; `floor_ms`, one `hashlib.sha256` over the database. `…_cpu_…` is processor time, which
a busy machine does not stretch; `load` says how busy it was.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from dream.adapters.ed25519 import Ed25519Signer
from dream.adapters.memory import MemoryStore
from dream.adapters.snowball import SnowballAnalyser
from dream.adapters.sqlite import SqliteStore
from dream.adapters.system import SystemClock
from dream.ledger import keys
from dream.ledger.ledger import Ledger
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model.fold import apply as fold_in
from dream.model.graph import Edge, Node, NodeKind, Relation, Tier
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.paths import Home

AT = "2026-01-12T08:18:53.613Z"
WORDS = (
    "le port du service est resté sur la machine de recette on garde la base pour les notes et rien d'autre the "
    "migration keeps every old row deployments wait until monday review the settings module before release client "
    "facture équipe réunion vendredi branche tests couverture serveur jeton cache index hook night store graph"
).split()


def text(number: int, chance: random.Random) -> str:
    """A sentence of some fifteen words, no two alike."""
    return " ".join(chance.choice(WORDS) for _ in range(14)) + f" {number}."


def note(number: int, chance: random.Random) -> Note:
    turn = f"00000000-0000-4000-8000-{number // 3:012x}"
    session = f"00000000-0000-4000-9000-{number // 300:012x}"
    said = text(number, chance)
    return Note(
        make_id("n", turn, str(number)), said, AT, session, turn, number % 3, Origin.USER, 20, ("decision",), "p"
    )


def changes(count: int, chance: random.Random) -> Iterator[c.Change]:
    """`count` changes that follow from one another."""
    nodes: list[Node] = []
    for number in range(count):
        kind = number % 20
        if kind % 2 == 0 or len(nodes) < 3:
            if kind % 2 == 0:
                yield c.NotesAdded(f"session-{number // 300}", (note(number, chance),))
                continue
            kind = 1
        if kind in (1, 3, 5, 7, 9, 11, 13):
            cited = (make_id("n", "t", str(number)),)
            node = Node(make_id("f", str(number)), NodeKind.FACT, text(number, chance), "p", cited, AT, AT)
            nodes.append(node)
            yield c.NodeAdded(node)
        elif kind == 15:
            place = chance.randrange(len(nodes))
            before = nodes[place]
            nodes[place] = dataclasses.replace(
                before, load=before.load + 1, notes=(*before.notes, make_id("n", str(number)))
            )
            yield c.NodeRevised(before, nodes[place])
        elif kind == 17:
            place = chance.randrange(len(nodes))
            before = nodes[place]
            tier = Tier.HOT if before.tier is not Tier.HOT else Tier.DARK
            nodes[place] = dataclasses.replace(before, tier=tier)
            yield c.TierChanged(before.id, before.tier, tier)
        else:
            one, two = chance.sample(nodes, 2)
            yield c.EdgeAdded(Edge(make_id("e", str(number)), one.id, Relation.USES, two.id, AT))


def opened(home: Home) -> tuple[Ed25519Signer, SqliteStore]:
    return Ed25519Signer(keys.read_seed(home), "dream"), SqliteStore(home.database, SnowballAnalyser())


class InRam(MemoryStore):
    """The reference store without a copy of itself at each commit: a crash of the building is no matter here."""

    def apply(self, entries: Sequence[c.Entry]) -> None:
        for entry in entries:
            if entry.change is not None:
                fold_in(self.state, entry.change)
            self._mark = entry.seq + 1


def make(home: Home, entries: int, commit: int) -> None:
    """Write a log through the door, and make its database by a restore."""
    home.root.mkdir(parents=True)
    keys.create(home, os.urandom(32))
    signer, store = opened(home)
    Ledger.create(home, signer)
    outer = home.root.parent / "state"
    with Ledger.open(home, signer, SystemClock(), [InRam(SnowballAnalyser())], outer=outer) as ledger:
        some: list[c.Change] = []
        for change in changes(entries, random.Random(7)):
            some.append(change)
            if len(some) == commit:
                ledger.commit(some)
                some = []
        ledger.commit(some)
    restore(home, signer, SystemClock(), store)
    store.close()


def commits(home: Home, entries: int, many: int = 20, each: int = 50) -> list[float]:
    """Seconds of some commits to the whole store."""
    signer, store = opened(home)
    taken = []
    with Ledger.open(home, signer, SystemClock(), [store], outer=home.root.parent / "state") as ledger:
        for place in range(many):
            chance = random.Random(place)
            fresh = range(entries + place * each, entries + (place + 1) * each)
            some = [c.NotesAdded("later", (note(number, chance),)) for number in fresh]
            begun = time.perf_counter()
            ledger.commit(some)
            taken.append(time.perf_counter() - begun)
    store.close()
    return taken


def tamper(home: Home, chance: random.Random) -> None:
    """Change one random row through another connection, and put the file's times back."""
    times = home.database.stat()
    connection = sqlite3.connect(home.database)
    table = chance.choice(["note", "node"])
    (count,) = connection.execute(f"SELECT max(num) FROM {table}").fetchone()  # noqa: S608 -- a name of our own
    row = chance.randint(1, count)
    connection.execute(f'UPDATE {table} SET json = replace(json, \'"id":"\', \'"id":"x\') WHERE num = ?', (row,))  # noqa: S608
    connection.commit()
    connection.close()
    os.utime(home.database, ns=(times.st_atime_ns, times.st_mtime_ns))


def act(what: str, home: Home) -> dict[str, float]:
    """One measurement, in a process of its own."""
    signer, store = opened(home)
    outer = home.root.parent / "state"
    begun, worked = time.perf_counter(), time.process_time()
    if what == "restore":
        restore(home, signer, SystemClock(), store)
        good = True
    else:
        report = verify(home, signer, [store], full=what == "full", outer=outer, signer=signer)
        good = report.ok
    return {"seconds": time.perf_counter() - begun, "cpu": time.process_time() - worked, "ok": good}


def fresh(what: str, home: Home, expect: bool) -> tuple[float, float]:
    """(seconds, seconds of processor time) that a fresh process took."""
    command = [sys.executable, __file__, "--act", what, "--home", str(home.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    if told["ok"] is not expect:
        raise SystemExit(f"{what}: the store is {'good' if told['ok'] else 'bad'}, which it should not be")
    return float(told["seconds"]), float(told["cpu"])


def measure(entries: int, commit: int, repeat: int, folder: Path) -> dict[str, float]:
    home = Home(folder / "home")
    if not home.root.exists():
        make(home, entries, commit)
    copy = folder / "copy.sqlite"
    shutil.copy2(home.database, copy)
    content = copy.read_bytes()
    floors, detects = [], []
    chance = random.Random(11)
    for _ in range(repeat):
        tamper(home, chance)
        detects.append(fresh("quick", home, expect=False))
        shutil.copy2(copy, home.database)
        begun = time.perf_counter()
        hashlib.sha256(content).digest()
        floors.append(time.perf_counter() - begun)
    cleans = [fresh("quick", home, expect=True) for _ in range(repeat)]
    fulls = [fresh("full", home, expect=True) for _ in range(min(repeat, 3))]
    restores = []
    for _ in range(min(repeat, 3)):
        home.database.unlink()
        restores.append(fresh("restore", home, expect=True))
    fresh("full", home, expect=True)
    twin = Home(folder / "twin" / "home")
    shutil.copytree(home.root, twin.root)
    writes = commits(twin, entries)
    fresh("full", twin, expect=True)
    shutil.rmtree(twin.root.parent)
    floor = statistics.median(floors)
    detect, clean, full, restored = (_medians(each) for each in (detects, cleans, fulls, restores))
    return {
        "entries": entries,
        "detect_ms": round(detect[0] * 1000, 1),
        "clean_ms": round(clean[0] * 1000, 1),
        "full_verify_s": round(full[0], 3),
        "restore_s": round(restored[0], 3),
        "floor_ms": round(floor * 1000, 1),
        "detect_over_floor": round(detect[0] / floor, 2),
        "full_over_floor": round(full[0] / floor, 1),
        "restore_over_floor": round(restored[0] / floor, 1),
        "detect_cpu_ms": round(detect[1] * 1000, 1),
        "full_verify_cpu_s": round(full[1], 3),
        "restore_cpu_s": round(restored[1], 3),
        "commit_ms": round(statistics.median(writes) * 1000, 2),
        "database_mb": round(len(content) / 1e6, 1),
        "log_mb": round(sum(path.stat().st_size for path in home.ledger.glob("*.jsonl")) / 1e6, 1),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
    }


def _medians(taken: list[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(wall for wall, _ in taken), statistics.median(cpu for _, cpu in taken)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="sizes of the store")
    parser.add_argument("--commit", type=int, default=500, help="entries per commit of the store that is made (500)")
    parser.add_argument("--keep", metavar="DIR", help="make the stores there, and measure those that are there already")
    parser.add_argument("--repeat", type=int, default=7, help="measurements per figure, of which the median (7)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--act", choices=("quick", "full", "restore"), help=argparse.SUPPRESS)
    parser.add_argument("--home", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.act:
        print(json.dumps(act(arguments.act, Home(Path(arguments.home)))))
        return 0
    runs = []
    for entries in arguments.entries:
        with tempfile.TemporaryDirectory(prefix="dream-bench-") as folder:
            place = Path(arguments.keep) / str(entries) if arguments.keep else Path(folder)
            runs.append(measure(entries, arguments.commit, arguments.repeat, place))
        if not arguments.json:
            print("  ".join(f"{key} {value:g}" for key, value in runs[-1].items()), flush=True)
    if arguments.json:
        print(json.dumps({**runs[-1], **({"runs": runs} if len(runs) > 1 else {})}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
