"""The breaker as a table: three modes, what each allows, which readings ask for which, and one pure step.

1. A reading that is unknown asks for nothing: what cannot be measured trips nothing (issue 8).
2. Going down is at once, to the worst mode that is asked for; coming up is one mode after three green probes in a row.
3. A probe is green where it asks for a milder mode than the one in force. One that asks for the mode in force, or for
   a worse one, begins the count again.
4. Age alone trips nothing: not an empty graph, not a long absence, not a quiet project (`vitality.mean_vitality`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

GREENS = 3
SLOW_MS = 500.0
SAMPLES = 20
CONSENSUS_BELOW = 70.0
CLUSTERS = 10
MEMORY_GB = 15.0
FLOOR_GB = 1.0
VITALITY_BELOW = 0.4


class Mode(StrEnum):
    """What Dream allows itself; `level` is the figure shown in metrics."""

    NORMAL = "NORMAL"
    CONSERVATIVE = "CONSERVATIVE"
    SECURE = "SECURE"

    @property
    def level(self) -> int:
        return tuple(Mode).index(self)

    @property
    def milder(self) -> Mode:
        """One step up; NORMAL stays."""
        return tuple(Mode)[max(0, self.level - 1)]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a mode allows.

    Attributes:
        writes: a sentence a person gives enters at once; otherwise it waits in the buffer.
        nights: clusters are judged at night; otherwise the night is deferred and the buffer kept.
        quorum: ballots that a verdict needs.
        admits: an accepted cluster enters the graph; otherwise it is a hold for a person.
        garden: branches may grow.
    """

    writes: bool
    nights: bool
    quorum: int
    admits: bool
    garden: bool


ALLOWS: dict[Mode, Allowance] = {
    Mode.NORMAL: Allowance(writes=True, nights=True, quorum=3, admits=True, garden=True),
    Mode.CONSERVATIVE: Allowance(writes=False, nights=True, quorum=2, admits=False, garden=False),
    Mode.SECURE: Allowance(writes=False, nights=False, quorum=3, admits=False, garden=False),
}


@dataclass(frozen=True, slots=True)
class Readings:
    """What the probes measured; None is unknown.

    Attributes:
        search_p95_ms: over the warm searches of the last hour; searches: how many those were.
        consensus: mean over the accepted and held clusters of the last night, hundredths; clusters: how many.
        memory_gb: of Dream's processes with the models it loaded (1 GB is 10^9 bytes).
        models_gb: of those models alone, as far as they lie in the machine's memory.
        available_gb: what the machine could still give.
        vitality: mean over what is alive (`vitality.mean_vitality`), None where there is nothing to take a mean of;
            exempt: why it must not trip the breaker, "" where it may.
        ledger_ok: whether the ledger and its store verify; ledger_why: what does not hold.
        ollama_up: whether a model server answers. Never a fault: no model is a way to run, too.
        disk_gb: free where the store lies.
        night_age_days: since the last good night.
    """

    search_p95_ms: float | None = None
    searches: int = 0
    consensus: float | None = None
    clusters: int = 0
    memory_gb: float | None = None
    models_gb: float = 0.0
    available_gb: float | None = None
    vitality: float | None = None
    exempt: str = ""
    ledger_ok: bool | None = None
    ledger_why: str = ""
    ollama_up: bool | None = None
    disk_gb: float | None = None
    night_age_days: float | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A reading beyond its limit: the mode it asks for, what it is about, a sentence for people."""

    mode: Mode
    about: str
    sentence: str


def faults(now: Readings) -> Iterator[Fault]:
    """What the readings ask for, the worst first."""
    if now.ledger_ok is False:
        yield Fault(Mode.SECURE, "ledger", f"the ledger does not verify: {now.ledger_why or 'see `dream doctor`'}")
    if now.memory_gb is not None and now.memory_gb > MEMORY_GB:
        yield Fault(Mode.SECURE, "memory", f"Dream and its models take {now.memory_gb:.1f} GB, over {MEMORY_GB:.0f}")
    if now.available_gb is not None and now.available_gb < FLOOR_GB and not _explained(now):
        yield Fault(
            Mode.SECURE, "memory", f"the machine has {now.available_gb:.1f} GB of memory left, under {FLOOR_GB:.0f}"
        )
    if now.vitality is not None and not now.exempt and now.vitality < VITALITY_BELOW:
        yield Fault(Mode.SECURE, "vitality", f"mean vitality is {now.vitality:.2f}, under {VITALITY_BELOW}")
    if now.search_p95_ms is not None and now.searches >= SAMPLES and now.search_p95_ms > SLOW_MS:
        yield Fault(Mode.CONSERVATIVE, "search", f"searches take {now.search_p95_ms:.0f} ms (p95), over {SLOW_MS:.0f}")
    if now.consensus is not None and now.clusters >= CLUSTERS and now.consensus < CONSENSUS_BELOW:
        yield Fault(
            Mode.CONSERVATIVE,
            "consensus",
            f"the last night's mean consensus is {now.consensus / 100:.2f}, under {CONSENSUS_BELOW / 100:.1f}",
        )


def _explained(now: Readings) -> bool:
    """Whether the machine would have enough memory without our own model."""
    return now.available_gb is not None and now.available_gb + now.models_gb >= FLOOR_GB


@dataclass(frozen=True, slots=True)
class State:
    """The breaker: the mode in force and how many green probes in a row it has seen."""

    mode: Mode = Mode.NORMAL
    greens: int = 0


def step(state: State, readings: Readings) -> State:
    """The state after a probe."""
    asked = max((fault.mode for fault in faults(readings)), key=lambda mode: mode.level, default=Mode.NORMAL)
    if asked.level > state.mode.level:
        return State(asked)
    if state.mode is Mode.NORMAL or asked is state.mode:
        return State(state.mode)
    if state.greens + 1 < GREENS:
        return State(state.mode, state.greens + 1)
    return State(state.mode.milder)
