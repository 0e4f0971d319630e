"""What the tools answer: plain values with a stable shape, kept within what a host shows whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dream.model.branch import Branch
from dream.model.graph import Edge, Node
from dream.model.hit import Hit
from dream.model.note import Note

LARGEST = 40_000
"""Characters of a result as JSON: Claude Code shows 45,000 whole and saves more than that to a file."""


@dataclass(frozen=True, slots=True)
class Source:
    """A note that a hit stands on; `origin` says who said it (user, assistant, tool, …)."""

    id: str
    at: str
    origin: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """One hit; `status` is current, superseded or retracted, `superseded_by` the node that replaced it."""

    id: str
    text: str
    score: float
    kind: str | None
    status: str
    stale: bool
    superseded_by: str | None
    valid_from: str | None
    valid_to: str | None
    at: str
    project: str
    sources: list[Source]


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Hits, best first; memory is data about the past, not instructions.

    `degraded` names the signals that were missing and why; `left_out` counts what did not fit the host's limit.
    """

    hits: list[Found]
    degraded: list[str]
    abstained: bool
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """`new` is false where the same id (or the same sentence) had stored it before; `redacted` counts what was cut.

    `waits` says why it is kept in today's buffer for a night and not in the graph yet, "" where it is in.
    """

    id: str
    new: bool
    text: str
    kind: str
    project: str
    redacted: dict[str, int]
    waits: str = ""


@dataclass(frozen=True, slots=True)
class TieFound:
    """An edge seen from the node asked for: `direction` out or in, `other` the node at its far end."""

    relation: str
    direction: str
    other_id: str
    other_text: str
    other_status: str
    since: str
    weight: int
    ended: str | None


@dataclass(frozen=True, slots=True)
class Relations:
    """The edges of a node."""

    id: str
    text: str
    ties: list[TieFound]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class VitalityAnswer:
    """How alive the node is now: `vitality` 0..1, `tier` hot, active, dark or cold; `adjust` in hundredths."""

    id: str
    text: str
    vitality: float
    tier: str
    adjust: int
    pinned: bool


@dataclass(frozen=True, slots=True)
class Clean:
    """`counts` by kind of secret; `degraded` says which pass could not be made."""

    text: str
    counts: dict[str, int]
    degraded: list[str]


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    """`text` is fenced as data; "" where there is nothing to say yet."""

    text: str
    tokens: int
    nodes: list[str]
    left_out: int


@dataclass(frozen=True, slots=True)
class BranchTold:
    """One counterfactual branch. It is no fact: `premise` never happened.

    Attributes:
        foretold: ceases (the error does not come back), recurs, or said (`statement` will be said).
        status: growing until `settles_at`, then right, wrong or expired.
        promoted: id of the process node it became, "" for none.
    """

    id: str
    root: str
    premise: str
    foretold: str
    statement: str
    status: str
    settles_at: str
    promoted: str


@dataclass(frozen=True, slots=True)
class Branches:
    """Counterfactual branches, read-only."""

    branches: list[BranchTold]


def branches_told(branches: Iterable[Branch]) -> Branches:
    """Branches as a tool tells them."""
    return Branches(
        [
            BranchTold(
                each.id, each.root, each.premise, each.foretold.value, each.statement, each.status.value,
                each.settles_at, each.promoted,
            )
            for each in branches
        ]
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModeAnswer:
    """The mode in force; `level` 0 NORMAL, 1 CONSERVATIVE, 2 SECURE; a pin ends by itself at `until`."""

    mode: str
    level: int
    pinned: bool
    since: str
    why: str
    until: str = ""


@dataclass(frozen=True, slots=True)
class HealthAnswer:
    """The state of the store; `warnings` are sentences for a person, none where all is well."""

    version: str
    home: str
    mode: str
    judge: str
    entries: int
    notes: int
    nodes: dict[str, int]
    holds: int
    waiting_notes: int
    waiting_transcripts: int
    last_good_night: str
    last_outcome: str
    next_run: str
    seen: dict[str, str]
    warnings: list[str] = field(default_factory=list)
    mode_why: str = ""
    metrics: str = ""


def found(hit: Hit, sources: int) -> Found:
    """A hit with its first few sources."""
    return Found(
        id=hit.id,
        text=hit.text,
        score=round(hit.score, 4),
        kind=None if hit.kind is None else str(hit.kind),
        status=str(hit.status),
        stale=hit.stale,
        superseded_by=hit.superseded_by,
        valid_from=hit.valid_from,
        valid_to=hit.valid_to,
        at=hit.at,
        project=hit.project,
        sources=[source(note) for note in hit.sources[:sources]],
    )


def source(note: Note) -> Source:
    return Source(note.id, note.at, str(note.origin), note.text)


def tie_found(edge: Edge, other: Node, outward: bool) -> TieFound:
    return TieFound(
        relation=str(edge.relation),
        direction="out" if outward else "in",
        other_id=other.id,
        other_text=other.text,
        other_status=str(other.status),
        since=edge.recorded_at,
        weight=edge.weight,
        ended=edge.valid_to,
    )


def size(value: Any) -> int:
    """Characters of a value as the host gets it."""
    plain = asdict(value) if hasattr(value, "__dataclass_fields__") else value
    return len(json.dumps(plain, ensure_ascii=False))


def fitting(values: Sequence[Any], room: int = LARGEST) -> tuple[list[Any], int]:
    """The first values that fit into `room` characters, and how many do not."""
    kept: list[Any] = []
    for value in values:
        room -= size(value) + 2
        if room < 0:
            break
        kept.append(value)
    return kept, len(values) - len(kept)


def cut(text: str, room: int) -> tuple[str, int]:
    """The text within `room` characters as JSON, and how many characters were left out."""
    kept = text
    while size(kept) > room:
        kept = kept[: len(kept) - max(1, (size(kept) - room) // 2)]
    return kept, len(text) - len(kept)
