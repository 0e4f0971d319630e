"""A damaged database, found at open: set aside with what lies beside it, and made again from the log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from dream.errors import StoreBroken
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
            moved = store.quarantine()
            seal.drop(log.folder)
            rows = Replay(log.id).take_all(entries(log.folder, log.id, 0))
            store.rebuild(rows)
            names = ", ".join(path.name for path in moved) or "nothing"
            told.append(
                f"{broken.sentence} Set aside: {names}. Made again from {rows.mark} entries: "
                f"{len(rows.notes)} notes, {len(rows.nodes)} nodes, {len(rows.edges)} edges."
            )
    if not told:
        raise error
    return " ".join(told)
