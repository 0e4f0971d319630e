"""An observer that remembers in which phase a night is, and hands everything on."""

from __future__ import annotations

from collections.abc import Mapping

from dream.ports import Observer


class PhaseSeen:
    """Between a night and who watches it; `phase` is the last that began."""

    def __init__(self, behind: Observer | None) -> None:
        self._behind = behind
        self.phase = "orient"

    def on(self, event: str, facts: Mapping[str, object]) -> None:
        """Take in an event and pass it on."""
        if event == "phase":
            self.phase = str(facts.get("phase", ""))
        if self._behind is not None:
            self._behind.on(event, facts)
