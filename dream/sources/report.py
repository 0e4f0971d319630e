"""What a sweep met, and the sentences it says about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dream.capture import transcript
from dream.sources.manifest import Manifest

_DRIFT = 0.1


@dataclass(slots=True)
class SweepReport:
    """What a sweep met.

    Attributes:
        lines: the count of `dream.capture.transcript` over all turns that were iterated.
        dead: turns on dead branches by transcript, those of transcripts not read this time as they were.
    """

    seen: int = 0
    unchanged: int = 0
    active: int = 0
    read: int = 0
    replaced: int = 0
    overlong: int = 0
    failed: list[str] = field(default_factory=list)
    dead: dict[str, frozenset[str]] = field(default_factory=dict)
    lines: dict[str, Any] = field(default_factory=transcript.new_report)

    def dead_turns(self) -> frozenset[str]:
        """Uuids of all turns known to be on dead branches; whole once the sweep has ended."""
        return frozenset().union(*self.dead.values())

    def warnings(self, manifest: Manifest) -> list[str]:
        """At most one sentence on lines that could not be used, and one on files; unknown kinds are named once ever."""
        said = []
        kinds: dict[str, int] = self.lines["unknown"]
        fresh = manifest.notice(kinds)
        parts = [_counted(self.lines["malformed"], "malformed line")] if self.lines["malformed"] else []
        parts += [_counted(self.overlong, "overlong line")] if self.overlong else []
        parts += (
            [f"lines of kinds this Dream does not know: {', '.join(f'{k} ({kinds[k]})' for k in fresh)}"]
            if fresh
            else []
        )
        if parts:
            share = sum(kinds.values()) / max(1, self.lines["lines"])
            drift = f"; that is {share:.0%}, the client's format may have changed" if fresh and share >= _DRIFT else ""
            said.append(f"Of {self.lines['lines']} transcript lines these were left out: {'; '.join(parts)}{drift}.")
        if self.failed:
            said.append(f"{_counted(len(self.failed), 'transcript')} could not be read, the first: {self.failed[0]}.")
        return said


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
