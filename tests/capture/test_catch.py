"""Capture since the cursor: only new bytes, whole lines, each turn once (cases A17, A18)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dream.capture import buffer, catch, cursor
from dream.capture.catch import capture
from dream.capture.deny import deny
from dream.capture.home import redact_key

NOW = 1_796_000_000.0


def line(number: int, text: str, kind: str = "user") -> bytes:
    place = {"uuid": f"u-{number}", "sessionId": "s-1", "cwd": "/p", "timestamp": "2026-11-29T21:00:00.000Z"}
    return json.dumps({"type": kind, **place, "message": {"role": kind, "content": text}}).encode() + b"\n"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    return tmp_path / "s-1.jsonl"


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


def take(home: str, transcript: Path, budget: float = 1.0) -> int:
    return capture(home, str(transcript), "s-1", "/p", NOW, budget)[0]


def said(home: str) -> list[object]:
    return [note["text"] for note in buffer.read_today(home)]


def size_of(home: str) -> int:
    return sum(path.stat().st_size for path in Path(home, "capture").glob("*.jsonl"))


def test_only_what_is_new_is_read(home: str, transcript: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transcript.write_bytes(line(1, "Un.") + line(0, "x" * 5_000_000, "system") + line(2, "Deux."))
    assert take(home, transcript) == 2
    with transcript.open("ab") as file:
        file.write(line(3, "Trois."))
    read, given = os.read, []

    def counted(descriptor: int, size: int) -> bytes:
        raw = read(descriptor, size)
        given.append(len(raw))
        return raw

    monkeypatch.setattr(os, "read", counted)
    assert take(home, transcript) == 1
    assert sum(given) < 10_000
    assert said(home) == ["Un.", "Deux.", "Trois."]


def test_a18_two_hundred_stops_change_nothing(home: str, transcript: Path) -> None:
    transcript.write_bytes(line(1, "Le port des métriques est 9464.") + line(2, "Noté.", "assistant"))
    take(home, transcript)
    before = size_of(home), sorted(os.listdir(Path(home, "capture", "cursors")))
    for _ in range(200):
        assert take(home, transcript) == 0
    assert (size_of(home), sorted(os.listdir(Path(home, "capture", "cursors")))) == before


def test_a18_a_session_resumed_in_another_file_adds_only_its_new_turns(home: str, tmp_path: Path) -> None:
    first, resumed = tmp_path / "s-1.jsonl", tmp_path / "s-9.jsonl"
    old = b"".join(line(n, f"Fait {n}.") for n in range(4))
    first.write_bytes(old)
    resumed.write_bytes(old + line(9, "On ajoute aussi un verrou."))
    take(home, first)
    take(home, resumed)
    assert len(said(home)) == 5
    assert size_of(home) == sum(len(raw) for raw in next(Path(home, "capture").glob("*.jsonl")).open("rb"))


def test_a18_the_files_of_the_case(home: str, shared: Path) -> None:
    inputs = shared / "cases" / "inputs"
    for name in ("a18_session.jsonl", "a18_session_resumed.jsonl", "a18_session_resumed.jsonl"):
        take(home, inputs / name)
    assert len(said(home)) == 5


@pytest.mark.parametrize("change", ["shrunk", "replaced", "same head, other body", "removed and written anew"])
def test_a18_the_cursor_survives_whatever_happens_to_the_file(change: str, home: str, transcript: Path) -> None:
    old = b"".join(line(n, f"Fait {n}.") for n in range(20))
    transcript.write_bytes(old)
    take(home, transcript)
    new = line(50, "Un nouveau fait.")
    body = {
        "shrunk": old[: len(old) // 2 + 7][: old.rfind(b"\n", 0, len(old) // 2) + 1],
        "replaced": b"".join(line(100 + n, f"Autre {n}.") for n in range(30)),
        "same head, other body": old[:1_000] + old[1_000:].replace(b"Fait", b"Chose"),
        "removed and written anew": old,
    }[change]
    transcript.unlink()
    transcript.write_bytes(body + new)
    take(home, transcript)
    assert "Un nouveau fait." in said(home)
    assert len({str(note["id"]) for note in buffer.read_today(home)}) == len(said(home))
    if change == "replaced":
        assert "Autre 29." in said(home)


def test_a17_a_line_still_being_written_is_left_for_the_next_time(home: str, transcript: Path) -> None:
    whole = line(2, "Deux.")
    transcript.write_bytes(line(1, "Un.") + whole[:30])
    assert take(home, transcript) == 1
    assert take(home, transcript) == 0
    transcript.write_bytes(line(1, "Un.") + whole)
    assert take(home, transcript) == 1
    assert said(home) == ["Un.", "Deux."]


def test_a_crash_between_buffer_and_cursor_doubles_nothing(
    home: str, transcript: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript.write_bytes(line(1, "Un."))
    with monkeypatch.context() as patch:
        patch.setattr(cursor, "save", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            take(home, transcript)
    assert said(home) == ["Un."]
    take(home, transcript)
    assert said(home) == ["Un."]


def test_a_full_disk_leaves_the_cursor_where_it_was(
    home: str, transcript: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript.write_bytes(line(1, "Un."))
    take(home, transcript)
    with transcript.open("ab") as file:
        file.write(line(2, "Deux."))
    with monkeypatch.context() as patch:
        patch.setattr(buffer, "append", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(OSError, match="No space"):
            take(home, transcript)
    assert take(home, transcript) == 1
    assert said(home) == ["Un.", "Deux."]


def test_work_beyond_the_budget_waits_for_the_next_time(
    home: str, transcript: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript.write_bytes(b"".join(line(n, f"Fait {n}.") for n in range(50)))
    seconds = iter(range(10_000))
    monkeypatch.setattr(catch.time, "monotonic", lambda: float(next(seconds)))
    runs = 0
    while len(said(home)) < 50:
        take(home, transcript, budget=10.0)
        runs += 1
    assert runs > 3
    assert said(home) == [f"Fait {n}." for n in range(50)]


def test_a_line_longer_than_a_chunk_is_read_whole(home: str, transcript: Path) -> None:
    long = json.dumps({"type": "user", "message": {"content": [{"type": "tool_result", "content": "a" * 4_000_000}]}})
    transcript.write_bytes(long.encode() + b"\n" + line(1, "Un."))
    assert take(home, transcript) == 1


def test_a_cursor_that_cannot_be_read_counts_as_none(home: str, transcript: Path) -> None:
    transcript.write_bytes(line(1, "Un."))
    take(home, transcript)
    Path(cursor.path_of(home, str(transcript))).write_bytes(b'{"offset": 1e')
    assert take(home, transcript) == 0
    assert said(home) == ["Un."]


def test_a_changed_format_is_told_once(home: str, transcript: Path) -> None:
    strange = b'{"type": "brand-new-kind-2027"}\n'
    transcript.write_bytes(line(1, "Un.") + strange)
    assert "brand-new-kind-2027" in capture(home, str(transcript), "s-1", "/p", NOW)[1]
    with transcript.open("ab") as file:
        file.write(strange + line(2, "Deux."))
    assert capture(home, str(transcript), "s-1", "/p", NOW) == (1, "")


def test_old_cursors_and_half_written_ones_are_tidied_away(home: str, transcript: Path) -> None:
    assert cursor.tidy(home, NOW) == 0
    transcript.write_bytes(line(1, "Un."))
    take(home, transcript)
    path = Path(cursor.path_of(home, str(transcript)))
    spare = Path(f"{path}.77.tmp")
    spare.write_bytes(b"{")
    now = path.stat().st_mtime
    assert cursor.tidy(home, now + 3_600) == 0
    assert cursor.tidy(home, now + 2 * 86_400) == 1
    assert (path.exists(), spare.exists()) == (True, False)
    assert cursor.tidy(home, now + 41 * 86_400) == 1
    assert take(home, transcript) == 0
    assert said(home) == ["Un."]


def test_h20_what_is_denied_is_not_taken_by_a_hook(home: str, transcript: Path) -> None:
    deny(home, "Odile est malade", redact_key(home) or b"", "2026-11-30T21:00:00.000Z")
    transcript.write_bytes(line(1, "On garde SQLite. Tu sais, ODILE est « malade » ! Le port est 9464."))
    assert take(home, transcript) == 2
    assert said(home) == ["On garde SQLite.", "Le port est 9464."]
    assert [note["index"] for note in buffer.read_today(home)] == [0, 2], "the others keep their place"


def test_without_a_list_nothing_of_it_is_loaded(home: str, transcript: Path) -> None:
    transcript.write_bytes(line(1, "On garde SQLite."))
    script = (
        f"import sys; from dream.capture.catch import capture; capture({home!r}, {str(transcript)!r}, 's', '/p', 1.0)"
    )
    root = Path(__file__).resolve().parents[2]
    probe = script + "; print('dream.capture.deny' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
