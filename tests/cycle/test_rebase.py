"""A night meets what was done while it judged: what people did stands, what the night did besides is done (B02)."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from ledger_world import edge, home_at, node, note, opened

from dream.cycle.rebase import commit
from dream.ledger.ledger import Ledger
from dream.model import change as c
from dream.model.graph import NodeStatus, Tier

ONE, TWO, FIVE = node(1), node(2, "Le port est 9464"), node(5, "Redis attend")
SAID = dataclasses.replace(ONE, notes=(*ONE.notes, note(3).id), load=40, text="On garde SQLite 3.")
NIGHT: list[c.Change] = [
    c.NotesAdded("s", (note(3, "SQLite 3 suffit"), note(4, "Redis attend"))),
    c.NodeRevised(ONE, SAID), c.TierChanged(ONE.id, Tier.ACTIVE, Tier.HOT),
    c.NodeAdded(FIVE), c.EdgeAdded(edge(ONE, FIVE)), c.EdgeAdded(edge(TWO, FIVE)),
    c.CycleRecorded("n", "2026-01-12T01:05:00.000Z", "2026-01-12T01:06:00.000Z", "rules", ()),
]  # fmt: skip


def played(folder: Path, meanwhile: list[c.Change], forgets: str = "") -> tuple[Ledger, int]:
    """The night over what was done meanwhile; the ledger, and how many changes gave way."""
    ledger = opened(home_at(folder))
    ledger.commit([c.NotesAdded("s", (note(1), note(2))), c.NodeAdded(ONE), c.NodeAdded(TWO)])
    ledger.commit(meanwhile)
    denied: set[str] = set()
    if forgets:
        ledger.forget(ledger._store, forgets, deny=denied.add)  # type: ignore[arg-type]
    _, gave_way = commit(ledger, ledger._store, NIGHT, "n", denied.__contains__)  # type: ignore[arg-type]
    return ledger, gave_way


def test_where_nothing_was_done_meanwhile_the_night_is_committed_as_planned(tmp_path: Path) -> None:
    ledger, gave_way = played(tmp_path, [])
    assert gave_way == 0
    assert [entry.change for entry in ledger.entries(3)] == NIGHT


def test_b02_what_a_person_did_to_a_node_stands_and_the_nights_evidence_is_added(tmp_path: Path) -> None:
    edited = dataclasses.replace(ONE, text="On garde DuckDB.", pinned=True, load=60, notes=(*ONE.notes, note(2).id))
    ledger, gave_way = played(tmp_path, [c.NodeRevised(ONE, edited), c.TierChanged(ONE.id, Tier.ACTIVE, Tier.DARK)])
    assert gave_way == 2
    there = ledger._store.node(ONE.id)  # type: ignore[union-attr]
    notes = (note(1).id, note(2).id, note(3).id)
    assert there == dataclasses.replace(edited, notes=notes, tier=Tier.HOT)


def test_b02_a_node_that_was_closed_meanwhile_stays_closed(tmp_path: Path) -> None:
    closed = dataclasses.replace(ONE, status=NodeStatus.RETRACTED)
    ledger, _ = played(tmp_path, [c.NodeRevised(ONE, closed)])
    there = ledger._store.node(ONE.id)  # type: ignore[union-attr]
    assert there is not None and (there.status, there.text) == (NodeStatus.RETRACTED, SAID.text)


def test_b02_a_node_that_went_or_came_meanwhile_does_not_stop_the_night(tmp_path: Path) -> None:
    noted = c.NotesAdded("s", (note(4, "Redis attend"),))
    ledger, gave_way = played(tmp_path, [noted, c.NodeAdded(FIVE)], forgets=ONE.id)
    store = ledger._store
    assert store is not None and store.node(ONE.id) is None
    assert gave_way == 5, "the notes, the revision, the tier, the node that is there already, the edge to what went"
    assert store.edge(edge(TWO, FIVE).id) is not None
    assert store.note(note(3).id) is not None


def test_what_was_forgotten_while_the_night_judged_does_not_come_back_with_it(tmp_path: Path) -> None:
    told = c.NotesAdded("t", (note(8, FIVE.text),))
    ledger, _ = played(tmp_path, [told, c.NodeAdded(node(8, FIVE.text))], forgets=node(8).id)
    store = ledger._store
    assert store is not None and store.node(FIVE.id) is None and store.note(note(4).id) is None
    assert store.note(note(3).id) is not None
    raw = FIVE.text.encode()
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and raw in path.read_bytes()]
