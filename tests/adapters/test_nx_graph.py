"""The graph in RAM equals what the store would give it, however it was built; no pickle, no gpickle (B14)."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import dream.adapters.nx_graph as module
from dream.adapters.nx_graph import COMMON_ENTITY, ENTITY_WEIGHT, NxGraph
from dream.errors import DreamError
from dream.model import change as c
from dream.model import fold
from dream.model.graph import Edge, Hold, Node, NodeKind, NodeStatus, Relation, Tier
from dream.ports import NodeFilter
from dream.recall.activation import EdgeWalk, spread

NOW = "2026-01-12T08:00:00.000Z"


def node(name: str, **more: object) -> Node:
    return dataclasses.replace(Node(f"f-{name}", NodeKind.FACT, name, "p", ("n-1",), NOW, NOW), **more)  # type: ignore[arg-type]


def edge(one: str, other: str, weight: int = 80) -> Edge:
    return Edge(f"e-{one}{other}", f"f-{one}", Relation.USES, f"f-{other}", NOW, weight)


def entries(*changes: c.Change) -> list[c.Entry]:
    return [c.Entry(seq, "log", NOW, "", change) for seq, change in enumerate(changes)]


class Reader:
    def __init__(self, state: fold.State) -> None:
        self.state = state

    def node(self, node_id: str) -> Node | None:
        return self.state.node(node_id)

    def nodes(self, which: NodeFilter) -> list[Node]:
        return sorted(self.state.nodes.values(), key=lambda each: each.id)

    def edges(self, node_id: str) -> list[Edge]:
        return [each for each in self.state.edges.values() if node_id in (each.source, each.target)]

    def holds(self) -> list[Hold]:
        return []

    def standing(self) -> list[tuple[str, Tier, NodeStatus, tuple[str, ...]]]:
        return [(each.id, each.tier, each.status, each.entities) for each in self.state.nodes.values()]

    def ties(self) -> list[Edge]:
        return list(self.state.edges.values())


A, B, C, D = (node(name) for name in "abcd")
HISTORY = entries(
    *(c.NodeAdded(each) for each in (A, B, C, D)),
    c.EdgeAdded(edge("a", "b")),
    c.EdgeAdded(edge("b", "c", 40)),
    c.EdgeAdded(edge("c", "d")),
    c.EdgeRevised(edge("a", "b"), edge("a", "b", 90)),
    c.NodesMerged(C, D, node("c", text="cd"), ((edge("c", "d"), None),)),
    c.NodesUnmerged(8, C, D, node("c", text="cd"), ((edge("c", "d"), None),)),
    c.TierChanged("f-d", Tier.ACTIVE, Tier.DARK),
    c.NodeRevised(A, dataclasses.replace(A, entities=("léa",))),
    c.NodeRevised(B, dataclasses.replace(B, entities=("léa",))),
    c.EdgeWithdrawn(edge("b", "c", 40)),
    c.NodeForgotten("f-b", ()),
)


@pytest.mark.parametrize("length", range(len(HISTORY) + 1))
def test_b14_after_any_history_it_equals_the_graph_loaded_from_the_store(length: int) -> None:
    grown, loaded = NxGraph(), NxGraph()
    grown.apply(HISTORY[:length])
    loaded.load(Reader(fold.fold(HISTORY[:length])), length)
    assert grown.watermark() == loaded.watermark() == length
    for each in "abcd":
        assert grown.neighbours(f"f-{each}") == loaded.neighbours(f"f-{each}")


def test_entries_already_applied_are_skipped_and_a_gap_is_refused() -> None:
    graph = NxGraph()
    graph.apply(HISTORY[:6])
    graph.apply(HISTORY[:6])
    assert graph.neighbours("f-b") == {"f-a": 0.8, "f-c": 0.4}
    with pytest.raises(DreamError):
        graph.apply(HISTORY[8:])


def test_dark_and_superseded_nodes_are_held_but_not_walked() -> None:
    graph = NxGraph()
    gone = node("c", status=NodeStatus.SUPERSEDED)
    dark = node("b", tier=Tier.DARK)
    graph.apply(entries(*(c.NodeAdded(each) for each in (A, dark, gone)), c.EdgeAdded(edge("a", "b")),
                        c.EdgeAdded(edge("a", "c"))))  # fmt: skip
    assert graph.neighbours("f-a") == {}
    assert graph.neighbours("f-b") == {"f-a": 0.8}


def test_a_shared_rare_entity_ties_and_a_common_one_does_not() -> None:
    graph = NxGraph()
    graph.apply(entries(c.NodeAdded(node("a", entities=("léa",))), c.NodeAdded(node("b", entities=("léa",)))))
    assert graph.neighbours("f-a") == {"f-b": ENTITY_WEIGHT}
    crowd = [c.NodeAdded(node(f"x{number}", entities=("repo",))) for number in range(COMMON_ENTITY + 1)]
    graph.clear()
    graph.apply(entries(*crowd))
    assert graph.neighbours("f-x0") == {}


def test_an_invalidated_edge_is_not_walked() -> None:
    graph = NxGraph()
    ended = dataclasses.replace(edge("a", "b"), valid_to="2026-02-01")
    graph.apply(entries(c.NodeAdded(A), c.NodeAdded(B), c.EdgeAdded(ended)))
    assert graph.neighbours("f-a") == {}


def test_activation_fades_with_distance_and_ends_after_two_edges() -> None:
    graph = NxGraph()
    graph.apply(
        entries(
            *(c.NodeAdded(each) for each in (A, B, C, D)),
            *(c.EdgeAdded(edge(*pair, 100)) for pair in ("ab", "bc", "cd")),
        )
    )
    reached = spread({"f-a": 1.0}, graph)
    assert reached["f-b"] > reached["f-c"] > 0
    assert "f-d" not in reached


def test_the_walk_over_a_stores_edges_agrees_on_typed_edges() -> None:
    state = fold.fold(HISTORY[:8])
    graph = NxGraph()
    graph.load(Reader(state), 8)
    walk = EdgeWalk(Reader(state))
    assert all(walk.neighbours(f"f-{each}") == graph.neighbours(f"f-{each}") for each in "abcd")


def test_b14_nothing_of_the_graph_is_pickled() -> None:
    source = Path(module.__file__).read_text("utf-8")
    assert "pickle" not in source.replace("no pickle", "")
