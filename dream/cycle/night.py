"""The values a night passes from phase to phase: what was gathered, what is planned, what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dream.cycle.consolidate import Consolidated, Outcome
from dream.model.change import BranchGrown, Change, ClusterCarried, EdgeAdded, NotesAdded
from dream.model.graph import Node
from dream.model.note import Note
from dream.sources.manifest import Manifest, Mark

PHASES = ("orient", "gather", "consolidate", "prune")


@dataclass(frozen=True, slots=True)
class Oriented:
    """What holds before the night begins.

    Attributes:
        night: id of this night, the local date, with `.2` for a second one of that date.
        refused: ids of notes whose clusters an undo refused.
        warnings: sentences for the changelog.
    """

    night: str
    started_at: str
    refused: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the night found to read.

    Attributes:
        sessions: new notes of each session, ordered by time, turn and index.
        manifest: what has been read of each transcript, to be brought up to date.
        caught_up: sessions that no hook had captured.
        denied: notes left out because they are on the deny-list.
        buffers: sealed buffers, to be discarded when the notes are committed.
        marks: (transcript, how far it has been read), to be recorded then.
        second_pass: sentences on how the second reading of the notes went.
        unread: ids of the notes that it did not come to; they wait for another night.
    """

    sessions: tuple[tuple[Note, ...], ...]
    manifest: Manifest
    caught_up: int = 0
    denied: int = 0
    dead: int = 0
    buffers: tuple[Path, ...] = ()
    marks: tuple[tuple[str, Mark], ...] = ()
    warnings: tuple[str, ...] = ()
    second_pass: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def notes(self) -> int:
        return sum(len(session) for session in self.sessions)

    @property
    def changes(self) -> list[Change]:
        """One entry a session (decision 11)."""
        return [NotesAdded(session[0].session, session) for session in self.sessions if session]


@dataclass(frozen=True, slots=True)
class Plan:
    """All a night would alter, in order, before anything is written.

    Attributes:
        bench: clusters carried over or settled, and nodes judged again; ties: edges that statements say.
        garden: branches grown and settled.
        waits: sentences about what waits for another night; told: of what the judge did.
        cold: nodes that became cold, to be exported into the archive.
    """

    oriented: Oriented
    gathered: Gathered
    consolidated: tuple[Consolidated, ...]
    tiers: tuple[Change, ...]
    judge: str
    vitality: dict[str, float] = field(default_factory=dict)
    bench: tuple[Change, ...] = ()
    ties: tuple[Change, ...] = ()
    garden: tuple[Change, ...] = ()
    waits: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    cold: tuple[Node, ...] = ()

    @property
    def changes(self) -> list[Change]:
        """The night's changes without its closing record."""
        judged = [change for each in self.consolidated for change in each.changes]
        return [*self.gathered.changes, *self.bench, *judged, *self.ties, *self.garden, *self.tiers]

    def count(self, outcome: Outcome) -> int:
        """How many clusters came out so."""
        return sum(each.outcome is outcome for each in self.consolidated)

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """(name, how many), in the order a reader wants them."""
        return (
            ("sessions", len(self.gathered.sessions)),
            ("notes", self.gathered.notes),
            ("clusters", len(self.consolidated)),
            *((outcome.value, self.count(outcome)) for outcome in Outcome),
            ("carried", sum(isinstance(each, ClusterCarried) and not each.settled for each in self.bench)),
            ("edges", sum(isinstance(each, EdgeAdded) for each in self.ties)),
            ("branches", sum(isinstance(each, BranchGrown) for each in self.garden)),
            ("tiers", len(self.tiers)),
        )


@dataclass(frozen=True, slots=True)
class NightReport:
    """What came of a night.

    Attributes:
        sentence: for a person.
        first, last: its entries in the ledger; last < first where nothing was written.
        changelog: the night in Markdown.
        dry: nothing was written on purpose.
    """

    plan: Plan
    sentence: str
    first: int
    last: int
    root: str
    changelog: str
    ended_at: str
    dry: bool = False
    warnings: tuple[str, ...] = ()
