"""Reported faults of storage and concurrency, by their case ids (B03 to B05, B08, B15, B18, B19; B17: tests/crash)."""

from __future__ import annotations

import os
import pickle
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ledger_world import AT, Steps, Words, edge, home_at, node, note, opened, signer

from dream.adapters import sqlite_journal
from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.nx_graph import NxGraph
from dream.adapters.sqlite import SqliteStore
from dream.errors import DreamError, Locked
from dream.health import doctor
from dream.ledger import lock
from dream.ledger.ledger import Ledger
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model import fold
from dream.paths import Home
from dream.ports import NodeFilter
from dream.settings import load


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = home_at(tmp_path)
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1),)), c.NodeAdded(node(1)), c.NodeAdded(node(2))])
        ledger.commit([c.EdgeAdded(edge(node(1), node(2)))])
    ledger._store.close()  # type: ignore[union-attr]
    return home


def good(home: Home) -> bool:
    store = SqliteStore(home.database, Words())
    report = verify(home, Ed25519Verifier(), [store], full=True, signer=signer(home))
    store.close()
    assert report.ok, report.faults
    return True


def blocking(home: Home, seconds: float) -> threading.Thread:
    """Another connection holds the database for a while."""
    begun = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(home.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        begun.set()
        time.sleep(seconds)
        other.execute("ROLLBACK")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait()
    return thread


def test_b03_a_locked_database_is_waited_for(home: Home) -> None:
    with opened(home) as ledger:
        thread = blocking(home, 0.8)
        receipt = ledger.commit([c.NodeAdded(node(3))])
        thread.join()
        assert receipt.behind == ()
        assert ledger._store is not None
        assert ledger._store.node(node(3).id) == node(3)
    assert good(home)


def test_b03_a_database_locked_for_too_long_loses_nothing_and_is_told(home: Home) -> None:
    store = SqliteStore(home.database, Words(), busy=0.2)
    with Ledger.open(home, signer(home), Steps(), [store]) as ledger:
        thread = blocking(home, 1.5)
        receipt = ledger.commit([c.NodeAdded(node(3))])
        assert "locked by another program" in receipt.behind[0]
        with pytest.raises(Locked, match="locked by another program"):
            ledger.commit([c.NodeAdded(node(4))])
        assert ledger.size == 5, "acknowledged is in the log; what could not be checked is not"
        thread.join()
        ledger.commit([c.NodeAdded(node(4))])
        assert store.node(node(3).id) == node(3)
    assert good(home)


def test_the_default_wait_is_at_least_five_seconds(home: Home) -> None:
    store = SqliteStore(home.database, Words())
    assert store._db.rows("PRAGMA busy_timeout")[0][0] >= 5000


@pytest.mark.parametrize(
    "folder",
    ["OneDrive - Exemple SA/dream", "Dropbox/dream", "Google Drive/x", "iCloud Drive/x", "Nextcloud/notes/dream"],
)
def test_b04_a_synced_folder_gets_no_wal_and_is_named(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "pgt.sqlite"
    path.parent.mkdir(parents=True)
    chosen = sqlite_journal.choose(path, (3, 53, 0), mounts=[("/", "ext4")])
    assert chosen.mode == "delete"
    assert folder.split("/")[0] in chosen.why
    store = SqliteStore(path, Words())
    assert store.watermark() == 0
    assert store.journal == "delete"
    assert not list(path.parent.glob("*-wal"))


def test_b04_a_network_mount_gets_no_wal_and_is_named() -> None:
    mounts = [("/", "ext4"), ("/home", "ext4"), ("/home/lea", "nfs4")]
    chosen = sqlite_journal.choose(Path("/home/lea/.dream/pgt.sqlite"), (3, 53, 0), mounts)
    assert (chosen.mode, "nfs4" in chosen.why) == ("delete", True)
    assert sqlite_journal.choose(Path("/home/max/.dream/pgt.sqlite"), (3, 53, 0), mounts).mode == "wal"


@pytest.mark.parametrize(
    ("version", "bad"),
    [
        ((3, 40, 1), True), ((3, 44, 5), True), ((3, 44, 6), False), ((3, 45, 0), True), ((3, 50, 6), True),
        ((3, 50, 7), False), ((3, 51, 0), True), ((3, 51, 2), True), ((3, 51, 3), False), ((3, 53, 0), False),
    ],
)  # fmt: skip
def test_a_sqlite_with_the_wal_fault_is_known(version: tuple[int, ...], bad: bool) -> None:
    assert sqlite_journal.affected(version) is bad
    if bad:
        assert "can lose writes" in sqlite_journal.choose(Path("/x/pgt.sqlite"), version, [("/", "ext4")]).why


def test_the_store_works_the_same_with_a_wal(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    store = SqliteStore(home.database, Words(), journal="wal")
    with Ledger.open(home, signer(home), Steps(), [store]) as ledger:
        ledger.commit([c.NodeAdded(node(1)), c.NotesAdded("s", (note(1, "Le mot magique est abracadabra"),))])
        ledger.commit([c.NodeAdded(node(2))])
        assert store.journal == "wal"
        ledger.forget(store, note(1).id)
        files = [path for path in home.root.rglob("*") if path.is_file() and b"abracadabra" in path.read_bytes()]
        assert files == []
    store.close()
    store = SqliteStore(home.database, Words(), journal="wal")
    report = verify(home, Ed25519Verifier(), [store], full=True)
    assert report.ok, report.faults
    assert report.remarks == ()


def test_b05_noise_in_the_wal_is_set_aside_and_the_database_made_again(home: Home) -> None:
    (home.root / "pgt.sqlite-wal").write_bytes(os.urandom(65_536))
    with opened(home) as ledger:
        assert "pgt.sqlite-wal is damaged" in ledger.mended
        assert "1 notes, 2 nodes, 1 edges" in ledger.mended
        assert ledger._store is not None
        assert ledger._store.node(node(2).id) == node(2)
        ledger.commit([c.NodeAdded(node(3))])
    assert {path.name for path in home.root.glob("*.bad")} == {"pgt.sqlite.1.bad", "pgt.sqlite-wal.1.bad"}
    ledger._store.close()
    assert not (home.root / "pgt.sqlite-wal").exists()
    assert good(home)


def test_b05_a_database_that_is_none_is_set_aside_and_made_again(home: Home) -> None:
    home.database.write_bytes(b"not a database" * 1000)
    with opened(home) as ledger:
        assert "pgt.sqlite is damaged" in ledger.mended
    assert good(home)
    home.database.unlink()
    with opened(home) as ledger:
        assert ledger.mended == ""
        assert ledger._store is not None
        assert len(ledger._store.touching(node(1).id)) == 1
    assert good(home)


def test_b08_restore_refuses_while_another_process_writes(home: Home) -> None:
    store = SqliteStore(home.database, Words())
    with lock.held(home.writer_lock), pytest.raises(Locked, match=r"writer\.lock is held"):
        restore(home, signer(home), Steps(), store, patience=0.1)
    assert restore(home, signer(home), Steps(), store).entries == 4


def test_b08_a_second_process_with_the_database_open_loses_no_write_to_a_restore(home: Home) -> None:
    other = opened(home)
    assert other._store is not None
    assert other._store.node(node(1).id) == node(1)
    (home.root / "pgt.sqlite-journal").write_bytes(b"")
    restore(home, signer(home), Steps(), SqliteStore(home.database, Words()))
    other.commit([c.NodeAdded(node(5))])
    assert other._store.node(node(5).id) == node(5)
    other.close()
    store = SqliteStore(home.database, Words())
    assert store.node(node(5).id) == node(5), "written to the new file, not to the one that was replaced"
    store.close()
    assert good(home)


def test_b08_with_a_wal_too_nothing_is_lost_to_a_restore(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    stores = [SqliteStore(home.database, Words(), journal="wal") for _ in range(3)]
    one, two = (Ledger.open(home, signer(home), Steps(), [store]) for store in stores[:2])
    one.commit([c.NodeAdded(node(1))])
    two.commit([c.NodeAdded(node(2))])
    restore(home, signer(home), Steps(), stores[2])
    two.commit([c.NodeAdded(node(3))])
    stores[0].close()
    one.commit([c.NodeAdded(node(4))])
    for each in stores:
        assert [each.node(node(number).id) for number in range(1, 5)] == [node(number) for number in range(1, 5)]
        each.close()
    fresh = SqliteStore(home.database, Words(), journal="wal")
    report = verify(home, Ed25519Verifier(), [fresh], full=True)
    assert report.ok, report.faults
    fresh.close()
    assert not (home.root / "pgt.sqlite.new").exists()


class Ran:
    """Says that it was unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, ("unpickled",))


def test_b15_an_old_graph_file_is_never_read_and_the_graph_is_made_from_the_store(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole or cut off, it is left alone with one word about it; what runs when it is unpickled does not run."""
    monkeypatch.chdir(home.root)
    whole = pickle.dumps(Ran())
    for content in (whole, whole[: len(whole) // 2]):
        (home.root / "graph.gpickle").write_bytes(content)
        with opened(home) as ledger:
            graph = NxGraph()
            graph.load(ledger._store, ledger.size)  # type: ignore[arg-type]
            state = fold.fold(ledger.entries())
            assert set(graph.neighbours(node(1).id)) == {node(2).id}
            assert (len(state.nodes), len(state.edges)) == (2, 1)
            assert len(ledger._store.nodes(NodeFilter())) == 2  # type: ignore[union-attr]
        loaded = load({"DREAM_HOME": str(home.root)})
        told = [each for each in doctor.examine(loaded, {}) if "gpickle" in each.sentence]
        assert [each.grade for each in told] == [doctor.Grade.NOTE]
    assert not (home.root / "unpickled").exists()
    assert (home.root / "graph.gpickle").read_bytes() == whole[: len(whole) // 2]
    assert good(home)


def test_b18_a_lock_named_after_a_dead_or_recycled_process_is_taken_over(home: Home) -> None:
    for pid in ("999999", str(os.getpid()), "1", "rubbish"):
        home.writer_lock.write_text(f"{pid}\n")
        with opened(home, patience=0.5) as ledger:
            ledger.commit([])


def test_b18_the_lock_of_a_killed_process_is_free_and_a_live_one_is_respected(home: Home) -> None:
    source = f"import sys,time\nsys.path[:0]={sys.path!r}\nfrom pathlib import Path\nfrom dream.ledger import lock\n"
    source += f"with lock.held(Path({str(home.writer_lock)!r})):\n    print('held', flush=True)\n    time.sleep(60)\n"
    other = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    with pytest.raises(Locked, match=str(other.pid)):
        opened(home, patience=0.2)
    other.kill()
    other.wait()
    with opened(home, patience=0.5) as ledger:
        assert ledger.size == 4


def test_b18_two_live_servers_both_serve(home: Home) -> None:
    one, two = opened(home), opened(home)
    for number in range(10, 20):
        (one if number % 2 else two).commit([c.NodeAdded(node(number))])
    for each in (one, two):
        each.commit([])
        assert each.size == 14
        assert each._store is not None
        assert each._store.node(node(19).id) == node(19)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 20 MB, where we may mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(folder)]
    if (
        sys.platform != "linux"
        or os.geteuid() != 0
        or subprocess.run(mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("needs to mount a small file system, which takes root on Linux")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("guarded", [True, False], ids=["guard", "no-guard"])
def test_b19_a_full_disk_keeps_the_last_complete_state(
    small_disk: Path, guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dream.ledger import durable

    if not guarded:
        monkeypatch.setattr(durable, "need_room", lambda folder, size: None)
    home = home_at(small_disk)
    kept: list[str] = []
    refused = 0
    with opened(home) as ledger:
        for number in range(10_000):
            some = node(number, f"Un fait numéro {number} " + "x" * 400)
            extra = [c.NodeAdded(node(number * 1000 + each, "y" * 1200)) for each in range(1, 60)]
            try:
                ledger.commit([c.NodeAdded(some), *extra])
                kept.append(some.id)
            except (DreamError, OSError):
                refused += 1
                if refused == 5:
                    break
        size = ledger.size
    assert refused == 5
    assert kept
    if guarded:
        assert os.statvfs(small_disk).f_bavail > 0, "stopped before the last byte"
    (small_disk / "ballast").unlink(missing_ok=True)
    subprocess.run(["mount", "-o", "remount,size=80m", str(small_disk)], check=True)
    with opened(home) as ledger:
        assert ledger.size >= size >= len(kept)
        assert ledger._store is not None
        assert all(ledger._store.node(each) is not None for each in kept)
        ledger.commit([c.NodeAdded(node(10_000_001))])
    assert good(home)
    assert AT


def test_a_transaction_that_was_rolled_back_is_no_tampering(home: Home) -> None:
    """Found by crash trials: SQLite does not put back the bytes of free pages."""
    with opened(home) as ledger:
        many = [c.NodeAdded(node(number, f"Un fait {number} " + "x" * 500)) for number in range(100, 400)]
        ledger.commit(many)
        ledger.commit([c.NodeWithdrawn(change.node) for change in many])
        store = ledger._store
        assert isinstance(store, SqliteStore)

        def dies(*_: object) -> None:
            raise KeyboardInterrupt

        again = [c.NodeAdded(node(number, f"Un autre fait {number} " + "y" * 500)) for number in range(500, 700)]
        store._run, real = dies, store._run  # type: ignore[method-assign,assignment]
        with pytest.raises(KeyboardInterrupt):
            ledger.commit([*again, c.NodeAdded(node(3))])
        store._run = real  # type: ignore[method-assign]
    assert good(home)
    with opened(home) as ledger:
        ledger.commit([c.NodeAdded(node(4))])
    assert good(home)


def test_what_a_killed_process_had_not_put_in_place_is_swept(home: Home) -> None:
    (home.ledger / ".000001.jsonl.4242.tmp").write_text("Le mot magique", encoding="utf-8")
    with opened(home):
        assert not list(home.ledger.glob(".*"))


def test_a_full_check_seals_a_store_that_lost_its_seal(home: Home) -> None:
    (home.ledger / "pgt.seal").unlink()
    store = SqliteStore(home.database, Words())
    report = verify(home, Ed25519Verifier(), [store], full=True, signer=signer(home))
    assert report.ok
    assert "had no seal" in report.remarks[0]
    assert (home.ledger / "pgt.seal").exists()
    assert verify(home, Ed25519Verifier(), [store], signer=signer(home)).remarks == ()
    store.close()
