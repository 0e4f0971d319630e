"""What verify finds: any changed byte, a cut tail, an older store put back, a fork, a foreign key (C01, C04 to C06)."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from ledger_world import Steps, Words, edge, home_at, node, note, opened, signer

from dream.adapters.ed25519 import Ed25519Signer, Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.errors import DreamError, LedgerSealed
from dream.ledger import care, checkpoint, keys, proofs, segment
from dream.ledger import verify as verify_module
from dream.ledger.ledger import Ledger
from dream.ledger.restore import restore
from dream.ledger.verify import Report, verify
from dream.model import change as c
from dream.model.graph import Tier
from dream.paths import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = home_at(tmp_path)
    with opened(home, outer=tmp_path / "state") as ledger:
        ledger.commit([c.NotesAdded("s", (note(1), note(2, "Décidé : « le port » est 9464."))), c.NodeAdded(node(1))])
        ledger.commit([c.NodeAdded(node(2)), c.EdgeAdded(edge(node(1), node(2)))], night="2026-01-12")
        ledger.commit([c.TierChanged(node(1).id, Tier.ACTIVE, Tier.HOT)])
    ledger._store.close()  # type: ignore[union-attr]
    return home


def looked_at(home: Home, full: bool = False, **how: object) -> Report:
    store = SqliteStore(home.database, Words())
    try:
        return verify(home, Ed25519Verifier(), [store], full=full, outer=home.root.parent / "state", **how)  # type: ignore[arg-type]
    finally:
        store.close()


@pytest.mark.parametrize("full", [False, True])
def test_a_store_as_it_was_written_verifies(home: Home, full: bool) -> None:
    report = looked_at(home, full, signer=signer(home))
    assert (report.ok, report.size, report.remarks) == (True, 5, ())


def test_a_copy_of_the_checkpoint_that_is_missing_is_told_and_is_no_fault(home: Home) -> None:
    (home.ledger / "checkpoint").unlink()
    for copy in (home.root.parent / "state").glob("*.checkpoint"):
        copy.unlink()
    report = looked_at(home)
    assert report.ok
    assert report.remarks == (
        "`ledger/checkpoint` is missing; the next commit writes it.",
        "The copy outside DREAM_HOME is missing; the next commit writes it.",
    )


@pytest.mark.parametrize("name", ["000001.jsonl", "checkpoint", "key.pub", "pgt.seal"])
def test_any_changed_byte_of_the_log_is_found(home: Home, name: str) -> None:
    path = home.ledger / name
    good = path.read_bytes()
    for place in range(0, len(good), 1 if len(good) < 1000 else 5):
        bad = bytearray(good)
        bad[place] ^= 1 << random.Random(place).randrange(8)
        path.write_bytes(bad)
        report = looked_at(home)
        assert not report.ok, f"byte {place} of {name}: {good[place - 20 : place + 20]!r}"
        assert all(fault.sentence for fault in report.faults)
    path.write_bytes(good)
    assert looked_at(home).ok


def test_any_changed_byte_of_the_database_is_found(home: Home) -> None:
    good = home.database.read_bytes()
    for place in random.Random(7).sample(range(len(good)), 200):
        bad = bytearray(good)
        bad[place] ^= 1 << random.Random(place).randrange(8)
        home.database.write_bytes(bad)
        assert not looked_at(home).ok, f"byte {place}"
    home.database.write_bytes(good)
    assert looked_at(home).ok


def test_a_changed_row_is_named_with_its_entry_and_restored(home: Home) -> None:
    times = home.database.stat()
    with sqlite3.connect(home.database) as other:
        other.execute("UPDATE node SET json = replace(json, 'SQLite', 'SQLITE') WHERE id = ?", (node(2).id,))
    other.close()
    os.utime(home.database, ns=(times.st_atime_ns, times.st_mtime_ns))
    for full in (False, True):
        report = looked_at(home, full)
        assert not report.ok
        assert any(node(2).id in fault.sentence and fault.seq == 2 for fault in report.faults)
    with opened(home) as ledger, pytest.raises(LedgerSealed, match=r"sealed"):
        ledger.commit([c.NodeAdded(node(3))])
    store = SqliteStore(home.database, Words())
    assert restore(home, signer(home), Steps(), store).entries == 5
    assert store.node(node(2).id) == node(2)
    assert looked_at(home, full=True).ok


def test_a_changed_row_is_found_without_its_seal_and_cannot_be_hidden_behind_a_commit(home: Home) -> None:
    (home.ledger / "pgt.seal").unlink()
    with sqlite3.connect(home.database) as other:
        other.execute("DELETE FROM note WHERE id = ?", (note(1).id,))
    other.close()
    report = looked_at(home)
    assert not report.ok
    assert "is missing" in report.faults[0].sentence
    with opened(home) as ledger:
        ledger.commit([c.NodeAdded(node(3))])
    assert not looked_at(home).ok, "a store that was not known to be good is not sealed again"


def test_a_torn_line_is_no_fault(home: Home) -> None:
    with (home.ledger / "000001.jsonl").open("ab") as file:
        file.write(b'{"seq":5,"at":"2026')
    report = looked_at(home)
    assert report.ok
    assert "torn" in report.remarks[0]


def cut(home: Home, batches: int) -> None:
    """Take the last batches off the log, and what tells of them inside DREAM_HOME."""
    path = home.ledger / "000001.jsonl"
    content = path.read_bytes()
    found = list(segment.batches(content, 0))
    path.write_bytes(content[: found[-batches - 1].end])
    (home.ledger / "checkpoint").write_text(found[-batches - 1].note, encoding="utf-8")
    (home.ledger / "head.json").unlink()
    (home.ledger / "pgt.seal").unlink()
    home.database.unlink()


def test_c05_a_dropped_tail_is_found_by_the_copy_outside(home: Home) -> None:
    before = (home.ledger / "000001.jsonl").read_bytes()
    cut(home, 1)
    report = looked_at(home)
    assert not report.ok
    assert "entries 4 to 4 were cut off" in report.faults[0].sentence
    content = (home.ledger / "000001.jsonl").read_bytes()
    with opened(home, outer=home.root.parent / "state") as ledger:
        assert ledger.sealed is not None
        with pytest.raises(LedgerSealed):
            ledger.commit([c.NodeAdded(node(3))])
    assert (home.ledger / "000001.jsonl").read_bytes() == content != before


def test_c05_an_older_valid_store_put_back_is_found(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.root, tmp_path / "older")
    with opened(home, outer=tmp_path / "state") as ledger:
        ledger.commit([c.NodeAdded(node(3))])
    shutil.rmtree(home.root)
    shutil.copytree(tmp_path / "older", home.root)
    report = looked_at(home)
    assert not report.ok
    assert "older store was put back" in report.faults[0].sentence
    assert "entries are lost" in report.faults[0].hint


def test_c05_an_older_valid_database_put_back_is_found(home: Home, tmp_path: Path) -> None:
    shutil.copy(home.database, tmp_path / "older.sqlite")
    with opened(home) as ledger:
        ledger.commit([c.NodeAdded(node(3))])
    ledger._store.close()  # type: ignore[union-attr]
    shutil.copy(tmp_path / "older.sqlite", home.database)
    report = looked_at(home)
    assert not report.ok
    assert "older than its seal" in report.faults[0].sentence


def test_c01_a_fork_by_two_writers_is_called_a_double_write(home: Home, tmp_path: Path) -> None:
    """Two processes that both held no lock: each appends to the same head."""
    twin = Home(tmp_path / "twin")
    shutil.copytree(home.root, twin.root)
    ends = []
    for each, number in ((home, 10), (twin, 20)):
        size = (each.ledger / "000001.jsonl").stat().st_size
        with opened(each) as ledger:
            ledger.commit([c.NodeAdded(node(number)), c.NodeAdded(node(number + 1))])
        ends.append((each.ledger / "000001.jsonl").read_bytes()[size:])
    with (home.ledger / "000001.jsonl").open("ab") as file:
        file.write(ends[1])
    (home.ledger / "head.json").unlink()
    report = looked_at(home, full=True)
    assert not report.ok
    assert "double write" in report.faults[0].sentence
    assert report.faults[0].seq == 5


def test_c04_a_checkpoint_that_does_not_follow_from_its_predecessor_is_named(home: Home) -> None:
    path = home.ledger / "000001.jsonl"
    content = path.read_bytes()
    last = list(segment.batches(content, 0))[-1]
    told = checkpoint.parse(last.note)
    assert told is not None
    forged = checkpoint.sign(checkpoint.Checkpoint(told.origin, told.size, b"\7" * 32).text(), signer(home))
    path.write_bytes(content[: last.start] + segment.checkpoint_line(forged))
    for full in (False, True):
        report = looked_at(home, full)
        assert not report.ok
        assert "root that does not follow from the checkpoint of size 4" in report.faults[0].sentence
    forged = checkpoint.sign(checkpoint.Checkpoint(told.origin, told.size + 3, told.root).text(), signer(home))
    path.write_bytes(content[: last.start] + segment.checkpoint_line(forged))
    assert "says 8 entries; there are 5" in looked_at(home).faults[0].sentence


def test_a_checkpoint_by_another_key_is_named(home: Home) -> None:
    path = home.ledger / "000001.jsonl"
    content = path.read_bytes()
    last = list(segment.batches(content, 0))[-1]
    told = checkpoint.parse(last.note)
    assert told is not None
    path.write_bytes(
        content[: last.start]
        + segment.checkpoint_line(checkpoint.sign(told.text(), Ed25519Signer(os.urandom(32), "dream")))
    )
    assert any("not signed by the ledger's key" in fault.sentence for fault in looked_at(home).faults)
    with opened(home) as ledger:
        assert ledger.sealed is not None


def test_a_removed_entry_is_named(home: Home) -> None:
    path = home.ledger / "000001.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines = [line for line in lines if not line.startswith(b'{"seq":3,')]
    path.write_bytes(b"\n".join(lines))
    report = looked_at(home)
    assert report.faults[0].seq == 3


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_c06_a_key_that_others_can_read_stops_writing(home: Home) -> None:
    path = home.keys / "ledger.key"
    path.chmod(0o644)
    with pytest.raises(keys.KeyProblem, match="0644") as caught:
        keys.read_seed(home)
    assert "chmod 600" in caught.value.hint
    report = looked_at(home, signer=caught.value)
    assert not report.ok
    path.chmod(0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert looked_at(home, signer=signer(home)).ok


def test_c06_a_missing_key_is_never_replaced_in_silence(home: Home) -> None:
    (home.keys / "ledger.key").unlink()
    with pytest.raises(keys.KeyProblem, match="missing"):
        keys.read_seed(home)
    with pytest.raises(keys.KeyProblem, match="would not fit"):
        keys.create(home, os.urandom(32))
    assert not (home.keys / "ledger.key").exists()
    assert looked_at(home).ok, "old entries still verify with the public key"


def test_c06_another_machines_key_is_refused(home: Home) -> None:
    foreign = Ed25519Signer(os.urandom(32), "dream")
    with pytest.raises(keys.KeyProblem, match="another"):
        Ledger.open(home, foreign, Steps(), [SqliteStore(home.database, Words())])
    with pytest.raises(keys.KeyProblem):
        Ledger.create(home, foreign)
    report = looked_at(home, signer=foreign)
    assert [fault.sentence for fault in report.faults] == [
        "The key in `keys/` is not the one the ledger is signed with."
    ]


def test_a_store_without_a_log_says_what_to_do(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    report = verify(home, Ed25519Verifier())
    assert not report.ok
    assert report.faults[0].hint == "Run `dream init`."
    keys.create(home, os.urandom(32))
    with pytest.raises(DreamError, match="no ledger"):
        Ledger.open(home, Ed25519Signer(keys.read_seed(home), "dream"), Steps(), [])


def test_proofs_stand_alone(home: Home) -> None:
    verifier = Ed25519Verifier()
    key = (home.ledger / "key.pub").read_text(encoding="ascii")
    for seq in range(5):
        proof = proofs.prove(home, verifier, seq)
        assert proofs.check(proof, verifier, key).ok
        assert not proofs.check({**proof, "leaf": proof["leaf"].replace("2026", "2027")}, verifier, key).ok
        assert not proofs.check({**proof, "seq": seq + 1}, verifier, key).ok
    for size in range(1, 6):
        proof = proofs.prove_consistency(home, verifier, size)
        assert proofs.check(proof, verifier, key).ok
        assert not proofs.check({**proof, "root": "00" * 32}, verifier, key).ok
    stranger = checkpoint.Key("dream", Ed25519Signer(os.urandom(32), "dream").public).line()
    assert not proofs.check(proof, verifier, stranger).ok
    for junk in ({}, [], None, "x", {**proof, "kind": "other"}, {**proof, "path": ["zz"]}):
        assert not proofs.check(junk, verifier).ok


def test_restored_to_an_entry_the_store_stays_there_until_it_is_restored_to_the_end(home: Home) -> None:
    store = SqliteStore(home.database, Words())
    done = restore(home, signer(home), Steps(), store, to=1)
    assert (done.entries, done.size, done.pinned) == (2, 5, True)
    with opened(home) as ledger:
        assert ledger._store is not None
        assert ledger._store.node(node(2).id) is None
        assert ledger._store.node(node(1).id) == node(1)
        with pytest.raises(LedgerSealed, match="entry 2 of 5"):
            ledger.commit([c.NodeAdded(node(9))])
    report = looked_at(home)
    assert report.ok
    assert "pinned" in report.remarks[0]
    assert restore(home, signer(home), Steps(), store).pinned is False
    assert looked_at(home, full=True).ok
    at = next(entry.at for entry in opened(home).entries(2))
    assert restore(home, signer(home), Steps(), store, until=at).entries == 4


def test_what_a_full_check_found_is_told_by_quick_ones_until_all_holds(home: Home, monkeypatch: Any) -> None:
    """In a long log the quick check reads only what is new: a fault of last night is not forgotten by day."""
    monkeypatch.setattr(verify_module, "SMALL", 0)
    path = home.ledger / "000001.jsonl"
    good = path.read_bytes()
    assert looked_at(home, full=True, at="2026-01-12T02:00:00.000Z").ok
    assert care.read(home.ledger).checked_at == "2026-01-12T02:00:00.000Z"
    path.write_bytes(good.replace("Décidé".encode(), b"Decided!", 1))
    assert looked_at(home).ok, "an old entry of a long log is read by the full check alone"
    assert not looked_at(home, full=True, at="2026-01-13T02:00:00.000Z").ok
    report = looked_at(home)
    assert "full check of 2026-01-13 02:00 UTC found: Entry 0 was changed" in report.faults[0].sentence
    assert report.faults[0].seq == 0
    path.write_bytes(good)
    assert not looked_at(home).ok
    assert looked_at(home, full=True, at="2026-01-14T02:00:00.000Z").ok
    assert looked_at(home).ok
    assert care.read(home.ledger).entries == 5


def test_what_was_mended_is_told_until_all_was_checked(home: Home) -> None:
    with (home.ledger / "000001.jsonl").open("ab") as file:
        file.write(b'{"seq":5,"at":"2026')
    with opened(home) as ledger:
        assert "19 bytes of a commit that never ended were cut" in ledger.mended
    home.database.write_bytes(b"no database at all" * 99)
    with opened(home) as ledger:
        assert "Made again from 5 entries" in ledger.mended
    told = [each.what for each in care.read(home.ledger).mended]
    assert len(told) == 2
    report = looked_at(home, full=True, at="2027-01-01T00:00:00.000Z")
    assert report.ok
    assert [remark for remark in report.remarks if remark.startswith("Mended 2026-01-12")] == list(report.remarks)
    assert len(report.remarks) == 2
    assert looked_at(home).remarks == ()
    (home.ledger / care.NAME).write_bytes(b"\0\0")
    assert looked_at(home).ok, "word that cannot be read is no word"
