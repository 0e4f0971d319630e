"""Canary queries: the most important facts held before a night, each asked by its own words, must still be answered.

A fact is answered where it, or what took its place, is among the first five of what is held once the plan is carried
out. What took its place is the node at the end of its chain, or the words that took it back: where these do not speak
of what is asked, something else has pushed the fact out, and a person should look before it is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dream.model.change import Change, NodeAdded, NodeRevised, NodesMerged
from dream.model.frame import Frame, Sense, overlap
from dream.model.graph import Node, NodeStatus

MANY = 5
"""Facts that are asked each night."""
FIRST = 5
"""Places among which the answer must be."""
CANDIDATES = 60
"""Texts sharing a word with the question that it is ranked against."""
VALUE = 0.7
"""Weight of a shared value beside that of a rare word."""

Match = Callable[[str, int], Iterable[str]]
"""Ids of nodes (and of notes, which are passed over) that share a word with a text, best first."""
Read = Callable[[Node], Frame]


@dataclass(frozen=True, slots=True)
class Canary:
    """A fact held before the night and those that might be taken for its answer."""

    node: Node
    rivals: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class After:
    """What a plan leaves: nodes it adds or alters by id, and the words that took nodes back, by the id of these."""

    nodes: Mapping[str, Node]
    ends: Mapping[str, Node]


def canaries(held: Sequence[Node], match: Match, read: Read, spared: Iterable[str] = ()) -> list[Canary]:
    """The facts to ask, most important first; only those that are answered now.

    Args:
        held: current nodes; spared: ids of those a judge looks at again tonight, which may well go.
    """
    left_out = set(spared)
    current = {node.id: node for node in held}
    ranked = sorted(held, key=lambda node: (not node.pinned, not node.standing, -len(node.notes), -node.load, node.id))
    found: list[Canary] = []
    for node in ranked:
        if node.id in left_out:
            continue
        near = (current[each] for each in match(node.text, CANDIDATES) if each in current)
        rivals = tuple(each for each in near if each.id != node.id and each.project in (node.project, ""))
        if _answered(node, node, rivals, read):
            found.append(Canary(node, rivals))
        if len(found) == MANY:
            break
    return found


def after(changes: Iterable[Change], ends: Mapping[str, Node]) -> After:
    """What changes leave of the nodes they touch."""
    nodes: dict[str, Node] = {}
    for change in changes:
        if isinstance(change, NodeAdded):
            nodes[change.node.id] = change.node
        elif isinstance(change, NodeRevised):
            nodes[change.after.id] = change.after
        elif isinstance(change, NodesMerged):
            nodes[change.kept.id] = nodes[change.absorbed.id] = change.after
    return After(nodes, ends)


@dataclass(frozen=True, slots=True)
class Silenced:
    """A fact that would not be answered any more; `instead` is what would stand in its place, "" for nothing."""

    node: Node
    instead: str

    def __str__(self) -> str:
        instead = f" (in its place: “{self.instead}”)" if self.instead else ""
        return f"What is asked by “{self.node.text}” would not be answered any more{instead}."


def silenced(asked: Iterable[Canary], then: After, read: Read) -> list[Silenced]:
    """The facts that would not be answered any more."""
    found = []
    fresh = [node for node in then.nodes.values() if node.status is NodeStatus.CURRENT]
    for canary in asked:
        answer = _answer(canary.node, then)
        if answer == canary.node and not fresh:
            continue
        stood = [then.nodes.get(rival.id, rival) for rival in canary.rivals]
        near = [each for each in fresh if each.project in (canary.node.project, "")]
        rivals = {each.id: each for each in [*stood, *near] if each.status is NodeStatus.CURRENT}
        if answer is None or not _answered(canary.node, answer, rivals.values(), read):
            other = answer is not None and (answer.id, answer.text) != (canary.node.id, canary.node.text)
            found.append(Silenced(canary.node, answer.text if answer is not None and other else ""))
    return found


def _answer(node: Node, then: After) -> Node | None:
    """The node itself, or what stands at the end of the chain that replaced it, or the words that took it back."""
    seen: set[str] = set()
    now = then.nodes.get(node.id, node)
    while now.status is not NodeStatus.CURRENT and now.id not in seen:
        seen.add(now.id)
        if now.superseded_by is None or now.superseded_by not in then.nodes:
            return then.ends.get(now.id)
        now = then.nodes[now.superseded_by]
    return now if now.status is NodeStatus.CURRENT else None


def _answered(asked: Node, answer: Node, rivals: Iterable[Node], read: Read) -> bool:
    """Whether `answer` is among the first for the words of `asked`: less than so many rivals speak more of it.

    Values that an answer in its place has no more are not asked for: they are what changed.
    """
    frame, told = read(asked), read(answer)
    values = set(frame.values) if asked.id == answer.id else set(frame.values) & set(told.values)
    frames = {rival.id: read(rival) for rival in rivals if rival.id != answer.id}
    count: dict[str, int] = {}
    for other in frames.values():
        for word in {word for sense in other.topic for word in sense}:
            count[word] = count.get(word, 0) + 1

    def weight(sense: Sense) -> float:
        return 1 / (1 + max((count.get(word, 0) for word in sense), default=0))

    mine = _score(frame, values, told, weight)
    better = sum(_score(frame, values, other, weight) > mine for other in frames.values())
    return mine > 0 and better < FIRST


def _score(asked: Frame, values: set[str], told: Frame, weight: Callable[[Sense], float]) -> float:
    """How much of what is asked is told; what is told besides counts against it a little."""
    topic = overlap(asked.topic, told.topic, weight)
    shared = topic.shared + VALUE * len(values & set(told.values))
    whole = topic.shared + topic.mine + VALUE * len(values)
    return shared / (whole + 0.25 * topic.theirs) if whole else 0.0
