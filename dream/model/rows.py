"""What the stores hold at some entry, as texts: what a replay of the log gives, and what a store is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Rows:
    """Values as the JSON text they have in the log, by id.

    Attributes:
        mark: seq of the next entry.
        records: nights, refusals, rejected debates, undone nights, the model, by (sort, id).
        runs: [first seq, last seq, night] of each unbroken run of entries of one night.
        merges: the merge audit, by the seq of the merge.
        seqs: of each value, the entry that last said it.
    """

    mark: int = 0
    notes: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)
    holds: dict[str, str] = field(default_factory=dict)
    records: dict[tuple[str, str], str] = field(default_factory=dict)
    runs: list[tuple[int, int, str]] = field(default_factory=list)
    merges: dict[int, str] = field(default_factory=dict)
    seqs: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is not what the log says. `seq` is the entry that said it, None where no entry did."""

    table: str
    id: str
    seq: int | None
    what: str
