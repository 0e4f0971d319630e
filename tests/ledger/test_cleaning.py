"""Cleaning leaves a secret in no file and every sentence in its place; the tree still verifies (H14)."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from ledger_world import AT, Words, edge, hold, home_at, node, note, opened, signer

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.ledger import checkpoint, cleaning, forget
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model import fold
from dream.model.branch import Branch, Foretold
from dream.model.graph import Tier
from dream.paths import Home
from dream.ports import NodeFilter, NoteFilter

SECRET = "zq9-" + "jeton-" + "7781"
SAID = f"Le jeton de recette est {SECRET}, il expire en mars."
CLEAN = "Le jeton de recette est [redacted:secret], il expire en mars."


def clean(text: str) -> str:
    return text.replace(SECRET, "[redacted:secret]")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = home_at(tmp_path)
    first = node(1, SAID, notes=(note(1).id, note(2).id), values=(SECRET, "mars"), entities=(SECRET, "recette"))
    second, third = node(2, f"Jeton : {SECRET}.", notes=(note(3).id,)), node(3)
    grown = Branch("b-1", first.id, "p", f"sans {SECRET}", Foretold.CEASES, (note(1).id,), AT, AT, AT)
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1, SAID), note(2, "Oui."), note(3, second.text), note(4, "Oui.")))])
        ledger.commit([c.NodeAdded(first), c.NodeAdded(second), c.NodeAdded(third)], night="2026-01-12")
        ledger.commit([c.EdgeAdded(edge(first, third)), c.TierChanged(first.id, Tier.ACTIVE, Tier.HOT)])
        hot = dataclasses.replace(first, tier=Tier.HOT)
        after = dataclasses.replace(hot, notes=(*first.notes, *second.notes))
        ledger.commit([c.NodesMerged(hot, second, after), c.NoteHeld(hold(5, SAID)), c.BranchGrown(grown)])
        pinned = dataclasses.replace(after, pinned=True)
        ledger.commit([c.NodeRevised(after, pinned)])
        ledger.commit([c.DebateRejected("c-" + "0" * 24, (note(1).id,), 30, f"Refusé : {SECRET}", "00")])
    for path, text in {
        home.logs / "2026-01-12.md": f"# Nuit\n\n- {SAID}\n- autre chose\n",
        home.root / "pgt.sqlite.1.bad": f"\0\0{SAID}",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


def grep(home: Home) -> list[str]:
    return [str(path) for path in home.root.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def cleaned(ledger: Any) -> forget.Forgotten | None:
    done: forget.Forgotten | None = ledger.clean(ledger._store, clean)
    return done


def test_h14_the_secret_is_in_no_file_and_what_was_said_with_it_stays(home: Home) -> None:
    with opened(home) as ledger:
        store, before = ledger._store, fold.fold(ledger.entries())
        done = cleaned(ledger)
        assert done is not None and done.left == ()
        kept = store.node(node(1).id)  # type: ignore[union-attr]
        assert kept is not None and kept.text == CLEAN and kept.pinned and kept.tier is Tier.HOT
        assert kept.values == ("mars",) and kept.entities == ("recette",)
        assert store.note(note(1).id).text == CLEAN  # type: ignore[union-attr]
        assert store.hold(hold(5).id).proposal.text == CLEAN  # type: ignore[union-attr]
        assert [each.premise for each in store.branches()] == ["sans [redacted:secret]"]  # type: ignore[attr-defined]
        assert store.match("jeton", 5)  # type: ignore[attr-defined]
        live = fold.fold(ledger.entries())
        assert set(live.notes) == set(before.notes) and set(live.nodes) == set(before.nodes)
        assert live.edges == before.edges
        assert live.rejected["c-" + "0" * 24].reason == "Refusé : [redacted:secret]"
        assert {each.id: each for each in store.nodes(NodeFilter(statuses=None))} == live.nodes  # type: ignore[union-attr]
        assert {each.id: each for each in store.notes(NoteFilter())} == live.notes  # type: ignore[attr-defined]
        ledger.commit([c.NodeAdded(node(7))])
    assert grep(home) == []
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert report.ok, report.faults
    key = checkpoint.Key(signer(home).name, signer(home).public)
    told = checkpoint.opened(done.note, key, Ed25519Verifier())
    assert told is not None and SECRET not in told and node(1).id in told


def test_h14_a_restore_to_any_entry_does_not_bring_it_back(home: Home) -> None:
    with opened(home) as ledger:
        cleaned(ledger)
        size, clock = ledger.size, ledger._clock
    store = SqliteStore(home.database, Words())
    for to in [*range(size - 1), None]:
        restore(home, signer(home), clock, store, to=to)
        assert grep(home) == []
        assert all(each.text for each in store.nodes(NodeFilter(statuses=None)))
    assert store.node(node(1).id) is not None
    assert verify(home, Ed25519Verifier(), [store], full=True).ok


@pytest.mark.parametrize("step", ["scrub", "purge", "null", "concluded", "end"])
def test_h14_a_crash_on_the_way_is_finished_by_the_next_open(
    home: Home, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def dies(*_: object, **__: object) -> None:
        raise Killed

    with opened(home) as ledger, monkeypatch.context() as patch:
        place = {
            "scrub": (cleaning.scrub, "scrub"),
            "purge": (SqliteStore, "purge"),
            "null": (cleaning.redact_parts, "null"),
            "concluded": (forget, "concluded"),
            "end": (forget, "end"),
        }[step]
        patch.setattr(*place, dies)
        with pytest.raises(Killed):
            cleaned(ledger)
    with opened(home) as ledger:
        assert ledger.sealed is None
        assert grep(home) == []
        assert ledger._store.node(node(1).id).text == CLEAN  # type: ignore[union-attr]
        assert cleaned(ledger) is None
        ledger.commit([c.NodeAdded(node(8))])
    assert not (home.ledger / forget.NAME).exists()
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert report.ok, report.faults


def test_a_crash_before_the_commit_leaves_everything_as_it_was(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(home) as ledger, monkeypatch.context() as patch:
        size = ledger.size
        patch.setattr(type(ledger), "_commit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            cleaned(ledger)
    with opened(home) as ledger:
        assert ledger.size == size
        assert not (home.ledger / forget.NAME).exists()
        assert cleaned(ledger) is not None


def test_what_holds_nothing_is_left_alone(home: Home) -> None:
    with opened(home) as ledger:
        size = ledger.size
        assert ledger.clean(ledger._store, lambda text: text) is None  # type: ignore[arg-type]
        assert ledger.size == size


def test_only_older_versions_held_it(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    old, new = node(1, SAID), node(1, "Le jeton a expiré.")
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1),)), c.NodeAdded(old), c.NodeRevised(old, new)])
        assert cleaned(ledger) is not None
        assert ledger._store.node(new.id) == new  # type: ignore[union-attr]
    assert grep(home) == []
    assert verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True).ok
