"""The entries that name an id, without parsing the others: a node's history in a long log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dream.ledger import segment
from dream.model.change import Entry


def mentioning(folder: Path, log: str, word: str) -> Iterator[Entry]:
    """Entries whose lines hold `word`, oldest first; what a torn tail holds is left out."""
    sought = word.encode()
    for path in segment.paths(folder):
        content = path.read_bytes()
        stop = segment.committed(content)
        at = content.find(sought, 0, stop)
        while at >= 0:
            start, end = _entry(content, at, stop)
            if start >= 0:
                header, *parts = content[start:end].split(b"\n")
                yield segment.Raw(header, parts).entry(log)
            at = content.find(sought, end, stop)


def _entry(content: bytes, at: int, stop: int) -> tuple[int, int]:
    """Where the entry around a place begins and ends; (-1, end of the line) where the place is in no entry."""
    line = content.rfind(b"\n", 0, at) + 1
    if content.startswith(segment.CHECKPOINT, line) or line == 0:
        return -1, content.find(b"\n", at)
    mark = b"\n" + segment.HEADER
    start = line if content.startswith(segment.HEADER, line) else content.rfind(mark, 0, line) + 1
    ends = [content.find(each, at, stop) for each in (mark, b"\n" + segment.CHECKPOINT)]
    return start, min((end for end in ends if end >= 0), default=stop - 1)
