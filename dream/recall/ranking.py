"""What supersession and repetition do to a ranking, after its signals are summed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from dream.model.graph import Node
from dream.model.hit import Query, Ranked
from dream.recall.cues import LABEL
from dream.recall.node_score import CROWD
from dream.recall.pool import Pool, first_said
from dream.recall.scoring import Candidate
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


SPEAKS = 0.4
"""What a successor must have of the outdated one's fit in words and meaning, or share of its terms, to take its place.

Context and session are the same for many turns; without this a successor stood in for what it does not speak of.
"""


def speaks(
    scored: Mapping[str, Candidate], likeness: Callable[[str, str], float], weights: Mapping[str, float]
) -> Callable[[str, str], bool]:
    """Whether a successor (second) speaks of what an outdated candidate (first) answers the question with."""

    def fit(key: str) -> float:
        signals = scored[key].signals
        return sum(weights[name] * signals.get(name, 0.0) for name in ("lexical", "dense"))

    def test(old: str, new: str) -> bool:
        if fit(new) >= SPEAKS * fit(old):
            return True
        one, other = (LABEL.sub("", _said(scored[key]), count=1) for key in (old, new))
        return likeness(one, other) >= SPEAKS

    return test


def _said(candidate: Candidate) -> str:
    return candidate.node.text if candidate.node else candidate.notes[0].text


def adjust(
    ranked: list[Ranked], gone: dict[str, str | None], share: float, near: float, speaks: Callable[[str, str], bool]
) -> list[Ranked]:
    """Put the successor of what is not believed where it would have stood, and the outdated one below it.

    A successor that hardly fits the question itself replaces nothing here: either the question is about something else
    that the old sentence said, or the two were never one fact.

    Args:
        share: of its score that a candidate without successor keeps.
        near: share of the outdated one's score that a successor must reach by itself.
        speaks: whether the second id speaks of what the first answers with.
    """
    own = {each.id: each.score for each in ranked}
    scores = dict(own)
    replaced = {
        key: other
        for key, other in gone.items()
        if other is not None and own[other] >= near * own[key] and speaks(key, other)
    }
    for key, follower in replaced.items():
        scores[follower] = max(scores[follower], own[key])
    for key in gone:
        if key in replaced:
            scores[key] = min(own[key], scores[replaced[key]] * 0.99)
        elif gone[key] is None:
            scores[key] = own[key] * share
    moved = []
    for each in ranked:
        change = scores[each.id] - each.score
        if change:
            signals = (*each.signals, ("adjusted", change)) if abs(change) > 1e-12 else each.signals
            each = dataclasses.replace(each, score=scores[each.id], signals=signals)
        moved.append(each)
    return sorted(moved, key=lambda each: (-each.score, each.id))


def fold(ranked: list[Ranked], scored: dict[str, Candidate]) -> list[Ranked]:
    """Leave out a bare note that a better node names as its source, and what better hits have said word for word.

    A turn whose best sentence was said before (`Thanks!`) is shown by its next one.
    """
    named: set[str] = set()
    kept: list[Ranked] = []
    said: dict[str, Candidate] = {}
    for each in ranked:
        candidate = scored[each.id]
        if candidate.node is not None:
            named.update(note.id for note in candidate.notes)
            kept.append(each)
        elif candidate.notes[0].id not in named:
            fresh = next((note for note in candidate.notes if _plain(note.text) not in said), None)
            if fresh is None:
                said[_plain(candidate.notes[0].text)].notes.extend(candidate.notes)
                continue
            candidate.notes.sort(key=lambda note: note is not fresh)
            said[_plain(fresh.text)] = candidate
            kept.append(each)
    return kept


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
