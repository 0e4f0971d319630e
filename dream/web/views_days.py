"""Today, the nights, one night, taking a night back, the mode."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from dream.cycle.nights import Undo
from dream.errors import Conflict, UsageError
from dream.model import change as c
from dream.model.change import Entry
from dream.model.debate import WEIGHT
from dream.model.graph import NodeStatus
from dream.web.answering import Response, to
from dream.web.pages import Ask, Shown

NIGHTS_SHOWN = 90
SHOWN = 200
"""Entries of one sort that a page of a night shows."""
ALONG_SHOWN = 50
"""Entries of one other night that the page of an undo shows."""
ROLES = [role.value for role in WEIGHT]


def today(ask: Ask) -> Shown:
    """How things stand, and what to do next."""
    standing = ask.dream.fresh(60)
    picture = ask.dream.picture()
    nights = ask.dream.nights()
    return Shown(
        "today.html",
        {
            "standing": standing,
            "picture": picture,
            "host": ask.dream.host(ask.environ),
            "last": nights[-1] if nights else None,
            "advice": ask.dream.advice(picture, standing),
            "port": ask.dream.port(),
        },
    )


def mode(ask: Ask) -> Response:
    """Pin a mode, or give it back to the breaker."""
    form = ask.request.form
    try:
        hours = float(form.get("hours", "24"))
    except ValueError as error:
        raise UsageError(f"{form.get('hours')!r} is no number of hours.", "Give a number such as 2.") from error
    ask.dream.pin_mode(form.get("mode", "AUTO"), form.get("why", ""), hours)
    return to("/")


def nights(ask: Ask) -> Shown:
    """All nights, the latest first."""
    found = ask.dream.nights()[::-1]
    return Shown("nights.html", {"nights": found[:NIGHTS_SHOWN], "more": max(0, len(found) - NIGHTS_SHOWN)})


def night(ask: Ask) -> Shown:
    """What came in, what became of it, and who voted how."""
    one = ask.dream.night(ask.named["night"])
    entries = ask.dream.diff(one.night)
    debates = ask.dream.debates(one.night)
    return Shown(
        "night.html",
        {
            "night": one,
            "counts": dict(one.record.counts) if one.record else {},
            "groups": _groups(entries),
            "debates": debates[:SHOWN],
            "more": max(0, len(debates) - SHOWN),
            "roles": ROLES,
            "weights": {role.value: weight for role, weight in WEIGHT.items()},
        },
    )


def undo_plan(ask: Ask) -> Shown:
    """What taking the night back would change."""
    name, cascade = ask.named["night"], "cascade" in ask.request.query
    one = ask.dream.night(name)
    try:
        planned = ask.dream.undo(name, cascade=cascade, dry_run=True)
    except Conflict as error:
        return Shown("undo.html", {"night": one, "planned": None, "conflict": error, "cascade": cascade})
    told = [each for each in map(_told, planned.changes) if each is not None]
    values = {"told": told[:SHOWN], "along": _along(planned)}
    return Shown("undo.html", {"night": one, "planned": planned, "conflict": None, "cascade": cascade, **values})


def _along(planned: Undo) -> list[dict[str, Any]]:
    """What goes with a night, by where it was done: a night that goes whole, a part of one, by day."""
    by_night: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in planned.along:
        by_night[entry.night].append(entry)
    shown = []
    for name, entries in sorted(by_night.items(), key=lambda pair: (not pair[0], pair[0])):
        told = [each for each in (_told(entry.change) for entry in entries) if each is not None]
        whole = name in planned.nights
        more = max(0, len(told) - ALONG_SHOWN)
        rest = len(entries) - len(told)
        shown.append({"night": name, "whole": whole, "told": told[:ALONG_SHOWN], "more": more, "rest": rest})
    return shown


def undo(ask: Ask) -> Response:
    """Take it back: what was shown, and nothing else."""
    name, shown = ask.named["night"], ask.request.form.get("plan", "")
    if not shown:
        raise UsageError("Nothing was taken back.", "Look first at what it would change.")
    ask.dream.undo(name, cascade="cascade" in ask.request.form, shown=shown)
    return to(f"/night/{name}")


def _groups(entries: list[Entry]) -> dict[str, list[dict[str, Any]]]:
    """The entries of a night by what they did, each as a page shows it."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        told = _told(entry.change)
        if told is not None:
            groups[str(told["sort"])].append(told)
    return dict(groups)


def _told(change: c.Change | None) -> dict[str, Any] | None:
    """What a change did, in the words of the templates; None for what has no words there."""
    match change:
        case c.NotesAdded(session=session, notes=notes):
            return {"sort": "came in", "session": session, "notes": notes[:50], "more": max(0, len(notes) - 50)}
        case c.NodeAdded(node=node):
            return {"sort": "kept", "node": node}
        case c.NodeWithdrawn(node=node):
            return {"sort": "withdrawn", "node": node}
        case c.NodeRevised(before=before, after=after):
            return {"sort": _revision(before.status, after.status), "node": after, "before": before}
        case c.NodesMerged(absorbed=absorbed, after=after):
            return {"sort": "merged", "node": after, "before": absorbed}
        case c.NodesUnmerged(kept=kept, absorbed=absorbed):
            return {"sort": "unmerged", "node": kept, "before": absorbed}
        case c.NoteHeld(hold=hold):
            return {"sort": "held", "hold": hold, "node": hold.proposal}
        case c.HoldReopened(hold=hold):
            return {"sort": "withdrawn", "node": hold.proposal}
        case c.DebateRejected():
            return {"sort": "refused", "refusal": change}
        case c.TierChanged():
            return {"sort": "moved", "move": change}
        case None:
            return {"sort": "forgotten"}
        case _:
            return None


def _revision(before: NodeStatus, after: NodeStatus) -> str:
    if before is after:
        return "said again"
    return {
        NodeStatus.SUPERSEDED: "superseded", NodeStatus.RETRACTED: "taken back", NodeStatus.CURRENT: "put back",
    }[after]  # fmt: skip
