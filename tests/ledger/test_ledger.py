"""The write door on real files, keys and stores."""

from __future__ import annotations

from pathlib import Path

import pytest
from ledger_world import Steps, Words, edge, home_at, node, note, opened, signer

from dream.adapters.memory import MemoryStore
from dream.errors import Conflict, LedgerSealed
from dream.ledger.follow import follow
from dream.ledger.head import Head
from dream.ledger.ledger import Ledger
from dream.ledger.whose import log_of
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Tier
from dream.paths import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_at(tmp_path)


def test_what_was_committed_is_there_after_reopening(home: Home) -> None:
    with opened(home) as ledger:
        receipt = ledger.commit([c.NotesAdded("s", (note(1), note(2))), c.NodeAdded(node(1))], night="2026-01-12")
        assert (receipt.first, receipt.last) == (0, 1)
        ledger.commit([c.NodeAdded(node(2)), c.EdgeAdded(edge(node(1), node(2)))])
    oracle = MemoryStore(Words())
    with opened(home, oracle) as ledger:
        assert ledger.size == 4
        assert oracle.state == fold.fold(ledger.entries())
        assert set(oracle.state.nodes) == {node(1).id, node(2).id}


def test_a_refused_change_writes_nothing(home: Home) -> None:
    with opened(home) as ledger:
        ledger.commit([c.NodeAdded(node(1))])
        before = {path: path.read_bytes() for path in home.ledger.iterdir()}
        with pytest.raises(Conflict):
            ledger.commit([c.NodeAdded(node(2)), c.NodeAdded(node(1))])
        assert before == {path: path.read_bytes() for path in home.ledger.iterdir()}
        ledger.commit([c.NodeAdded(node(2)), c.TierChanged(node(2).id, Tier.ACTIVE, Tier.HOT)])


def test_two_writers_make_one_chain(home: Home) -> None:
    one, two = opened(home), opened(home)
    for number in range(0, 20, 2):
        one.commit([c.NodeAdded(node(number))])
        two.commit([c.NodeAdded(node(number + 1))])
    assert [entry.seq for entry in one.entries()] == list(range(20))


def test_a_torn_tail_is_cut_and_nothing_else(home: Home) -> None:
    with opened(home) as ledger:
        ledger.commit([c.NodeAdded(node(1))])
    path = home.ledger / "000001.jsonl"
    whole, copy = path.read_bytes(), (home.ledger / "checkpoint").read_bytes()
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1), note(2)))])
    longer = path.read_bytes()
    for cut in range(len(whole), len(longer)):
        path.write_bytes(longer[:cut])
        (home.ledger / "checkpoint").write_bytes(copy)
        (home.ledger / "head.json").unlink(missing_ok=True)
        found = follow(log_of(home, signer(home)), Head())
        assert (found.head.size, found.fault) == (1, None)
        assert found.torn == (None if cut == len(whole) else (path, len(whole)))
        if cut % 20 == 0:
            with Ledger.open(home, signer(home), Steps(), []) as ledger:
                assert ledger.size == 1
            assert path.read_bytes() == whole


def test_a_checkpoint_that_fails_to_verify_seals_and_cuts_nothing(home: Home) -> None:
    with opened(home) as ledger:
        ledger.commit([c.NodeAdded(node(1))])
    path = home.ledger / "000001.jsonl"
    bad = bytearray(path.read_bytes())
    bad[-20] ^= 1
    path.write_bytes(bad)
    with opened(home) as ledger, pytest.raises(LedgerSealed):
        ledger.commit([c.NodeAdded(node(2))])
    assert path.read_bytes() == bad
