"""What runs beside memory: figures shared by all processes, the machine, the model server. Nothing here is memory.

Ports and the bundle of them that a house carries. What is kept here is operational and unsigned: losing it costs
figures, never a fact; and nothing that writes here may fail a verb (`Figures` swallow what their disk refuses and
count it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from dream.ports import Lock

if TYPE_CHECKING:
    from dream.ledger.verify import Report

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts by upper edge (not cumulated; the last edge is infinite), their number and the sum of what was seen."""

    counts: tuple[tuple[float, int], ...]
    number: int
    total: float


@dataclass(frozen=True, slots=True)
class Totals:
    """All counters and histograms, of every process there ever was on this store."""

    counters: Mapping[tuple[str, Labels], float] = field(default_factory=dict)
    histograms: Mapping[str, Histogram] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a metric: labels, and a number, or for a histogram (edge, cumulated count) pairs and the sum."""

    labels: Labels = ()
    number: float = 0.0
    buckets: tuple[tuple[float, int], ...] = ()
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric as it is declared (`type` counter, gauge or histogram), with its values now."""

    name: str
    type: str
    help: str
    labels: tuple[str, ...]
    values: tuple[Value, ...]


class Figures(Protocol):
    """Counters and histograms; they only grow."""

    def count(self, name: str, labels: Labels = (), by: float = 1) -> None: ...

    def observe(self, name: str, value: float, edges: Sequence[float]) -> None:
        """Count a value in the first of the ascending `edges` that is not below it."""
        ...

    def totals(self) -> Totals: ...


class Samples(Protocol):
    """Single values of the last hours, for percentiles."""

    def sample(self, name: str, value: float, at: str) -> None: ...

    def since(self, name: str, at: str) -> list[float]:
        """The values seen at or after the instant `at`, in their order."""
        ...


class UsageLog(Protocol):
    """When a search returned a node."""

    def touch(self, node_ids: Iterable[str], at: str) -> None: ...

    def uses(self, since: str) -> Mapping[str, Sequence[str]]:
        """Instants by node id, oldest first, at or after `since`."""
        ...

    def uses_of(self, node_id: str) -> Sequence[str]:
        """Instants of one node, oldest first."""
        ...


class Marks(Protocol):
    """The last value of a thing: a short text by name, with the instant it was put there."""

    def put(self, name: str, value: str, at: str) -> None: ...

    def get(self, name: str) -> tuple[str, str] | None:
        """(value, instant), or None."""
        ...

    def named(self, beginning: str) -> Mapping[str, tuple[str, str]]:
        """All whose name begins so."""
        ...

    def drop(self, name: str) -> None: ...


class State(Figures, Samples, UsageLog, Marks, Protocol):
    """What all processes share."""

    @property
    def lost(self) -> str:
        """Why the last figure was not kept, "" where all were."""
        ...

    def close(self) -> None: ...


class Machine(Protocol):
    """This computer."""

    def memory(self, pids: Iterable[int] = ()) -> tuple[int, int, int]:
        """Bytes: taken by this process and those of `pids` that live, still available, in all."""
        ...

    def peak(self) -> int:
        """The most bytes this process has taken so far."""
        ...

    def free(self, path: str) -> int:
        """Bytes free on the disk of `path`."""
        ...


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in a server's memory; `ram` is the part in the machine's own memory (bytes), not in a graphics card's."""

    name: str
    ram: int


class ModelServer(Protocol):
    """The server of local models."""

    def loaded(self) -> tuple[LoadedModel, ...] | None:
        """What it holds in memory; None where no server answers."""
        ...


@dataclass(frozen=True, slots=True)
class Outline:
    """Which nodes are drawn; "" and None are any. `as_of` is a moment: what was true then; without, past and now."""

    kind: str = ""
    tier: str = ""
    project: str | None = None
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A node as it is drawn; `degree` counts its edges."""

    id: str
    kind: str
    tier: str
    status: str
    project: str
    text: str
    degree: int


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as it is drawn; `live` while it is open."""

    source: str
    target: str
    relation: str
    live: bool


@dataclass(frozen=True)
class Operations:
    """The bundle.

    Attributes:
        lock: of `health.json`, so that two probes never count one green twice.
        verify: the quick check of ledger and store; verify_all: the full one, of which word is kept.
    """

    state: State
    machine: Machine
    models: ModelServer
    lock: Lock
    verify: Callable[[], Report]
    verify_all: Callable[[], Report]
