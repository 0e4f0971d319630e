"""The day's buffer: notes as JSON Lines in `capture/YYYY-MM-DD.jsonl`, until a night has taken them.

Invariants:
1. A batch is one `write` of whole lines at the end of the file, on the disk before `append` returns.
2. A line torn by a crash is never glued to the next one: a missing line end is written first.
3. Sealing is a rename: a writer that had the old file open sees that it moved, and writes its batch again.
4. A bad line costs that line alone, and its bytes can be kept aside.
A note may stand in the buffer twice (a crash between buffer and cursor): the ids are equal, and reading gives it once.
"""

from __future__ import annotations

import json
import os

from dream.capture.home import ensure_folder
from dream.capture.instants import instant

_LOOK_BACK = 65_536
_BINARY = getattr(os, "O_BINARY", 0)
_STARTS = ('{"id"', '{"marker"')
_TEXTS = ("id", "text", "at", "session", "turn", "origin", "project", "branch", "lang")


def append(home: str, notes: list[dict[str, object]], day: str) -> int:
    """Add notes to the buffer of `day` (`YYYY-MM-DD`); those its last 64 KB already hold are left out.

    Returns the number written. Raises OSError where the disk would not take them all; nothing may then be taken as
    captured, and the same notes can simply be appended again.
    """
    return _write(home, [(str(note["id"]), note) for note in notes], day)


def mark(home: str, kind: str, session: str, at: str, day: str) -> None:
    """Add one marker line: something happened to a session (`session-end`) that the gates count."""
    _write(home, [("", {"marker": kind, "session": session, "at": at})], day)


def seal(home: str) -> list[str]:
    """Move every day's buffer to `capture/sealed/`; the paths of all sealed files, earlier ones included, oldest first.

    A file that cannot be moved (open elsewhere on Windows) waits for the next night.
    """
    folder = os.path.join(home, "capture")
    sealed = os.path.join(folder, "sealed")
    for name in _day_files(folder):
        ensure_folder(sealed)
        number = 1
        while os.path.exists(os.path.join(sealed, f"{name[:10]}.{number:03d}.jsonl")):
            number += 1
        try:
            os.rename(os.path.join(folder, name), os.path.join(sealed, f"{name[:10]}.{number:03d}.jsonl"))
        except OSError:
            continue
    return [os.path.join(sealed, name) for name in _files(sealed) if name.endswith(".jsonl")]


def discard(path: str) -> None:
    """Remove a sealed file whose notes the ledger holds."""
    os.remove(path)


def read(path: str) -> tuple[list[dict[str, object]], list[bytes]]:
    """The notes of a buffer file, each id once, and the lines that hold none."""
    notes, _, bad = read_lines(path)
    return notes, bad


def read_lines(path: str) -> tuple[list[dict[str, object]], list[dict[str, object]], list[bytes]]:
    """The notes, the markers and the bad lines of a buffer file. Two notes glued into one line are told apart."""
    notes: dict[str, dict[str, object]] = {}
    markers: list[dict[str, object]] = []
    bad: list[bytes] = []
    with open(path, "rb") as file:
        for raw in file:
            records, clean = _records(raw)
            for record in records:
                note = _whole(record)
                if note is not None:
                    notes.setdefault(str(note["id"]), note)
                elif isinstance(record.get("marker"), str):
                    markers.append(record)
                else:
                    clean = False
            if not clean:
                bad.append(raw)
    return list(notes.values()), markers, bad


def read_today(home: str) -> list[dict[str, object]]:
    """Every note that no night has taken yet, sealed or not, each id once; a file that goes meanwhile is no error."""
    folder = os.path.join(home, "capture")
    sealed = os.path.join(folder, "sealed")
    paths = [os.path.join(sealed, name) for name in _files(sealed) if name.endswith(".jsonl")]
    paths += [os.path.join(folder, name) for name in _day_files(folder)]
    notes: dict[str, dict[str, object]] = {}
    for path in paths:
        try:
            found, _ = read(path)
        except FileNotFoundError:
            continue
        for note in found:
            notes.setdefault(str(note["id"]), note)
    return list(notes.values())


def set_aside(path: str, bad: list[bytes]) -> str:
    """Keep the bad lines of a buffer file beside it, as `….bad`; the path, or "" where there is nothing to keep."""
    if not bad:
        return ""
    aside = path + ".bad"
    spare = aside + ".tmp"
    descriptor = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
    try:
        os.write(descriptor, b"".join(line if line.endswith(b"\n") else line + b"\n" for line in bad))
    finally:
        os.close(descriptor)
    os.replace(spare, aside)
    return aside


def _write(home: str, records: list[tuple[str, dict[str, object]]], day: str) -> int:
    folder = os.path.join(home, "capture")
    ensure_folder(folder)
    path = os.path.join(folder, day + ".jsonl")
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            tail = _tail(descriptor, size)
            lines = [_line(record) for note_id, record in records if not note_id or _id_mark(note_id) not in tail]
            if not lines:
                return 0
            batch = (b"" if not tail or tail.endswith(b"\n") else b"\n") + b"".join(lines)
            if os.write(descriptor, batch) != len(batch):
                raise OSError("the disk took only a part of the batch")
            os.fsync(descriptor)
            if _still_there(descriptor, path):
                return len(lines)
        finally:
            os.close(descriptor)


def _line(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _id_mark(note_id: str) -> bytes:
    return b'{"id":' + json.dumps(note_id).encode("ascii") + b","


def _tail(descriptor: int, size: int) -> bytes:
    if not size:
        return b""
    os.lseek(descriptor, max(0, size - _LOOK_BACK), os.SEEK_SET)
    return os.read(descriptor, _LOOK_BACK)


def _still_there(descriptor: int, path: str) -> bool:
    """Whether the open file is still the one at `path`, so that a night which sealed it will have seen the batch."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return False
    ours = os.fstat(descriptor)
    return (there.st_ino, there.st_dev) == (ours.st_ino, ours.st_dev)


def _files(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def _day_files(folder: str) -> list[str]:
    return [name for name in _files(folder) if len(name) == 16 and name.endswith(".jsonl") and name[:4].isdigit()]


def _records(raw: bytes) -> tuple[list[dict[str, object]], bool]:
    """The JSON objects of a line, and whether it held anything else."""
    text = raw.decode("utf-8", "replace").replace("\ufeff", "").replace("\0", "").strip()
    decoder = json.JSONDecoder()
    found: list[dict[str, object]] = []
    clean = True
    place = 0
    while 0 <= place < len(text):
        try:
            record, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            found.append(record)
            while text[place : place + 1].isspace():
                place += 1
        else:  # go on where the next record starts: a torn line may have another one glued to it
            clean = False
            place = min((at for at in (text.find(start, place + 1) for start in _STARTS) if at > 0), default=-1)
    return found, clean


def _whole(record: dict[str, object]) -> dict[str, object] | None:
    """A record as a note with every field, or None where it has no id or no text."""
    note = {key: record.get(key, "") for key in _TEXTS}
    if not all(isinstance(text, str) for text in note.values()) or not note["id"] or not note["text"]:
        return None
    load, index, signals = record.get("load", 0), record.get("index", 0), record.get("signals", [])
    if not isinstance(load, int) or not isinstance(index, int) or not isinstance(signals, list):
        return None
    note["at"] = instant(record.get("at")) or instant(record.get("ts"))
    note["origin"] = note["origin"] or "user"
    note["load"], note["index"], note["signals"] = load, index, [str(signal) for signal in signals]
    return note
