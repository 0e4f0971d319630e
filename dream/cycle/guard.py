"""The canaries of a night: who would silence one is held for a person; what silences one all the same stops the night.

The facts are chosen from what was held before; the night's plan is held against them, and a statement by which one
would go unanswered is planned again as one that waits. If a fact is still not answered then, the gate refuses the plan.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from dream.cycle.canaries import Canary, Silenced, after, canaries, silenced
from dream.cycle.consolidate import Consolidated, Outcome
from dream.house import House
from dream.model.change import Change, NodeRevised
from dream.model.frame import Frame
from dream.model.graph import Node


class Guard:
    """A few queries derived from `before`, asked again of every plan it is shown.

    Args:
        before: current nodes before the night.
        bench: changes that the judge made on its own; a node it looked at again may well go.
    """

    def __init__(self, house: House, before: Sequence[Node], bench: Sequence[Change]) -> None:
        self._house = house
        self._bench = list(bench)
        self._frames: dict[tuple[str, str], Frame] = {}
        spared = [change.before.id for change in bench if isinstance(change, NodeRevised)]
        self.asked: list[Canary] = canaries(before, house.store.match, self._read, spared)

    def silenced(self, done: Sequence[Consolidated]) -> list[Silenced]:
        """The facts that the plan would leave unanswered."""
        changes = [*self._bench, *(change for each in done for change in each.changes)]
        ends = {
            node.id: dataclasses.replace(node, text=each.cluster.text)
            for each in done
            if each.outcome is Outcome.RETRACTED
            for node in each.closed
        }
        return silenced(self.asked, after(changes, ends), self._read)

    def _read(self, node: Node) -> Frame:
        key = (node.id, node.text)
        if key not in self._frames:
            self._frames[key] = self._house.frames.read_said(node.text, node.evidence_at, self._house.zone)
        return self._frames[key]


def doubted(silent: Sequence[Silenced], done: Sequence[Consolidated]) -> dict[str, str]:
    """By cluster id, why it should wait for a person: it closes or rewords a fact that then goes unanswered."""
    found: dict[str, str] = {}
    for each in done:
        for change in each.changes:
            for lost in silent:
                if isinstance(change, NodeRevised) and change.before.id == lost.node.id:
                    found[each.cluster.id] = f"it would silence “{lost.node.text}”, of which it says nothing"
    return found
