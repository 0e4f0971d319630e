"""A text without what is secret in it, for people and for tools: patterns once, then a model where it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dream.capture.redact import cleaned
from dream.cycle.second_pass import pointed
from dream.errors import DreamError
from dream.model.second_pass import removed
from dream.ports import ChatModel

Span = tuple[int, int, str]
Reader = Callable[[], ChatModel]
"""Gives the model of the second pass, loaded; raises where there is none."""


@dataclass(frozen=True, slots=True)
class Sanitised:
    """What is left of a text.

    Attributes:
        spans: what was taken out, (start, end, kind) in code points of the text given, in order.
        skipped: why the model did not read it, or a part of it; empty where it was not asked.
    """

    text: str
    spans: tuple[Span, ...]
    skipped: tuple[str, ...] = ()

    @property
    def counts(self) -> Mapping[str, int]:
        """How many of each kind were taken out."""
        return dict(Counter(kind for _, _, kind in self.spans))


def sanitise(text: str, key: bytes | None = None, reader: Reader | None = None) -> Sanitised:
    """Take out what the rules find, and, where a reader is given, what it points at.

    Args:
        key: of the tags, as everywhere in a home; None gives none.
        reader: gives the model of the second pass, loaded; one that is away leaves the text as the rules left it.
    """
    clean, found = cleaned(text, key)
    if reader is None:
        return Sanitised(clean, tuple(found))
    try:
        model = reader()
    except DreamError as error:
        return Sanitised(clean, tuple(found), (error.sentence,))
    second = pointed(clean, model)
    spans = (*found, *_where(clean, found, second.spans))
    return Sanitised(removed(clean, second.spans), tuple(sorted(spans)), second.skipped)


def _where(clean: str, found: list[Span], second: tuple[Span, ...]) -> list[Span]:
    """Spans of the clean text where they stand in the text it came from; none of them touches a mark."""
    steps = [(0, 0)]  # (offset in the clean text, what to add to it)
    at = shift = 0
    for start, end, _ in found:
        mark_ends = clean.index("]", start - shift) + 1
        shift = end - mark_ends
        at = mark_ends
        steps.append((at, shift))

    def back(offset: int) -> int:
        return offset + next(more for since, more in reversed(steps) if since <= offset)

    return [(back(start), back(end - 1) + 1, kind) for start, end, kind in second]
