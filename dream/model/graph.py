"""The temporal graph: nodes and edges with two time axes, when true and when learned.

Instants are UTC strings with milliseconds and `Z`; a *moment* is an ISO date of any granularity (`2026-02`,
`2026-02-09`) or an instant. Both sort as text. No float is stored: weights and scores are whole hundredths,
so that what is signed has one byte form.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dream.model.note import Origin


class NodeKind(StrEnum):
    """What a node is about; half-lives go by it (see `vitality.HALF_LIFE_DAYS`)."""

    PERSON = "person"
    PROJECT = "project"
    PREFERENCE = "preference"
    CONCEPT = "concept"
    DECISION = "decision"
    FACT = "fact"
    EVENT = "event"
    OBJECT = "object"
    CODE = "code"
    PROCESS = "process"
    ERROR = "error"


class NodeStatus(StrEnum):
    """Whether a node is what Dream believes now."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


class Tier(StrEnum):
    """Where a node lives, by vitality: hot > .85, active >= .4, dark >= .2, cold below."""

    HOT = "hot"
    ACTIVE = "active"
    DARK = "dark"
    COLD = "cold"


class Relation(StrEnum):
    """The closed list of what an edge can say, read from source to target."""

    IMPLEMENTS = "implements"
    DEPENDS_ON = "depends_on"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    CAUSES = "causes"
    FIXES = "fixes"
    PART_OF = "part_of"
    USES = "uses"
    OWNS = "owns"
    RELATES_TO = "relates_to"


@dataclass(frozen=True, slots=True)
class Node:
    """One thing Dream holds to be so, standing on the notes it cites.

    Attributes:
        text: extractive, at most 120 tokens (ceil of UTF-8 bytes / 4).
        project: key of the project it holds in; "" holds everywhere.
        notes: ids of the notes it stands on, oldest first, never empty.
        recorded_at: when Dream learned it (instant).
        evidence_at: when it was last said (instant).
        valid_from, valid_to: when it became and ceased to be true in the world (moments); None is open.
        dates: ISO dates or months the text names or resolves to.
        values: what must agree for two nodes to be one (numbers, versions, names, paths), normalised.
        entities: names the node speaks of, normalised.
        standing: a rule that holds until revoked; its vitality never falls below 0.4.
        load: the highest load of its notes.
        consensus: hundredths of the verdict that admitted it; judge: who gave it.
        superseded_by: id of the node that replaced it.
        adjust: explicit correction of its vitality by a person, hundredths, -100..100.
    """

    id: str
    kind: NodeKind
    text: str
    project: str
    notes: tuple[str, ...]
    recorded_at: str
    evidence_at: str
    valid_from: str | None = None
    valid_to: str | None = None
    status: NodeStatus = NodeStatus.CURRENT
    tier: Tier = Tier.ACTIVE
    origin: Origin = Origin.USER
    dates: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    standing: bool = False
    pinned: bool = False
    load: int = 0
    consensus: int = 0
    judge: str = "rules"
    superseded_by: str | None = None
    adjust: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed link from `source` to `target` (node ids).

    Attributes:
        weight: hundredths, boosted and weakened by evidence.
        confidence: hundredths; what a contradiction takes off vitality.
        notes: ids of the notes that say so.
    """

    id: str
    source: str
    relation: Relation
    target: str
    recorded_at: str
    weight: int = 100
    confidence: int = 100
    notes: tuple[str, ...] = ()
    valid_from: str | None = None
    valid_to: str | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A verdict between reject and accept, waiting for a person.

    Attributes:
        proposal: the node that accepting would add, as it would be added.
        supersedes: ids of the nodes accepting would close.
        reason: one sentence for the person who decides.
        ballots: (role, score in hundredths, reason) for each ballot cast.
    """

    id: str
    proposal: Node
    consensus: int
    reason: str
    held_at: str
    supersedes: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    ballots: tuple[tuple[str, int, str], ...] = ()
    judge: str = "rules"
