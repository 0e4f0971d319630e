"""Every metric, once: name, type, help, labels, edges; how verbs and nights add to them, and what a scrape shows.

Counters and histograms are counted where they happen and add up over all processes; gauges are worked out at the
scrape, from the stores and the last probe, and never kept.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dream.cycle.status import read_status
from dream.health.mode import Standing
from dream.health.probes import NIGHT, PEAK, SEARCH, mean_alive
from dream.house import House
from dream.model.debate import Decision
from dream.model.graph import Tier
from dream.model.time import to_datetime
from dream.operations import Histogram, Labels, Measured, State, Value

if TYPE_CHECKING:
    from dream.cycle.night import NightReport

PHASES = ("orient", "gather", "consolidate", "prune")
HELD_UP = "held_up"
"""The mark, in `state.sqlite`, of how many sentences had to wait because another process held the store."""
_MS = (1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 150.0, 250.0, 500.0, 1000.0, 2500.0, 5000.0, 10_000.0)
_SCORE = tuple(round(tenth / 10, 1) for tenth in range(1, 11))


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric as it is declared."""

    name: str
    type: str
    help: str
    labels: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()


METRICS: tuple[Metric, ...] = (
    Metric("dream_cycle_completed_total", "counter", "Nights that did their work."),
    Metric("dream_cycle_failed_total", "counter", "Nights that failed, by the phase they failed in.", ("phase",)),
    Metric("dream_sanitize_latency_ms", "histogram", "Time to take secrets out of a text, in ms.", (), _MS),
    Metric("dream_search_latency_ms", "histogram", "Time to answer a search, in ms.", (), _MS),
    Metric("dream_consensus_score", "histogram", "Consensus of each judged cluster, 0 to 1.", (), _SCORE),
    Metric("dream_hitl_pending", "gauge", "Verdicts that wait for a person."),
    Metric("dream_ram_peak_mb", "gauge", "Most memory that Dream with its models was seen to take, in MB."),
    Metric("dream_vitality_avg", "gauge", "Mean vitality of what was said or used in the last 30 days; NaN for none."),
    Metric("dream_circuit_mode", "gauge", "Mode in force: 0 NORMAL, 1 CONSERVATIVE, 2 SECURE."),
    Metric("dream_ledger_merkle_ok", "gauge", "1 where ledger and store verify, 0 where not."),
    Metric("dream_ollama_up", "gauge", "1 where the local model server answers, 0 where not."),
    Metric("dream_last_cycle_timestamp_seconds", "gauge", "When the last good night began, Unix time; 0 for never."),
    Metric("dream_capture_events_total", "counter", "Sentences taken in."),
    Metric("dream_redactions_total", "counter", "Secrets taken out, by kind.", ("kind",)),
    Metric("dream_writes_waiting_total", "counter", "Sentences a person gave that wait in the buffer for a night."),
    Metric("dream_notes", "gauge", "Notes held."),
    Metric("dream_nodes", "gauge", "Current nodes, by tier.", ("tier",)),
)
BY_NAME: Mapping[str, Metric] = {metric.name: metric for metric in METRICS}


class Meter:
    """Adds to counters and histograms."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._warm = False

    def count(self, name: str, by: float = 1, **labels: str) -> None:
        """Add to a declared counter."""
        metric = BY_NAME[name]
        if metric.type != "counter" or set(labels) != set(metric.labels):
            raise ValueError(f"{name} is a {metric.type} with labels {metric.labels}")
        if by:
            self._state.count(name, tuple(sorted(labels.items())), by)

    def observe(self, name: str, value: float) -> None:
        """Add to a declared histogram."""
        self._state.observe(name, value, BY_NAME[name].edges)

    def searched(self, milliseconds: float, node_ids: Iterable[str], at: str) -> None:
        """A search was answered; the first of a process loads things and says nothing of how slow searching is."""
        self.observe("dream_search_latency_ms", milliseconds)
        if self._warm:
            self._state.sample(SEARCH, milliseconds, at)
        self._warm = True
        self._state.touch(node_ids, at)

    def sanitised(self, milliseconds: float, counts: Mapping[str, int]) -> None:
        """A text was cleaned."""
        self.observe("dream_sanitize_latency_ms", milliseconds)
        self.redacted(counts)

    def redacted(self, counts: Mapping[str, int]) -> None:
        """Secrets were taken out, by kind."""
        for kind, number in counts.items():
            self.count("dream_redactions_total", number, kind=kind)

    def completed(self, report: NightReport, at: str) -> None:
        """A night ended well."""
        self.count("dream_cycle_completed_total")
        self._state.drop(HELD_UP)
        self.count("dream_capture_events_total", report.plan.gathered.notes)
        self.redacted(_marks(note.text for session in report.plan.gathered.sessions for note in session))
        counted = []
        for each in report.plan.consolidated:
            self.observe("dream_consensus_score", each.verdict.consensus / 100)
            if each.verdict.decision is not Decision.REJECT:
                counted.append(each.verdict.consensus)
        mean = math.fsum(counted) / len(counted) if counted else None
        self._state.put(NIGHT, json.dumps({"consensus": mean, "clusters": len(counted)}), at)

    def held_up(self, at: str) -> None:
        """A sentence a person gave had to wait because another process held the store."""
        self.count("dream_writes_waiting_total")
        self._state.put(HELD_UP, str(held_up(self._state) + 1), at)

    def failed(self, phase: str) -> None:
        """A night stopped in a phase."""
        self.count("dream_cycle_failed_total", phase=phase if phase in PHASES else "orient")


def held_up(state: State) -> int:
    """How many sentences a person gave since the last night waited because another process held the store."""
    held = state.get(HELD_UP)
    return int(held[0]) if held is not None and held[0].isdigit() else 0


def _marks(texts: Iterable[str]) -> Counter[str]:
    """How many secrets of each kind were taken out of texts, by the marks that stand in their place."""
    found: Counter[str] = Counter()
    for text in texts:
        for part in text.split("[redacted:")[1:]:
            kind = part.split("]")[0].split("#")[0]
            if 0 < len(kind) <= 40 and all(sign.isalnum() or sign == "-" for sign in kind):
                found[kind] += 1
    return found


def scrape(house: House, standing: Standing) -> Iterator[Measured]:
    """Every metric with its values now, in the order of `METRICS`."""
    totals, gauges = house.operations.state.totals(), _gauges(house, standing)
    for metric in METRICS:
        if metric.type == "gauge":
            values = gauges[metric.name]
        elif metric.type == "counter":
            values = _counter(metric, totals.counters)
        else:
            values = [_histogram(metric, totals.histograms.get(metric.name))]
        yield Measured(metric.name, metric.type, metric.help, metric.labels, tuple(values))


def _histogram(metric: Metric, seen: Histogram | None) -> Value:
    counts = dict(seen.counts) if seen else {}
    buckets, number = [], 0
    for edge in sorted({*metric.edges, *counts, math.inf}):
        number += counts.get(edge, 0)
        buckets.append((edge, number))
    return Value(buckets=tuple(buckets), total=seen.total if seen else 0.0)


def _counter(metric: Metric, counters: Mapping[tuple[str, Labels], float]) -> list[Value]:
    values = [Value(labels, number) for (name, labels), number in sorted(counters.items()) if name == metric.name]
    if metric.name == "dream_cycle_failed_total":
        known = {dict(value.labels).get("phase") for value in values}
        values += [Value((("phase", phase),)) for phase in PHASES if phase not in known]
    return values or ([] if metric.labels else [Value()])


def _gauges(house: House, standing: Standing) -> dict[str, list[Value]]:
    tally, said = house.store.tally(), standing.readings
    good = read_status(house.home).last_good_night
    peak = house.operations.state.get(PEAK)
    mean = said.get("vitality") if standing.probed else mean_alive(house).value
    plain: dict[str, float] = {
        "dream_hitl_pending": tally.get("holds", 0),
        "dream_ram_peak_mb": float(peak[0]) if peak else 0.0,
        "dream_vitality_avg": math.nan if mean is None else float(mean),
        "dream_circuit_mode": standing.mode.level,
        "dream_ledger_merkle_ok": float(said.get("ledger_ok", house.ledger.sealed is None)),
        "dream_ollama_up": float(bool(said.get("ollama_up", False))),
        "dream_last_cycle_timestamp_seconds": to_datetime(good).timestamp() if good else 0.0,
        "dream_notes": tally.get("notes", 0),
    }
    return {
        **{name: [Value(number=number)] for name, number in plain.items()},
        "dream_nodes": [Value((("tier", tier),), tally.get(tier.value, 0)) for tier in Tier],
    }
