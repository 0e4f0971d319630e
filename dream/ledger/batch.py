"""The bytes of a commit: headers, parts and the signed checkpoint that ends them; nothing is written here."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from dream.ledger import body, checkpoint, merkle, segment
from dream.ledger.follow import Log
from dream.ledger.head import Head
from dream.model.change import Change, Entry
from dream.ports import Signer


@dataclass(frozen=True, slots=True)
class Written:
    """What is to be written from `offset` of the segment that `head` names, and where the log ends then."""

    entries: list[Entry]
    content: bytes
    offset: int
    head: Head


def write(log: Log, head: Head, signer: Signer, changes: Sequence[Change], at: str, night: str) -> Written:
    """Make the batch that commits `changes` after `head`."""
    lines: list[bytes] = []
    leaves: list[bytes] = []
    entries: list[Entry] = []
    for place, change in enumerate(changes):
        frame, values = body.split(change)
        parts = [body.part_line(secrets.token_urlsafe(16), value) for _, value in values]
        names = [[name, body.digest(part)] for (name, _), part in zip(values, parts, strict=True)]
        prev = head.prev if place == 0 else ""
        header = segment.header_line(head.size + place, at, night, prev, frame, names)
        lines += [header, *parts]
        leaves.append(merkle.leaf_hash(header))
        entries.append(Entry(head.size + place, log.id, at, night, change))
    edge, size = merkle.extend(head.edge, head.size, leaves)
    told = checkpoint.Checkpoint(log.origin, size, merkle.root_of(edge))
    note = checkpoint.sign(told.text(), signer)
    number, offset, begun = head.segment, head.offset, b""
    if offset >= segment.ROTATE_AT:
        number, offset = number + 1, 0
    if offset == 0:
        begun = segment.first_line(log.id, head.size)
    content = begun + b"\n".join(lines) + b"\n"
    line = segment.checkpoint_line(note)
    end = offset + len(content)
    return Written(entries, content + line, offset, Head(number, end, end + len(line), size, edge, note, head.rewrites))
