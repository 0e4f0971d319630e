"""The head: where the log ends, kept in `ledger/head.json` so that opening need not read the whole log.

It is believed only where the line it points to is a checkpoint, signed by the log's key, of the root that its edge
gives; else the log is read from the start.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from dream.ledger import checkpoint, durable, merkle, segment
from dream.model import canonical
from dream.ports import Verifier

_LONGEST = 1 << 16
"""No checkpoint's line is as long (bytes)."""
_NUMBERS = ("segment", "line", "offset", "size", "rewrites")


@dataclass(frozen=True, slots=True)
class Head:
    """The end of what is committed.

    Attributes:
        segment: number of the last segment, from 1.
        line: byte offset of the last checkpoint line in it; offset: where that line ends.
        size: entries in the log; edge: of its tree.
        note: the signed note of the last checkpoint, "" for an empty log.
        rewrites: how often segments were rewritten by `forget`.
    """

    segment: int = 1
    line: int = 0
    offset: int = 0
    size: int = 0
    edge: merkle.Edge = ()
    note: str = ""
    rewrites: int = 0

    @property
    def prev(self) -> str:
        """What the next batch says of this checkpoint: SHA-256 of its note in hex, "" where there is none."""
        return digest_of(self.note)

    @property
    def root(self) -> bytes:
        return merkle.root_of(self.edge)


def digest_of(note: str) -> str:
    """SHA-256 of a checkpoint's note in hex, "" for none."""
    return hashlib.sha256(note.encode()).hexdigest() if note else ""


def load(folder: Path, name: str = "head.json") -> Head | None:
    """What `head.json` says; None where it says nothing that can be read."""
    try:
        told = json.loads((folder / name).read_bytes())
        edge = tuple(bytes.fromhex(each) for each in told["edge"])
        number, line, offset, size, rewrites = (int(told[name]) for name in _NUMBERS)
        if not 0 <= line <= offset <= line + _LONGEST or number < 1:
            return None
        return Head(number, line, offset, size, edge, str(told["note"]), rewrites)
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None


def load_checked(folder: Path) -> Head | None:
    """Where the last full check ended."""
    return load(folder, "checked.json")


def save_checked(folder: Path, head: Head) -> None:
    """Remember that all up to here was checked."""
    save(folder, head, "checked.json")


def save(folder: Path, head: Head, name: str = "head.json") -> None:
    """Keep the head; losing it costs time only, so it need not reach the disk at once."""
    told = {
        **{name: getattr(head, name) for name in _NUMBERS},
        "edge": [each.hex() for each in head.edge],
        "note": head.note,
    }
    durable.replace(folder / name, canonical.to_bytes(told), sync=False)


def anchored(folder: Path, head: Head, origin: str, key: checkpoint.Key, verifier: Verifier) -> bool:
    """Whether the log holds, where the head says, the signed checkpoint that the head's edge leads to."""
    if head.size == 0:
        return False
    try:
        with (folder / segment.name_of(head.segment)).open("rb") as file:
            file.seek(head.line)
            line = file.read(head.offset - head.line)
    except OSError:
        return False
    if line != segment.checkpoint_line(head.note):
        return False
    text = checkpoint.opened(head.note, key, verifier)
    return text is not None and checkpoint.parse(text) == checkpoint.Checkpoint(origin, head.size, head.root)
