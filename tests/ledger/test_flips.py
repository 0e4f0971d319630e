"""A byte changed anywhere in a small store is found, or lies in a file that carries nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ledger_world import Words, edge, hold, home_at, node, note, opened, signer

from dream.adapters.ed25519 import Ed25519Signer, Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.errors import DreamError
from dream.ledger import keys
from dream.ledger.verify import Report, verify
from dream.model import change as c
from dream.paths import Home

NOTHING = {"head.json", "checked.json", "care.json", "writer.lock"}
"""Caches that are read again from the log, words for people, and a process id."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = home_at(tmp_path)
    with opened(home, outer=tmp_path / "state") as ledger:
        ledger.commit([c.NotesAdded("s", (note(1), note(2, "Décidé : « le port » est 9464."))), c.NodeAdded(node(1))])
        ledger.commit([c.NodeAdded(node(2)), c.EdgeAdded(edge(node(1), node(2)))], night="2026-01-12")
        ledger.commit([c.NodeAdded(node(3, "À oublier"))])
        ledger.forget(ledger._store, node(3).id)  # type: ignore[arg-type]
        ledger.commit([c.NoteHeld(hold(4))])
    ledger._store.close()  # type: ignore[union-attr]
    assert looked_at(home, full=True).ok
    return home


def looked_at(home: Home, full: bool = False) -> Report:
    store = SqliteStore(home.database, Words())
    own: Ed25519Signer | DreamError
    try:
        own = Ed25519Signer(keys.read_seed(home), "dream")
    except DreamError as error:
        own = error
    try:
        return verify(home, Ed25519Verifier(), [store], full=full, outer=home.root.parent / "state", signer=own)
    finally:
        store.close()


def test_c05_a_byte_flipped_anywhere_is_found_or_carries_nothing(home: Home) -> None:
    """2,000 flips, quick and full, were tried by hand; this is a slice of the same."""
    chance = random.Random(5)
    saved = {
        path: path.read_bytes()
        for folder in (home.root, home.root.parent / "state")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.stat().st_size
    }
    assert {"ledger.key", "key.pub", "pgt.seal", "pgt.sqlite", "000001.jsonl"} < {path.name for path in saved}
    for path in [*saved, *chance.choices(list(saved), k=60)]:
        bad = bytearray(saved[path])
        place = chance.randrange(len(bad))
        bad[place] ^= 1 << chance.randrange(8)
        path.write_bytes(bad)
        report = looked_at(home)
        assert report.ok == (path.name in NOTHING), f"byte {place} of {path.name}: {report.faults}"
        for each, content in saved.items():
            each.write_bytes(content)
    assert looked_at(home, full=True).ok


@pytest.mark.parametrize("name", sorted(NOTHING - {"writer.lock"}))
@pytest.mark.parametrize(
    "content",
    [
        b"", b"\0" * 40, b"[]", b"{}", b'{"segment":-1}', b"\xff\xfe",
        b'{"segment":1,"line":1e300,"offset":1e308,"size":5,"rewrites":0,"edge":[],"note":""}',
        b'{"segment":1,"line":0,"offset":9223372036854775807,"size":5,"rewrites":0,"edge":[],"note":""}',
        b'{"segment":1,"line":-5,"offset":3,"size":5,"rewrites":0,"edge":[],"note":""}',
        b'{"checked_at":"9999","entries":1e999,"fault_at":"","fault":[],"mended":null}',
    ],
)  # fmt: skip
def test_nonsense_in_what_carries_nothing_is_passed_over(home: Home, name: str, content: bytes) -> None:
    (home.ledger / name).write_bytes(content)
    assert looked_at(home).ok
    with opened(home, outer=home.root.parent / "state") as ledger:
        assert ledger.sealed is None
        ledger.commit([c.NodeAdded(node(9))])
    assert looked_at(home, full=True).ok
    assert signer(home).public
