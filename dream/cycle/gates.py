"""Is a dream due? One table of gates per trigger, and when the next night starts.

Invariants:
1. Pure: what is known comes in as `Facts`, and the same facts give the same answer.
2. Instants are compared in UTC, so a night has one slot whatever the clocks do: where 02:05 does not exist the slot is
   the first moment after the gap, where it comes twice the slot is the first of the two.
3. A slot that was missed is made up for once; ten missed nights are one night.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

SLOT = "02:05"
AUTOMATIC_AFTER = timedelta(hours=24)
AUTOMATIC_SESSIONS = 5
REMINDER_AFTER = timedelta(hours=4)

_EARLY = timedelta(minutes=10)
"""A timer that fires this much before its slot means that slot."""


class Trigger(StrEnum):
    """What asks for a dream."""

    NIGHTLY = "nightly"
    AUTOMATIC = "automatic"
    REMINDER = "reminder"
    BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the gates look at.

    Attributes:
        now: an instant.
        pending: notes and transcripts that wait to be dreamt.
        sessions: sessions with something new since the last good night.
        last_good_night: when the last night that did its work began, or None.
        zone: the IANA name of the zone that `SLOT` is read in.
    """

    now: str
    pending: int
    sessions: int
    last_good_night: str | None = None
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Due:
    """A dream may start."""

    trigger: Trigger


@dataclass(frozen=True, slots=True)
class NotDue:
    """No dream now, and why, for people."""

    trigger: Trigger
    reason: str


def due(trigger: Trigger, facts: Facts) -> Due | NotDue:
    """Ask the gates of a trigger in turn; the first that is closed says why. The cycle's lock comes after."""
    for gate in GATES[trigger]:
        reason = gate(facts)
        if reason:
            return NotDue(trigger, reason)
    return Due(trigger)


def next_run(now: str, zone: str, at: str = SLOT) -> str:
    """The instant of the next slot after `now`."""
    moment = _instant(now)
    day = moment.astimezone(ZoneInfo(zone)).date() - timedelta(days=1)
    while (slot := _slot(day.isoformat(), zone, at)) <= moment:
        day += timedelta(days=1)
    return _text(slot)


def latest_slot(now: str, zone: str, at: str = SLOT) -> str:
    """The instant of the last slot at or before `now`."""
    moment = _instant(now)
    day = moment.astimezone(ZoneInfo(zone)).date() + timedelta(days=1)
    while (slot := _slot(day.isoformat(), zone, at)) > moment:
        day -= timedelta(days=1)
    return _text(slot)


def _something_pending(facts: Facts) -> str:
    return "" if facts.pending else "nothing is pending"


def _once_a_night(facts: Facts) -> str:
    last = _last(facts)
    if last is None:
        return ""
    slot = _instant(latest_slot(_text(_instant(facts.now) + _EARLY), facts.zone))
    return f"tonight's dream ran at {facts.last_good_night}" if last >= slot - _EARLY else ""


def _a_day_since(facts: Facts) -> str:
    return _not_long_enough(facts, AUTOMATIC_AFTER)


def _four_hours_since(facts: Facts) -> str:
    return _not_long_enough(facts, REMINDER_AFTER)


def _enough_sessions(facts: Facts) -> str:
    if facts.sessions > AUTOMATIC_SESSIONS:
        return ""
    return f"{facts.sessions} of more than {AUTOMATIC_SESSIONS} sessions"


GATES: dict[Trigger, tuple[Callable[[Facts], str], ...]] = {
    Trigger.NIGHTLY: (_something_pending, _once_a_night),
    Trigger.AUTOMATIC: (_a_day_since, _enough_sessions),
    Trigger.REMINDER: (_something_pending, _four_hours_since),
    Trigger.BY_HAND: (),
}


def _not_long_enough(facts: Facts, least: timedelta) -> str:
    last = _last(facts)
    if last is None or _instant(facts.now) - last >= least:
        return ""
    hours = (_instant(facts.now) - last).total_seconds() / 3600
    return f"the last dream was {hours:.0f} h ago, of {least.total_seconds() / 3600:.0f} h"


def _last(facts: Facts) -> datetime | None:
    """The last good night; one in the future (the clock was put back) says nothing and must not block for ever."""
    if not facts.last_good_night:
        return None
    last = _instant(facts.last_good_night)
    return last if last <= _instant(facts.now) + _EARLY else None


def _slot(day: str, zone: str, at: str) -> datetime:
    """The slot of a local day, in UTC."""
    local = datetime.combine(datetime.fromisoformat(day).date(), time.fromisoformat(at), ZoneInfo(zone))
    slot = local.astimezone(UTC)
    if slot.astimezone(local.tzinfo).replace(tzinfo=None) == local.replace(tzinfo=None):
        return slot
    # In a gap, the two readings of the wall time lie around the change; find its first moment after.
    low, high = sorted((slot, local.replace(fold=1).astimezone(UTC)))
    offset_before = low.astimezone(local.tzinfo).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        if middle.astimezone(local.tzinfo).utcoffset() == offset_before:
            low = middle
        else:
            high = middle
    return high.replace(microsecond=0)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
