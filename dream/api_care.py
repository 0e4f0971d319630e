"""The verbs of care: what a node is tied to, how alive it is, and the mode; beside `dream.api` for who needs them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from dream.api_garden import Garden
from dream.api_health import Vigil
from dream.errors import NodeNotFound, UsageError
from dream.health.mode import Standing
from dream.model.change import NodeRevised
from dream.model.graph import Edge, Node, Relation
from dream.model.vitality import Vitality, contradicting, vitality

WIDEST = 100
"""Hundredths by which a person may correct a vitality, up or down."""


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge of a node, with the node at its other end; `outward` where the edge starts at the node asked for."""

    edge: Edge
    other: Node
    outward: bool


class Care(Vigil):
    """Verbs over one opened house."""

    @property
    def garden(self) -> Garden:
        """The verbs of the counterfactual garden."""
        return Garden(self._house)

    @property
    def zone(self) -> str:
        """IANA name of the zone in which nights are counted."""
        return self._house.zone

    @property
    def now(self) -> str:
        """The present instant."""
        return self._house.clock.now()

    def ties(self, node_id: str, relation: str | None = None, direction: str = "both") -> list[Tie]:
        """What a node is tied to, in the order the store has it.

        Args:
            relation: only edges that say this; None is any.
            direction: out (from the node), in (to it), both.

        Raises:
            NodeNotFound: there is no such node.
            UsageError: a relation or a direction that does not exist.
        """
        if direction not in {"out", "in", "both"}:
            raise UsageError(f"{direction!r} is no direction.", "Directions: out, in, both.")
        wanted = None if relation is None else _relation(relation)
        self.node(node_id)
        found = []
        for edge in self._house.store.edges(node_id):
            outward = edge.source == node_id
            if wanted not in {None, edge.relation} or direction not in {"both", "out" if outward else "in"}:
                continue
            other = self._house.store.node(edge.target if outward else edge.source)
            if other is not None:
                found.append(Tie(edge, other, outward))
        return found

    def adjust(self, node_id: str, hundredths: int | None = None, pinned: bool | None = None) -> Node:
        """Correct a node's vitality, or keep it at hand; what is given replaces what stood there.

        Args:
            hundredths: added to the formula's score from now on, -100 to 100; 0 takes a correction away.

        Raises:
            NodeNotFound: there is no such node.
            UsageError: nothing to alter, or a figure out of range.
            ModeForbids: the mode only reads.
        """
        self.require_writes("alter a vitality")
        if hundredths is None and pinned is None:
            raise UsageError("There is nothing to alter.", "Give adjust, pinned, or both.")
        if hundredths is not None and abs(hundredths) > WIDEST:
            raise UsageError(f"{hundredths} is out of range.", "Give hundredths from -100 to 100.")
        before = self.node(node_id)
        after = dataclasses.replace(
            before,
            adjust=before.adjust if hundredths is None else hundredths,
            pinned=before.pinned if pinned is None else pinned,
        )
        if after != before:
            self._house.ledger.commit([NodeRevised(before, after)])
        return after

    def vitality(self, node: Node) -> Vitality:
        """How alive a node is now, by age and contradictions (goal and uses belong to a search)."""
        edges = contradicting(node.id, self._house.store.edges(node.id))
        return vitality(node, self._house.clock.now(), contradictions=[edge.confidence for edge in edges])

    def mode(self) -> Standing:
        """The mode in force."""
        return self.standing()

    def set_mode(self, name: str, why: str = "", hours: float | None = None) -> Standing:
        """Pin a mode for some hours (24 where nobody says); AUTO lifts the pin.

        Raises:
            UsageError: there is no such mode, or the time is none.
        """
        return self.pin_mode(name, why, hours)

    def node(self, node_id: str) -> Node:
        """A node by its id.

        Raises:
            NodeNotFound: there is no such node.
        """
        found = self._house.store.node(node_id)
        if found is None:
            raise NodeNotFound(f"There is no node {node_id!r}.", "`search_semantic` or `dream search` finds ids.")
        return found


def _relation(name: str) -> Relation:
    try:
        return Relation(name)
    except ValueError as error:
        raise UsageError(f"{name!r} is no relation.", f"Relations: {', '.join(Relation)}.") from error
