"""How many there are of what, and from when to when, without reading a row's value."""

from __future__ import annotations

from dream.adapters.sqlite_base import Database


def tally(database: Database) -> dict[str, int]:
    """`notes`, `holds`, current nodes by tier, all nodes by status; a name without any is left out of the last two."""
    ((notes,),) = database.rows("SELECT count(*) FROM note")
    ((holds,),) = database.rows("SELECT count(*) FROM hold")
    found = {"notes": int(notes), "holds": int(holds)}
    for status, tier, number in database.rows("SELECT status, tier, count(*) FROM node GROUP BY status, tier"):
        found[status] = found.get(status, 0) + int(number)
        if status == "current":
            found[tier] = found.get(tier, 0) + int(number)
    return found


def span(database: Database) -> tuple[str, str]:
    """When the first and the last note were said, "" where there is none."""
    ((first,),) = database.rows("SELECT min(at) FROM note")
    ((last,),) = database.rows("SELECT max(at) FROM note")
    return first or "", last or ""
