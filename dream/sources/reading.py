"""Two readings of one transcript: where things stand in it, then its new turns.

The first finds the end, the prompts and whether the file still begins with what was read before; the second yields
turns up to that end, though the session goes on writing. Neither holds more than a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dream.capture import transcript
from dream.capture.instants import instant
from dream.sources.branches import Prompt
from dream.sources.lines import Lines
from dream.sources.report import SweepReport

Turn = dict[str, str]

_USER_LINE = re.compile(rb'"type"\s*:\s*"user"')
_ANSWER = re.compile(rb'"type"\s*:\s*"assistant"')
_LEAF_SET = re.compile(rb'"type"\s*:\s*"last-prompt".*"explicit"\s*:\s*true')
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)+")')
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]+)"')
_TAIL = 65536
_LONGEST_TAIL = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Outline:
    """Where things stand in a transcript.

    Attributes:
        size, mtime: as `Mark` has them.
        offset, line, digest: up to the end of the last whole line.
        end: the same, or the end of a whole last line that lacks its line end.
        digest_before: SHA-256 over the first `before` bytes, "" where no line ends there.
        prompts: what the user typed, in order.
        taken_back: uuid of a first prompt that Escape put back into the box before any answer, or "".
        session: the session of the last prompt, "" where there is none.
        cwd: the first folder a line names, or "".
        overlong: lines passed over.
    """

    size: int
    mtime: int
    offset: int
    line: int
    digest: str
    end: int
    digest_before: str
    prompts: list[Prompt]
    taken_back: str
    session: str
    cwd: str
    overlong: int


def outline(path: str, before: int) -> Outline:
    """Read a transcript through once, for its outline; `before` is how many bytes of it were read at another time."""
    with Path(path).open("rb") as file:
        found = Path(path).stat()
        lines = Lines(file, found.st_size)
        place = _Place(lines, before)
        prompts: list[Prompt] = []
        for turn in transcript.read_turns(place.user_lines(), {}):
            prompts.append(Prompt(turn["uuid"], turn["parent"]))
            place.unanswered = prompts[:2] if len(prompts) == 2 and not place.answered else []
    end = lines.offset + (len(lines.rest) if _is_whole(lines.rest) else 0)
    return Outline(
        size=found.st_size,
        mtime=found.st_mtime_ns,
        offset=lines.offset,
        line=lines.count,
        digest=lines.digest(),
        end=end,
        digest_before=place.digest_before,
        prompts=prompts,
        taken_back=place.taken_back,
        session=place.session,
        cwd=place.cwd,
        overlong=lines.overlong,
    )


class Turns:
    """The new turns of one transcript, read anew from the file at each iteration."""

    def __init__(self, path: str, start: int, end: int, session: str, at: str, cwd: str, report: SweepReport) -> None:
        self._path, self._start, self._end = path, start, end
        self._otherwise = (session, at, cwd)
        self._report = report
        self._counted = False

    def __iter__(self) -> Iterator[Turn]:
        # Only the first iteration counts, or a second look would double the figures.
        report = transcript.new_report() if self._counted else self._report.lines
        self._counted = True
        yield from transcript.read_turns(lines_between(self._path, self._start, self._end), report, *self._otherwise)


def last_activity(path: str, size: int, mtime: int) -> datetime:
    """When something was last said: the time of the last line that has one, else the file's own time of change."""
    length = _TAIL
    while True:
        with Path(path).open("rb") as file:
            file.seek(max(0, size - length))
            lines = file.read(length).split(b"\n")
        for raw in reversed(lines if length >= size else lines[1:]):
            record = transcript.load_line(raw, {})
            stamp = instant(record.get("timestamp")) if record else ""
            if stamp:
                return datetime.fromisoformat(stamp)
        if length >= min(size, _LONGEST_TAIL):
            return datetime.fromtimestamp(mtime / 1e9, UTC)
        length *= 16


class _Place:
    """Picks the user's lines out of a first reading, and notes where and in which session they stand.

    A prompt taken back is a branch beside the next one, but for the first of a session (client 2.1.332): the next hangs
    below what was sent along with it, and only a line that sets the conversation's leaf anew says that it is not part
    of it. The model is not shown it again.
    """

    def __init__(self, lines: Lines, offset: int) -> None:
        self._lines, self._offset = lines, offset
        self.digest_before = lines.digest() if offset == 0 else ""
        self.session = ""
        self.cwd = ""
        self.answered = False
        self.unanswered: list[Prompt] = []
        self.taken_back = ""

    def user_lines(self) -> Iterator[bytes]:
        """The lines that may be a prompt: those of the type `user` without a tool's result."""
        for line in self._lines:
            if self._lines.offset == self._offset:
                self.digest_before = self._lines.digest()
            if not self.cwd and (found := _CWD.search(line)):
                self.cwd = _unquote(found[1])
            if not self.answered:
                self._look_for_answer(line)
            if _USER_LINE.search(line) and b'"tool_result"' not in line:
                if session := _SESSION.search(line):
                    self.session = session[1].decode("utf-8", "replace")
                yield line
        if self._lines.rest and _is_whole(self._lines.rest):
            yield self._lines.rest

    def _look_for_answer(self, line: bytes) -> None:
        """Before the first answer: whether this is it, or says that the first prompt was taken back."""
        if _ANSWER.search(line):
            self.answered = True
        elif self.unanswered and _LEAF_SET.search(line):
            self.taken_back = self.unanswered[0].uuid


def lines_between(path: str, start: int, end: int) -> Iterator[bytes]:
    """The lines from byte `start` to byte `end`, the last one with or without its line end."""
    with Path(path).open("rb") as file:
        file.seek(start)
        lines = Lines(file, end)
        yield from lines
        if lines.rest:
            yield lines.rest


def _is_whole(rest: bytes) -> bool:
    """Whether a last line without its line end is a whole one all the same."""
    try:
        return isinstance(json.loads(rest), dict)
    except (ValueError, RecursionError):
        return False


def _unquote(raw: bytes) -> str:
    try:
        return str(json.loads(raw))
    except ValueError:
        return ""
