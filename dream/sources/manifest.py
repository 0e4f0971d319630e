"""What of each transcript has been read, so that a night which stops half way goes on from there.

`manifest.json` is one object; `manifest.journal` beside it takes one line per transcript as it is finished, and is
folded into the object at `save`. A torn line of the journal is dropped: its transcript is read again, and equal ids let
the doubles fall away. A damaged manifest counts as empty, and is put aside as `manifest.json.damaged-N` before the
first write (reading alone moves nothing). It is a note of progress, not truth: deleting it costs time only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

VERSION = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """How far one transcript has been read.

    Attributes:
        size: bytes the file had.
        mtime: its time of change, nanoseconds.
        offset: bytes read, up to the end of the last whole line.
        line: lines in those bytes.
        head: SHA-256 over those bytes, in hex: the file is a longer version of what was read, or another one.
        session: the client's session id.
        cwd: the folder the session was started in.
        project: the key given to that folder then; it stays when the folder goes.
        dead: uuids of turns on dead branches: a hook may still bring them when the file itself has not changed.
    """

    size: int
    mtime: int
    offset: int
    line: int
    head: str
    session: str
    cwd: str
    project: str
    dead: tuple[str, ...] = ()


class Manifest:
    """Marks by the transcript's path.

    Args:
        path: `Home.manifest`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._journal = path.with_name(path.stem + ".journal")
        self.warnings: list[str] = []
        self._noticed: set[str] = set()
        self._damaged = False
        self._marks = self._load()
        self._replay()
        self._projects = {mark.cwd: mark.project for mark in self._marks.values()}

    def get(self, transcript: str) -> Mark | None:
        """The mark of a transcript, or None where it was never read."""
        return self._marks.get(transcript)

    def __len__(self) -> int:
        return len(self._marks)

    def project_of(self, cwd: str) -> str | None:
        """The key that sessions of this folder were given, while it was there."""
        return self._projects.get(cwd)

    def dead(self) -> dict[str, frozenset[str]]:
        """Turns on dead branches, by transcript; those without any are left out."""
        return {path: frozenset(mark.dead) for path, mark in self._marks.items() if mark.dead}

    def notice(self, kinds: Iterable[str]) -> list[str]:
        """Those of the unknown line kinds that were not met in an earlier night; kept by the next `save`."""
        fresh = sorted(set(kinds) - self._noticed)
        self._noticed.update(fresh)
        return fresh

    def record(self, transcript: str, mark: Mark) -> None:
        """Remember how far a transcript has been read; on the disk when this returns."""
        self._marks.pop(transcript, None)
        self._marks[transcript] = mark
        self._projects[mark.cwd] = mark.project
        self._prepare()
        line = json.dumps([VERSION, transcript, asdict(mark)], ensure_ascii=True, separators=(",", ":"))
        with self._journal.open("ab") as file:
            # A torn line before this one must not swallow it.
            file.write(b"\n" + line.encode() + b"\n")

    def save(self) -> None:
        """Write the whole manifest in place of the old one, atomically, and empty the journal."""
        self._prepare()
        whole = {
            "version": VERSION,
            "noticed": sorted(self._noticed),
            "transcripts": {path: asdict(mark) for path, mark in self._marks.items()},
        }
        fresh = self._path.with_name(self._path.name + ".new")
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(whole, file, ensure_ascii=True, indent=0, separators=(",", ":"))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)
        self._journal.unlink(missing_ok=True)

    def _load(self) -> dict[str, Mark]:
        try:
            raw = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        try:
            whole = json.loads(raw)
            if whole["version"] != VERSION:
                return self._start_anew(f"was written in version {whole['version']}, this Dream knows {VERSION}")
            self._noticed = {str(kind) for kind in whole.get("noticed", ())}
            return {str(path): _mark(plain) for path, plain in whole["transcripts"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return self._start_anew("is damaged")

    def _start_anew(self, why: str) -> dict[str, Mark]:
        self._damaged = True
        self.warnings.append(
            f"The list of transcripts already read {why}; it is kept beside the new one, and all are read again."
        )
        return {}

    def _prepare(self) -> None:
        """Make the folder, and put a damaged manifest aside."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._damaged:
            n = 1
            while (aside := self._path.with_name(f"{self._path.name}.damaged-{n}")).exists():
                n += 1
            self._path.replace(aside)
            self._damaged = False

    def _replay(self) -> None:
        try:
            lines = self._journal.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        for line in lines:
            try:
                version, path, plain = json.loads(line) if line.strip() else (0, "", {})
                if version == VERSION:
                    mark = _mark(plain)
                    self._marks.pop(path, None)
                    self._marks[path] = mark
            except (ValueError, KeyError, TypeError, RecursionError):
                continue


def _mark(plain: dict[str, Any]) -> Mark:
    plain = {**plain, "dead": tuple(plain.get("dead", ()))}
    mark = Mark(**{field.name: plain[field.name] for field in fields(Mark)})
    if not all(isinstance(n, int) and n >= 0 for n in (mark.size, mark.mtime, mark.offset, mark.line)):
        raise ValueError("a mark counts in whole numbers from 0")
    if not all(isinstance(text, str) for text in (mark.head, mark.session, mark.cwd, mark.project, *mark.dead)):
        raise TypeError("a mark names things in text")
    return mark
