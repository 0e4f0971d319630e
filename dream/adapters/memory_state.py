"""`State` in plain Python: the reference for tests, and what a store that cannot be written falls back to."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dream.operations import Histogram, Labels, Totals


class MemoryState:
    """Figures of this process alone."""

    def __init__(self) -> None:
        self.lost = ""
        self._counters: defaultdict[tuple[str, Labels], float] = defaultdict(float)
        self._buckets: defaultdict[str, defaultdict[float, int]] = defaultdict(lambda: defaultdict(int))
        self._sums: defaultdict[str, float] = defaultdict(float)
        self._samples: list[tuple[str, str, float]] = []
        self._uses: list[tuple[str, str]] = []
        self._marks: dict[str, tuple[str, str]] = {}

    def count(self, name: str, labels: Labels = (), by: float = 1) -> None:
        if by < 0 or not math.isfinite(by):
            raise ValueError(f"a counter only grows, {name} by {by}")
        self._counters[name, tuple(sorted(labels))] += by

    def observe(self, name: str, value: float, edges: Sequence[float]) -> None:
        self._buckets[name][next((edge for edge in edges if value <= edge), math.inf)] += 1
        self._sums[name] += value

    def totals(self) -> Totals:
        histograms = {
            name: Histogram(tuple(sorted(counts.items())), sum(counts.values()), self._sums[name])
            for name, counts in self._buckets.items()
        }
        return Totals(dict(self._counters), histograms)

    def sample(self, name: str, value: float, at: str) -> None:
        self._samples.append((name, at, value))

    def since(self, name: str, at: str) -> list[float]:
        found = [each for each in self._samples if each[0] == name and each[1] >= at]
        return [value for _, _, value in sorted(found, key=lambda each: each[1])]

    def touch(self, node_ids: Iterable[str], at: str) -> None:
        self._uses.extend((node, at) for node in node_ids)

    def uses(self, since: str) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for node, at in sorted(self._uses, key=lambda each: each[1]):
            if at >= since:
                found.setdefault(node, []).append(at)
        return found

    def uses_of(self, node_id: str) -> Sequence[str]:
        return sorted(at for node, at in self._uses if node == node_id)

    def put(self, name: str, value: str, at: str) -> None:
        self._marks[name] = (value, at)

    def get(self, name: str) -> tuple[str, str] | None:
        return self._marks.get(name)

    def named(self, beginning: str) -> Mapping[str, tuple[str, str]]:
        return {name: mark for name, mark in sorted(self._marks.items()) if name.startswith(beginning)}

    def drop(self, name: str) -> None:
        self._marks.pop(name, None)

    def close(self) -> None:
        """Nothing to close."""
