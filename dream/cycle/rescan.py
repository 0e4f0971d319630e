"""After a rule is added: which texts of the store hold what it would have taken out.

Promises to find, not to alter: what it names goes through `forget`'s path, the only one that reaches the log's bodies,
and comes back clean. A text that the rules leave as it is, and so every text already cleaned by them, is not named.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from dream.capture.redact import redact
from dream.model.graph import Node
from dream.model.note import Note


@dataclass(frozen=True, slots=True)
class Stained:
    """Texts that hold a secret, each as it is and as it should be.

    Attributes:
        counts: what was found, by kind.
    """

    notes: tuple[tuple[Note, Note], ...] = ()
    nodes: tuple[tuple[Node, Node], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


def rescan(
    notes: Iterable[Note],
    nodes: Iterable[Node],
    key: bytes | None,
    denied: Callable[[str], bool] = lambda text: False,
) -> Stained:
    """Read every text again under the rules of today.

    Args:
        key: of the tags, as everywhere in this home.
        denied: whether a text must never be stored: one that must not comes back empty.
    """
    counts: Counter[str] = Counter()

    def clean(text: str) -> str:
        if denied(text):
            counts["denied"] += 1
            return ""
        left, found = redact(text, key)
        counts.update(found)
        return left

    stained_notes = [(note, left) for note in notes if (left := clean(note.text)) != note.text]
    stained_nodes = [(node, left) for node in nodes if (left := clean(node.text)) != node.text]
    return Stained(
        tuple((note, dataclasses.replace(note, text=left)) for note, left in stained_notes),
        tuple((node, _without(node, left)) for node, left in stained_nodes),
        dict(counts),
    )


def _without(node: Node, text: str) -> Node:
    """The node with its clean text, and of its values and names those that still stand in it."""
    said = text.casefold()
    values = tuple(value for value in node.values if value.casefold() in said)
    entities = tuple(name for name in node.entities if name.casefold() in said)
    return dataclasses.replace(node, text=text, values=values, entities=entities)
