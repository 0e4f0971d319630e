"""`dream sanitize`: one reading of each text, the deny-list, the second pass, and what is stored under new rules."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from dream import api_sanitise
from dream.api_sanitise import sanitise
from dream.capture import notes as capturing
from dream.capture.catch import capture
from dream.capture.redact import redact
from dream.errors import ModelUnavailable
from dream.ports import Answer, Question
from tests.surfaces.line import Done, Line

TOKEN = "gh" + "p_" + "aB3dE6gH9j" * 3 + "kL5mN8"
PASSWORD = "Falaise" + "-Brume!" + "47"


@pytest.fixture
def clean(dream: Line, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`clean(text, words…)`: the command with the text on standard input."""

    def run(text: str, *words: str) -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return dream("sanitize", *words)

    return run


def said(dream: Line, session: str, text: str, day: str = "2026-03-09") -> Path:
    """A transcript with one sentence of a person's."""
    folder = dream.transcripts / "p"
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "type": "user", "uuid": f"u-{session}", "parentUuid": None, "isSidechain": False, "sessionId": session,
        "cwd": "/home/maud/p", "timestamp": f"{day}T09:00:00.000Z", "message": {"role": "user", "content": text},
    }  # fmt: skip
    path = folder / f"{session}.jsonl"
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def grep(dream: Line, text: str) -> list[str]:
    return [str(path) for path in dream.home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_json_is_one_object_with_text_and_counts(clean: Any) -> None:
    plain = clean(f"Le jeton est {TOKEN}.", "--json").plain
    assert plain == {"text": "Le jeton est [redacted:github-token].", "counts": {"github-token": 1}, "skipped": []}


def test_lines_have_the_same_shape_with_and_without_json(clean: Any) -> None:
    raw = "".join(json.dumps({"id": name, "text": f"é {TOKEN}"}) + "\n" for name in ("a", 7))
    plain, asked = clean(raw, "--lines").out, clean(raw, "--lines", "--json").out
    assert plain == asked
    assert [json.loads(line) for line in plain.splitlines()] == [
        {"id": name, "text": "é [redacted:github-token]", "spans": [[2, 2 + len(TOKEN), "github-token"]]}
        for name in ("a", 7)
    ]


def test_each_text_is_read_once(clean: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    once = api_sanitise.cleaned

    def counted(text: str, key: bytes | None) -> Any:
        read.append(text)
        return once(text, key)

    monkeypatch.setattr(api_sanitise, "cleaned", counted)
    clean("un texte")
    clean('{"id": 1, "text": "une ligne"}\n', "--lines")
    assert read == ["un texte", "une ligne"]


def test_h20_what_is_denied_on_the_command_line_enters_by_no_way(clean: Any, dream: Line) -> None:
    denied = "Odile Kervran est en cure à Roscoff"
    assert clean(denied, "--deny", "--json").plain == {"denied": 1, "known": 0}
    assert clean(denied + "  ", "--deny", "--json").plain == {"denied": 0, "known": 1}
    assert not grep(dream, "Roscoff")
    told = f"On garde SQLite. {denied.upper()} ! Le port est 5433."
    hooked = said(dream, "s-1", told)
    assert capture(str(dream.home), str(hooked), "s-1", "/home/maud/p", 1_773_045_000.0)[0] == 2
    assert not grep(dream, "ROSCOFF")
    said(dream, "s-2", told)
    dream("cycle", "--now", "2026-03-10T02:05:00+01:00")
    refused = dream("remember", f"Note bien : {denied}.")
    assert refused.code == 2 and "not learnt again" in refused.err
    assert not grep(dream, "oscoff") and not grep(dream, "ROSCOFF")
    assert dream("search", "SQLite", "--json").plain["hits"]


def test_a_text_without_a_word_cannot_be_denied(clean: Any) -> None:
    assert clean(" … ", "--deny").code == 2


def test_a_secret_is_denied_as_it_would_be_stored_too(clean: Any, dream: Line) -> None:
    clean(f"Le mot de passe de la cave est {PASSWORD}", "--deny")
    refused = dream("remember", f"Le mot de passe de la cave est {PASSWORD}.")
    assert refused.code != 0 or "not learnt again" in refused.err


def test_deep_without_a_model_cleans_by_rules_and_says_so(clean: Any) -> None:
    done = clean(f"Le jeton est {TOKEN}.", "--deep", "--json")
    assert done.code == 0
    assert done.plain["text"] == "Le jeton est [redacted:github-token]." and done.plain["skipped"]
    assert "By rules alone" in done.err


class Pointing:
    """A model that points at one quotation."""

    name = "scripted"

    def __init__(self, quote: str) -> None:
        self.quote = quote

    def prepare(self) -> str:
        return ""

    def complete(self, question: Question) -> Answer:
        return Answer(json.dumps({"spans": [{"quote": self.quote, "kind": "address"}]}))

    def release(self) -> None:
        return None


def test_deep_spans_stand_where_they_stood_in_the_text_that_was_given() -> None:
    text = f"é {TOKEN}, puis 4 impasse du Moulin, puis {TOKEN} et 4 impasse du Moulin."
    done = sanitise(text, bytes(range(32)), lambda: Pointing("4 impasse du Moulin"))
    assert [text[start:end] for start, end, _ in done.spans] == [TOKEN, "4 impasse du Moulin"] * 2
    assert done.counts == {"github-token": 2, "address": 2}
    assert "Moulin" not in done.text and done.text.endswith("et [redacted:address].")


def test_deep_with_a_model_that_is_not_there_changes_nothing() -> None:
    def reader() -> Any:
        raise ModelUnavailable("It is not there.", "")

    done = sanitise(f"clé {TOKEN}", reader=reader)
    assert done.text == "clé [redacted:github-token]" and done.skipped == ("It is not there.",)


@pytest.fixture
def stained(dream: Line, monkeypatch: pytest.MonkeyPatch) -> Line:
    """A store that learnt secrets before their rules existed: notes, nodes, changelog, index, buffer."""
    with monkeypatch.context() as patch:
        patch.setattr(capturing, "redact", lambda text, key=None: (text, {}))
        said(dream, "s-1", f"Décision : le jeton de recette est {TOKEN}, on le garde jusqu'en mars.")
        said(dream, "s-2", "Décision : on garde SQLite pour la base de recette.")
        assert dream("cycle", "--now", "2026-03-10T02:05:00+01:00").code == 0
        said(dream, "s-3", f"Correction : le jeton de recette est {TOKEN}, jusqu'en avril.", "2026-03-10")
        assert dream("cycle", "--now", "2026-03-11T02:05:00+01:00").code == 0
        hooked = said(dream, "s-4", f"Le mot de passe du NAS est {PASSWORD}. On garde Redis.", "2026-03-11")
        capture(str(dream.home), str(hooked), "s-4", "/home/maud/p", 1_773_220_000.0)
    assert len(grep(dream, TOKEN)) >= 3 and len(grep(dream, PASSWORD)) == 1
    return dream


def test_h14_a_rescan_leaves_a_secret_in_no_file_and_its_sentence_in_memory(stained: Line) -> None:
    found = stained("search", "jeton de recette", "--json").plain["hits"]
    dry = stained("sanitize", "--rescan", "--dry-run", "--json").plain
    assert dry["notes"] == 2 and grep(stained, TOKEN)
    done = stained("sanitize", "--rescan", "--json")
    assert done.code == 0, done.err
    assert done.plain["notes"] == 2 and done.plain["counts"]["github-token"] >= 2 and done.plain["left"] == []
    assert [Path(path).stem for path in done.plain["transcripts"]] == ["s-1", "s-3"]
    assert not grep(stained, TOKEN) and not grep(stained, PASSWORD)
    assert stained("ledger", "verify", "--full").code == 0
    after = stained("search", "jeton de recette", "--json").plain["hits"]
    assert {hit["id"] for hit in after} >= {hit["id"] for hit in found[:1]}
    assert any("[redacted:github-token" in hit["text"] for hit in after)
    assert stained("ledger", "restore").code == 0
    assert not grep(stained, TOKEN)
    assert stained("cycle", "--now", "2026-03-12T02:05:00+01:00").code == 0
    assert not grep(stained, TOKEN) and not grep(stained, PASSWORD)
    assert any("On garde Redis" in hit["text"] for hit in stained("search", "Redis", "--json").plain["hits"])
    again = stained("sanitize", "--rescan", "--json").plain
    assert (again["notes"], again["nodes"], again["parts"], again["files"]) == (0, 0, 0, {})


def test_h14_what_is_denied_later_is_dropped_by_a_rescan(stained: Line, clean: Any) -> None:
    stained("sanitize", "--rescan")
    clean("on garde SQLite pour la base de recette", "--deny")
    done = stained("sanitize", "--rescan", "--json").plain
    assert done["forgotten"] >= 2 and done["left"] == []
    assert not grep(stained, "garde SQLite")
    assert stained("ledger", "verify", "--full").code == 0


def test_a_rescan_of_a_clean_store_alters_no_byte(dream: Line) -> None:
    said(dream, "s-1", "Décision : on garde SQLite pour la base de recette, commit 9f2c4e1b7a.")
    dream("cycle", "--now", "2026-03-10T02:05:00+01:00")
    before = {path: raw for path, raw in dream.files().items() if "sqlite" not in path}
    shown = dream("sanitize", "--rescan")
    assert shown.code == 0 and "Nothing stored holds" in shown.out
    assert {path: raw for path, raw in dream.files().items() if "sqlite" not in path} == before


def test_dry_run_belongs_to_rescan(clean: Any) -> None:
    assert clean("x", "--dry-run").code == 2
    assert clean("x", "--deny", "--rescan").code == 2


def test_every_way_in_redacts_once(dream: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(text: str, key: bytes | None = None) -> Any:
        read.append(text)
        return redact(text, key)

    monkeypatch.setattr(capturing, "redact", counted)
    monkeypatch.setattr("dream.api_saying.redact", counted)
    monkeypatch.setattr("dream.api_ingest.redact", counted)
    hooked = said(dream, "s-1", "On garde SQLite.")
    dream("init", "--no-schedule")
    capture(str(dream.home), str(hooked), "s-1", "/home/maud/p", 1_773_045_000.0)
    assert read == ["On garde SQLite."], "a hook"
    os.remove(hooked)
    said(dream, "s-2", "Le port est 5433.")
    dream("cycle", "--now", "2026-03-10T02:05:00+01:00")
    assert read[1:] == ["Le port est 5433."], "a night's sweep; the buffer was clean"
    dream("remember", "La cave ferme à midi.")
    assert read[2:] == ["La cave ferme à midi."], "the command line, and the tool that calls the same verb"
    path = dream.home.parent / "notes.md"
    path.write_text("Le train part à six heures.", encoding="utf-8")
    dream("ingest", str(path))
    assert read[3:] == ["Le train part à six heures."], "a file that is handed over"
    dream("cycle", "--now", "2026-03-11T02:05:00+01:00")
    assert len(read) == 4, "and no night reads it again"


def test_h14_an_undo_after_a_rescan_takes_the_night_back_and_brings_no_secret(stained: Line) -> None:
    def current() -> list[str]:
        hits = stained("search", "jeton de recette", "-k", "9", "--json").plain["hits"]
        return [hit["text"] for hit in hits if hit["kind"] and hit["status"] == "current" and "jeton" in hit["text"]]

    stained("sanitize", "--rescan")
    (later,) = current()
    assert "avril" in later
    for night, left in (("2026-03-11", 1), ("2026-03-10", 0)):
        done = stained("undo", night)
        assert done.code == 0, done.err
        assert not grep(stained, TOKEN) and not grep(stained, PASSWORD)
        assert stained("ledger", "verify", "--full").code == 0
        assert len(current()) == left, night
        assert all("mars" in text and "[redacted:github-token" in text for text in current())


def test_what_is_given_beside_a_text_is_stored_without_a_secret_too(dream: Line) -> None:
    dream("init", "--no-schedule")
    assert dream("remember", "La cave ferme à midi.", "--id", TOKEN).code == 0
    again = dream("remember", "La cave ferme à midi.", "--id", TOKEN, "--json").plain
    assert not again["new"], "the same id again is the same request"
    assert dream("mode", "CONSERVATIVE", "--why", f"la clé {TOKEN} a fui").code == 0
    assert not grep(dream, TOKEN)
    assert "a fui" in dream("mode").out


def test_h14_an_undo_after_a_rescan_opens_what_the_night_took_back_and_withdraws_what_it_held(
    dream: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(capturing, "redact", lambda text, key=None: (text, {}))
        said(dream, "s-1", f"Règle : toujours utiliser le jeton {TOKEN} en recette.")
        said(dream, "s-2", f"Décision : on garde la clé {PASSWORD} pour le portail de la cave.")
        dream("cycle", "--now", "2026-03-10T02:05:00+01:00")
        said(dream, "s-3", f"La règle sur le jeton {TOKEN} en recette ne tient plus.", "2026-03-10")
        said(dream, "s-4", f"Finalement, on ne garde plus la clé {PASSWORD} pour le portail de la cave.", "2026-03-10")
        dream("cycle", "--now", "2026-03-11T02:05:00+01:00")

    def rule() -> list[str]:
        hits = dream("search", "règle jeton recette", "-k", "9", "--history", "--json").plain["hits"]
        return [hit["status"] for hit in hits if hit["kind"] and hit["text"].startswith("Règle")]

    assert rule() == ["retracted"]
    dream("sanitize", "--rescan")
    assert rule() == ["retracted"] and not grep(dream, TOKEN)
    done = dream("undo", "2026-03-11")
    assert done.code == 0, done.err
    assert rule() == ["current"]
    assert not dream("hitl", "list", "--json").plain["holds"]
    assert not grep(dream, TOKEN) and dream("ledger", "verify", "--full").code == 0
