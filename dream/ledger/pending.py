"""The state as it would be within a commit: what a store holds, with the changes before this one on top."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dream.model.fold import Effect, Present, touching
from dream.model.graph import Edge, Hold, Node
from dream.model.note import Note


class Pending:
    """Answers as `fold.Present`; alters nothing below it, which must stay as it is meanwhile or be checked again."""

    def __init__(self, below: Present) -> None:
        self._below = below
        self._laid: dict[str, dict[str, Any]] = {}
        self._read: dict[str, dict[str, Any]] = {}

    def take(self, told: Iterable[Effect]) -> None:
        """Lay the effects of a change on top."""
        for sort, key, value in told:
            self._laid.setdefault(sort, {})[key] = value

    def node(self, node_id: str) -> Node | None:
        found: Node | None = self._look("node", node_id, self._below.node)
        return found

    def edge(self, edge_id: str) -> Edge | None:
        found: Edge | None = self._look("edge", edge_id, self._below.edge)
        return found

    def note(self, note_id: str) -> Note | None:
        found: Note | None = self._look("note", note_id, self._below.note)
        return found

    def hold(self, hold_id: str) -> Hold | None:
        found: Hold | None = self._look("hold", hold_id, self._below.hold)
        return found

    def _look(self, sort: str, key: str, below: Callable[[str], Any]) -> Any:
        """What was laid on top, else what is below; that is read once."""
        laid, read = self._laid.get(sort, {}), self._read.setdefault(sort, {})
        if key in laid:
            return laid[key]
        if key not in read:
            read[key] = below(key)
        return read[key]

    def touching(self, node_id: str) -> list[Edge]:
        laid: dict[str, Edge | None] = self._laid.get("edge", {})
        below = [edge for edge in self._below.touching(node_id) if edge.id not in laid]
        return touching([*below, *(edge for edge in laid.values() if edge is not None)], node_id)
