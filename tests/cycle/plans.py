"""Every way of planning an undo says the same."""

from __future__ import annotations

from dream.adapters.memory_trail import MemoryTrail
from dream.cycle import nights
from dream.errors import Conflict
from dream.ledger.ledger import Ledger
from dream.ports import Trail


def planned(ledger: Ledger, night: str, cascade: bool, trail: Trail | None) -> str:
    """What a plan does, or why there is none."""
    named = None if trail is None else (trail, ledger._log.folder)
    try:
        plan = nights.plan(ledger, ledger._store, night, cascade=cascade, trail=named)  # type: ignore[arg-type]
    except Conflict as error:
        return error.sentence
    return f"{plan.mark} {[entry.seq for entry in plan.along]}"


def told_alike(ledger: Ledger, *trails: Trail) -> None:
    """Every night's plan is the same by these trails, by a fresh one, and by reading the log."""
    for each in nights.nights(ledger._store):  # type: ignore[arg-type]
        for cascade in (False, True):
            found = {planned(ledger, each.night, cascade, trail) for trail in (None, MemoryTrail(), *trails)}
            assert len(found) == 1, found
