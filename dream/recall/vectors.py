"""Vectors follow the log: what was said or held since the index last looked is embedded, what went is taken out.

A write never waits for this. An index that is behind costs the dense signal for the newest texts, nothing else: hits
are read from the store, so what it still holds of a forgotten text finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dream.model import change as c
from dream.ports import Embedder, VectorIndex

BATCH = 4_096
"""Texts embedded before a write."""


def follow(
    entries: Iterable[c.Entry], embedder: Embedder, index: VectorIndex, step: Callable[[int], None] = lambda done: None
) -> int:
    """Take in entries from the index's watermark on; how many texts were embedded.

    Args:
        entries: from `index.watermark()`, in their order.
        step: told how many texts are done.
    """
    waiting: dict[str, tuple[str, str]] = {}
    gone: dict[str, None] = {}
    done = 0
    mark = index.watermark()

    def flush() -> None:
        nonlocal done
        if not waiting and not gone and index.watermark() == mark:
            return
        vectors = embedder.embed([text for _, text in waiting.values()]) if waiting else []
        rows = [(key, project, vector) for (key, (project, _)), vector in zip(waiting.items(), vectors, strict=True)]
        index.write(rows, list(gone), mark)
        done += len(waiting)
        waiting.clear()
        gone.clear()
        step(done)

    for entry in entries:
        if entry.seq < mark:
            continue
        if entry.change is not None:
            for key, text in _told(entry.change):
                waiting.pop(key, None)
                gone.pop(key, None)
                if text is None:
                    gone[key] = None
                else:
                    waiting[key] = text
        mark = entry.seq + 1
        if len(waiting) >= BATCH:
            flush()
    flush()
    return done


def strip(entries: Iterable[c.Entry], index: VectorIndex) -> int:
    """Take out what went or was worded anew since the index's watermark, without an embedder; how many ids.

    For the vectors of a model that is not at hand. The watermark stays: whoever follows later embeds what is new.
    """
    gone: dict[str, None] = {}
    for entry in entries:
        if entry.change is not None and not isinstance(entry.change, (c.NotesAdded, c.NodeAdded)):
            gone.update((key, None) for key, _ in _told(entry.change))
    if gone:
        index.write([], list(gone), index.watermark())
    return len(gone)


def _told(change: c.Change) -> list[tuple[str, tuple[str, str] | None]]:
    """Ids with (project, text), or None for what is gone."""
    match change:
        case c.NotesAdded(notes=notes):
            return [(note.id, (note.project, note.text)) for note in notes]
        case c.NodeAdded(node=node):
            return [(node.id, (node.project, node.text))]
        case c.NodeRevised(before=before, after=after):
            moved = (before.text, before.project) != (after.text, after.project)
            return [(after.id, (after.project, after.text))] if moved else []
        case c.NodeWithdrawn(node=node):
            return [(node.id, None)]
        case c.NodesMerged(absorbed=absorbed, after=after):
            return [(absorbed.id, None), (after.id, (after.project, after.text))]
        case c.NodesUnmerged(kept=kept, absorbed=absorbed):
            return [(each.id, (each.project, each.text)) for each in (kept, absorbed)]
        case c.NodeForgotten(node=node_id, notes=notes):  # of the others only older versions went
            return [(each, None) for each in (node_id, *notes) if each]
        case _:
            return []
