"""The state as it would be within a commit: what a store holds, with the changes before this one on top."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dream.model.fold import Effect, Present, touching
from dream.model.graph import Edge, Hold, Node
from dream.model.note import Note


class Pending:
    """Answers as `fold.Present`; alters nothing below it."""

    def __init__(self, below: Present) -> None:
        self._below = below
        self._laid: dict[str, dict[str, Any]] = {}

    def take(self, told: Iterable[Effect]) -> None:
        """Lay the effects of a change on top."""
        for sort, key, value in told:
            self._laid.setdefault(sort, {})[key] = value

    def node(self, node_id: str) -> Node | None:
        laid: dict[str, Node | None] = self._laid.get("node", {})
        return laid[node_id] if node_id in laid else self._below.node(node_id)

    def edge(self, edge_id: str) -> Edge | None:
        laid: dict[str, Edge | None] = self._laid.get("edge", {})
        return laid[edge_id] if edge_id in laid else self._below.edge(edge_id)

    def note(self, note_id: str) -> Note | None:
        laid: dict[str, Note | None] = self._laid.get("note", {})
        return laid[note_id] if note_id in laid else self._below.note(note_id)

    def hold(self, hold_id: str) -> Hold | None:
        laid: dict[str, Hold | None] = self._laid.get("hold", {})
        return laid[hold_id] if hold_id in laid else self._below.hold(hold_id)

    def touching(self, node_id: str) -> list[Edge]:
        laid: dict[str, Edge | None] = self._laid.get("edge", {})
        below = [edge for edge in self._below.touching(node_id) if edge.id not in laid]
        return touching([*below, *(edge for edge in laid.values() if edge is not None)], node_id)
