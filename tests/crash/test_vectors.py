"""SQLite, vectors and graph after a process died between one and the next, at any touch of the disk (B17)."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from ledger_world import Words, edge, home_at, node, note, opened

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.memory import MemoryStore
from dream.adapters.nx_graph import NxGraph
from dream.adapters.sqlite import SqliteStore
from dream.adapters.vector_matrix import MatrixVectors
from dream.ledger.ledger import Ledger
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model import fold
from dream.ports import NodeFilter, NoteFilter
from dream.recall.vectors import follow

TOUCHES = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "shutil.rmtree", "mmap.__new__"}
PLACES = 24


class Letters:
    """An embedder whose vectors are bytes of a digest."""

    model = "letters"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]] for text in texts]


def changes(number: int) -> list[c.Change]:
    """Something comes, and something that the vectors have may go."""
    one, two = node(number, f"Le port {number} est pris"), node(number + 1, f"La base {number} est prise")
    told: list[c.Change] = [c.NotesAdded("s", (note(number, f"Dit {number}"),)), c.NodeAdded(one), c.NodeAdded(two)]
    return [*told, c.EdgeAdded(edge(one, two)), c.NodeAdded(node(number + 2)), c.NodeWithdrawn(node(number + 2))]


def one_round(ledger: Ledger, index: MatrixVectors, number: int) -> None:
    ledger.commit(changes(number))
    follow(ledger.entries(index.watermark()), Letters(), index)


def dies(home: object, folder: Path, number: int, at: int) -> bool:
    """A process plays a round and is killed at its touch of the disk number `at`; False where it ended before."""
    pid = os.fork()
    if pid == 0:
        ledger, index = opened(home), MatrixVectors(folder, "letters")  # type: ignore[arg-type]
        left = at

        def touched(event: str, _: object) -> None:
            nonlocal left
            if event in TOUCHES:
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(touched)
        one_round(ledger, index, number)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_b17_killed_between_the_stores_they_meet_again_and_repairing_twice_changes_nothing(tmp_path: Path) -> None:
    home, folder = home_at(tmp_path), tmp_path / "vectors"
    with opened(home) as ledger:
        one_round(ledger, MatrixVectors(folder, "letters"), 1)
    killed = 0
    for place in range(PLACES):
        number = 10 + place * 5
        killed += dies(home, folder, number, place * 2)
        for _ in range(2):
            index, graph = MatrixVectors(folder, "letters"), NxGraph()
            with opened(home) as ledger:
                follow(ledger.entries(index.watermark()), Letters(), index)
                store = ledger._store
                graph.load(store, ledger.size)  # type: ignore[arg-type]
                state = fold.fold(ledger.entries())
                nodes = {each.id for each in store.nodes(NodeFilter(statuses=None))}  # type: ignore[union-attr]
                notes = {each.id for each in store.notes(NoteFilter())}  # type: ignore[union-attr]
                assert (nodes, notes) == (state.nodes.keys(), state.notes.keys())
                found = dict(index.nearest([0.5] * 8, 10_000))
                assert found.keys() == nodes | notes, f"killed at {place}"
                assert index.watermark() == ledger.size == graph.watermark()
                for each in state.edges.values():
                    assert each.target in graph.neighbours(each.source)
            store.close()  # type: ignore[union-attr]
    assert killed > PLACES // 2, "most of the places are before the end"


def test_b17_stores_that_stopped_at_different_entries_meet_again(tmp_path: Path) -> None:
    """A process dies between one store and the next; the next open repairs, and repairing again changes nothing."""

    class Dying(MemoryStore):
        dies = False

        def apply(self, entries: object) -> None:
            if self.dies:
                raise KeyboardInterrupt
            super().apply(entries)  # type: ignore[arg-type]

    home = home_at(tmp_path)
    for place in range(20):
        first, second = MemoryStore(Words()), Dying(Words())
        order = [first, second] if place % 2 else [second, first]
        ledger = opened(home, *order)
        second.dies = True
        with pytest.raises(KeyboardInterrupt):
            ledger.commit([c.NodeAdded(node(100 + place)), c.NotesAdded("s", (note(100 + place),))])
        second.dies = False
        for _ in range(2):
            with opened(home, first, second) as again:
                sqlite = again._store
                assert sqlite is not None
                expected = fold.fold(again.entries())
                assert first.state == second.state == expected
                assert {each.id for each in sqlite.nodes(NodeFilter(statuses=None))} == expected.nodes.keys()  # type: ignore[attr-defined]
                assert {each.id for each in sqlite.notes(NoteFilter())} == expected.notes.keys()  # type: ignore[attr-defined]
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert report.ok, report.faults
