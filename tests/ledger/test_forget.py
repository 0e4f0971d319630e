"""Forgetting leaves the text in no file, keeps the tree, and brings nothing back (decision 10, H14)."""

from __future__ import annotations

from pathlib import Path

import pytest
from ledger_world import Words, edge, hold, home_at, node, note, opened, signer

from dream.adapters.ed25519 import Ed25519Verifier
from dream.adapters.sqlite import SqliteStore
from dream.ledger import checkpoint, forget
from dream.ledger.restore import restore
from dream.ledger.verify import verify
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Node, Tier
from dream.paths import Home
from dream.ports import NodeFilter

SECRET = "Le mot magique est abracadabra-77."


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_at(tmp_path)


def told(home: Home) -> Node:
    """A store where the secret stands in notes, a node and its versions, a merge, a hold, a refused debate, files."""
    first = node(1, SECRET, notes=(note(1).id, note(2).id))
    second = node(2, "Le mot magique : abracadabra-77 !", notes=(note(3).id,))
    third = node(3)
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1, SECRET), note(2, "Oui."), note(3, second.text), note(4, "Oui.")))])
        ledger.commit([c.NodeAdded(first), c.NodeAdded(second), c.NodeAdded(third)], night="2026-01-12")
        ledger.commit([c.EdgeAdded(edge(first, third)), c.TierChanged(first.id, Tier.ACTIVE, Tier.HOT)])
        hot = node(1, SECRET, notes=first.notes, tier=Tier.HOT)
        after = node(1, SECRET, notes=(*first.notes, *second.notes), tier=Tier.HOT)
        ledger.commit([c.NodesMerged(hot, second, after), c.NoteHeld(hold(5, SECRET))])
        ledger.commit([c.DebateRejected("c-" + "0" * 24, (note(1).id,), 30, f"Refusé : {SECRET}", "00")])
    for path, text in {
        home.logs / "2026-01-12.md": f"# Nuit\n\n- {SECRET}\n- autre chose\n",
        home.capture / "2026-01-13.jsonl": f'{{"text":"{SECRET}"}}\n{{"text":"autre chose"}}\n',
        home.archive / "plans" / "p.json": f'{{"nodes":[{{"text":"{SECRET}"}}],"other":1}}',
        home.root / "pgt.sqlite.1.bad": f"\0\0{SECRET}",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return after


def grep(home: Home, text: str) -> list[str]:
    raw = text.encode()
    return [str(path) for path in home.root.rglob("*") if path.is_file() and raw in path.read_bytes()]


def test_forgetting_leaves_the_text_in_no_file_and_the_tree_verifies(home: Home) -> None:
    target = told(home)
    assert grep(home, "abracadabra")
    with opened(home) as ledger:
        store = ledger._store
        denied: list[str] = []
        done = ledger.forget(store, target.id, deny=denied.append)  # type: ignore[arg-type]
        assert SECRET in denied
        assert done.left == ()
        assert grep(home, "abracadabra") == []
        assert store.note(note(4).id) is not None, "a short answer said elsewhere stays"
        assert store.node(node(3).id) is not None
        assert not store.match("abracadabra", 5)  # type: ignore[attr-defined]
        ledger.commit([c.NodeAdded(node(7))])
        live = fold.fold(ledger.entries())
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert report.ok, report.faults
    key = checkpoint.Key(signer(home).name, signer(home).public)
    text = checkpoint.opened(done.note, key, Ed25519Verifier())
    assert text is not None and "abracadabra" not in text and target.id in text
    assert set(live.nodes) == {node(3).id, node(7).id}
    assert (home.logs / "2026-01-12.md").read_text(encoding="utf-8").endswith("- autre chose\n")


def test_restore_does_not_bring_it_back_at_any_entry(home: Home) -> None:
    target = told(home)
    with opened(home) as ledger:
        ledger.forget(ledger._store, target.id)  # type: ignore[arg-type]
        size = ledger.size
        clock = ledger._clock
    store = SqliteStore(home.database, Words())
    for to in [*range(size - 1), None]:
        restore(home, signer(home), clock, store, to=to)
        assert grep(home, "abracadabra") == []
        assert store.node(target.id) is None
        assert all(each.text for each in store.nodes(NodeFilter(statuses=None)))
    assert verify(home, Ed25519Verifier(), [store], full=True).ok


@pytest.mark.parametrize("step", ["scrub", "purge", "redact", "receipt", "head"])
def test_a_crash_while_forgetting_is_finished_by_the_next_open(
    home: Home, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = told(home)

    class Killed(BaseException):
        pass

    def dies(*_: object, **__: object) -> None:
        raise Killed

    with opened(home) as ledger, monkeypatch.context() as patch:
        place = {
            "scrub": (forget.scrub, "scrub"),
            "purge": (SqliteStore, "purge"),
            "redact": (forget.redact_parts, "redact"),
            "receipt": (forget, "_receipt"),
            "head": (forget, "end"),
        }[step]
        patch.setattr(*place, dies)
        with pytest.raises(Killed):
            ledger.forget(ledger._store, target.id)  # type: ignore[arg-type]
    with opened(home) as ledger:
        assert ledger.sealed is None
        assert grep(home, "abracadabra") == []
        ledger.commit([c.NodeAdded(node(8))])
    assert not (home.ledger / forget.NAME).exists()
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())], full=True)
    assert report.ok, report.faults


def test_a_note_alone_can_be_forgotten_out_of_its_session(home: Home) -> None:
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1, "reste un"), note(2, SECRET), note(3, "reste deux")))])
        ledger.forget(ledger._store, note(2).id)  # type: ignore[arg-type]
        assert ledger._store.note(note(1).id) is not None  # type: ignore[union-attr]
        assert set(fold.fold(ledger.entries()).notes) == {note(1).id, note(3).id}
    assert grep(home, "abracadabra") == []


def test_a_part_that_nobody_asked_to_forget_is_missed(home: Home) -> None:
    with opened(home) as ledger:
        ledger.commit([c.NotesAdded("s", (note(1), note(2)))])
    path = home.ledger / "000001.jsonl"
    lines = path.read_bytes().split(b"\n")
    place = next(number for number, line in enumerate(lines) if line.startswith(b'["'))
    lines[place] = b"null"
    path.write_bytes(b"\n".join(lines))
    report = verify(home, Ed25519Verifier(), [SqliteStore(home.database, Words())])
    assert not report.ok
    assert "nobody asked to forget" in report.faults[0].sentence


def test_a_hook_that_writes_while_the_buffer_is_cleaned_loses_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dream.capture import buffer
    from dream.ledger import durable
    from dream.model.codec import to_plain

    target = told(home)
    day, root = "2026-01-14", str(home.root)
    buffer.append(root, [to_plain(note(50, SECRET))], day)
    real = durable.replace

    def late(path: Path, content: bytes, **more: bool) -> None:
        if path.suffix == ".jsonl" and "capture" in path.parts:
            buffer.append(root, [to_plain(note(51, "dit juste avant"))], day)
        real(path, content, **more)

    monkeypatch.setattr(durable, "replace", late)
    with opened(home) as ledger:
        ledger.forget(ledger._store, target.id)  # type: ignore[arg-type]
    paths = [*(home.capture / "sealed").glob("*.jsonl"), *home.capture.glob("*.jsonl")]
    held = {plain["id"] for path in paths for plain in buffer.read(str(path))[0]}
    assert note(51).id in held
    assert grep(home, "abracadabra") == []
