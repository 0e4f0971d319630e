"""Segments: the log's append-only files, `ledger/000001.jsonl` and on, and what their lines are.

A segment begins with `{"dream-ledger":1,"log":ID,"first":SEQ}`; then come batches: for each entry its header line
`{"seq":…}` and its part lines, and at the end of the batch one line `{"checkpoint":NOTE}`. That line is the commit:
what follows the last one is a torn tail. See docs/ledger.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dream.errors import LedgerTampered
from dream.ledger import body
from dream.model import canonical
from dream.model.change import Entry

FORMAT = 1
ROTATE_AT = 4 * 1024 * 1024
"""A commit that finds its segment at least this long (bytes) starts the next one."""
HEADER = b'{"seq":'
CHECKPOINT = b'{"checkpoint":'


@dataclass(slots=True)
class Raw:
    """One entry as its lines stand."""

    header: bytes
    parts: list[bytes]

    @property
    def seq(self) -> int:
        return int(self.header[len(HEADER) : self.header.index(b",")])

    def entry(self, log: str) -> Entry:
        """Parse; says nothing about digests."""
        told = canonical.read(self.header)
        ids = [part[0] for part in told["parts"]]
        values = [body.part_value(line) for line in self.parts]
        change = body.join(told["change"], ids, values)
        return Entry(told["seq"], log, told["at"], told.get("night", ""), change)


@dataclass(slots=True)
class Batch:
    """The entries of one commit and the line that committed them; `start` and `end` are byte offsets of the line."""

    entries: list[Raw]
    line: bytes
    start: int
    end: int

    @property
    def note(self) -> str:
        """The signed note of the checkpoint, "" where the line does not hold one."""
        try:
            note = canonical.read(self.line)["checkpoint"]
        except (ValueError, KeyError, TypeError):
            return ""
        return note if isinstance(note, str) else ""


def first_line(log: str, first: int) -> bytes:
    """How a segment begins."""
    return canonical.to_bytes({"dream-ledger": FORMAT, "log": log, "first": first}) + b"\n"


def checkpoint_line(note: str) -> bytes:
    """The line that commits, with its line break."""
    return canonical.to_bytes({"checkpoint": note}) + b"\n"


def header_line(seq: int, at: str, night: str, prev: str, change: dict[str, Any], parts: list[list[str]]) -> bytes:
    """An entry's header, without its line break: these bytes are the leaf."""
    told: dict[str, Any] = {"seq": seq, "at": at}
    if night:
        told["night"] = night
    if prev:
        told["prev"] = prev
    return canonical.to_bytes({**told, "change": change, "parts": parts})


def paths(folder: Path) -> list[Path]:
    """The segments in their order."""
    return sorted(path for path in folder.glob("[0-9]*.jsonl") if path.stem.isdigit())


def name_of(number: int) -> str:
    """The file name of the segment with this number, from 1."""
    return f"{number:06d}.jsonl"


def read_first(path: Path) -> dict[str, Any] | None:
    """What the first line says; None where it is not whole."""
    with path.open("rb") as file:
        line = file.readline(4096)
    if not line.endswith(b"\n"):
        return None
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict) or not {"dream-ledger", "log", "first"} <= told.keys():
        return None
    if told["dream-ledger"] != FORMAT:
        raise LedgerTampered(
            f"{path.name} is in format {told['dream-ledger']}; this version of Dream reads format {FORMAT}.",
            "Update Dream, then try again.",
        )
    return told


def committed(content: bytes) -> int:
    """The length of what a whole checkpoint line ends; the rest is a torn tail."""
    whole = content.rfind(b"\n") + 1
    last = content.rfind(b"\n" + CHECKPOINT, 0, whole)
    if last < 0 and not content.startswith(CHECKPOINT, 0, whole):
        return 0
    return content.index(b"\n", last + 1) + 1


def last_checkpoint(content: bytes) -> tuple[int, int]:
    """Where the last whole checkpoint line begins and ends; (0, 0) where there is none."""
    stop = committed(content)
    return (content.rfind(b"\n", 0, stop - 1) + 1, stop) if stop else (0, 0)


def batches(content: bytes, offset: int) -> Iterator[Batch]:
    """The committed batches of a segment's bytes, which begin at `offset` of the file; a torn tail is left out.

    Raises:
        LedgerTampered: a line before the last checkpoint is none that a segment can hold.
    """
    stop = committed(content)
    entries: list[Raw] = []
    at = offset
    for line in content[:stop].split(b"\n")[:-1]:
        if line.startswith(HEADER):
            entries.append(Raw(line, []))
        elif line.startswith(CHECKPOINT):
            yield Batch(entries, line, at, at + len(line) + 1)
            entries = []
        elif entries and (line.startswith(b'["') or line == body.GONE):
            entries[-1].parts.append(line)
        elif at or not line.startswith(b'{"dream-ledger":'):
            raise LedgerTampered(f"Byte {at} of a segment begins a line that no entry has.", "Restore it from a copy.")
        at += len(line) + 1
