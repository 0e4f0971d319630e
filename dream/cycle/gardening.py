"""The garden's part of a night: what grew before settles, what went wrong today grows. Plans only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dream.cycle.consolidate import Consolidated, Outcome
from dream.debate.asking import Asker
from dream.garden.growing import Refusal, Soil, from_error, from_refusal
from dream.garden.settling import settle_all
from dream.house import House
from dream.model import change as c
from dream.model.branch import Branch
from dream.model.graph import Node, NodeKind, NodeStatus
from dream.model.note import Note

REFUSED_BELOW = 30
"""Consensus under which a refusal that a correction follows grows branches."""
NEAR = 3
"""Statements within which the correction follows."""
_CORRECTS = {"update", "retract", "decision"}


def garden(
    house: House,
    consolidated: Sequence[Consolidated],
    fresh: Iterable[Note],
    held: Iterable[Node],
    node_now: Callable[[str], Node | None],
    now: str,
    *,
    grow: bool = True,
    asker: Callable[[], Asker | None] = lambda: None,
) -> list[c.Change]:
    """What the garden does tonight.

    Args:
        held: current nodes as the night leaves them; node_now: any node so.
        grow: False in a mode that grows nothing; what has grown still settles.
        asker: gets the garden's model ready, where something is to grow; None without one.
    """
    branches = house.store.branches()
    changes: list[c.Change] = []
    if branches:
        settled = settle_all(branches, house.store, list(fresh), node_now, house.frames, house.zone, now)
        changes += settled.changes
    if not grow:
        return changes
    rooted = {branch.root for branch in branches}
    wrong = [each for each in consolidated if _is_error(each) and each.node is not None and each.node.id not in rooted]
    refusals = [each for each in _refusals(consolidated) if each.correction.id not in rooted]
    if not wrong and not refusals:
        return changes
    grown: dict[str, Branch] = {}
    around = list(held)
    ground = soil(house, now, asker() if wrong else None)
    for each in wrong:
        root = node_now(each.node.id) if each.node is not None else None
        if root is not None and root.status is NodeStatus.CURRENT:
            cured = "cure" in each.cluster.signals
            grown.update({branch.id: branch for branch in from_error(root, around, ground, cured)})
    for refusal in refusals:
        grown.update({branch.id: branch for branch in from_refusal(refusal, ground)})
    there = {branch.id for branch in branches}
    return [*changes, *(c.BranchGrown(branch) for branch in grown.values() if branch.id not in there)]


def soil(house: House, now: str, asker: Asker | None = None) -> Soil:
    """What branches of this house grow with."""
    settings = house.settings
    return Soil(house.frames, house.zone, now, settings.garden_window_days, settings.garden_expiry_days, asker)


def _is_error(each: Consolidated) -> bool:
    new = each.outcome in (Outcome.ADDED, Outcome.SUPERSEDED)
    return new and each.node is not None and each.node.kind is NodeKind.ERROR


def _refusals(consolidated: Sequence[Consolidated]) -> list[Refusal]:
    """Statements refused by far, each with the correction that followed in its session."""
    found = []
    for place, each in enumerate(consolidated):
        verdict = each.verdict
        if each.outcome is not Outcome.REJECTED or verdict.consensus >= REFUSED_BELOW:
            continue
        vetoed = any(ballot.refuses for ballot in verdict.ballots)
        if vetoed or "injection" in each.cluster.signals or "[redacted" in each.cluster.text:
            continue
        session = each.cluster.notes[0].session
        for other in consolidated[place + 1 : place + 1 + NEAR]:
            kept = other.node is not None and other.outcome in (Outcome.ADDED, Outcome.SUPERSEDED)
            if other.cluster.notes[0].session == session and kept and _CORRECTS & other.cluster.signals:
                assert other.node is not None  # noqa: S101 -- `kept` says so
                found.append(Refusal(each.cluster.text, other.node))
                break
    return found
