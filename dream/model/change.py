"""The closed list of ways memory can alter, and the record each leaves.

Every change carries what it needs to be inverted (`before`), so that undo is computed from the entry alone and a
change that no longer fits the present state is a `Conflict`, not an overwrite.
"""

from __future__ import annotations

from dataclasses import dataclass

from dream.model.branch import Branch
from dream.model.graph import Edge, Hold, Node, Tier
from dream.model.note import Note


@dataclass(frozen=True, slots=True)
class NotesAdded:
    """Notes of one session enter the log, whether or not they will ever be judged."""

    session: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class NodeAdded:
    """A node enters the graph."""

    node: Node


@dataclass(frozen=True, slots=True)
class NodeWithdrawn:
    """The inverse of NodeAdded: the node was never there (undo only; a person's wish to forget is NodeForgotten)."""

    node: Node


@dataclass(frozen=True, slots=True)
class NodeRevised:
    """A node is said again, closed, superseded, pinned or corrected."""

    before: Node
    after: Node


@dataclass(frozen=True, slots=True)
class EdgeAdded:
    """An edge enters the graph."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class EdgeWithdrawn:
    """The inverse of EdgeAdded."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class EdgeRevised:
    """An edge is boosted, weakened or invalidated (its `valid_to` is set)."""

    before: Edge
    after: Edge


@dataclass(frozen=True, slots=True)
class NodesMerged:
    """Two nodes are one: `absorbed` leaves, `after` stands in the place of `kept`; edges of the absorbed are re-tied.

    `edges` pairs each edge as it was with what it became (None where it fell away as a loop or a double).
    """

    kept: Node
    absorbed: Node
    after: Node
    edges: tuple[tuple[Edge, Edge | None], ...] = ()


@dataclass(frozen=True, slots=True)
class NodesUnmerged:
    """They were not one after all: the inverse of the merge recorded at `merge_seq`."""

    merge_seq: int
    kept: Node
    absorbed: Node
    after: Node
    edges: tuple[tuple[Edge, Edge | None], ...] = ()


@dataclass(frozen=True, slots=True)
class TierChanged:
    """A node moved between hot, active, dark and cold."""

    node: str
    before: Tier
    after: Tier


@dataclass(frozen=True, slots=True)
class NodeForgotten:
    """A person asked that a node and the notes only it cites be gone; ids only, no text.

    Attributes:
        node: "" where notes alone are forgotten.
        others: ids of what else held the text and goes with it (nodes merged into it, holds, refused clusters).
    """

    node: str
    notes: tuple[str, ...]
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteHeld:
    """A verdict waits for a person."""

    hold: Hold


@dataclass(frozen=True, slots=True)
class HoldResolved:
    """A person decided a hold; `by` is `person` or `undo`."""

    hold: Hold
    accepted: bool
    by: str = "person"


@dataclass(frozen=True, slots=True)
class HoldReopened:
    """The inverse of HoldResolved; and with `withdrawn`, of NoteHeld."""

    hold: Hold
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class DebateRejected:
    """A cluster was refused; the whole debate is archived under `cluster` and its SHA-256 is `digest`."""

    cluster: str
    notes: tuple[str, ...]
    consensus: int
    reason: str
    digest: str
    judge: str = "rules"


@dataclass(frozen=True, slots=True)
class ClusterRefused:
    """After an undo: the next nights do not do again what was undone (lifted by `--rejudge`)."""

    cluster: str
    notes: tuple[str, ...]
    night: str
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class CycleRecorded:
    """A night ended: what it read, what it did, with which judge.

    Attributes:
        night: id of the night, `2026-01-12` and `2026-01-12.2` for a second one of that date.
        counts: (name, how many) in a fixed order.
    """

    night: str
    started_at: str
    ended_at: str
    judge: str
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class NightUndone:
    """A night was undone; entries `first`..`last` hold its changes, the entries before this one their inverses.

    Attributes:
        taken: seqs of entries of other nights, or by day, that were taken back with it.
    """

    night: str
    first: int
    last: int
    taken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterCarried:
    """A cluster waits for another night's judge; ids and a fixed sentence only.

    Attributes:
        times: how often it has been carried; `before` how often until now.
        judged: rules have judged it meanwhile, a model shall judge it again.
        settled: it waits no longer.
    """

    cluster: str
    notes: tuple[str, ...]
    times: int
    why: str
    before: int = 0
    judged: bool = False
    settled: bool = False


@dataclass(frozen=True, slots=True)
class BranchGrown:
    """A counterfactual branch grows from an error node; it is no fact."""

    branch: Branch


@dataclass(frozen=True, slots=True)
class BranchSettled:
    """A branch's prediction was held against what happened; one whose `after` is pruned leaves the garden."""

    before: Branch
    after: Branch


@dataclass(frozen=True, slots=True)
class ModelChanged:
    """Vectors from here on come from another embedder."""

    model: str
    dimension: int


Change = (
    NotesAdded
    | NodeAdded
    | NodeWithdrawn
    | NodeRevised
    | EdgeAdded
    | EdgeWithdrawn
    | EdgeRevised
    | NodesMerged
    | NodesUnmerged
    | TierChanged
    | NodeForgotten
    | NoteHeld
    | HoldResolved
    | HoldReopened
    | DebateRejected
    | ClusterRefused
    | ClusterCarried
    | BranchGrown
    | BranchSettled
    | CycleRecorded
    | NightUndone
    | ModelChanged
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A change as the ledger recorded it.

    Attributes:
        seq: place in its log, from 0.
        log: id of the log (one per machine), so that logs of several machines can be told apart.
        at: when it was committed (instant).
        night: id of the night it belongs to, "" for what a person did by day.
        change: None where the body was redacted by `forget`.
    """

    seq: int
    log: str
    at: str
    night: str
    change: Change | None
