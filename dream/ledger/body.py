"""An entry on disk: a header, which is the leaf, and the parts it names, each of which can be redacted alone.

Every note, node, hold and branch of a change, and a rejected debate, is a *part*: one line `["SALT",VALUE]`, whose
SHA-256 over its bytes stands in the header. Forgetting one note of a session nulls one line; the header, the leaf and
the other parts stay as they are. What is left of the change, the *frame*, holds no text and is in the header.

1. A part's salt is 16 random bytes in base64url, so its digest does not give away a short text.
2. The header names each part by id, so that a redacted one can still be told apart.
"""

from __future__ import annotations

import hashlib
import typing
from collections.abc import Callable, Sequence
from typing import Any

from dream.model import branch, canonical, codec
from dream.model import change as c
from dream.model.fold import stub_hold, stub_node
from dream.model.graph import Hold, Node
from dream.model.note import Note

GONE = b"null"
SALT_CHARS = 22
BEFORE_VALUE = len('["') + SALT_CHARS + len('",')
_PARTED: dict[Any, Callable[[str], Any]] = {Node: stub_node, Hold: stub_hold, branch.Branch: branch.stub}


def part_line(salt: str, value: bytes) -> bytes:
    """The line of a part, without its line break."""
    return b'["' + salt.encode() + b'",' + value + b"]"


def part_value(line: bytes) -> bytes | None:
    """The value's bytes within a part's line; None where it was redacted."""
    return None if line == GONE else line[BEFORE_VALUE:-1]


def digest(line: bytes) -> str:
    """What the header says of a part: SHA-256 over its line, in hex."""
    return hashlib.sha256(line).hexdigest()


def split(change: c.Change) -> tuple[dict[str, Any], list[tuple[str, bytes]]]:
    """The frame of a change and its parts as (id, value bytes), in the order the frame counts them."""
    kind = type(change)
    if isinstance(change, c.DebateRejected):
        return {"kind": kind.__name__, "part": 0}, [(change.cluster, canonical.to_bytes(codec.to_plain(change)))]
    frame: dict[str, Any] = {"kind": kind.__name__}
    parts: list[tuple[str, bytes]] = []
    for name, hint, default in codec.fields(kind):
        value = getattr(change, name)
        if hint in _PARTED:
            frame[name] = len(parts)
            parts.append((value.id, canonical.to_bytes(codec.to_plain(value))))
        elif hint == tuple[Note, ...]:
            frame[name] = [len(parts), len(value)]
            parts.extend((note.id, canonical.to_bytes(codec.to_plain(note))) for note in value)
        elif value != default:
            frame[name] = codec.to_plain(value)
    return frame, parts


def join(frame: dict[str, Any], ids: Sequence[str], values: Sequence[bytes | None]) -> c.Change:
    """Rebuild the change; a redacted note is left out of its tuple, a redacted node or hold is a stub.

    Raises:
        NewerFormat: the frame or a part holds what this version does not know.
    """
    kind = codec.kind_of(frame["kind"])
    if kind is c.DebateRejected:
        raw = values[frame["part"]]
        if raw is None:
            return c.DebateRejected(ids[frame["part"]], (), 0, "", "")
        return typing.cast(c.Change, codec.from_plain(kind, canonical.read(raw)))
    told: dict[str, Any] = {}
    left = dict(frame)
    del left["kind"]
    for name, hint, _ in codec.fields(kind):
        if name not in left:
            continue
        plain = left.pop(name)
        if hint in _PARTED:
            raw = values[plain]
            told[name] = _PARTED[hint](ids[plain]) if raw is None else codec.from_plain(hint, canonical.read(raw))
        elif hint == tuple[Note, ...]:
            first, count = plain
            there = (raw for raw in values[first : first + count] if raw is not None)
            told[name] = tuple([codec.from_plain(Note, canonical.read(raw)) for raw in there])
        else:
            told[name] = codec.from_plain(hint, plain)
    if left:
        raise codec.NewerFormat(
            f"This store holds the field {min(left)!r} of {kind.__name__}, which this version of Dream does not know.",
            "Update Dream, then try again.",
        )
    return typing.cast(c.Change, kind(**told))
