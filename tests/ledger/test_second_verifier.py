"""A verifier written from docs/ledger.md alone agrees with ours, on good stores and on bad ones."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ledger_world import Words, edge, home_at, node, note, opened

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.ledger import segment
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model.graph import Tier
from dream.paths import Home

PROGRAM = Path(__file__).with_name("second_verifier.py")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Two segments, all sorts of lines, a forgotten part."""
    home = home_at(tmp_path)
    with opened(home, outer=tmp_path / "state") as ledger:
        ledger.commit([c.NotesAdded("s", (note(1), note(2, "Décidé : « le port » \ud83d est \t 9464.")))])
        ledger.commit([c.NodeAdded(node(1)), c.NodeAdded(node(2, "À oublier sans faute."))], night="2026-01-12")
        with monkeypatch.context() as patch:
            patch.setattr(segment, "ROTATE_AT", 1)
            ledger.commit([c.EdgeAdded(edge(node(1), node(2))), c.TierChanged(node(1).id, Tier.ACTIVE, Tier.HOT)])
        ledger.forget(ledger._store, node(2).id)  # type: ignore[arg-type]
        ledger.commit([c.NodeAdded(node(3))])
    assert (home.ledger / "000002.jsonl").exists()
    return home


def second(home: Home) -> tuple[int, str]:
    command = [sys.executable, str(PROGRAM), str(home.root), str(home.root.parent / "state")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def ours(home: Home) -> bool:
    store = SqliteStore(home.database, Words())
    report = verify(home, Ed25519Verifier(), [store], outer=home.root.parent / "state")
    store.close()
    return report.ok


def test_it_imports_nothing_of_dream_and_is_short() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:import|from)\s+dream", source, re.MULTILINE)
    assert len(source.splitlines()) < 200


def test_both_call_a_good_store_good(home: Home) -> None:
    assert ours(home)
    assert second(home) == (0, "good 7\n")


def test_both_call_a_bad_store_bad(home: Home) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("second_verifier", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    chance = random.Random(3)
    for path in (
        *sorted(home.ledger.glob("*.jsonl")),
        home.ledger / "checkpoint",
        home.ledger / "key.pub",
        home.database,
    ):
        good = path.read_bytes()
        for _ in range(60):
            bad = bytearray(good)
            place = chance.randrange(len(good))
            bad[place] ^= 1 << chance.randrange(8)
            path.write_bytes(bad)
            with pytest.raises(Exception):  # noqa: B017 -- any reason will do, the point is that both object
                module.verify(home.root, home.root.parent / "state")
            assert not ours(home), (path.name, place, bytes(bad[max(0, place - 40) : place + 40]))
        path.write_bytes(good)
    assert module.verify(home.root, home.root.parent / "state") == 7


def test_both_find_a_cut_tail(home: Home) -> None:
    path = home.ledger / "000002.jsonl"
    content = path.read_bytes()
    path.write_bytes(content[: list(segment.batches(content, 0))[-2].end])
    assert not ours(home)
    assert second(home)[0] == 1
