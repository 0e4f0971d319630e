"""The graph in RAM, on NetworkX: a projection for spreading activation. Nothing is read from or written to disk (B14).

1. Built from the log's entries, or at once from a store that has applied them (`load`).
2. Nodes below active, and those no longer current, are held but not walked: they are found by their words alone.
3. Besides typed edges, nodes that name the same rare entity are neighbours; an entity of many nodes ties nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence

import networkx as nx

from dream.errors import DreamError
from dream.model import change as c
from dream.model.graph import Edge, Node, NodeStatus, Tier
from dream.ports import GraphReader, NodeFilter

WALKED = (Tier.HOT, Tier.ACTIVE)
COMMON_ENTITY = 30
"""Nodes an entity may tie; above that it says as little as a stop word."""
ENTITY_WEIGHT = 0.5


class NxGraph:
    """Ports `GraphWalk` and `Projection`."""

    def __init__(self) -> None:
        self._graph = nx.MultiGraph()
        self._by_entity: dict[str, set[str]] = {}
        self._near: dict[str, dict[str, float]] = {}  # what was asked before; empty once anything changes
        self._watermark = 0

    def load(self, reader: GraphReader, watermark: int) -> None:
        """Take all nodes and edges from a store that stands at `watermark`."""
        self.clear()
        gc.unfreeze()
        nodes = reader.nodes(NodeFilter(statuses=None))
        for node in nodes:
            self._put_node(node)
        for edge in {edge.id: edge for node in nodes for edge in reader.edges(node.id)}.values():
            self._put_edge(edge)
        self._watermark = watermark
        gc.freeze()  # thousands of objects that stay: each full collection walked them, in the middle of a search

    def neighbours(self, node_id: str) -> Mapping[str, float]:
        """Walked nodes one edge away, with the weight of the strongest tie in 0..1; an unknown node has none."""
        if node_id not in self._graph:
            return {}
        if node_id not in self._near:
            self._near[node_id] = self._weighed(node_id)
        return self._near[node_id]

    def _weighed(self, node_id: str) -> dict[str, float]:
        weights: dict[str, float] = {}
        for other, ties in self._graph.adj[node_id].items():
            if self._walked(other):
                live = [tie["edge"].weight for tie in ties.values() if tie["edge"].valid_to is None]
                if live:
                    weights[other] = min(1.0, max(0.0, max(live) / 100))
        for entity in self._graph.nodes[node_id]["node"].entities:
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
        self._by_entity = {}
        self._near = {}
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
                self._graph.nodes[node_id]["tier"] = tier
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
        held = self._graph.nodes[node_id]
        return held["tier"] in WALKED and held["node"].status is NodeStatus.CURRENT

    def _put_node(self, node: Node) -> None:
        if node.id in self._graph:
            self._forget_entities(node.id)
        self._graph.add_node(node.id, node=node, tier=node.tier)
        for entity in node.entities:
            self._by_entity.setdefault(entity, set()).add(node.id)

    def _drop_node(self, node_id: str) -> None:
        if node_id in self._graph:
            self._forget_entities(node_id)
            self._graph.remove_node(node_id)

    def _forget_entities(self, node_id: str) -> None:
        for entity in self._graph.nodes[node_id]["node"].entities:
            self._by_entity[entity].discard(node_id)

    def _put_edge(self, edge: Edge) -> None:
        self._drop_edge(edge)
        self._graph.add_edge(edge.source, edge.target, key=edge.id, edge=edge)

    def _drop_edge(self, edge: Edge) -> None:
        if self._graph.has_edge(edge.source, edge.target, key=edge.id):
            self._graph.remove_edge(edge.source, edge.target, key=edge.id)
