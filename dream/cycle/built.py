"""What was built on a night: by reading every entry since, or by a trail that names the few entries that may have been.

Both answer alike. The trail (see `ports.Trail`) only says which entries to read: whether one builds on the night is
decided from the entry itself, so a trail that names too many costs time and nothing else.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dream.cycle.inverse import Touch, touch
from dream.ledger import follow
from dream.ledger.pick import Picker
from dream.model.change import Entry, NightUndone, NodeRevised
from dream.ports import Step, Trail

UNDONE = "what undid a night"
"""The name under which a trail keeps the entries that undid a night, and those that went with one."""


class Past(Protocol):
    """What is asked of a store here."""

    def runs(self) -> list[tuple[int, int, str]]: ...

    def undone(self) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class Span:
    """A night's name, and the seqs of its first and its last entry."""

    night: str
    first: int
    last: int


class Since(Protocol):
    """The log from a night's first entry on; entries that were undone, or went with another night, are left out."""

    @property
    def end(self) -> int:
        """How many entries the log had; -1 where not all of them were read."""
        ...

    @property
    def own(self) -> Sequence[Entry]:
        """The night's entries, in their order."""
        ...

    def on(self, done: Touch) -> list[Entry]:
        """Later entries that build on what was done, in their order."""
        ...

    def on_all(self, done: Touch) -> list[Entry]:
        """And those that build on these, and so on; `done` grows by them."""
        ...

    def rest(self, night: str, taken: Iterable[Entry]) -> Iterator[Entry]:
        """The entries of a later night but those."""
        ...


class Read:
    """Every entry since the night began, read once: an old night has most of the log behind it."""

    def __init__(self, log: Iterable[Entry], store: Past, span: Span) -> None:
        since = list(log)
        self.end = since[-1].seq + 1 if since else -1
        over, undone = _over(since), store.undone()
        standing = [entry for entry in since if entry.seq not in over]
        self.own: Sequence[Entry] = [
            entry for entry in standing if entry.seq <= span.last and entry.night == span.night
        ]
        self._later = [
            entry for entry in standing if entry.night != span.night and not (entry.night and entry.night in undone)
        ]

    def on(self, done: Touch) -> list[Entry]:
        return [entry for entry in self._later if done.why(touch(entry)) is not None]

    def on_all(self, done: Touch) -> list[Entry]:
        found = []
        for entry in self._later:
            if done.why(touch(entry)) is not None:
                done.take(entry)
                found.append(entry)
        return found

    def rest(self, night: str, taken: Iterable[Entry]) -> Iterator[Entry]:
        seqs = {each.seq for each in taken}
        return (entry for entry in self._later if entry.night == night and entry.seq not in seqs)


class Followed:
    """The same, of the entries that a trail names."""

    end = -1

    def __init__(self, trail: Trail, picker: Picker, store: Past, span: Span) -> None:
        self._trail, self._pick, self._span = trail, picker, span
        self._over = trail.naming((UNDONE,), span.first)
        self._undone = store.undone()
        self._runs: dict[str, list[range]] = {}
        for first, last, night in store.runs():
            if last >= span.first:
                self._runs.setdefault(night, []).append(range(max(first, span.first), last + 1))
        self.own: Sequence[Entry] = list(self._entries(span.night, ()))

    def on(self, done: Touch) -> list[Entry]:
        seqs = self._trail.naming(_names(done), self._span.first) - self._over
        return [entry for entry in self._pick.entries(seqs) if self._builds(entry, done)]

    def on_all(self, done: Touch) -> list[Entry]:
        known = self._trail.naming(_names(done), self._span.first) - self._over
        waiting, found = sorted(known), list[Entry]()
        while waiting:
            for entry in self._pick.entries((heapq.heappop(waiting),)):
                if self._builds(entry, done):
                    more = Touch()
                    more.take(entry)
                    done.take(entry)
                    found.append(entry)
                    fresh = self._trail.naming(_names(more), entry.seq + 1) - self._over - known
                    known |= fresh
                    for seq in fresh:
                        heapq.heappush(waiting, seq)
        return found

    def rest(self, night: str, taken: Iterable[Entry]) -> Iterator[Entry]:
        return self._entries(night, {each.seq for each in taken})

    def _builds(self, entry: Entry, done: Touch) -> bool:
        if entry.night == self._span.night or (entry.night and entry.night in self._undone):
            return False
        return done.why(touch(entry)) is not None

    def _entries(self, night: str, but: Set[int] | tuple[()]) -> Iterator[Entry]:
        for run in self._runs.get(night, ()):
            yield from self._pick.entries(seq for seq in run if seq not in self._over and seq not in but)


def follow_on(trail: Trail, folder: Path, log: str) -> Picker:
    """Let a trail take in what the log holds since; begun anew where it is not of this log. What reads single entries.

    Raises:
        DreamError: the trail cannot be read or written.
    """
    picker = Picker(folder, log)
    size, last = trail.mark()
    raw = picker.raw(size - 1) if size else None
    if size and (raw is None or hashlib.sha256(raw.header).hexdigest() != last):
        trail.clear()  # of another log, or of entries that were cut off
        size = 0
    if picker.raw(size) is not None:
        trail.extend(size, _steps(folder, log, size))
    return picker


def _steps(folder: Path, log: str, start: int) -> Iterator[Step]:
    at, commit = "", list[int]()
    for raw in follow.entries(folder, log, start):
        entry = raw.entry(log)
        if entry.night or entry.at != at:
            at, commit = entry.at, []
        commit.append(entry.seq)
        names = [(name, entry.seq) for name in sorted(_named(entry))]
        if isinstance(entry.change, NightUndone):
            names += [(UNDONE, seq) for seq in (*commit, *entry.change.taken)]
        yield Step(tuple(names), entry.seq, raw.header)


def _named(entry: Entry) -> set[str]:
    """Every id by which an entry can build on others, whatever is cleaned or forgotten of it later."""
    told = touch(entry)
    names = set(told.made | told.changed | told.needed | told.grown | told.whole)
    if isinstance(entry.change, NodeRevised):
        after = entry.change.after
        names |= {after.id} | ({after.superseded_by} if after.superseded_by else set())
    return names


def _names(done: Touch) -> set[str]:
    return done.made | done.changed | done.grown


def _over(since: Iterable[Entry]) -> Set[int]:
    """Seqs of entries that undid a night (each commit by day that ends in `NightUndone`), and that went with one."""
    found: set[int] = set()
    at, commit = "", list[int]()
    for entry in since:
        if entry.night or entry.at != at:
            at, commit = entry.at, []
        commit.append(entry.seq)
        if isinstance(entry.change, NightUndone):
            found.update(commit, entry.change.taken)
    return found
