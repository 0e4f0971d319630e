"""The WAL gate of decision 13, on the SQLite of this machine: the file, what the dead left, who is in the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ledger_world import Steps, Words, home_at, node, signer

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.adapters.sqlite_journal import choose, in_use
from dream.health import doctor
from dream.ledger.ledger import Ledger
from dream.ledger.verify import verify
from dream.model import change as c
from dream.paths import Home

WRITES = """
import os, sys
sys.path[:0] = {path!r}
from ledger_world import *
home = Home(Path({root!r}))
store = SqliteStore(home.database, Words(), journal="wal")
with Ledger.open(home, signer(home), Steps(), [store]) as ledger:
    from dream.model import change as c
    if {dies}:
        ledger._guard = None  # sealing would empty the WAL after each commit
    for number in range(20):
        ledger.commit([c.NodeAdded(node(number))])
    print(store.journal, flush=True)
    if {dies}:
        os._exit(9)
    sys.stdin.readline()
store.close()
"""


def other(home: Home, dies: bool) -> subprocess.Popen[str]:
    """A process that writes twenty nodes with a WAL, and dies without closing or waits with the database open."""
    source = WRITES.format(path=sys.path, root=str(home.root), dies=dies)
    process = subprocess.Popen([sys.executable, "-c", source], stdin=-1, stdout=-1, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "wal\n"
    return process


def whole(home: Home, journal: str | None) -> None:
    store = SqliteStore(home.database, Words(), journal=journal)
    report = verify(home, Ed25519Verifier(), [store], full=True)
    store.close()
    assert report.ok, report.faults


def test_a_new_store_is_in_the_mode_that_is_safe_with_this_sqlite(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    assert in_use(home.database) == ""
    store = SqliteStore(home.database, Words())
    with Ledger.open(home, signer(home), Steps(), [store]) as ledger:
        ledger.commit([c.NodeAdded(node(1))])
        assert store.journal == choose(home.database).mode
    store.close()
    assert in_use(home.database) == choose(home.database).mode


def test_b05_what_a_killed_process_left_in_a_wal_is_taken_in_before_the_mode_is_changed(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    signer(home)
    other(home, dies=True).wait()
    wal = home.database.with_name("pgt.sqlite-wal")
    assert in_use(home.database) == "wal" and wal.stat().st_size > 0
    store = SqliteStore(home.database, Words(), journal="delete")
    with Ledger.open(home, signer(home), Steps(), [store]) as ledger:
        assert (ledger.size, ledger.mended, store.journal) == (20, "", "delete")
        assert all(store.node(node(number).id) is not None for number in range(20))
        ledger.commit([c.NodeAdded(node(20))])
    store.close()
    assert in_use(home.database) == "delete" and not wal.exists()
    whole(home, "delete")


@pytest.mark.skipif(sys.platform == "win32", reason="asks a child to end by closing its input, which needs its pipe")
def test_a_mode_that_another_process_holds_is_told_and_changed_once_it_is_gone(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    signer(home)
    process = other(home, dies=False)
    store = SqliteStore(home.database, Words(), journal="delete", busy=0.2)
    with Ledger.open(home, signer(home), Steps(), [store]) as ledger:
        ledger.commit([c.NodeAdded(node(20))])
        assert store.journal == "wal", "it says what is, not what it wished"
    store.close()
    finding = doctor.journal("delete", "SQLite 3.40.1 can lose writes in WAL mode", in_use(home.database))
    assert finding.grade is doctor.Grade.NOTE and "Close the other sessions" in finding.hint
    process.communicate("\n", timeout=60)
    whole(home, "delete")
    assert in_use(home.database) == "delete"
    assert doctor.journal("delete", "", in_use(home.database)).grade is doctor.Grade.GOOD
