"""Orient: is the ledger whole, what night is it, what must not be judged again."""

from __future__ import annotations

from dream.cycle.night import Oriented
from dream.errors import LedgerSealed
from dream.house import House
from dream.model.time import to_local_date


def orient(house: House, now: str) -> Oriented:
    """Look at what stands before anything is read.

    Raises:
        LedgerSealed: the log does not verify; the night is deferred and the buffer is kept.
    """
    if house.ledger.sealed is not None:
        raise LedgerSealed(f"The night is deferred: {house.ledger.sealed.sentence}", house.ledger.sealed.hint)
    return Oriented(
        night=_night_id(house, to_local_date(now, house.zone).isoformat()),
        started_at=now,
        refused=frozenset(note for refusal in house.store.refused().values() for note in refusal.notes),
    )


def _night_id(house: House, date: str) -> str:
    """The local date, with `.2`, `.3` … where that date has had a night."""
    past = {night.night for night in house.store.nights()}
    number = next(n for n in range(1, len(past) + 2) if (date if n == 1 else f"{date}.{n}") not in past)
    return date if number == 1 else f"{date}.{number}"
