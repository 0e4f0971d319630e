"""Restore: pgt.sqlite made again from the log, to the end, to an entry, or to an instant.

The fresh database is built beside the old one and takes its place once it is whole. No process can write meanwhile.
Restored to an earlier point, the store is *pinned*: everything can be read as it was then, and writing is refused
until it is restored to the end. The log itself is never altered. Vectors follow from notes and nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dream.errors import LedgerTampered, UsageError
from dream.ledger import care, lock, seal
from dream.ledger.follow import entries, follow
from dream.ledger.head import Head
from dream.ledger.replay import Replay, uncollected
from dream.ledger.whose import log_of
from dream.model.rows import Rows
from dream.paths import Home
from dream.ports import Clock, Signer


class Rebuilt(seal.Sealable, Protocol):
    """A store that can be made again from rows."""

    def rebuild(self, rows: Rows, pinned: bool = False) -> None: ...


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did.

    Attributes:
        entries: how many of the log's `size` entries the store holds now.
        pinned: it stays there until it is restored to the end.
    """

    entries: int
    size: int
    pinned: bool
    notes: int
    nodes: int
    edges: int


def restore(
    home: Home,
    signer: Signer,
    clock: Clock,
    store: Rebuilt,
    *,
    to: int | None = None,
    until: str = "",
    patience: float = 2.0,
) -> Restored:
    """Rebuild the store.

    Args:
        to: seq of the last entry to take in; until: the instant whose entries are the last. Neither: all.

    Raises:
        LedgerTampered: the log itself does not verify; the store is left as it is.
        Locked: another process is writing.
        UsageError: no such entry.
    """
    log = log_of(home, signer)
    with lock.held(home.writer_lock, patience), uncollected():
        replay = Replay(log.id)
        found = follow(log, Head(), replay.take)
        if found.fault is not None:
            raise LedgerTampered(found.fault.sentence, found.fault.hint, found.fault.seq)
        size = found.head.size
        if to is not None and not 0 <= to < size:
            raise UsageError(f"There is no entry {to}; the ledger holds {size}, from 0.", "See `dream ledger log`.")
        stop = size if to is None else to + 1
        rows = replay.ended()
        if stop < size or until:
            rows = Replay(log.id).take_all(entries(log.folder, log.id, 0), stop=stop, until=until)
        pinned = rows.mark < size
        seal.drop(log.folder)
        store.rebuild(rows, pinned)
        care.restored(log.folder)
        if not pinned:
            seal.Guard(log, signer, clock.monotonic, store).seal()
        return Restored(rows.mark, size, pinned, len(rows.notes), len(rows.nodes), len(rows.edges))
