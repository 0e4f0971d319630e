"""The garden's verbs: what grows, grow from a node now, settle what is due now. Nothing of it is recalled as fact."""

from __future__ import annotations

from dataclasses import dataclass

from dream.api_health import Vigil
from dream.cycle.gardening import soil
from dream.cycle.judges import gardener
from dream.errors import Conflict, NodeNotFound
from dream.garden.growing import from_error
from dream.garden.settling import settle_all
from dream.health.mode import forbid
from dream.house import House
from dream.model.branch import Branch, BranchStatus
from dream.model.change import BranchGrown
from dream.model.graph import Node, NodeStatus
from dream.ports import NodeFilter


@dataclass(frozen=True, slots=True)
class Grown:
    """A branch with the node it grows from; None where that was forgotten."""

    branch: Branch
    root: Node | None


class Garden:
    """Verbs over one opened house."""

    def __init__(self, house: House) -> None:
        self._house = house

    def branches(self, status: BranchStatus | None = None) -> list[Grown]:
        """All branches, those that settle next first; only those of one status where it is given."""
        found = [each for each in self._house.store.branches() if status is None or each.status is status]
        ordered = sorted(found, key=lambda each: (each.status is not BranchStatus.GROWING, each.settles_at, each.id))
        return [Grown(each, self._house.store.node(each.root)) for each in ordered]

    def grow(self, node_id: str) -> list[Branch]:
        """Two or three branches from a node, by the garden's model where it has earned trust, else by rules.

        Raises:
            NodeNotFound: there is no such current node.
            Conflict: it has branches already.
            ModeForbids: the mode grows nothing.
        """
        house = self._house
        standing = Vigil(house).standing()
        if not standing.allows.garden:
            raise forbid(standing, "grow branches")
        root = house.store.node(node_id)
        if root is None or root.status is not NodeStatus.CURRENT:
            raise NodeNotFound(f"There is no current node {node_id!r}.", "`dream search` finds ids.")
        if any(each.root == node_id for each in house.store.branches()):
            raise Conflict(f"Node {node_id} has branches already.", "`dream garden list` shows them.")
        grown = from_error(root, house.store.nodes(NodeFilter()), soil(house, house.clock.now(), gardener(house)))
        house.ledger.commit([BranchGrown(each) for each in grown])
        return grown

    def branch(self, branch_id: str) -> Branch:
        """One branch, settled first where it is due.

        Raises:
            NodeNotFound: there is no such branch; one that was pruned is only in the ledger.
        """
        self.settle()
        found = next((each for each in self._house.store.branches() if each.id == branch_id), None)
        if found is None:
            raise NodeNotFound(f"There is no branch {branch_id[:80]!r}.", "`dream garden list` shows what grows.")
        return found

    def settle(self) -> list[Branch]:
        """Hold what is due against what happened; the branches that changed."""
        house = self._house
        due = settle_all(
            house.store.branches(), house.store, (), house.store.node, house.frames, house.zone, house.clock.now()
        )
        if due.changes:
            house.ledger.commit(list(due.changes))
        return list(due.branches)
