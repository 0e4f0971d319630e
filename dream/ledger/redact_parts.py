"""Take parts out of the log: their lines become `null`, everything else stays byte for byte.

A segment is written anew beside the old one and takes its place by a rename, so a crash leaves the old or the new.
The caller holds the writer's lock and has committed the `NodeForgotten` that allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from dream.ledger import body, durable, segment
from dream.model import canonical

Chosen = Callable[[str, Any], bool]
"""Whether the part of this id, with this plain value, is to go."""


def parts(folder: Path, upto: int) -> Iterator[tuple[str, Any, int]]:
    """(id, plain value, seq) of every part that still has its value, in entries before seq `upto`."""
    for path in segment.paths(folder):
        for batch in segment.batches(path.read_bytes(), 0):
            for raw in batch.entries:
                if raw.seq >= upto:
                    return
                yield from ((key, value, raw.seq) for key, value in values_of(raw))


def placed(folder: Path, upto: int) -> Iterator[tuple[str, Any, int, int]]:
    """As `parts`, with the place of each part within its entry."""
    for path in segment.paths(folder):
        for batch in segment.batches(path.read_bytes(), 0):
            for raw in batch.entries:
                if raw.seq >= upto:
                    return
                names = canonical.read(raw.header)["parts"] if raw.parts else []
                for place, ((key, _), line) in enumerate(zip(names, raw.parts, strict=True)):
                    value = body.part_value(line)
                    if value is not None:
                        yield key, canonical.read(value), raw.seq, place


def values_of(raw: segment.Raw) -> Iterator[tuple[str, Any]]:
    """(id, plain value) of the parts of an entry that still have theirs."""
    if not raw.parts:
        return
    names = canonical.read(raw.header)["parts"]
    for (key, _), line in zip(names, raw.parts, strict=True):
        value = body.part_value(line)
        if value is not None:
            yield key, canonical.read(value)


def redact(folder: Path, chosen: Chosen, upto: int) -> dict[str, int]:
    """Null the chosen parts of entries before seq `upto`; how many in which segment."""
    return _rewritten(folder, lambda key, value, seq, place: seq < upto and chosen(key, value))


def null(folder: Path, places: Collection[tuple[int, int]]) -> dict[str, int]:
    """Null the parts at these (seq, place); how many in which segment."""
    return _rewritten(folder, lambda key, value, seq, place: (seq, place) in places)


def _rewritten(folder: Path, going: Callable[[str, Any, int, int], bool]) -> dict[str, int]:
    done: dict[str, int] = {}
    for path in segment.paths(folder):
        content = path.read_bytes()
        fresh, count = _without(content, going)
        if count:
            durable.replace(path, fresh)
            done[path.name] = count
    return done


def _without(content: bytes, going: Callable[[str, Any, int, int], bool]) -> tuple[bytes, int]:
    lines = content.split(b"\n")
    names: list[str] = []
    seq = place = count = 0
    for number, line in enumerate(lines):
        if line.startswith(segment.HEADER):
            raw = segment.Raw(line, [])
            seq, names, place = raw.seq, [key for key, _ in canonical.read(line)["parts"]], 0
        elif place < len(names) and (line.startswith(b'["') or line == body.GONE):
            value = body.part_value(line)
            if value is not None and going(names[place], canonical.read(value), seq, place):
                lines[number] = body.GONE
                count += 1
            place += 1
    return b"\n".join(lines), count
