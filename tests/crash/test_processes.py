"""Many real processes on one store, and some of them killed (B01, C01)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from ledger_world import Steps, Words, home_at, opened, signer

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.capture import buffer
from dream.errors import Locked
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.ports import NodeFilter

WRITER = Path(__file__).with_name("writer.py")
TRIALS = Path(__file__).resolve().parents[2] / "scripts" / "crash_trials.py"


def started(root: Path, name: str, commits: int, events: int, kind: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(WRITER), str(root), name, str(commits), str(events), kind]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def ended(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        _, told = process.communicate(timeout=300)
        assert process.returncode == 0, told.decode()


def test_b01_eight_writers_hooks_and_a_night_lose_and_double_nothing(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    signer(home)
    crew = [started(home.root, f"w{number}", 20, 10, "server") for number in range(8)]
    crew += [started(home.root, f"h{number}", 10, 3, "hook") for number in range(4)]
    crew.append(started(home.root, "night", 8, 1, "night"))
    ended(crew)
    with opened(home) as ledger:
        changes = [entry.change for entry in ledger.entries()]
        seqs = [entry.seq for entry in ledger.entries()]
        waiting, bad = [], []
        for path in [*(home.capture / "sealed").glob("*.jsonl"), *home.capture.glob("*.jsonl")]:
            held, wrong = buffer.read(str(path))
            waiting += [note["id"] for note in held]
            bad += wrong
        assert ledger._store is not None
        held_nodes = ledger._store.nodes(NodeFilter(statuses=None))  # type: ignore[attr-defined]
    added = [change.node.id for change in changes if isinstance(change, c.NodeAdded)]
    assert len(added) == len(set(added)) == len(held_nodes) == 8 * 200 + 8
    assert seqs == list(range(len(seqs)))
    drained = [note.id for change in changes if isinstance(change, c.NotesAdded) for note in change.notes]
    assert len(drained) == len(set(drained))
    assert len(set(drained) | set(waiting)) == 4 * 10 * 3
    assert not bad
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert report.ok, report.faults


def test_c01_two_servers_make_one_chain_of_a_thousand(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    signer(home)
    ended([started(home.root, f"w{number}", 50, 10, "server") for number in range(2)])
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert (report.ok, report.size) == (True, 1000), report.faults


def test_b08_restores_under_two_processes_that_write_lose_nothing(tmp_path: Path) -> None:
    """Each restore waits for the writers' lock or is refused; what they write goes to the file that is there then."""
    home = home_at(tmp_path)
    signer(home)
    crew = [started(home.root, f"w{number}", 15, 4, "server") for number in range(2)]
    restored = 0
    while any(process.poll() is None for process in crew) or not restored:
        store = SqliteStore(home.database, Words())
        with suppress(Locked):
            restored += restore(home, signer(home), Steps(), store).entries >= 0
        store.close()
    ended(crew)
    store = SqliteStore(home.database, Words())
    report = verify(home, Ed25519Verifier(), [store], full=True)
    assert (report.ok, report.size, store.watermark()) == (True, 120, 120), report.faults
    assert len(store.nodes(NodeFilter(statuses=None))) == 120
    assert not list(home.root.glob("*.bad"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_slice_of_the_crash_trials_loses_nothing(tmp_path: Path) -> None:
    """The full run is `scripts/crash_trials.py 3000`; its figures are in docs/numbers.md."""
    command = [sys.executable, str(TRIALS), "40", "--json", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300)
    told = json.loads(done.stdout)
    assert (told["trials"], told["lost"], told["differences"]) == (40, 0, 0), told["faults"]
