"""A database that is damaged or of an older version, found at open: made again from the log.

A damaged one is set aside first, with what lies beside it; an older one stands until the new one is whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from dream.errors import StoreBroken, StoreOlder
from dream.ledger import seal
from dream.ledger.follow import Log, entries
from dream.ledger.replay import Replay
from dream.model.rows import Rows


@runtime_checkable
class Mendable(Protocol):
    """A store that can be set aside and made again."""

    def watermark(self) -> int: ...

    def quarantine(self) -> list[Path]: ...

    def rebuild(self, rows: Rows, pinned: bool = False) -> None: ...


def mend(log: Log, stores: Sequence[object], error: StoreBroken) -> str:
    """Make every damaged store again; says in a sentence what was done. The caller holds the writer's lock.

    Raises:
        StoreBroken: it was none of these.
    """
    told = []
    for store in stores:
        if not isinstance(store, Mendable):
            continue
        try:
            store.watermark()
        except StoreBroken as broken:
            moved = [] if isinstance(broken, StoreOlder) else store.quarantine()
            seal.drop(log.folder)
            rows = Replay(log.id).take_all(entries(log.folder, log.id, 0))
            store.rebuild(rows)
            aside = f" Set aside: {', '.join(path.name for path in moved)}." if moved else ""
            told.append(
                f"{broken.sentence}{aside} Made again from {rows.mark} entries: "
                f"{len(rows.notes)} notes, {len(rows.nodes)} nodes, {len(rows.edges)} edges."
            )
    if not told:
        raise error
    return " ".join(told)
