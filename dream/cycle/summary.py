"""A plan and its entries to what the changelog tells."""

from __future__ import annotations

from collections import Counter

from dream.cycle.changelog import Held, Line, NightSummary, Replacement
from dream.cycle.consolidate import Consolidated, Outcome
from dream.cycle.night import Plan
from dream.model.branch import Branch, Foretold
from dream.model.change import BranchGrown, BranchSettled, NoteHeld, TierChanged
from dream.model.graph import Node, NodeStatus


def summarise(plan: Plan, seconds: float, entries: tuple[int, int, str], dry: bool = False) -> NightSummary:
    """The night as the changelog tells it.

    Args:
        entries: first and last entry in the ledger and the root in hex.
    """
    first, last, root = entries
    final = _final(plan)
    by = {outcome: [each for each in plan.consolidated if each.outcome is outcome] for outcome in Outcome}
    again = {each.node.id: each.node for each in by[Outcome.SAID_AGAIN] if each.node is not None and each.changes}
    new = {each.node.id for each in by[Outcome.ADDED] + by[Outcome.SUPERSEDED] if each.node is not None}
    return NightSummary(
        night=plan.oriented.night,
        judge=plan.judge,
        seconds=seconds,
        sessions=len(plan.gathered.sessions),
        notes=plan.gathered.notes,
        caught_up=plan.gathered.caught_up,
        denied=plan.gathered.denied,
        added=tuple(_line(final[each.node.id]) for each in by[Outcome.ADDED] if each.node and _stands(final, each)),
        said_again=tuple(_line(final.get(key, node)) for key, node in again.items() if key not in new),
        superseded=tuple(
            Replacement(_line(old), _line(final.get(each.node.id, each.node)), each.node.valid_from or "")
            for each in by[Outcome.SUPERSEDED]
            if each.node is not None
            for old in each.closed
        ),
        retracted=tuple(_line(old, each.cluster.text) for each in by[Outcome.RETRACTED] for old in each.closed),
        contradictions=tuple(
            (_line(final[each.node.id]), _line(final.get(other.id, other)))
            for each in plan.consolidated
            if each.node is not None
            for other in each.opposed
        ),
        history=tuple(_line(each.node) for each in by[Outcome.HISTORY] if each.node is not None),
        held=tuple(
            Held(change.hold.id, change.hold.proposal.text, change.hold.consensus, change.hold.reason)
            for each in by[Outcome.HELD]
            for change in each.changes
            if isinstance(change, NoteHeld)
        ),
        rejected=tuple(Counter(each.verdict.reason for each in by[Outcome.REJECTED]).most_common()),
        tiers=_moves(plan),
        carried=plan.waits,
        court=plan.told,
        garden=tuple(_garden(plan)),
        warnings=(*plan.oriented.warnings, *plan.gathered.warnings),
        first=first,
        last=last,
        root=root,
        dry=dry,
    )


def _garden(plan: Plan) -> list[str]:
    """What grew, and what came of what had grown."""
    found = []
    for change in plan.garden:
        if isinstance(change, BranchGrown):
            branch = change.branch
            found.append(
                f"{_premise(branch)}, foretold {_FORETOLD[branch.foretold]}"
                f" ({branch.id}, settles {branch.settles_at[:10]})"
            )
        elif isinstance(change, BranchSettled):
            after = change.after
            made = f", and {after.promoted} is a process now" if after.promoted else ""
            found.append(f"{_premise(after)}, foretold {_FORETOLD[after.foretold]}: {after.status}{made} ({after.id})")
    return found


def _premise(branch: Branch) -> str:
    return branch.premise.rstrip(".…") or branch.id


_FORETOLD = {
    Foretold.CEASES: "that it does not come back",
    Foretold.RECURS: "that it comes back",
    Foretold.SAID: "that it is said after all",
}


def _final(plan: Plan) -> dict[str, Node]:
    """Each node the night touched, as it leaves it."""
    return {each.node.id: each.node for each in plan.consolidated if each.node is not None}


def _stands(final: dict[str, Node], each: Consolidated) -> bool:
    """Whether what was added is not already replaced by the end of the night."""
    return each.node is not None and final[each.node.id].status is NodeStatus.CURRENT


def _line(node: Node, why: str = "") -> Line:
    times = f"said {len(node.notes)} times" if len(node.notes) > 1 else ""
    return Line(node.id, node.text, why or times)


def _moves(plan: Plan) -> tuple[tuple[str, str, int], ...]:
    moves = [change for change in plan.tiers if isinstance(change, TierChanged)]
    counted = Counter((change.before.value, change.after.value) for change in moves)
    return tuple((before, after, number) for (before, after), number in counted.items())
