"""Cowork's local sessions are found by looking, whatever lies around them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dream.cli import main
from dream.compose import open_dream
from dream.settings import load
from dream.sources.roots import local_sessions, roots


def session(folder: Path, name: str = "s-1", text: str = "The archive is in Nantes.") -> Path:
    """A transcript as the client writes it, below `folder`/.claude/projects."""
    path = folder / ".claude" / "projects" / "-sessions-quiet-otter" / f"{name}.jsonl"
    path.parent.mkdir(parents=True)
    line = {
        "type": "user", "uuid": f"u-{name}", "parentUuid": None, "sessionId": name, "cwd": "/sessions/quiet-otter",
        "timestamp": "2026-11-01T10:00:00.000Z", "message": {"role": "user", "content": text},
    }  # fmt: skip
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


def test_local_sessions_are_found_at_several_depths_and_other_files_are_not(tmp_path: Path) -> None:
    session(tmp_path / "org" / "account" / "local_1")
    session(tmp_path / "account" / "local_2", "s-2")
    (tmp_path / "org" / "account" / "local_1" / "audit.jsonl").write_text("{}\n", encoding="utf-8")
    (tmp_path / "org" / "account" / "local_3" / ".claude").mkdir(parents=True)
    session(tmp_path / "a" / "b" / "c" / "d" / "e" / "f" / "g", "too-deep")
    found = [path.relative_to(tmp_path).as_posix() for path in local_sessions(tmp_path)]
    assert found == ["account/local_2/.claude/projects", "org/account/local_1/.claude/projects"]
    assert local_sessions(tmp_path / "nowhere") == []


def test_the_clients_own_folder_comes_first(tmp_path: Path) -> None:
    session(tmp_path / "apps" / "local_1")
    first, second = roots(tmp_path / "projects", tmp_path / "apps")
    assert first == tmp_path / "projects" and second.parts[-2:] == (".claude", "projects")
    assert roots(tmp_path / "projects", None) == (tmp_path / "projects",)


def test_a_named_transcript_folder_is_the_only_one_unless_cowork_is_named_too(tmp_path: Path) -> None:
    own = {"HOME": str(tmp_path), "DREAM_HOME": str(tmp_path / "home")}
    assert load(own).settings.cowork is not None
    assert load({**own, "DREAM_TRANSCRIPTS": str(tmp_path)}).settings.cowork is None
    named = load({**own, "DREAM_TRANSCRIPTS": str(tmp_path), "DREAM_COWORK": str(tmp_path / "apps")})
    assert named.settings.cowork == tmp_path / "apps"
    assert load({**own, "DREAM_COWORK": "off"}).settings.cowork is None


def test_a16_when_the_host_deletes_a_transcript_the_node_stays_and_says_that_its_source_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = session(tmp_path / "apps" / "local_1")
    environ = {
        "HOME": str(tmp_path), "DREAM_HOME": str(tmp_path / "home"), "DREAM_STATE": str(tmp_path / "state"),
        "DREAM_COWORK": str(tmp_path / "apps"), "DREAM_TZ": "Europe/Paris",
    }  # fmt: skip
    with open_dream(environ, create=True) as dream:
        dream.cycle()
        (hit,) = dream.recall("Where is the archive?", k=1).hits
        notes = dream.explain(hit.id).notes
        assert dream.sessions_gone(notes) == frozenset()
        path.unlink()
        assert dream.sessions_gone(notes) == {"s-1"}
        assert dream.explain(hit.id).notes == notes, "the memory itself is whole"
        dream.cycle(trigger="forced")
        assert dream.recall("Where is the archive?", k=1).hits[0].id == hit.id
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert main(["explain", hit.id]) == 0
    assert "its transcript is gone" in capsys.readouterr().out


def test_a_night_reads_what_was_said_in_a_local_cowork_session(tmp_path: Path) -> None:
    session(tmp_path / "apps" / "org" / "account" / "local_1")
    environ = {
        "HOME": str(tmp_path), "DREAM_HOME": str(tmp_path / "home"), "DREAM_STATE": str(tmp_path / "state"),
        "DREAM_COWORK": str(tmp_path / "apps"), "DREAM_TZ": "Europe/Paris",
    }  # fmt: skip
    with open_dream(environ, create=True) as dream:
        assert dream.picture().transcripts == 1
        dream.cycle()
        hits = dream.recall("Where is the archive?").hits
    assert hits and hits[0].text == "The archive is in Nantes."
