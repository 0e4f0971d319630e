"""Read a log onward from a head: what another process committed, or, from an empty head, all of it.

Each batch must continue the one before it: sequence, digest of the last checkpoint, root, parts. Checkpoints within
the stretch are pinned by the digest that the next batch carries, so only the last signature need be verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dream import effort
from dream.errors import LedgerTampered
from dream.ledger import body, checkpoint, merkle, segment
from dream.ledger.head import Head
from dream.model import canonical
from dream.ports import Verifier

READING = "reading the log"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the log that is not as it was written.

    Attributes:
        seq: the first entry that does not hold; None where the fault is not in one entry.
        sentence: what is wrong; hint: what to do.
    """

    seq: int | None
    sentence: str
    hint: str = "Keep the folder as it is, and put `ledger/` back from a copy."


@dataclass(frozen=True, slots=True)
class Log:
    """What all checks of a log need: where it lies, whose it is, who may sign it."""

    folder: Path
    id: str
    key: checkpoint.Key
    verifier: Verifier

    @property
    def origin(self) -> str:
        return checkpoint.origin_of(self.id)


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a log ends: its head, the torn tail to cut (path, size to keep), and the first fault."""

    head: Head
    torn: tuple[Path, int] | None = None
    fault: Fault | None = None


def entries(folder: Path, log: str, start: int) -> Iterator[segment.Raw]:
    """The committed entries from `start` on, as they lie; nothing is checked but the form of the lines."""
    found = segment.paths(folder)
    firsts = [segment.read_first(path) for path in found]
    sizes = [path.stat().st_size for path in found]
    for index, path in enumerate(found):
        following = firsts[index + 1] if index + 1 < len(found) else None
        if following is not None and following["first"] <= start:
            continue
        for batch in segment.batches(path.read_bytes(), 0):
            effort.tell(READING, sum(sizes[:index]) + batch.end, sum(sizes))
            for raw in batch.entries:
                if raw.seq >= start:
                    yield raw


Each = Callable[[dict[str, Any], segment.Raw], None]


def follow(log: Log, head: Head, each: Each | None = None) -> Followed:
    """Read on from `head` to the end of what is committed.

    Args:
        each: told the parsed header and the lines of every entry that holds.
    """
    unsigned = ""
    torn: tuple[Path, int] | None = None
    gone = _Gone()
    number, offset = head.segment, head.offset
    left = [path for path in segment.paths(log.folder) if path.name >= segment.name_of(number)]
    read, whole = 0, sum(path.stat().st_size for path in left)
    while (content := _from(log.folder / segment.name_of(number), offset)) is not None:
        path = log.folder / segment.name_of(number)
        more = (log.folder / segment.name_of(number + 1)).exists()
        keep = offset
        if offset == 0:
            told = segment.read_first(path)
            begun = content.startswith(segment.first_line(log.id, head.size))
            if not begun and (told is not None or segment.committed(content)):
                return Followed(head, fault=Fault(head.size, f"{path.name} does not continue the log."))
            keep = 0 if told is None else content.index(b"\n") + 1
        try:
            for batch in segment.batches(content, offset):
                onward = _step(log, head, number, batch, gone, each)
                if isinstance(onward, Fault):
                    return Followed(head, fault=onward)
                head, unsigned, keep = onward, batch.note, batch.end
                effort.tell(READING, read + batch.end, whole)
        except LedgerTampered as error:
            return Followed(head, fault=Fault(head.size, error.sentence))
        if head.size == 0:
            head = replace(head, segment=number, offset=keep)
        if offset + len(content) > keep:
            if more:
                return Followed(head, fault=Fault(head.size, f"{path.name} has lines after its last checkpoint."))
            torn = (path, keep)
        if not more:
            break
        number, offset, read = number + 1, 0, read + offset + len(content)
    if unsigned and checkpoint.opened(unsigned, log.key, log.verifier) is None:
        return Followed(head, fault=Fault(head.size - 1, _unsigned(log, head.size, unsigned)))
    return Followed(head, torn, gone.fault())


def _from(path: Path, offset: int) -> bytes | None:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read()
    except FileNotFoundError:
        return None


def _unsigned(log: Log, size: int, note: str) -> str:
    other = f" (key {log.key.name})" if log.key.name not in note else ""
    return f"The checkpoint of size {size} is not signed by the ledger's key{other}."


class _Gone:
    """Parts that were taken out, and what people asked to forget: each of the former needs one of the latter."""

    def __init__(self) -> None:
        self._seqs: dict[str, int] = {}

    def take(self, seq: int, told: dict[str, Any], parts: list[bytes]) -> None:
        if body.GONE in parts:
            for (key, _), line in zip(told["parts"], parts, strict=True):
                if line == body.GONE:
                    self._seqs.setdefault(key, seq)
        change = told["change"]
        if change["kind"] == "NodeForgotten":
            for key in (change["node"], *change["notes"], *change.get("others", ())):
                self._seqs.pop(key, None)

    def fault(self) -> Fault | None:
        for key, seq in sorted(self._seqs.items(), key=lambda pair: pair[1]):
            return Fault(seq, f"Entry {seq} lost the part {key}, which nobody asked to forget.")
        return None


def _step(log: Log, head: Head, number: int, batch: segment.Batch, gone: _Gone, each: Each | None) -> Head | Fault:
    """The head after a batch, or what is wrong with it."""
    leaves: list[bytes] = []
    held: list[dict[str, Any]] = []
    for place, raw in enumerate(batch.entries):
        seq = head.size + place
        told_of = check_entry(raw, seq, head.prev if place == 0 else "")
        if isinstance(told_of, Fault):
            return _double_write(log, head, batch) or told_of
        held.append(told_of)
        leaves.append(merkle.leaf_hash(raw.header))
    edge, size = merkle.extend(head.edge, head.size, leaves)
    told = checkpoint.parse(batch.note)
    if batch.line + b"\n" != segment.checkpoint_line(batch.note):
        return Fault(size - 1, f"The checkpoint line after entry {size - 1} is not written as a checkpoint is.")
    if told != checkpoint.Checkpoint(log.origin, size, merkle.root_of(edge)):
        missing = told is not None and told.origin == log.origin and told.size > size
        at = size if missing else size - 1
        return _double_write(log, head, batch) or Fault(at, _unrooted(log, head, size, told))
    for told_of, raw in zip(held, batch.entries, strict=True):
        gone.take(told_of["seq"], told_of, raw.parts)
        if each is not None:
            each(told_of, raw)
    return replace(head, segment=number, line=batch.start, offset=batch.end, size=size, edge=edge, note=batch.note)


def check_entry(raw: segment.Raw, seq: int, prev: str) -> Fault | dict[str, Any]:
    """The parsed header of the entry that stands at `seq` (and, first in its batch, follows the checkpoint `prev`)."""
    try:
        told: dict[str, Any] = canonical.read(raw.header)
        digests = [digest for _, digest in told["parts"]]
        if told["seq"] != seq:
            return Fault(seq, f"Entry {seq} is missing: entry {told['seq']} stands in its place.")
        if told.get("prev", "") != prev:
            return Fault(seq, f"Entry {seq} does not follow the checkpoint before it.")
    except (ValueError, KeyError, TypeError):
        return Fault(seq, f"Entry {seq} has a header that cannot be read.")
    if len(digests) != len(raw.parts):
        return Fault(seq, f"Entry {seq} names {len(digests)} parts and has {len(raw.parts)}.")
    for place, (digest, line) in enumerate(zip(digests, raw.parts, strict=True)):
        if line != body.GONE and body.digest(line) != digest:
            return Fault(seq, f"Entry {seq} was changed: part {place} is not what its header says.")
    return told


def _double_write(log: Log, head: Head, batch: segment.Batch) -> Fault | None:
    """Two writers forked the log where a batch is whole and signed, but built on an earlier checkpoint."""
    told = checkpoint.parse(batch.note)
    if not batch.entries or told is None or checkpoint.opened(batch.note, log.key, log.verifier) is None:
        return None
    try:
        first = batch.entries[0].seq
        whole = all(check_digests(raw) for raw in batch.entries)
    except ValueError:
        return None
    if first >= head.size or not whole or told.size != first + len(batch.entries):
        return None
    return Fault(
        first,
        f"Entries {first} to {told.size - 1} were written twice, by two writers at once: "
        "a double write, not tampering.",
        "Keep a copy of the folder. The first writing holds; put `ledger/` back as it was before the second one.",
    )


def check_digests(raw: segment.Raw) -> bool:
    """Whether each part is what the header says, redacted ones aside."""
    try:
        digests = [digest for _, digest in canonical.read(raw.header)["parts"]]
    except (ValueError, KeyError, TypeError):
        return False
    return len(digests) == len(raw.parts) and all(
        line == body.GONE or body.digest(line) == digest for digest, line in zip(digests, raw.parts, strict=True)
    )


def _unrooted(log: Log, head: Head, size: int, told: checkpoint.Checkpoint | None) -> str:
    if told is None:
        return f"The checkpoint after entry {size - 1} cannot be read."
    if told.origin != log.origin:
        return f"The checkpoint after entry {size - 1} is of another log ({told.origin})."
    if told.size != size:
        return f"The checkpoint after entry {size - 1} says {told.size} entries; there are {size}."
    return (
        f"The checkpoint of size {size} has a root that does not follow from the checkpoint of size {head.size} "
        "and the entries after it."
    )
