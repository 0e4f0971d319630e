"""A branch of the counterfactual garden: had it been done otherwise, what would have followed; and what did.

1. A branch is never a fact: it stands on an error node, is read-only, and nothing recalls it.
2. Its prediction can be checked without a model: the error comes back, it does not, or a statement will be made.
3. It settles at the end of its window by what was said in it. Where nothing was said of the project nothing was seen:
   it stays open until it expires.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum


class Foretold(StrEnum):
    """What a branch predicts."""

    RECURS = "recurs"
    CEASES = "ceases"
    SAID = "said"


class BranchStatus(StrEnum):
    """What became of a prediction; `pruned` leaves the garden, never the log."""

    GROWING = "growing"
    RIGHT = "right"
    WRONG = "wrong"
    EXPIRED = "expired"
    PRUNED = "pruned"


@dataclass(frozen=True, slots=True)
class Branch:
    """One way it could have gone.

    Attributes:
        root: id of the error node it grows from.
        premise: what would have been otherwise; statement: what is foretold to be said, "" unless SAID.
        remedy: id of the node that says what was done about it, "" where none does.
        notes: ids of the notes it stands on, those of its root and its remedy.
        settles_at, expires_at: end of its window, and when it is pruned (instants).
        evidence: ids of the notes that decided it.
        promoted: id of the process node it became.
    """

    id: str
    root: str
    project: str
    premise: str
    foretold: Foretold
    notes: tuple[str, ...]
    grown_at: str
    settles_at: str
    expires_at: str
    statement: str = ""
    remedy: str = ""
    judge: str = "rules"
    status: BranchStatus = BranchStatus.GROWING
    settled_at: str = ""
    evidence: tuple[str, ...] = ()
    promoted: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was said in a branch's window.

    Attributes:
        again: ids of notes that say the error once more; said: notes that say what was foretold; denied: that deny it.
        alive: whether anything was said of the project.
    """

    again: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    alive: bool = False


def settle(branch: Branch, seen: Seen, now: str) -> Branch:
    """The branch as it stands at the instant `now`; the same where nothing is to be decided."""
    if branch.status is not BranchStatus.GROWING:
        gone = now >= branch.expires_at and branch.status is not BranchStatus.RIGHT
        return pruned(branch) if gone else branch
    if now < branch.settles_at:
        return branch
    status, evidence = _outcome(branch, seen)
    if status is BranchStatus.GROWING and now >= branch.expires_at:
        status = BranchStatus.EXPIRED
    if status is BranchStatus.GROWING:
        return branch
    return dataclasses.replace(branch, status=status, settled_at=now, evidence=evidence)


def _outcome(branch: Branch, seen: Seen) -> tuple[BranchStatus, tuple[str, ...]]:
    match branch.foretold:
        case Foretold.SAID:
            if seen.said:
                return BranchStatus.RIGHT, seen.said
            return (BranchStatus.WRONG, seen.denied) if seen.denied else (BranchStatus.GROWING, ())
        case Foretold.RECURS | Foretold.CEASES:
            if not seen.again and not seen.alive:
                return BranchStatus.GROWING, ()
            right = bool(seen.again) == (branch.foretold is Foretold.RECURS)
            return (BranchStatus.RIGHT if right else BranchStatus.WRONG), seen.again


def pruned(branch: Branch) -> Branch:
    """The branch, out of the garden."""
    return dataclasses.replace(branch, status=BranchStatus.PRUNED)


def stub(branch_id: str) -> Branch:
    """What is left of a redacted branch."""
    return Branch(branch_id, "", "", "", Foretold.CEASES, (), "", "", "")


def is_stub(branch: Branch) -> bool:
    """Whether it was redacted (a real one always says when it settles)."""
    return not branch.settles_at
