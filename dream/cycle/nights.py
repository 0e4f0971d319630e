"""A night is a range of entries: list nights, show what one changed, undo it.

1. Undo commits inverse changes; history only grows, notes stay, and forgotten text never comes back.
2. What later entries built on the night is listed and the undo refused; `cascade` takes those entries back too, and
   what was built on them, latest first; the rest of their nights stands.
3. A tier is derived each night and stands in no way of an undo.
4. Where nothing later depends on the night, undoing it puts back nodes, edges, holds and tiers exactly as they were.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from pathlib import Path
from typing import Protocol

from dream.cycle.built import Followed, Read, Since, Span, follow_on
from dream.cycle.inverse import Touch, Touched, invert, refusals, touch
from dream.errors import Conflict, DreamError, NodeNotFound
from dream.ledger.pending import Pending
from dream.ledger.receipt import Receipt
from dream.model import fold
from dream.model.change import (
    Change,
    ClusterRefused,
    CycleRecorded,
    Entry,
    NightUndone,
    NodeRevised,
    NodeWithdrawn,
    NotesAdded,
)
from dream.model.graph import Node, NodeStatus
from dream.ports import NodeFilter, Trail


class Log(Protocol):
    """What is asked of a ledger here."""

    @property
    def log_id(self) -> str: ...

    def entries(self, start: int = 0) -> Iterator[Entry]: ...

    def commit(self, changes: Sequence[Change], night: str = "", after: int = -1) -> Receipt: ...


class History(fold.Present, Protocol):
    """What is asked of a store here."""

    def nights(self) -> list[CycleRecorded]: ...

    def runs(self) -> list[tuple[int, int, str]]: ...

    def undone(self) -> frozenset[str]: ...

    def refused(self) -> dict[str, ClusterRefused]: ...

    def nodes(self, which: NodeFilter) -> list[Node]: ...


@dataclass(frozen=True, slots=True)
class Night:
    """One night.

    Attributes:
        entries: how many entries it has, from seq `first` to `last`.
        record: what it did; None where it did not end.
    """

    night: str
    first: int
    last: int
    entries: int
    record: CycleRecorded | None
    undone: bool


@dataclass(frozen=True, slots=True)
class Dependent:
    """An entry that built on a night: `night` is "" for what a person did by day."""

    seq: int
    night: str
    what: str


@dataclass(frozen=True, slots=True)
class Undo:
    """What undoing would do or did.

    Attributes:
        nights: the nights undone, latest first: the one asked for, and those of which nothing is left; parts: (night,
            how many of its entries) of later nights that stand for the rest; days: seqs of entries by day.
        changes: the inverse changes, in order.
        kept: what an undo leaves as it is, in sentences.
        along: the entries of other nights, and by day, that go with the night, in their order.
        end: how many entries the log had; -1 where not all were read.
    """

    nights: tuple[str, ...]
    days: tuple[int, ...]
    changes: tuple[Change, ...]
    kept: tuple[str, ...]
    receipt: Receipt | None = None
    parts: tuple[tuple[str, int], ...] = ()
    along: tuple[Entry, ...] = ()
    end: int = -1

    @property
    def mark(self) -> str:
        """What two plans share where they do the same, and only there (SHA-256 in hex)."""
        told = repr((self.nights, self.days, self.changes, self.kept, self.parts))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def nights(store: History) -> list[Night]:
    """All nights, oldest first."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for first, last, night in store.runs():
        if night:
            spans.setdefault(night, []).append((first, last))
    records = {record.night: record for record in store.nights()}
    undone = store.undone()
    return [
        Night(
            night,
            runs[0][0],
            runs[-1][1],
            sum(last - first + 1 for first, last in runs),
            records.get(night),
            night in undone,
        )
        for night, runs in spans.items()
    ]


def diff(log: Log, store: History, night: str) -> list[Entry]:
    """The entries of a night, in their order.

    Raises:
        NodeNotFound: there is no such night.
    """
    target = _found(store, night)
    return list(_own(takewhile(lambda entry: entry.seq <= target.last, log.entries(target.first)), target))


def dependents(log: Log, store: History, night: str) -> list[Dependent]:
    """What later entries built on the night; empty where it can be undone alone."""
    since = _read(log, store, _found(store, night))
    done = Touch()
    for entry in since.own:
        done.take(entry)
    return [Dependent(entry.seq, entry.night, done.why(touch(entry)) or "") for entry in since.on(done)]


def plan(
    log: Log, store: History, night: str, *, cascade: bool = False, trail: tuple[Trail, Path] | None = None
) -> Undo:
    """The inverse of a night, and of what depends on it where `cascade`.

    Args:
        trail: spares reading all entries since, with the folder of the log; where it fails, they are read.

    Raises:
        NodeNotFound: there is no such night.
        Conflict: it was undone already; or something depends on it and `cascade` is not asked for.
    """
    target = _found(store, night)
    if target.undone:
        raise Conflict(f"Night {night} was undone already.", "See `dream nights`.")
    since = _since(log, store, target, trail)
    done = Touch()
    chosen = {entry.seq: entry for entry in since.own}
    for entry in since.own:
        done.take(entry)
    if not cascade and (blocked := since.on(done)):
        raise Conflict(_sentence(night, blocked), f"Undo those first, or with it: dream undo {night} --cascade")
    with_it: dict[str, list[Entry]] = {}
    for entry in since.on_all(done) if cascade else ():
        with_it.setdefault(entry.night, []).append(entry)
    days = with_it.pop("", [])
    whole = [name for name, some in with_it.items() if not any(map(_does, since.rest(name, some)))]
    for name in whole:
        with_it[name] += since.rest(name, tuple(with_it[name]))
    for each in (*days, *chain.from_iterable(with_it.values())):
        chosen[each.seq] = each
    changes, kept = _inverse(store, [chosen[seq] for seq in sorted(chosen, reverse=True)])
    parts = {name: some for name, some in with_it.items() if name not in whole}
    taken = sorted(each.seq for each in (*days, *chain.from_iterable(parts.values())))
    for name in (night, *whole):
        span = _found(store, name)
        changes.append(NightUndone(name, span.first, span.last, tuple(taken) if name == night else ()))
    return Undo(
        tuple(sorted((night, *whole), reverse=True)),
        tuple(each.seq for each in days),
        tuple(changes),
        tuple(kept),
        parts=tuple((name, len(some)) for name, some in parts.items()),
        along=tuple(chosen[seq] for seq in sorted(chosen.keys() - {entry.seq for entry in since.own})),
        end=since.end,
    )


def _since(log: Log, store: History, target: Night, trail: tuple[Trail, Path] | None) -> Since:
    if trail is not None:
        with suppress(DreamError):  # it cannot be read or written: the log can
            followed, folder = trail
            picker = follow_on(followed, folder, log.log_id)
            return Followed(followed, picker, store, Span(target.night, target.first, target.last))
    return _read(log, store, target)


def _read(log: Log, store: History, target: Night) -> Read:
    return Read(log.entries(target.first), store, Span(target.night, target.first, target.last))


def _does(entry: Entry) -> bool:
    """Whether an entry does anything that stands for itself."""
    return touch(entry) != Touched()


def undo(log: Log, store: History, night: str, *, cascade: bool = False, shown: str = "") -> Undo:
    """Undo a night; see `plan`. All entries since are read: no trail is believed here.

    Args:
        shown: the `mark` of the plan that was agreed to, "" for whatever it is now.

    Raises:
        Conflict: as `plan`; it is not what was shown any more; or another process changed something meanwhile.
    """
    planned = plan(log, store, night, cascade=cascade)
    if shown and shown != planned.mark:
        raise Conflict(
            f"What undoing night {night} would change is not what was shown any more; nothing was changed.",
            "Look at it again, then decide.",
        )
    receipt = log.commit(planned.changes, after=planned.end)
    return replace(planned, receipt=receipt)


def rejudge(log: Log, store: History, night: str = "") -> int:
    """Lift the refusals that undoing `night` (or any night) left; says how many."""
    held = [each for each in store.refused().values() if not night or each.night == night]
    if held:
        log.commit([ClusterRefused(each.cluster, each.notes, each.night, lifted=True) for each in held])
    return len(held)


def _inverse(store: History, entries: Sequence[Entry]) -> tuple[list[Change], list[str]]:
    """The inverse changes of entries given latest first, as they fit the present."""
    pending = Pending(store)
    changes: list[Change] = []
    kept: list[str] = []
    refused: dict[str, ClusterRefused] = {}
    for entry in entries:
        done = invert(entry, pending)
        if isinstance(done, str):
            kept.append(f"Entry {entry.seq}: {done}")
            continue
        for change in done:
            pending.take(fold.checked(pending, change))
            changes.append(change)
        for refusal in refusals(entry):
            refused[refusal.cluster] = refusal
    if kept:
        for change in _reopened(store, pending, changes, entries):
            pending.take(fold.checked(pending, change))
            changes.append(change)
    return [*changes, *refused.values()], kept


def _reopened(store: History, pending: Pending, changes: Sequence[Change], entries: Sequence[Entry]) -> list[Change]:
    """Nodes that were closed by entries that cannot be read any more: by what is withdrawn now, or taken back in a
    session that the entries brought in; a node that was taken back cites last where that was said."""
    withdrawn = {change.node.id for change in changes if isinstance(change, NodeWithdrawn)}
    told = [entry.change for entry in entries]
    sessions = {change.session for change in told if isinstance(change, NotesAdded)}
    cleaned = {change.after.id for change in told if isinstance(change, NodeRevised) and fold.is_stub(change.after)}
    found: list[Change] = []
    for node in store.nodes(NodeFilter(statuses=None)) if withdrawn or cleaned else ():
        there = pending.node(node.id)
        if there is None:
            continue
        notes = there.notes
        if node.id in cleaned and there.status is NodeStatus.RETRACTED:
            while notes and (last := pending.note(notes[-1])) is not None and last.session in sessions:
                notes = notes[:-1]
        if notes != there.notes or there.superseded_by in withdrawn:
            opened = replace(there, status=NodeStatus.CURRENT, valid_to=None, superseded_by=None, notes=notes)
            found.append(NodeRevised(there, opened))
    return found


def _found(store: History, night: str) -> Night:
    for each in nights(store):
        if each.night == night:
            return each
    raise NodeNotFound(f"There is no night {night}.", "See `dream nights`.")


def _own(since: Iterable[Entry], night: Night) -> Iterator[Entry]:
    """The night's own, of the entries from its first one on."""
    return (entry for entry in since if entry.seq <= night.last and entry.night == night.night)


def _sentence(night: str, blocked: Sequence[Entry]) -> str:
    later = sorted({entry.night for entry in blocked if entry.night})
    by_day = [entry.seq for entry in blocked if not entry.night]
    parts = [f"night {each}" for each in later] + [f"entry {seq}" for seq in by_day]
    told = ", ".join(parts[:8]) + (f" and {len(parts) - 8} more" if len(parts) > 8 else "")
    return f"Night {night} cannot be undone alone: {told} built on it."
