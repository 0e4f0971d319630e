"""Histories at random: whatever is done, every store equals the fold of the log, and the log verifies."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from ledger_world import AT, Steps, Words, edge, hold, node, note, signer

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.memory import MemoryStore
from dream.adapters.sqlite import SqliteStore
from dream.cycle import nights
from dream.errors import Conflict, NodeNotFound
from dream.ledger import durable, merging
from dream.ledger.follow import entries
from dream.ledger.ledger import Ledger
from dream.ledger.replay import Replay
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Node, Tier
from dream.paths import Home
from dream.ports import NodeFilter, NoteFilter

NUMBERS = some.integers(0, 5)
TEXTS = some.sampled_from(["On garde SQLite.", "Le port est 9464", "Redis, non !", "Léa préfère le thé vert"])


class Histories(RuleBasedStateMachine):
    """One store, two open ledgers of two "processes", an oracle fed by the log alone."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.home = Home(self.folder / "home")
        self.home.root.mkdir()
        self.clock = Steps()
        self.ledgers = [self._open(), self._open()]
        self.night = 0
        self.acknowledged = 0
        self.forgotten: set[str] = set()

    def _open(self) -> Ledger:
        store = SqliteStore(self.home.database, Words())
        return Ledger.open(
            self.home, signer(self.home), self.clock, [store, MemoryStore(Words())], outer=self.folder / "state"
        )

    def teardown(self) -> None:
        report = verify(
            self.home, Ed25519Verifier(), [self.store], full=True, outer=self.folder / "state", signer=signer(self.home)
        )
        assert report.ok, report.faults
        for ledger in self.ledgers:
            ledger.close()
            ledger._store.close()  # type: ignore[union-attr]
        shutil.rmtree(self.folder)

    @property
    def store(self) -> Any:
        return self.ledgers[0]._store

    def commit(self, which: int, *changes: c.Change, night: str = "") -> None:
        ledger = self.ledgers[which]
        try:
            receipt = ledger.commit(changes, night)
        except Conflict:
            return
        self.acknowledged = receipt.last + 1

    def some_node(self, number: int) -> Node | None:
        found = self.store.nodes(NodeFilter(statuses=None))
        return found[number % len(found)] if found else None

    @rule(which=some.integers(0, 1), number=NUMBERS, text=TEXTS)
    def add(self, which: int, number: int, text: str) -> None:
        self.commit(
            which, c.NotesAdded("s", (note(number, text), note(number + 100, "oui"))), c.NodeAdded(node(number, text))
        )

    @rule(which=some.integers(0, 1), number=NUMBERS, text=TEXTS)
    def revise(self, which: int, number: int, text: str) -> None:
        before = self.some_node(number)
        if before is not None:
            self.commit(which, c.NodeRevised(before, dataclasses.replace(before, text=text, load=before.load + 1)))

    @rule(which=some.integers(0, 1), one=NUMBERS, two=NUMBERS)
    def tie(self, which: int, one: int, two: int) -> None:
        first, second = self.some_node(one), self.some_node(two)
        if first is not None and second is not None and first != second:
            self.commit(which, c.EdgeAdded(edge(first, second)))

    @rule(which=some.integers(0, 1), number=NUMBERS, tier=some.sampled_from(Tier))
    def move(self, which: int, number: int, tier: Tier) -> None:
        before = self.some_node(number)
        if before is not None:
            self.commit(which, c.TierChanged(before.id, before.tier, tier))

    @rule(which=some.integers(0, 1), number=NUMBERS, text=TEXTS, decided=some.booleans())
    def hold(self, which: int, number: int, text: str, decided: bool) -> None:
        self.commit(which, c.NoteHeld(hold(number, text)))
        if decided:
            held = self.store.hold(hold(number).id)
            if held is not None:
                self.commit(which, c.HoldResolved(held, accepted=False))

    @rule(which=some.integers(0, 1), number=NUMBERS, other=NUMBERS, text=TEXTS)
    def play_a_night(self, which: int, number: int, other: int, text: str) -> None:
        self.night += 1
        name = f"n{self.night}"
        fresh = node(1000 + self.night * 10, text)
        changes: list[c.Change] = [c.NotesAdded("s", (note(1000 + self.night * 10, text),)), c.NodeAdded(fresh)]
        old = self.some_node(number)
        if old is not None:
            changes += [c.EdgeAdded(edge(fresh, old)), c.TierChanged(old.id, old.tier, Tier.HOT)]
        again = self.some_node(other)
        if again is not None and again != old:
            changes.append(c.NodeRevised(again, dataclasses.replace(again, evidence_at=AT, load=again.load + 1)))
        changes.append(c.NoteHeld(hold(self.night + 1000, text)))
        self.commit(which, *changes, c.CycleRecorded(name, AT, AT, "rules", ()), night=name)

    @rule(which=some.integers(0, 1), number=NUMBERS, cascade=some.booleans())
    def undo(self, which: int, number: int, cascade: bool) -> None:
        known = nights.nights(self.store)
        if not known:
            return
        try:
            done = nights.undo(
                self.ledgers[which], self.ledgers[which]._store, known[number % len(known)].night, cascade=cascade
            )
        except Conflict:
            assert not cascade or known[number % len(known)].undone, "with a cascade nothing stands in the way"
            return
        assert done.receipt is not None
        self.acknowledged = done.receipt.last + 1

    @rule(which=some.integers(0, 1), one=NUMBERS, two=NUMBERS)
    def merge(self, which: int, one: int, two: int) -> None:
        first, second = self.some_node(one), self.some_node(two)
        if first is not None and second is not None and first.id != second.id:
            receipt = merging.merge(self.ledgers[which], self.ledgers[which]._store, first.id, second.id)
            self.acknowledged = receipt.last + 1

    @rule(which=some.integers(0, 1), number=NUMBERS, cascade=some.booleans())
    def unmerge(self, which: int, number: int, cascade: bool) -> None:
        there = self.some_node(number)
        if there is None:
            return
        try:
            receipt = merging.unmerge(self.ledgers[which], self.ledgers[which]._store, there.id, cascade=cascade)
        except (Conflict, NodeNotFound):
            return
        self.acknowledged = receipt.last + 1

    @rule(which=some.integers(0, 1), number=NUMBERS)
    def forget(self, which: int, number: int) -> None:
        there = self.some_node(number)
        if there is not None:
            done = self.ledgers[which].forget(self.ledgers[which]._store, there.id)  # type: ignore[arg-type]
            self.acknowledged = done.seq + 1
            raw = there.text.encode()
            held = [path for path in self.home.root.rglob("*") if path.is_file() and raw in path.read_bytes()]
            assert not held, f"{there.text} is still in {held}"

    @rule(which=some.integers(0, 1), number=NUMBERS, dies=some.sampled_from(["fsync", "_write", "replace"]))
    def crash(self, which: int, number: int, dies: str) -> None:
        """The process dies in a commit; another is started in its place."""

        class Killed(BaseException):
            pass

        def killed(*_: object, **__: object) -> None:
            raise Killed

        real = getattr(durable, dies)
        try:
            setattr(durable, dies, killed)
            receipt = self.ledgers[which].commit([c.NodeAdded(node(2000 + number))])
            self.acknowledged = receipt.last + 1
        except (Killed, Conflict):
            pass
        finally:
            setattr(durable, dies, real)
        self.ledgers[which]._store.close()  # type: ignore[union-attr]
        self.ledgers[which] = self._open()

    @rule(which=some.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.ledgers[which].close()
        self.ledgers[which] = self._open()

    @precondition(lambda self: self.ledgers[0].size > 0)
    @rule(data=some.data())
    def restore(self, data: some.DataObject) -> None:
        to = data.draw(some.integers(0, self.ledgers[0].size - 1))
        restore(self.home, signer(self.home), self.clock, self.store, to=to)
        expected = fold.fold(entry for entry in self.ledgers[0].entries() if entry.seq <= to)
        assert {each.id: each for each in self.store.nodes(NodeFilter(statuses=None))} == expected.nodes
        restore(self.home, signer(self.home), self.clock, self.store)

    @invariant()
    def every_store_equals_the_fold_of_the_log(self) -> None:
        ledger = self.ledgers[0]
        ledger.commit([])
        self.ledgers[1].commit([])
        state = fold.fold(ledger.entries())
        assert ledger.size >= self.acknowledged
        for each in self.ledgers:
            memory = each._projections[1]
            assert memory.state == state  # type: ignore[attr-defined]
        store = self.store
        assert {each.id: each for each in store.nodes(NodeFilter(statuses=None))} == state.nodes
        assert {each.id: each for each in store.notes(NoteFilter())} == state.notes
        assert {each.id: each for each in store.holds()} == state.holds
        assert (store.undone(), store.refused(), store.rejected()) == (state.undone, state.refused, state.rejected)
        for node_id in state.nodes:
            assert store.touching(node_id) == state.touching(node_id)
        for word in ("sqlite", "port", "redis", "the"):
            assert set(store.match(word, 10_000)) == set(memory.match(word, 10_000))  # type: ignore[attr-defined]
        rows = Replay(ledger.log_id).take_all(entries(self.home.ledger, ledger.log_id, 0))
        assert store.compare(rows) == []


TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
