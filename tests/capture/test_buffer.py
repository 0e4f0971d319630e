"""The day's buffer: whole lines, sealed by renaming, bad lines kept aside (case B21)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dream.capture import buffer

DAY = "2026-11-30"


def note(number: int, text: str = "Un fait.") -> dict[str, object]:
    place: dict[str, object] = {"session": "s-1", "turn": f"u-{number}", "index": 0, "project": "p", "branch": "main"}
    said = {
        "text": text,
        "at": "2026-11-30T10:00:00.000Z",
        "origin": "user",
        "load": 30,
        "signals": ["rule"],
        "lang": "fr",
    }
    return {"id": f"n-{number:024x}", **place, **said}


def day_file(home: Path) -> Path:
    return home / "capture" / f"{DAY}.jsonl"


def test_what_is_appended_is_read_back_field_for_field(tmp_path: Path) -> None:
    notes = [note(1, "Décidé : l'émoji 🧠 et « l'œuvre » restent, coût 3 €, flèche →"), note(2)]
    assert buffer.append(str(tmp_path), notes, DAY) == 2
    assert buffer.read(str(day_file(tmp_path))) == (notes, [])
    assert buffer.read_today(str(tmp_path)) == notes
    assert "🧠 et « l'œuvre »".encode() in day_file(tmp_path).read_bytes()


def test_the_same_notes_again_write_nothing(tmp_path: Path) -> None:
    buffer.append(str(tmp_path), [note(1)], DAY)
    before = day_file(tmp_path).read_bytes()
    assert buffer.append(str(tmp_path), [note(1)], DAY) == 0
    assert day_file(tmp_path).read_bytes() == before


def test_a_torn_last_line_is_never_glued_to_the_next(tmp_path: Path) -> None:
    buffer.append(str(tmp_path), [note(1)], DAY)
    torn = b'{"id":"n-000000000000000000000009","text":"mo'
    with day_file(tmp_path).open("ab") as file:
        file.write(torn)
    buffer.append(str(tmp_path), [note(2)], DAY)
    notes, bad = buffer.read(str(day_file(tmp_path)))
    assert [found["id"] for found in notes] == [note(1)["id"], note(2)["id"]]
    assert bad == [torn + b"\n"]


def test_b21_a_bad_middle_costs_its_own_lines_alone(tmp_path: Path) -> None:
    lines = [
        b'{"id": "a1", "text": "fait 1", "ts": "2026-11-29T20:00:00Z"}',
        b'{"id": "a2-00',
        b'{"id": "a3", "text": "fait 3"}{"id": "a4", "text": "fait 4"}',
        b"",
        b'\xef\xbb\xbf{"id": "a5", "text": "fait 5"}',
        b'{"id": "a6", "text": "fait 6"}',
        b"\xff\xfe\x00garbage",
        b'{"id": "a7", "te{"id": "a8", "text": "fait 8"}',
        b'{"id": 9, "text": "not a note"}',
        b"[]",
    ]
    path = tmp_path / "sealed.jsonl"
    path.write_bytes(b"\n".join(lines))
    notes, bad = buffer.read(str(path))
    assert [found["id"] for found in notes] == ["a1", "a3", "a4", "a5", "a6", "a8"]
    assert [line.strip() for line in bad] == [lines[1], lines[6], lines[7], lines[8], lines[9]]
    assert notes[0]["at"] == "2026-11-29T20:00:00.000Z"
    aside = buffer.set_aside(str(path), bad)
    assert aside == str(path) + ".bad"
    assert Path(aside).read_bytes().splitlines() == [line.strip() for line in bad]
    assert buffer.set_aside(str(path), []) == ""


def test_b21_the_file_of_the_case(shared: Path) -> None:
    notes, bad = buffer.read(str(shared / "cases" / "inputs" / "b21_buffer_bad_middle.jsonl"))
    assert [str(found["id"])[-2:] for found in notes] == ["01", "03", "04", "05", "06"]
    assert len(bad) == 1


def test_sealing_is_a_rename_and_older_sealed_files_come_first(tmp_path: Path) -> None:
    home = str(tmp_path)
    buffer.append(home, [note(1)], "2026-11-29")
    first = buffer.seal(home)
    buffer.append(home, [note(2)], "2026-11-29")
    buffer.append(home, [note(3)], DAY)
    sealed = buffer.seal(home)
    assert sealed[:1] == first
    assert [buffer.read(path)[0][0]["id"] for path in sealed] == [note(n)["id"] for n in (1, 2, 3)]
    assert buffer.seal(home) == sealed
    assert [found["id"] for found in buffer.read_today(home)] == [note(n)["id"] for n in (1, 2, 3)]
    buffer.discard(sealed[0])
    assert buffer.seal(home) == sealed[1:]


def test_a_batch_written_to_a_file_that_a_night_just_sealed_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path)
    buffer.append(home, [note(1)], DAY)
    fsync, sealed = os.fsync, []

    def seal_then_fsync(descriptor: int) -> None:
        if not sealed:
            sealed.extend(buffer.seal(home))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", seal_then_fsync)
    buffer.append(home, [note(2)], DAY)
    assert [found["id"] for found in buffer.read(str(day_file(tmp_path)))[0]] == [note(2)["id"]]
    assert len(buffer.read_today(home)) == 2


def test_markers_are_neither_notes_nor_bad(tmp_path: Path) -> None:
    buffer.append(str(tmp_path), [note(1)], DAY)
    buffer.mark(str(tmp_path), "session-end", "s-1", "2026-11-30T10:00:00.000Z", DAY)
    notes, markers, bad = buffer.read_lines(str(day_file(tmp_path)))
    assert (len(notes), len(bad)) == (1, 0)
    assert markers == [{"marker": "session-end", "session": "s-1", "at": "2026-11-30T10:00:00.000Z"}]


def test_a_disk_that_takes_a_part_is_an_error_and_the_next_batch_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, raw: write(descriptor, raw[:20]))
        with pytest.raises(OSError, match="only a part"):
            buffer.append(str(tmp_path), [note(1)], DAY)
    assert buffer.append(str(tmp_path), [note(1), note(2)], DAY) == 2
    notes, bad = buffer.read(str(day_file(tmp_path)))
    assert [found["id"] for found in notes] == [note(1)["id"], note(2)["id"]]
    assert len(bad) == 1


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "capture").mkdir()
    for name in ("notes.jsonl", f"{DAY}.jsonl.bak", "2026.jsonl"):
        (tmp_path / "capture" / name).write_text(json.dumps(note(1)), encoding="utf-8")
    assert buffer.seal(str(tmp_path)) == []
    assert buffer.read_today(str(tmp_path)) == []
    assert buffer.read_today(str(tmp_path / "nowhere")) == []
