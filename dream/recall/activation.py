"""Spreading activation: what stands near the good candidates in the graph is worth looking at too.

Activation starts at the candidates with their score, halves with each edge, is shared among the edges of a node (so
that a hub does not light up everything) and stops after two edges.
"""

from __future__ import annotations

from collections.abc import Mapping

from dream.ports import GraphReader, GraphWalk

DECAY = 0.5
HOPS = 2
QUIET = 0.01
"""Below this nothing is passed on."""


def spread(seeds: Mapping[str, float], walk: GraphWalk) -> dict[str, float]:
    """Activation in 0..1 that reaches each node from `seeds` (node id to score), beyond what it holds itself."""
    reached: dict[str, float] = {}
    front = {node_id: score for node_id, score in seeds.items() if score > QUIET}
    for _ in range(HOPS):
        following: dict[str, float] = {}
        for node_id, score in front.items():
            near = walk.neighbours(node_id)
            share = DECAY * score / max(1.0, len(near) ** 0.5)
            for other, weight in near.items():
                if share * weight > QUIET:
                    following[other] = max(following.get(other, 0.0), share * weight)
        for node_id, score in following.items():
            reached[node_id] = max(reached.get(node_id, 0.0), score)
        front = following
    return {node_id: min(1.0, score) for node_id, score in reached.items()}


class EdgeWalk:
    """Port `GraphWalk` straight from a store's edges: for a process that asks once and need not build the graph."""

    def __init__(self, reader: GraphReader) -> None:
        self._reader = reader

    def neighbours(self, node_id: str) -> Mapping[str, float]:
        weights: dict[str, float] = {}
        for edge in self._reader.edges(node_id):
            other = edge.target if edge.source == node_id else edge.source
            if edge.valid_to is None:
                weights[other] = max(weights.get(other, 0.0), min(1.0, max(0.0, edge.weight / 100)))
        return weights
