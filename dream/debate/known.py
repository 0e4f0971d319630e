"""What is held now, ready to be compared with what is new: nodes with the frames of all that was said for them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dream.debate.frames import FrameReader
from dream.model.frame import Frame, Sense, overlap
from dream.model.graph import Node
from dream.model.identity import DISTINCT, Kinship, Relation, holds_over, relate
from dream.model.note import Note

FRAMES = 6
"""Statements of a node that are compared, its own text included; the newest count."""

UNSAID = frozenset({"chatter", "question", "task"})
"""Signals of notes that witness a node without stating it (a yes, the question it answers)."""

_RANK = {Kinship.SAME: 2, Kinship.SUPERSEDES: 3, Kinship.RETRACTS: 3, Kinship.CONTRADICTS: 1, Kinship.DISTINCT: 0}


@dataclass(frozen=True, slots=True)
class Kin:
    """A held node and what the new statement is to it."""

    node: Node
    relation: Relation


def statements(node: Node, notes: Iterable[Note], reader: FrameReader, zone: str) -> list[Frame]:
    """The frames of all that was said for a node: of each note it cites that states it, and of its own text."""
    found: list[Frame] = []
    signals: set[str] = set()
    for note in notes:
        if not UNSAID & set(note.signals):
            found.append(reader.read_said(note.text, note.at, zone, note.signals))
            signals |= set(note.signals)
    found.append(reader.read_said(node.text, node.evidence_at, zone, sorted(signals)))
    return [frame for frame in found if frame.topic or frame.values]


class Known:
    """Current nodes by what they speak of. Grows as a night adds to it."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._frames: dict[str, list[Frame]] = {}
        self._by_mark: dict[str, set[str]] = {}
        self._count: Counter[str] = Counter()

    def put(self, node: Node, frames: Iterable[Frame]) -> None:
        """Hold `node` with the frames of its statements, newest last; replaces what was held under its id."""
        self.drop(node.id)
        kept = list(frames)[-FRAMES:]
        self._nodes[node.id] = node
        self._frames[node.id] = kept
        for mark in _marks(kept):
            self._by_mark.setdefault(mark, set()).add(node.id)
            self._count[mark] += 1

    def drop(self, node_id: str) -> None:
        """Hold it no longer (superseded, retracted)."""
        if node_id not in self._nodes:
            return
        del self._nodes[node_id]
        for mark in _marks(self._frames.pop(node_id)):
            self._by_mark[mark].discard(node_id)
            self._count[mark] -= 1

    def frames(self, node_id: str) -> list[Frame]:
        return self._frames.get(node_id, [])

    def node(self, node_id: str) -> Node | None:
        return self._nodes.get(node_id)

    def held(self, project: str) -> Iterator[tuple[Node, list[Frame]]]:
        """What is held in a project, or everywhere, with the frames of its statements, by id."""
        for node_id in sorted(self._nodes):
            if self._nodes[node_id].project in (project, ""):
                yield self._nodes[node_id], self._frames[node_id]

    def weight(self, sense: Sense) -> float:
        """How telling a sense is among what is held: 1 where nothing speaks of it, at least 0.2."""
        held = max((self._count[word] for word in sense if not word.startswith(("#", "~"))), default=0)
        size = len(self._nodes) + 2
        return max(0.2, math.log(size / (held + 1)) / math.log(size))

    def familiar(self, frame: Frame) -> int:
        """Percent of its topic that something held speaks of too."""
        if not frame.topic:
            return 0
        return 100 * sum(any(self._count[mark] > 0 for mark in sense) for sense in frame.topic) // len(frame.topic)

    def kin(self, frame: Frame, project: str, said_at: str) -> list[Kin]:
        """Held nodes of the project (or of everywhere) that `frame` has to do with, closest first.

        A node said again since `said_at` is the newer of the two: `SUPERSEDES` then means that it replaced the frame.
        """
        near = {node_id for mark in _marks([frame]) for node_id in self._by_mark.get(mark, ())}
        found = []
        for node_id in sorted(near):
            node = self._nodes[node_id]
            if node.project not in (project, ""):
                continue
            relation = self._closest(frame, self._frames[node_id], node.evidence_at > said_at)
            if relation.kinship is not Kinship.DISTINCT:
                found.append(Kin(node, relation))
        return sorted(found, key=lambda kin: (-kin.relation.strength, kin.node.id))

    def copies(self, node: Node, new: Frame) -> list[Node]:
        """Other held nodes of its project that say the same as `node`, or of its subject what is said to be over.

        For when `node` is replaced: a fact that was never merged with its repeats goes with them.
        """
        frames = self._frames.get(node.id, [])
        near = {other for mark in _marks(frames) for other in self._by_mark.get(mark, ())} - {node.id}
        return [
            self._nodes[key]
            for key in sorted(near)
            if self._nodes[key].project in (node.project, "") and self._says(frames, self._frames[key], new)
        ]

    def _says(self, frames: list[Frame], others: list[Frame], new: Frame) -> bool:
        for frame in frames:
            for other in others:
                if relate(other, frame, self.weight).kinship is Kinship.SAME:
                    return True
                over = holds_over(new, other)
                named = over in other.codes or any(over in name for name in other.names)
                if named and overlap(frame.topic, other.topic, self.weight).count:
                    return True
        return False

    def _closest(self, frame: Frame, held: list[Frame], newer: bool) -> Relation:
        """The relation to a node: being the same outranks replacing, unless the sentence names what is over."""
        pairs = [(other, frame) if newer else (frame, other) for other in held]
        relations = [relate(late, early, self.weight, self._count.__getitem__) for late, early in pairs]
        same = [relation for relation in relations if relation.kinship is Kinship.SAME]
        told = [r for r in relations if r.kinship in (Kinship.SUPERSEDES, Kinship.RETRACTS)]
        if same and not any(relation.strength >= 0.75 for relation in told):
            return max(same, key=lambda relation: relation.strength)
        return max(relations, key=lambda r: (_RANK[r.kinship], r.strength), default=DISTINCT)


def _marks(frames: Iterable[Frame]) -> set[str]:
    marks: set[str] = set()
    for frame in frames:
        for sense in frame.topic:
            marks |= sense
        marks |= {word for name in frame.names for word in name} | frame.codes | frame.days | frame.gone
        marks |= {figure.amount for figure in frame.figures}
    return marks
