"""The graph in RAM, on NetworkX: a projection for spreading activation. Nothing is read from or written to disk (B14).

1. Built from the log's entries, or at once from a store that has applied them (`load`).
2. Of a node its standing and its entities are held, of an edge its weight; NetworkX holds the nodes that have edges.
   Nodes below active, and those no longer current, are held but not walked: they are found by their words alone.
3. Besides typed edges, nodes that name the same rare entity are neighbours; an entity of many nodes ties nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import networkx as nx

from dream.errors import DreamError
from dream.model import change as c
from dream.model.graph import Edge, Node, NodeStatus, Tier

WALKED = (Tier.HOT, Tier.ACTIVE)
COMMON_ENTITY = 30
"""Nodes an entity may tie; above that it says as little as a stop word."""
ENTITY_WEIGHT = 0.5


class Ties(Protocol):
    """A store, as far as the graph reads it."""

    def standing(self) -> Iterable[tuple[str, Tier, NodeStatus, tuple[str, ...]]]:
        """Id, tier, status and entities of every node."""
        ...

    def ties(self) -> Iterable[Edge]:
        """Every edge."""
        ...


class NxGraph:
    """Ports `GraphWalk` and `Projection`."""

    def __init__(self) -> None:
        self.clear()

    def load(self, store: Ties, watermark: int) -> None:
        """Take all nodes and edges from a store that stands at `watermark`."""
        self.clear()
        gc.unfreeze()
        for node_id, tier, status, entities in store.standing():
            self._put(node_id, tier, status, entities)
        for edge in store.ties():
            self._put_edge(edge)
        self._watermark = watermark
        gc.freeze()  # thousands of objects that stay: each full collection walked them, in the middle of a search

    def neighbours(self, node_id: str) -> Mapping[str, float]:
        """Walked nodes one edge away, with the weight of the strongest tie in 0..1; an unknown node has none."""
        if node_id not in self._graph and node_id not in self._entities:
            return {}
        if node_id not in self._near:
            self._near[node_id] = self._weighed(node_id)
        return self._near[node_id]

    def _weighed(self, node_id: str) -> dict[str, float]:
        weights: dict[str, float] = {}
        for other, ties in self._graph.adj[node_id].items() if node_id in self._graph else ():
            if self._walked(other):
                live = [tie["weight"] for tie in ties.values() if tie["live"]]
                if live:
                    weights[other] = min(1.0, max(0.0, max(live) / 100))
        for entity in self._entities.get(node_id, ()):
            named = self._by_entity.get(entity, set())
            if len(named) <= COMMON_ENTITY:
                for other in named - {node_id}:
                    if self._walked(other):
                        weights[other] = max(weights.get(other, 0.0), ENTITY_WEIGHT)
        return weights

    def apply(self, entries: Sequence[c.Entry]) -> None:
        """Take in entries in their order; those already applied are skipped.

        Raises:
            DreamError: an entry is missing before the first of these.
        """
        for entry in entries:
            if entry.seq < self._watermark:
                continue
            if entry.seq > self._watermark:
                raise DreamError(f"The graph has seen entries up to {self._watermark}, the next is {entry.seq}.")
            if entry.change is not None:
                self._apply(entry.change)
            self._watermark = entry.seq + 1

    def watermark(self) -> int:
        """Seq of the next entry it has not seen."""
        return self._watermark

    def clear(self) -> None:
        """Forget everything."""
        self._graph = nx.MultiGraph()
        self._standing: dict[str, tuple[Tier, NodeStatus]] = {}
        self._entities: dict[str, tuple[str, ...]] = {}
        self._by_entity: dict[str, set[str]] = {}
        self._near: dict[str, dict[str, float]] = {}  # what was asked before; empty once anything changes
        self._watermark = 0

    def _apply(self, change: c.Change) -> None:
        self._near.clear()
        match change:
            case c.NodeAdded(node=node) | c.NodeRevised(after=node):
                self._put_node(node)
            case c.NodeWithdrawn(node=node):
                self._drop_node(node.id)
            case c.NodeForgotten(node=node_id):
                self._drop_node(node_id)
            case c.EdgeAdded(edge=edge) | c.EdgeRevised(after=edge):
                self._put_edge(edge)
            case c.EdgeWithdrawn(edge=edge):
                self._drop_edge(edge)
            case c.TierChanged(node=node_id, after=tier):
                self._standing[node_id] = (tier, self._standing[node_id][1])
            case c.NodesMerged(absorbed=absorbed, after=after, edges=edges):
                self._put_node(after)
                self._retie(edges)
                self._drop_node(absorbed.id)
            case c.NodesUnmerged(kept=kept, absorbed=absorbed, edges=edges):
                self._put_node(kept)
                self._put_node(absorbed)
                self._retie(tuple((new, old) for old, new in edges if new is not None))
                for old, _ in edges:
                    self._put_edge(old)
            case _:
                pass  # notes, holds, debates and nights are not in the graph

    def _retie(self, edges: Sequence[tuple[Edge, Edge | None]]) -> None:
        for old, new in edges:
            self._drop_edge(old)
            if new is not None:
                self._put_edge(new)

    def _walked(self, node_id: str) -> bool:
        tier, status = self._standing[node_id]
        return tier in WALKED and status is NodeStatus.CURRENT

    def _put_node(self, node: Node) -> None:
        self._put(node.id, node.tier, node.status, node.entities)

    def _put(self, node_id: str, tier: Tier, status: NodeStatus, entities: tuple[str, ...]) -> None:
        self._forget_entities(node_id)
        self._standing[node_id] = (tier, status)
        if entities:
            self._entities[node_id] = entities
        for entity in entities:
            self._by_entity.setdefault(entity, set()).add(node_id)

    def _drop_node(self, node_id: str) -> None:
        self._forget_entities(node_id)
        self._standing.pop(node_id, None)
        if node_id in self._graph:
            self._graph.remove_node(node_id)

    def _forget_entities(self, node_id: str) -> None:
        for entity in self._entities.pop(node_id, ()):
            self._by_entity[entity].discard(node_id)

    def _put_edge(self, edge: Edge) -> None:
        self._drop_edge(edge)
        live = edge.valid_to is None
        self._graph.add_edge(edge.source, edge.target, key=edge.id, weight=edge.weight, live=live)

    def _drop_edge(self, edge: Edge) -> None:
        if self._graph.has_edge(edge.source, edge.target, key=edge.id):
            self._graph.remove_edge(edge.source, edge.target, key=edge.id)
