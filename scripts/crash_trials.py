"""Kill real processes at random instants, and look at what is left.

Each trial forks one or two processes that write a store through the real code: the day's buffer, commits, nights that
drain the buffer, undo, merge, forget (which compacts the database), restore. After a random time they get SIGKILL. Then
another process opens the store, checks all of it, and compares it with what was acknowledged before the kill:
`lost` counts acknowledged events that are not there (or a forgotten text that is), `differences` counts stores that are
not what the log says, and anything else a full check finds. Both must be 0.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from dream.adapters.ed25519 import Ed25519Signer
from dream.adapters.snowball import SnowballAnalyser
from dream.adapters.sqlite import SqliteStore
from dream.adapters.system import SystemClock
from dream.capture import buffer
from dream.cycle import nights
from dream.errors import DreamError
from dream.ledger import keys, lock, merging, merkle
from dream.ledger.follow import entries
from dream.ledger.ledger import Ledger
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model.codec import from_plain, to_plain
from dream.model.graph import Edge, Node, NodeKind, Relation, Tier
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.paths import Home
from dream.ports import NodeFilter

AT = "2026-01-12T08:18:53.613Z"
DAY = "2026-01-12"
LIFE = 40
"""Trials that one store lives through."""
LONGEST = 0.15
"""Seconds after which the writers are killed at the latest."""


def note(name: str, text: str) -> Note:
    return Note(make_id("n", name, "0"), text, AT, "s", name, 0, Origin.USER, 20, ("decision",), "p")


def node(name: str, text: str) -> Node:
    return Node(make_id("f", name), NodeKind.FACT, text, "p", (make_id("n", name, "0"),), AT, AT)


class Writer:
    """One process that writes until it is killed, and says on a pipe what it begins and what is done."""

    def __init__(self, home: Home, seed: int, pipe: int) -> None:
        self.home, self.pipe, self.chance, self.seed = home, pipe, random.Random(seed), seed
        self.store = SqliteStore(home.database, SnowballAnalyser())
        self.ledger = Ledger.open(home, signer(home), SystemClock(), [self.store], outer=home.root.parent / "state")
        self.count = 0

    def tell(self, *told: Any) -> None:
        os.write(self.pipe, json.dumps(told).encode() + b"\n")

    def run(self) -> NoReturn:
        acts: list[tuple[int, Callable[[], Any]]] = [
            (4, self.capture), (5, self.commit), (3, self.night), (2, self.undo), (2, self.merge),
            (1, self.forget), (1, self.restore),
        ]  # fmt: skip
        weights = [weight for weight, _ in acts]
        self.tell("ready")
        while True:
            (_, act) = self.chance.choices(acts, weights)[0]
            self.tell("begin", act.__name__)
            try:
                done = act()
            except DreamError as error:  # refused: nothing was acknowledged
                self.tell("refused", act.__name__, type(error).__name__)
                continue
            if done is not None:
                self.tell("done", *done)

    def name(self) -> str:
        self.count += 1
        return f"w{self.seed}x{self.count}"

    def text(self, name: str) -> str:
        return f"On garde {name} pour la suite, décidé en réunion."

    def capture(self) -> tuple[Any, ...]:
        names = [self.name() for _ in range(self.chance.randint(1, 3))]
        notes = [to_plain(note(name, self.text(name))) for name in names]
        buffer.append(str(self.home.root), notes, DAY)
        return ("capture", [each["id"] for each in notes])

    def _root(self, receipt: Any) -> tuple[Any, ...]:
        return ("commit", receipt.last + 1, receipt.root.hex())

    def _fresh(self) -> list[c.Change]:
        name = self.name()
        made = node(name, self.text(name))
        changes: list[c.Change] = [c.NotesAdded("s", (note(name, made.text),)), c.NodeAdded(made)]
        old = self._some()
        if old is not None:
            changes.append(c.EdgeAdded(Edge(make_id("e", made.id, old.id), made.id, Relation.USES, old.id, AT)))
            tier = self.chance.choice(list(Tier))
            changes.append(c.TierChanged(old.id, old.tier, tier))
            after = dataclasses.replace(old, tier=tier, load=old.load + 1)
            changes.append(c.NodeRevised(dataclasses.replace(old, tier=tier), after))
        return changes

    def _some(self) -> Node | None:
        found = self.store.nodes(NodeFilter(statuses=None))
        return self.chance.choice(found) if found else None

    def commit(self) -> tuple[Any, ...]:
        return self._root(self.ledger.commit(self._fresh()))

    def night(self) -> tuple[Any, ...]:
        with lock.held(self.home.cycle_lock):  # one night at a time, as in Dream
            return self._night()

    def _night(self) -> tuple[Any, ...]:
        sealed = buffer.seal(str(self.home.root))
        drained: dict[str, Note] = {}
        for path in sealed:
            held, _ = buffer.read(path)
            drained |= {str(plain["id"]): from_plain(Note, plain) for plain in held}
        known = self.store.notes_by_id(drained)
        fresh = tuple(each for key, each in drained.items() if key not in known)
        name = f"{DAY}.{self.name()}"
        changes: list[c.Change] = [c.NotesAdded("s", fresh)] if fresh else []
        changes += [*self._fresh(), c.CycleRecorded(name, AT, AT, "rules", ())]
        receipt = self.ledger.commit(changes, night=name)
        for path in sealed:
            if Path(path).exists():
                buffer.discard(path)
        return self._root(receipt)

    def undo(self) -> tuple[Any, ...] | None:
        known = [night for night in nights.nights(self.store) if not night.undone]
        if not known:
            return None
        done = nights.undo(self.ledger, self.store, self.chance.choice(known).night, cascade=self.chance.random() < 0.7)
        return None if done.receipt is None else self._root(done.receipt)

    def merge(self) -> tuple[Any, ...] | None:
        standing = [each for each in merging.audit(self.store) if each.unmerged is None]
        if standing and self.chance.random() < 0.5:
            return self._root(merging.unmerge(self.ledger, self.store, self.chance.choice(standing).kept, cascade=True))
        one, two = self._some(), self._some()
        if one is None or two is None or one.id == two.id:
            return None
        return self._root(merging.merge(self.ledger, self.store, one.id, two.id))

    def forget(self) -> tuple[Any, ...] | None:
        there = self._some()
        if there is None:
            return None
        self.ledger.forget(self.store, there.id)
        return ("forget", there.id, there.text)

    def restore(self) -> None:
        restore(self.home, signer(self.home), SystemClock(), self.store)


def signer(home: Home) -> Ed25519Signer:
    return Ed25519Signer(keys.read_seed(home), "dream")


def begin(folder: Path) -> Home:
    home = Home(folder / "home")
    home.root.mkdir(parents=True)
    keys.create(home, os.urandom(32))
    Ledger.create(home, signer(home))
    return home


def forked(act: Callable[[int], Any]) -> tuple[int, int]:
    """Run `act` with the writing end of a pipe in a child process; (pid, reading end)."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        code = 1
        try:
            act(writer)
            code = 0
        except BaseException as error:  # noqa: BLE001 -- the parent reads it
            os.write(writer, json.dumps(["error", f"{type(error).__name__}: {error}"]).encode() + b"\n")
        finally:
            os._exit(code)
    os.close(writer)
    return pid, reader


def heard(reader: int) -> list[list[Any]]:
    """All whole lines that came through a pipe until it closed."""
    with os.fdopen(reader, "rb") as file:
        content = file.read()
    return [json.loads(line) for line in content.split(b"\n")[:-1]]


def look(home: Home, acknowledged: dict[str, Any], pipe: int) -> None:
    """Open and check a store after a kill; tells what is lost and what differs."""
    lost: list[str] = []
    store = SqliteStore(home.database, SnowballAnalyser())
    outer = home.root.parent / "state"
    with Ledger.open(home, signer(home), SystemClock(), [store], outer=outer) as ledger:
        wrong = [ledger.sealed.sentence] if ledger.sealed is not None else []
        leaves = [merkle.leaf_hash(raw.header) for raw in entries(home.ledger, ledger.log_id, 0)]
        for size, root in acknowledged["roots"]:
            if size > len(leaves) or merkle.root(leaves[:size]).hex() != root:
                lost.append(f"the commit that made {size} entries")
        waiting: set[str] = set()
        for path in [*(home.capture / "sealed").glob("*.jsonl"), *home.capture.glob("*.jsonl")]:
            waiting |= {str(plain["id"]) for plain in buffer.read(str(path))[0]}
        gone = {
            each
            for entry in ledger.entries()
            if isinstance(entry.change, c.NodeForgotten)
            for each in entry.change.notes
        }
        for each in acknowledged["captured"]:
            if each not in waiting and each not in gone and store.note(each) is None:
                lost.append(f"note {each}")
        for key, text in acknowledged["forgotten"]:
            held = [path.name for path in home.root.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
            if held or store.node(key) is not None:
                lost.append(f"the wish to forget {key}, still in {held}")
        for each in store.nodes(NodeFilter(statuses=None))[:40]:
            if each.id not in store.match(each.text, 1000):
                wrong.append(f"{each.id} is not found by its text")
    store.close()
    report = verify(home, signer(home), [store], full=True, outer=outer, signer=signer(home))
    wrong += [fault.sentence for fault in report.faults]
    os.write(pipe, json.dumps(["looked", lost, wrong, report.size]).encode() + b"\n")


@dataclasses.dataclass(slots=True)
class Tally:
    """What was seen so far."""

    trials: int = 0
    lost: int = 0
    differences: int = 0
    acknowledged: int = 0
    killed_in: Counter[str] = dataclasses.field(default_factory=Counter)
    faults: list[str] = dataclasses.field(default_factory=list)


def trial(home: Home, seed: int, acknowledged: dict[str, Any], tally: Tally) -> None:
    """Let writers work, kill them, look."""
    chance = random.Random(seed)
    crew = 2 if chance.random() < 0.3 else 1
    writers = [forked(lambda pipe, n=number: Writer(home, seed * 10 + n, pipe).run()) for number in range(crew)]  # type: ignore[misc]
    time.sleep(0.03 * crew)
    for pid, _ in writers:
        time.sleep(chance.uniform(0, LONGEST))
        os.kill(pid, signal.SIGKILL)
    for pid, reader in writers:
        os.waitpid(pid, 0)
        under_way = "open"
        for told in heard(reader):
            if told[0] == "begin":
                under_way = told[1]
            elif told[0] in ("done", "refused"):
                under_way = "between"
            if told[0] == "error":
                tally.differences += 1
                tally.faults.append(f"seed {seed}: a writer failed: {told[1]}")
            if told[0] == "done":
                tally.acknowledged += 1
                kind, *rest = told[1:]
                if kind == "commit":
                    acknowledged["roots"].append(rest)
                elif kind == "capture":
                    acknowledged["captured"] += rest[0]
                elif kind == "forget":
                    acknowledged["forgotten"].append(rest)
        tally.killed_in[under_way] += 1
    pid, reader = forked(lambda pipe: look(home, acknowledged, pipe))
    lines = heard(reader)
    os.waitpid(pid, 0)
    told = lines[-1] if lines else ["error", "the process that looks ended without a word"]
    tally.trials += 1
    if told[0] != "looked":
        tally.differences += 1
        tally.faults.append(f"seed {seed}: {told[1]}")
        return
    tally.lost += len(told[1])
    tally.differences += len(told[2])
    tally.faults += [f"seed {seed}: lost {each}" for each in told[1]] + [f"seed {seed}: {each}" for each in told[2]]


def main() -> int:
    """Run the trials; exit code 1 where anything was lost or differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", type=int, nargs="?", default=200, metavar="N", help="how many (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the first trial (1)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    arguments = parser.parse_args()
    if not hasattr(os, "fork"):
        print("crash_trials needs fork and SIGKILL, which this system has not.", file=sys.stderr)
        return 1
    tally, begun = Tally(), time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="dream-crash-"))
    try:
        for number in range(arguments.trials):
            if number % LIFE == 0:
                shutil.rmtree(folder / "life", ignore_errors=True)
                home = begin(folder / "life")
                acknowledged: dict[str, Any] = {"roots": [], "captured": [], "forgotten": []}
            trial(home, arguments.seed + number, acknowledged, tally)
            if not arguments.json and (number + 1) % 100 == 0:
                print(f"{tally.trials} trials, lost {tally.lost}, differences {tally.differences}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    told = {
        "trials": tally.trials,
        "lost": tally.lost,
        "differences": tally.differences,
        "acknowledged": tally.acknowledged,
        "killed_in": dict(tally.killed_in.most_common()),
        "seconds": round(time.monotonic() - begun, 1),
        "faults": tally.faults[:20],
    }
    print(json.dumps(told) if arguments.json else "\n".join(f"{key}: {value}" for key, value in told.items()))
    return 1 if tally.lost or tally.differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
