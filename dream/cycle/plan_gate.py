"""The gate before the commit (decision 5): a plan that fails it is kept for inspection and nothing is written.

1. What is only doubtful (a canary goes silent, much would be closed) a person may let pass, once they have looked: what
   the last refused plan said, in these very words, and nothing else (`dream cycle --accept-plan`).
2. What must never be (a note lost, a citation lost, a text too long) nobody lets pass.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from dream.cycle.night import Plan
from dream.errors import UsageError
from dream.model.change import NodeAdded, NodeRevised, NotesAdded
from dream.model.codec import change_to_plain
from dream.model.graph import NodeStatus

FEW = 10
"""Nodes a night may always close."""

SHARE = 0.4
"""Share of the current nodes that a night may close beyond that."""

ACCEPTED = ".accepted.json"

LONGEST = 480
"""Bytes of a node's text: 120 tokens."""


def faults(plan: Plan, current: int, silenced: Sequence[str] = (), accepted: Collection[str] = ()) -> list[str]:
    """What speaks against committing `plan`, as sentences; none is good.

    Args:
        current: how many current nodes there were before.
        silenced: canary queries that would not be answered any more, as sentences.
        accepted: doubts that a person has seen and lets pass.
    """
    return [*(each for each in doubts(plan, current, silenced) if each not in accepted), *breaches(plan)]


def doubts(plan: Plan, current: int, silenced: Sequence[str] = ()) -> list[str]:
    """What a person may let pass."""
    born = {change.node.id for change in plan.changes if isinstance(change, NodeAdded)}
    closed = {
        change.after.id
        for change in plan.changes
        if isinstance(change, NodeRevised)
        and change.before.status is NodeStatus.CURRENT
        and change.after.status is not NodeStatus.CURRENT
    }
    closed -= born  # a first night over weeks of sessions replaces much of what it has just learned
    many = len(closed) > max(FEW, SHARE * current)
    return [*silenced, *([f"{len(closed)} of {current} current nodes would be closed in one night."] if many else [])]


def breaches(plan: Plan) -> list[str]:
    """What must never be."""
    found: list[str] = []
    told = {note.id for change in plan.changes if isinstance(change, NotesAdded) for note in change.notes}
    gathered = {note.id for session in plan.gathered.sessions for note in session}
    if told != gathered:
        found.append(f"{len(gathered - told)} notes that were gathered would be lost.")
    left = {}
    for change in plan.changes:
        if isinstance(change, NodeAdded):
            left[change.node.id] = change.node
        elif isinstance(change, NodeRevised):
            left[change.after.id] = change.after
            lost = set(change.before.notes) - set(change.after.notes)
            if lost:
                found.append(f"Node {change.before.id} would no longer cite {min(lost)}.")
    found += [
        f"Node {node.id} would have {len(node.text.encode())} bytes, more than {LONGEST}."
        for node in left.values()
        if len(node.text.encode()) > LONGEST + 60
    ]
    return found


def keep(plan: Plan, why: list[str], folder: Path) -> Path:
    """Write the refused plan and the reasons into `folder`; the file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{plan.oriented.night}.json"
    changes = [change_to_plain(change) for change in plan.changes if not isinstance(change, NotesAdded)]
    path.write_text(json.dumps({"faults": why, "changes": changes}, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def seen(folder: Path) -> frozenset[str]:
    """What spoke against the last plan that was refused: what a person who accepts it has had before them.

    Raises:
        UsageError: none was refused since one was accepted.
    """
    kept = _kept(folder)
    if not kept:
        raise UsageError("No night's plan was refused.", "`dream cycle` plays a night.")
    return frozenset(json.loads(kept[-1].read_text(encoding="utf-8"))["faults"])


def put_away(folder: Path) -> None:
    """Plans that were refused until now are dealt with; they stay readable."""
    for path in _kept(folder):
        path.replace(path.with_suffix(ACCEPTED))


def _kept(folder: Path) -> list[Path]:
    """Refused plans, the last one last."""
    kept = [path for path in folder.glob("*.json") if not path.name.endswith(ACCEPTED)]
    return sorted(kept, key=lambda path: (path.stat().st_mtime_ns, path.name))
