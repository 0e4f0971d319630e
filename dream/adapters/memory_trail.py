"""`Trail` in plain Python: the reference for tests."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable

from dream.ports import Step


class MemoryTrail:
    """A trail of this process alone."""

    def __init__(self) -> None:
        self._seqs: defaultdict[str, set[int]] = defaultdict(set)
        self._mark = (0, "")

    def mark(self) -> tuple[int, str]:
        return self._mark

    def extend(self, size: int, steps: Iterable[Step]) -> None:
        if size != self._mark[0]:
            return
        for step in list(steps):
            for some_id, seq in step.names:
                self._seqs[some_id].add(seq)
            self._mark = (step.seq + 1, hashlib.sha256(step.header).hexdigest())

    def naming(self, ids: Collection[str], start: int) -> set[int]:
        return {seq for each in ids for seq in self._seqs.get(each, ()) if seq >= start}

    def clear(self) -> None:
        self._seqs.clear()
        self._mark = (0, "")
