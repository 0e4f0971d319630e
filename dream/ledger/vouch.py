"""Say that a database which no seal vouches for (a crash, another program) holds what the log says, row by row."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from dream.ledger import seal, segment
from dream.ledger.follow import Log, entries
from dream.ledger.replay import Replay, uncollected
from dream.model.rows import Difference, Rows

AT_ONCE = 3 * 1024 * 1024
"""Bytes of a log up to which a store is vouched for before a commit (some 5,000 entries, a tenth of a second)."""
AT_CLOSE = 64 * 1024 * 1024
"""The same when a process lets go; a longer log waits for `verify --full` or a restore."""


@runtime_checkable
class Comparable(seal.Sealable, Protocol):
    """A store whose rows can be compared with a replay."""

    def compare(self, rows: Rows) -> list[Difference]: ...

    def sound(self) -> list[str]: ...

    def pinned(self) -> bool: ...


def vouched(log: Log, store: object, limit: int) -> bool:
    """Whether the rows are those of the log and SQLite finds nothing wrong; False where the log is longer than that."""
    if not isinstance(store, Comparable) or size_of(log) > limit:
        return False
    with uncollected():
        rows = Replay(log.id).take_all(entries(log.folder, log.id, 0), stop=store.watermark())
        return not store.compare(rows) and not store.sound()


def size_of(log: Log) -> int:
    """Bytes of the log."""
    return sum(path.stat().st_size for path in segment.paths(log.folder))
