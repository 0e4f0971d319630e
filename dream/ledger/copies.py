"""Copies of the last checkpoint: `ledger/checkpoint`, and one outside DREAM_HOME. None may know more than the log.

A torn tail is only what no copy was signed for: copies are written after the log has reached the disk. So a copy that
is ahead says that the log was cut, or that an older store was put back.
"""

from __future__ import annotations

from pathlib import Path

from dream.ledger import checkpoint
from dream.ledger.follow import Fault, Log
from dream.ledger.head import Head


def copies(log: Log, outer: Path | None) -> list[tuple[Path, str]]:
    """(path, name in a sentence) of each copy; `outer` is the folder outside DREAM_HOME."""
    found = [(log.folder / "checkpoint", "`ledger/checkpoint`")]
    if outer is not None:
        found.append((outer / f"{log.id}.checkpoint", "the copy outside DREAM_HOME"))
    return found


def copy_fault(log: Log, head: Head, path: Path, name: str) -> Fault | str:
    """What a copy of the checkpoint says against the log; a remark where it only lags; "" where all is well."""
    title = name[0].upper() + name[1:]
    try:
        note = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return "" if head.size == 0 else f"{title} is missing; the next commit writes it."
    except (OSError, UnicodeDecodeError):
        note = "?"
    if not note.strip("\0"):
        return f"{title} is empty, as a power cut leaves it; the next commit writes it."
    text = checkpoint.opened(note, log.key, log.verifier)
    told = checkpoint.parse(text) if text is not None else None
    if told is None or told.origin != log.origin:
        return Fault(None, f"{title} is not signed by the ledger's key.", "Put `ledger/` back from a copy.")
    if told.size > head.size:
        return Fault(
            head.size,
            f"{title} is signed for {told.size} entries, the log holds {head.size}: "
            f"entries {head.size} to {told.size - 1} were cut off, or an older store was put back.",
            f"Put the newer `ledger/` back. If it is lost, those entries are lost: remove {path}, "
            "then run `dream ledger restore`.",
        )
    if told.size == head.size and told.root != head.root:
        return Fault(None, f"{title} has another root for {told.size} entries: the log was replaced.")
    return ""
