"""A fault at every write, fsync, rename and truncation of one commit: all or nothing, and never a lie."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from ledger_world import Steps, Words, home_at, node, note, opened, signer

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.memory import MemoryStore
from dream.adapters.sqlite import SqliteStore
from dream.ledger import durable, segment
from dream.ledger.ledger import Ledger
from dream.ledger.replay import Replay
from dream.ledger.verify import verify
from dream.ledger.whose import log_of
from dream.model import change as c
from dream.model import fold
from dream.paths import Home

CALLS = ("write", "fsync", "replace", "ftruncate", "open")


class Killed(BaseException):
    """The process is gone: no handler of an ordinary error may see it as one."""


class FaultyFiles:
    """Stands in for `os` in `durable`: the call number `fails` fails, a write half done.

    After a kill nothing more reaches the disk, as of a process that is gone.
    """

    def __init__(self, fails: int, kill: bool) -> None:
        self.calls, self._fails, self._kill, self._dead = 0, fails, kill, False

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*args: Any, **more: Any) -> Any:
            self.calls += 1
            if self._dead:
                raise Killed
            if self.calls - 1 == self._fails:
                if name == "write":
                    real(args[0], bytes(args[1])[: len(args[1]) // 2])
                if self._kill:
                    self._dead = True
                    raise Killed
                raise OSError(errno.ENOSPC, "no space left on the device")
            return real(*args, **more)

        return call


CHANGES = [c.NotesAdded("s", (note(7), note(8))), c.NodeAdded(node(7)), c.NodeRevised(node(1), node(1, pinned=True))]


@pytest.fixture
def base(tmp_path: Path) -> Home:
    home = home_at(tmp_path)
    with opened(home, outer=tmp_path / "state") as ledger:
        ledger.commit([c.NodeAdded(node(1))])
        ledger.commit([c.NotesAdded("s", (note(1), note(2)))])
    return home


def whole(home: Home) -> Ledger:
    """Reopened, all of it holds, and goes on."""
    oracle = MemoryStore(Words())
    ledger = opened(home, oracle, outer=home.root.parent / "state")
    assert ledger.sealed is None
    assert oracle.state == fold.fold(ledger.entries())
    return ledger


def calls_of(home: Home, monkeypatch: pytest.MonkeyPatch) -> int:
    files = FaultyFiles(-1, kill=False)
    with opened(home, outer=home.root.parent / "state") as ledger, monkeypatch.context() as patch:
        patch.setattr(durable, "os", files)
        ledger.commit(CHANGES)
    return files.calls


@pytest.mark.parametrize("kill", [False, True], ids=["error", "kill"])
@pytest.mark.parametrize("rotate", [False, True], ids=["same-segment", "next-segment"])
def test_every_call_of_a_commit_may_fail(base: Home, kill: bool, rotate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if rotate:
        monkeypatch.setattr(segment, "ROTATE_AT", 1)
    copy = base.root.parent / "copy"
    shutil.copytree(base.root, copy / "home")
    total = calls_of(Home(copy / "home"), monkeypatch)
    assert total > 8
    for fails in range(total):
        shutil.rmtree(base.root.parent / "try", ignore_errors=True)
        home = Home(base.root.parent / "try" / "home")
        shutil.copytree(base.root, home.root)
        acknowledged = False
        ledger = opened(home, outer=home.root.parent / "state")
        with monkeypatch.context() as patch:
            patch.setattr(durable, "os", FaultyFiles(fails, kill))
            try:
                ledger.commit(CHANGES)
                acknowledged = True
            except (OSError, Killed):
                pass
        if not kill:
            assert ledger.size == (5 if acknowledged else 2), "an error in one process leaves it able to go on"
            ledger.commit([c.NodeAdded(node(9))])
            assert ledger.size == (6 if acknowledged else 3)
        ledger.close()
        with whole(home) as again:
            if acknowledged:
                assert again.size >= 5
            elif not kill:
                assert again.size == 3
            else:
                assert again.size in (2, 5)
            again.commit([c.NodeAdded(node(10))])
        store = SqliteStore(home.database, Words())
        report = verify(home, Ed25519Verifier(), [store], full=True, outer=home.root.parent / "state")
        store.close()
        assert report.ok, (fails, report.faults)


@pytest.mark.parametrize("kill", [False, True], ids=["error", "kill"])
def test_every_call_of_a_forgetting_may_fail(base: Home, kill: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "Le mot magique est abracadabra-77."
    with opened(base, outer=base.root.parent / "state") as ledger:
        ledger.commit([c.NotesAdded("t", (note(20, secret),)), c.NodeAdded(node(20, secret))])
    for fails in range(200):
        shutil.rmtree(base.root.parent / "try", ignore_errors=True)
        home = Home(base.root.parent / "try" / "home")
        shutil.copytree(base.root, home.root)
        ledger = opened(home, outer=home.root.parent / "state")
        files = FaultyFiles(fails, kill)
        committed = False
        with monkeypatch.context() as patch:
            patch.setattr(durable, "os", files)
            try:
                ledger.forget(ledger._store, node(20).id)  # type: ignore[arg-type]
                committed = True
            except (OSError, Killed):
                pass
        ledger.close()
        with whole(home) as again:
            gone = again._store.node(node(20).id) is None  # type: ignore[union-attr]
            assert gone or not committed
            held = [p for p in home.root.rglob("*") if p.is_file() and b"abracadabra" in p.read_bytes()]
            assert bool(held) != gone, "forgotten everywhere, or not at all"
            again.commit([c.NodeAdded(node(10))])
        store = SqliteStore(home.database, Words())
        report = verify(home, Ed25519Verifier(), [store], full=True, outer=home.root.parent / "state")
        store.close()
        assert report.ok, (fails, report.faults)
        if committed and files.calls <= fails:
            return
    raise AssertionError("a forgetting makes more calls than were tried")


def test_a_torn_line_is_cut_and_the_next_commit_is_not_glued_to_it(base: Home) -> None:
    path = base.ledger / "000001.jsonl"
    good = path.read_bytes()
    for tail in (b'{"seq":2,"at"', b'{"seq":2}\n["x', b"\0" * 512, b'{"checkpoint":"dream', b"\n\n"):
        path.write_bytes(good + tail)
        with Ledger.open(base, signer(base), Steps(), []) as ledger:
            assert ledger.size == 2
        assert path.read_bytes() == good


def test_a_replay_equals_the_fold(base: Home) -> None:
    with opened(base) as ledger:
        ledger.commit(CHANGES)
        rows = Replay(ledger.log_id)
        from dream.ledger.follow import entries

        told = rows.take_all(entries(base.ledger, ledger.log_id, 0))
        state = fold.fold(ledger.entries())
    assert set(told.notes) == set(state.notes)
    assert set(told.nodes) == set(state.nodes)
    assert log_of(base, signer(base)).id == ledger.log_id
