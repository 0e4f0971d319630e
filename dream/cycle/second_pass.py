"""Asks the model of the second pass, at night and for `deep`; never in a hook.

Its absence, its silence and its nonsense are harmless: the text comes back as it went in, with a word on what was
skipped. What it does say passes the rules of `dream.model.second_pass`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from dream.errors import DreamError
from dream.model.second_pass import SCHEMA, SYSTEM, Cleaned, pieces, question, read, removed
from dream.ports import ChatModel, Question

TOKENS = 800
"""Most that the model may write about a piece: forty quotations of a line each."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a model pointed at in a text.

    Attributes:
        spans: (start, end, kind) in code points, in order, without overlap.
        refused: quotations that the rules did not let through; skipped: why parts of the text were not read.
        asked: questions that were answered; seconds: what they took; away: one was not, and no more was asked.
    """

    spans: tuple[tuple[int, int, str], ...] = ()
    refused: int = 0
    skipped: tuple[str, ...] = ()
    asked: int = 0
    seconds: float = 0.0
    away: bool = False


def pointed(text: str, model: ChatModel | None, monotonic: Callable[[], float] = lambda: 0.0) -> Pointed:
    """Ask the model about a text, piece by piece; one that is away is not asked again.

    Args:
        model: None where no model is configured.
        monotonic: seconds, to say how long the answers took.
    """
    if model is None:
        return Pointed(skipped=("no model is configured",))
    spans: list[tuple[int, int, str]] = []
    skipped: list[str] = []
    refused = asked = 0
    away = False
    began = monotonic()
    for start, piece in pieces(text):
        try:
            answer = model.complete(Question(SYSTEM, question(piece), SCHEMA, tokens=TOKENS))
        except (DreamError, OSError) as error:  # away, too slow, out of memory: the first pass stands
            skipped.append(f"the model is away ({error})")
            away = True
            break
        asked += 1
        reading = read(piece, answer.text)
        refused += reading.refused
        if reading.nonsense:
            skipped.append(reading.nonsense)
        spans += [(start + first, start + last, kind) for first, last, kind in reading.spans]
    return Pointed(tuple(spans), refused, tuple(skipped), asked, monotonic() - began, away)


def second_pass(text: str, model: ChatModel | None) -> Cleaned:
    """The text, already redacted by patterns, without what the model points at."""
    found = pointed(text, model)
    counts = Counter(kind for _, _, kind in found.spans)
    return Cleaned(removed(text, found.spans), dict(counts), found.refused, found.skipped)
