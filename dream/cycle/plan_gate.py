"""The gate before the commit (decision 5): a plan that fails it is kept for inspection and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from dream.cycle.night import Plan
from dream.model.change import NodeAdded, NodeRevised, NotesAdded
from dream.model.codec import change_to_plain
from dream.model.graph import NodeStatus

FEW = 10
"""Nodes a night may always close."""

SHARE = 0.4
"""Share of the current nodes that a night may close beyond that."""

LONGEST = 480
"""Bytes of a node's text: 120 tokens."""


def faults(plan: Plan, current: int, silenced: Sequence[str] = ()) -> list[str]:
    """What speaks against committing `plan`, as sentences; none is good.

    Args:
        current: how many current nodes there were before.
        silenced: canary queries that would not be answered any more, as sentences.
    """
    found: list[str] = list(silenced)
    changes = plan.changes
    told = {note.id for change in changes if isinstance(change, NotesAdded) for note in change.notes}
    gathered = {note.id for session in plan.gathered.sessions for note in session}
    if told != gathered:
        found.append(f"{len(gathered - told)} notes that were gathered would be lost.")
    born: set[str] = set()
    closed, added = set(), {}
    for change in changes:
        if isinstance(change, NodeAdded):
            born.add(change.node.id)
            added[change.node.id] = change.node
        elif isinstance(change, NodeRevised):
            added[change.after.id] = change.after
            lost = set(change.before.notes) - set(change.after.notes)
            if lost:
                found.append(f"Node {change.before.id} would no longer cite {min(lost)}.")
            if change.before.status is NodeStatus.CURRENT and change.after.status is not NodeStatus.CURRENT:
                closed.add(change.after.id)
    closed -= born  # a first night over weeks of sessions replaces much of what it has just learned
    if len(closed) > max(FEW, SHARE * current):
        found.append(f"{len(closed)} of {current} current nodes would be closed in one night.")
    found += [
        f"Node {node.id} would have {len(node.text.encode())} bytes, more than {LONGEST}."
        for node in added.values()
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
