"""Nodes and edges as GraphML, by networkx, for other tools (yEd, Gephi, Cytoscape)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import networkx as nx

from dream.model.codec import to_plain
from dream.model.graph import Edge, Node


def write_graphml(path: Path, nodes: Iterable[Node], edges: Iterable[Edge]) -> None:
    """Write one directed graph; lists become text joined by ` | `, since GraphML knows none."""
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    for node in nodes:
        graph.add_node(node.id, label=node.text, **_flat(node))
    for edge in edges:
        graph.add_edge(edge.source, edge.target, key=edge.id, label=edge.relation.value, **_flat(edge))
    nx.write_graphml(graph, path, infer_numeric_types=True)


def _flat(value: Node | Edge) -> dict[str, str | int | bool]:
    plain = {name: part for name, part in to_plain(value).items() if name not in {"id", "source", "target"}}
    return {name: " | ".join(part) if isinstance(part, list) else part for name, part in plain.items()}
