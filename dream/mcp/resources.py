"""`dream://` resources: the index, the nights, one node, one night. Text for reading, kept within the host's limit."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from dream.errors import DreamError
from dream.mcp.answers import LARGEST, cut, fitting, source, tie_found
from dream.mcp.opened import Store

NIGHTS_SHOWN = 60


class Resources:
    """The resources over one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def index(self) -> str:
        """What holds everywhere: the index that sessions are greeted with, as the last night wrote it."""
        with self._store.verbs() as (dream, _):
            path = dream.home.index / "MEMORY.md"
            text = path.read_text(encoding="utf-8") if path.is_file() else "No night has written an index yet.\n"
        return cut(text, LARGEST)[0]

    def nights(self) -> str:
        """Every night so far, newest first, as JSON."""
        with self._store.verbs() as (dream, _):
            past = [
                {**asdict(night), "counts": dict(night.record.counts) if night.record else {}}
                for night in dream.nights()
            ]
        return _text({"nights": past[::-1][:NIGHTS_SHOWN], "older": max(0, len(past) - NIGHTS_SHOWN)})

    def night(self, id: str) -> str:
        """The changelog of one night (`2026-11-30`, or `last`), in Markdown."""
        with self._store.verbs() as (dream, _):
            text = dream.changelog(id)
        return cut(text or "The changelog of that night is gone.\n", LARGEST)[0]

    def node(self, id: str) -> str:
        """One node (f-…) or note (n-…) with its sources, ties and history, as JSON."""
        with self._store.verbs() as (dream, care):
            told = dream.explain(id)
            sources_gone = sorted(dream.sessions_gone(told.notes))
            vitality = round(care.vitality(told.node).value, 4) if told.node is not None else None
        notes, notes_left_out = fitting([asdict(source(note)) for note in told.notes], LARGEST // 2)
        ties = [asdict(tie_found(edge, node, edge.source == told.id)) for edge, node in told.beside]
        beside, ties_left_out = fitting(ties, LARGEST // 4)
        history = [
            {"seq": entry.seq, "at": entry.at, "night": entry.night, "change": type(entry.change).__name__}
            for entry in told.history
        ]
        kept, history_left_out = fitting(history, LARGEST // 8)
        return _text(
            {
                "id": told.id,
                "node": None if told.node is None else asdict(told.node),
                "vitality": vitality,
                "notes": notes,
                "notes_gone": list(told.gone),
                "sources_gone": sources_gone,
                "ties": beside,
                "standing_on_it": [{"id": node.id, "text": node.text} for node in told.standing],
                "history": kept,
                "left_out": notes_left_out + ties_left_out + history_left_out,
            }
        )


RESOURCES: dict[str, tuple[str, str, str]] = {
    "dream://index": ("index", "The index", "text/markdown"),
    "dream://nights": ("nights", "The nights", "application/json"),
    "dream://night/{id}": ("night", "A night's changelog", "text/markdown"),
    "dream://node/{id}": ("node", "A node and what it stands on", "application/json"),
}
"""URI to method, title and media type."""


def sentence(error: DreamError) -> str:
    """An error as one line: what happened, then what to do."""
    return " ".join(part for part in (error.sentence, error.hint) if part)


def _text(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=1)
