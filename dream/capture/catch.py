"""Capture of what a transcript has gained since its cursor: the work of the Stop and PreCompact hooks.

Reads on from the cursor, never from the start, and stops at a whole line; a last line without its end is left for the
next time. What the deny-list knows is not taken. The cursor is saved after the buffer is on the disk, so a crash
between the two repeats notes of equal ids and loses none. Work is bounded by time: what does not fit waits for the
next hook or for the night's sweep.
"""

from __future__ import annotations

import os
import time

from dream.capture import buffer, cursor
from dream.capture.home import redact_key
from dream.capture.instants import of_epoch
from dream.capture.notes import notes_of
from dream.capture.transcript import new_report, read_turns, warning

CHUNK_BYTES = 1 << 20
BUDGET_SECONDS = 1.0

TYPE_CHECKING = False
if TYPE_CHECKING:  # names for the type checker; never imported at run time (start-up cost)
    from collections.abc import Iterator
    from typing import Callable


def capture(
    home: str, transcript: str, session: str, cwd: str, now: float, budget: float = BUDGET_SECONDS
) -> tuple[int, str]:
    """Take the new turns of a transcript into the day's buffer.

    Returns the number of new notes, and a warning worth a line in the log or "". Raises OSError where the transcript
    cannot be opened or the buffer not written; the cursor then stays where it was.
    """
    place = cursor.path_of(home, transcript)
    report = new_report()
    descriptor = os.open(transcript, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        known = cursor.load(place)
        start = cursor.offset_in(descriptor, known)
        if start and os.fstat(descriptor).st_size == start:
            return 0, ""
        reading = _Reading(descriptor, start, time.monotonic() + budget)
        notes: list[dict[str, object]] = []
        key = redact_key(home)
        keep = _deny_list(home, key)
        for turn in read_turns(reading.lines(), report, session, of_epoch(now), cwd):
            notes.extend(keep(notes_of(turn, _project(turn["cwd"]), key)))
        taken = buffer.append(home, notes, of_epoch(now)[:10]) if notes else 0
        if reading.offset != start or not known:
            cursor.save(place, descriptor, reading.offset, _facts(known, report, transcript, session, now))
    finally:
        os.close(descriptor)
    return taken, warning(report, known.get("told"))


def _facts(
    known: dict[str, object], report: dict[str, object], transcript: str, session: str, now: float
) -> dict[str, object]:
    told, unknown = known.get("told"), report["unknown"]
    kinds = {*(told if isinstance(told, list) else ()), *(unknown if isinstance(unknown, dict) else ())}
    return {"transcript": transcript, "session": session, "at": of_epoch(now), "told": sorted(kinds)[:50]}


def _deny_list(home: str, key: bytes | None) -> Callable[[list[dict[str, object]]], list[dict[str, object]]]:
    """Leaves out the notes of a turn that must never be stored; loads nothing where no list is kept."""
    if not os.path.exists(os.path.join(home, "deny.jsonl")):
        return _all
    from dream.capture.deny import DenyList, allowed

    listed = DenyList.read(home, key)

    def keep(notes: list[dict[str, object]]) -> list[dict[str, object]]:
        stays = allowed([str(note["text"]) for note in notes], listed.denied)
        return [note for place, note in enumerate(notes) if stays[place]]

    return keep


def _all(notes: list[dict[str, object]]) -> list[dict[str, object]]:
    return notes


class _Reading:
    """Whole lines of an open file from an offset on; `offset` is where the lines given so far end."""

    def __init__(self, descriptor: int, start: int, deadline: float) -> None:
        self.offset = start
        self._descriptor = descriptor
        self._deadline = deadline

    def lines(self) -> Iterator[bytes]:
        os.lseek(self._descriptor, self.offset, os.SEEK_SET)
        parts: list[bytes] = []
        while time.monotonic() < self._deadline:
            chunk = os.read(self._descriptor, CHUNK_BYTES)
            if not chunk:
                return
            if b"\n" not in chunk:  # kept apart until its end comes: a line may be longer than memory is quick
                parts.append(chunk)
                continue
            lines = (b"".join(parts) + chunk).split(b"\n")
            parts = [lines.pop()]
            for line in lines:
                self.offset += len(line) + 1
                yield line
                if time.monotonic() > self._deadline:
                    return


_projects: dict[str, str] = {}


def _project(cwd: str) -> str:
    from dream.capture.project import project_key

    if cwd not in _projects:
        _projects[cwd] = project_key(cwd)
    return _projects[cwd]
