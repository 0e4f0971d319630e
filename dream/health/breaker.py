"""The breaker's driver: takes a probe, steps the table, remembers mode and green count where all processes read it.

1. One mode for all: `health.json` is read at every question and written under a lock, whole or not at all.
2. Down is at once. A green is counted at most every `SPACING_S` seconds, so that three processes probing together, or
   one person asking three times, do not climb in a breath.
3. A pin holds until it expires; the breaker goes on probing beneath it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import timedelta

from dream.errors import Locked, UsageError
from dream.health.mode import Pin, Standing, mode_named, read_standing, write_standing
from dream.model.mode import Readings, faults, step
from dream.model.time import days_between, format_instant, to_datetime
from dream.paths import Home
from dream.ports import Clock, Lock

SPACING_S = 10.0
PIN_HOURS = 24.0
"""How long a pin holds where nobody says."""
LONGEST_PIN_HOURS = 24.0 * 90
AUTO = "AUTO"
_DAY_S = 86_400.0
_WAIT_S = 2.0


class Breaker:
    """Over one home.

    Args:
        read: takes the readings.
        spacing: seconds between two greens that both count.
    """

    def __init__(
        self, home: Home, clock: Clock, lock: Lock, read: Callable[[], Readings], spacing: float = SPACING_S
    ) -> None:
        self._home, self._clock, self._lock, self._read, self._spacing = home, clock, lock, read, spacing

    def standing(self) -> Standing:
        """How things stand, without a probe."""
        return read_standing(self._home, self._clock.now())

    def probe(self) -> Standing:
        """Take a probe and step; where another process is at it, what that one finds counts."""
        readings = self._read()
        try:
            self._lock.acquire(_WAIT_S)
        except Locked:
            return self.standing()
        try:
            now = self._clock.now()
            before = read_standing(self._home, now)
            return write_standing(self._home, self._after(before, readings, now))
        finally:
            self._lock.release()

    def _after(self, before: Standing, readings: Readings, now: str) -> Standing:
        state = step(before.state, readings)
        green = state.greens > before.state.greens or state.mode.level < before.state.mode.level
        counted = before.counted
        if green and counted and 0 <= days_between(counted, now) * _DAY_S < self._spacing:
            state = before.state  # seen, not counted
        elif green:
            counted = now
        moved = state.mode is not before.state.mode
        return replace(
            before,
            state=state,
            entered=now if moved else before.entered,
            probed=now,
            counted=counted,
            faults=tuple(fault.sentence for fault in faults(readings)),
            readings=_plain(readings),
        )

    def pin(self, name: str, why: str = "", hours: float | None = None) -> Standing:
        """Put a mode in force for `hours` (24 where nobody says); AUTO gives it back to the breaker.

        Raises:
            UsageError: no such mode, or a time that is none.
            Locked: a probe took unusually long.
        """
        if hours is not None and not 0 < hours <= LONGEST_PIN_HOURS:
            raise UsageError(f"{hours} hours is no time for a pin.", f"Give more than 0, up to {LONGEST_PIN_HOURS:g}.")
        now = self._clock.now()
        pin: Pin | None = None
        if name.strip().upper() != AUTO:
            until = format_instant(to_datetime(now) + timedelta(hours=PIN_HOURS if hours is None else hours))
            pin = Pin(mode_named(name), now, " ".join(why.split())[:200], until)
        self._lock.acquire(_WAIT_S)
        try:
            return write_standing(self._home, replace(read_standing(self._home, now), pin=pin))
        finally:
            self._lock.release()


def _plain(readings: Readings) -> dict[str, object]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in asdict(readings).items()
        if value is not None and value != ""
    }
