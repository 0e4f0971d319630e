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
        if sought not in content:
            continue
        start = content.find(b"\n") + 1
        for batch in segment.batches(content[start:], start):
            for raw in batch.entries:
                if sought in raw.header or any(sought in part for part in raw.parts):
                    yield raw.entry(log)
