"""What supersession and repetition do to a ranking, after its signals are summed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from dream.model.graph import Node
from dream.model.hit import Query, Ranked
from dream.recall.pool import Pool, first_said
from dream.recall.scoring import CROWD, Candidate
from dream.recall.standing import believed, is_stale


def outdated(
    scored: dict[str, Candidate],
    leading: Iterable[str],
    pool: Pool,
    query: Query,
    kin: Callable[[Node, Node], bool],
) -> dict[str, str | None]:
    """Candidates that are not believed, each with the id of the current node that replaced it, if any.

    A bare note whose node was replaced by one that speaks of something else is left as it is. Only the `leading`
    candidates are looked at.
    """
    gone: dict[str, str | None] = {}

    def holds(node: Node) -> bool:
        """A node that has gathered many sentences says too little about each of them to make one outdated."""
        return len(node.notes) > CROWD or believed(node, query, first_said(node, pool.cited))

    def replaced(node_id: str) -> bool:
        return node_id not in pool.successors or kin(pool.nodes[node_id], pool.successors[node_id])

    for key in leading:
        each = scored[key]
        if each.node is not None:
            if not believed(each.node, query, first_said(each.node, pool.cited)):
                gone[key] = _follower(filter(replaced, [key]), pool, scored)
        elif is_stale(each.notes[0], pool.citing.get(each.notes[0].id, ()), pool.nodes.get, holds):
            standing = [node_id for node_id in pool.citing[each.notes[0].id] if node_id in pool.nodes]
            kindred = [node_id for node_id in standing if replaced(node_id)]
            if kindred:
                gone[key] = _follower(kindred, pool, scored)
    return gone


def _follower(node_ids: Iterable[str], pool: Pool, scored: dict[str, Candidate]) -> str | None:
    followers = (pool.successors.get(node_id) for node_id in node_ids)
    return next((node.id for node in followers if node is not None and node.id in scored), None)


def adjust(ranked: list[Ranked], gone: dict[str, str | None], share: float, near: float) -> list[Ranked]:
    """Lower what is not believed, and put its successor where it would have stood.

    A successor that hardly fits the question itself replaces nothing here: either the question is about something else
    that the old sentence said, or the two were never one fact. What has no successor is lowered too.

    Args:
        share: of its score that an outdated candidate keeps.
        near: share of the outdated one's score that a successor must reach by itself.
    """
    own = {each.id: each.score for each in ranked}
    scores = dict(own)
    replaced = {key: other for key, other in gone.items() if other is not None and own[other] >= near * own[key]}
    for key, follower in replaced.items():
        scores[follower] = max(scores[follower], own[key])
    for key in gone:
        if key in replaced:
            scores[key] = min(own[key] * share, scores[replaced[key]] * 0.99)
        elif gone[key] is None:
            scores[key] = own[key] * share
    moved = []
    for each in ranked:
        change = scores[each.id] - each.score
        signals = (*each.signals, ("adjusted", change)) if abs(change) > 1e-12 else each.signals
        moved.append(dataclasses.replace(each, score=scores[each.id], signals=signals))
    return sorted(moved, key=lambda each: (-each.score, each.id))


def fold(ranked: list[Ranked], scored: dict[str, Candidate]) -> list[Ranked]:
    """Leave out a bare note that a node in the ranking cites, or that says word for word what a better one says."""
    cited = {note_id for each in ranked if (node := scored[each.id].node) is not None for note_id in node.notes}
    kept: dict[object, Ranked] = {}
    for each in ranked:
        candidate = scored[each.id]
        if candidate.node is not None:
            kept[each.id] = each
        elif candidate.notes[0].id not in cited:
            first = kept.setdefault(" ".join(candidate.notes[0].text.casefold().split()), each)
            if first is not each:
                scored[first.id].notes.extend(candidate.notes)
    return list(kept.values())
