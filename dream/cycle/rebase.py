"""A night's changes upon a memory that people or other sessions changed while it was judging (B02, decision 23).

1. What was done meanwhile stands: where both changed the same member of a node, the night's word is left out.
2. What the night did besides is done: its notes and evidence are added to the node as it is now.
3. What was asked to be forgotten meanwhile does not come back.
4. A change that finds nothing to stand on (its node was forgotten or merged away) is left out, and counted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from dream.errors import Conflict
from dream.ledger.pending import Pending
from dream.ledger.receipt import Receipt
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Node

TRIES = 3


class Door(Protocol):
    """The write door."""

    def commit(self, changes: Sequence[c.Change], night: str = "") -> Receipt: ...


def commit(
    door: Door, present: fold.Present, changes: Sequence[c.Change], night: str, denied: Callable[[str], bool]
) -> tuple[Receipt, int]:
    """Commit a night; where something changed meanwhile, what fits of it. How many changes were altered or left out.

    Args:
        denied: whether a text was asked to be forgotten, perhaps since the night read it.

    Raises:
        Conflict: memory changed again each time.
    """
    asked = [(each, _allowed(each, denied)) for each in changes]
    allowed = [kept for _, kept in asked if kept is not None]
    left_out = sum(kept is not each for each, kept in asked)
    fitting, touched = rebase(allowed, present) if left_out else (allowed, 0)
    for _ in range(TRIES):
        try:
            return door.commit(fitting, night), touched + left_out
        except Conflict:
            fitting, touched = rebase(allowed, present)
    return door.commit(fitting, night), touched + left_out


def _allowed(change: c.Change, denied: Callable[[str], bool]) -> c.Change | None:
    """The change without texts that were asked to be forgotten; None where nothing is left of it."""
    match change:
        case c.NotesAdded(session=session, notes=notes):
            kept = tuple(note for note in notes if not denied(note.text))
            return change if len(kept) == len(notes) else c.NotesAdded(session, kept) if kept else None
        case c.NodeAdded(node=node) | c.NodeRevised(after=node):
            return None if denied(node.text) else change
        case c.NoteHeld(hold=hold):
            return None if denied(hold.proposal.text) else change
        case _:
            return change


def rebase(changes: Sequence[c.Change], present: fold.Present) -> tuple[list[c.Change], int]:
    """The changes as they fit the present, and how many were altered or left out.

    Raises:
        Conflict: one fits neither as it is nor otherwise.
    """
    pending = Pending(present)
    fitting: list[c.Change] = []
    touched = 0
    for change in changes:
        fit: c.Change | None = change
        if fold.refuse(pending, change) is not None:
            fit = _fit(change, pending)
            touched += 1
        if fit is not None:
            pending.take(fold.checked(pending, fit))
            fitting.append(fit)
    return fitting, touched


def _fit(change: c.Change, present: fold.Present) -> c.Change | None:
    """The change in the form that follows from the present; None where nothing is left of it."""
    match change:
        case c.NotesAdded(session=session, notes=notes):
            fresh = tuple({note.id: note for note in notes if present.note(note.id) is None}.values())
            return c.NotesAdded(session, fresh) if fresh else None
        case c.NodeRevised(before=before, after=after):
            there = present.node(before.id)
            if there is None or fold.is_stub(there):
                return None
            both = _onto(there, before, after)
            return None if both == there else c.NodeRevised(there, both)
        case c.TierChanged(node=node_id, after=tier):
            there = present.node(node_id)
            return None if there is None or there.tier == tier else c.TierChanged(node_id, there.tier, tier)
        case c.NodeAdded() | c.NodeWithdrawn() | c.NodesMerged() | c.NodesUnmerged() | c.NoteHeld() | c.HoldResolved():
            return None
        case c.EdgeAdded() | c.EdgeWithdrawn() | c.EdgeRevised() | c.HoldReopened() | c.NodeForgotten():
            return None
    raise Conflict(f"{type(change).__name__} does not follow any more.", "Play the night again: `dream cycle`.")


def _onto(there: Node, before: Node, after: Node) -> Node:
    """What was done to the node meanwhile, and then what the night did to it as it was before."""
    new: dict[str, Any] = {}
    for name in (each.name for each in dataclasses.fields(Node)):
        was, wanted, now = (getattr(node, name) for node in (before, after, there))
        if wanted == was:
            continue
        if now == was:
            new[name] = wanted
        elif isinstance(now, tuple):
            left = tuple(each for each in now if each in wanted or each not in was)
            new[name] = (*left, *(each for each in wanted if each not in was and each not in left))
        elif name in ("evidence_at", "load"):
            new[name] = max(now, wanted)
    return dataclasses.replace(there, **new)
