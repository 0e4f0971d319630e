"""`dream ingest`: files that a person hands over come in once, without their secrets, or are refused and said why."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.surfaces.line import Line

TOKEN = "gh" + "p_" + "aB3dE6gH9j" * 3 + "kL5mN8"
PASSWORD = "Falaise" + "-Brume!" + "47"
SAID = f"On garde SQLite pour la base de recette. Le jeton est {TOKEN}. Le mot de passe du NAS : {PASSWORD}."


def grep(dream: Line, text: str) -> list[str]:
    return [str(path) for path in dream.home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def texts(dream: Line) -> list[str]:
    buffers = sorted((dream.home / "capture").glob("*.jsonl"))
    return [json.loads(line)["text"] for path in buffers for line in path.read_text("utf-8").splitlines()]


def transcript(text: str) -> str:
    record = {
        "type": "user", "uuid": "u-1", "parentUuid": None, "isSidechain": False, "sessionId": "s-9",
        "cwd": "/home/maud/p", "timestamp": "2026-03-09T09:00:00.000Z", "message": {"role": "user", "content": text},
    }  # fmt: skip
    return json.dumps(record) + "\n"


def export(text: str) -> str:
    messages = [
        {"uuid": "m-1", "sender": "human", "text": text, "created_at": "2026-03-09T09:00:00.000000Z"},
        {"uuid": "m-2", "sender": "assistant", "content": [{"type": "text", "text": "C'est noté pour SQLite."}]},
        {"uuid": "m-3", "sender": "tool", "text": "ok"},
    ]
    return json.dumps([{"uuid": "c-1", "name": "recette", "chat_messages": messages}])


@pytest.mark.parametrize(
    ("name", "content", "count"),
    [
        ("notes.md", f"# Notes\n\n{SAID}\n", 4),
        ("s-9.jsonl", transcript(SAID), 3),
        ("conversations.json", export(SAID), 4),
    ],
)
def test_a_file_comes_in_once_without_its_secrets(
    ready: Line, tmp_path: Path, name: str, content: str, count: int
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    (done,) = ready("ingest", str(path), "--json").plain["files"]
    assert (done["notes"], done["new"]) == (count, count)
    assert done["redacted"] == {"github-token": 1, "password": 1}
    assert "On garde SQLite pour la base de recette." in texts(ready)
    assert not grep(ready, TOKEN) and not grep(ready, PASSWORD)
    assert ready("search", "SQLite recette", "--json").plain["hits"], "found before any night"
    assert ready("ingest", str(path), "--json").plain["new"] == 0, "from the buffer"
    assert ready("cycle", "--now", "2026-12-24T02:05:00+01:00").code == 0
    assert ready("ingest", str(path), "--json").plain["new"] == 0, "from the store"
    assert not grep(ready, TOKEN) and not grep(ready, PASSWORD)


def test_text_may_come_on_standard_input(ready: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAID.encode())))
    done = ready("ingest", "-")
    assert done.code == 0 and "standard input: 3 sentences." in done.out
    assert "Taken out: 1 × github-token, 1 × password." in done.out
    assert not grep(ready, TOKEN)


def test_what_is_denied_is_left_out_and_told(ready: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Odile est en cure")))
    assert ready("sanitize", "--deny").code == 0
    path = tmp_path / "notes.txt"
    path.write_text("On garde SQLite. ODILE est en cure. Le port est 5433.", encoding="utf-8")
    done = ready("ingest", str(path))
    assert "must never be stored: 1 sentence." in done.out
    assert texts(ready) == ["On garde SQLite.", "Le port est 5433."]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0", "is no text"),
        ("half.json", b'[{"chat_messages": [', "is no JSON"),
        ("other.json", b'{"name": "dream"}', "holds no conversation"),
        ("other.jsonl", b'{"name": "dream"}\n', "holds no turn"),
        ("long.txt", b"a b " * (2 * 1024 * 1024 + 1), "are read at once"),
    ],
)
def test_what_cannot_be_read_is_refused_and_leaves_nothing(
    ready: Line, tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    done = ready("ingest", str(tmp_path / name))
    assert done.code == 2 and told in done.err
    assert texts(ready) == []


def test_a_file_that_is_not_there_is_an_error_and_an_empty_one_is_none(ready: Line, tmp_path: Path) -> None:
    assert ready("ingest", str(tmp_path / "none.md")).code == 1
    (tmp_path / "empty.md").write_bytes(b"\xef\xbb\xbf \n")
    assert ready("ingest", str(tmp_path / "empty.md"), "--json").plain["new"] == 0
