"""Asks the model of the second pass, at night and for `deep`; never in a hook.

Its absence, its silence and its nonsense are harmless: the text comes back as it went in, with a word on what was
skipped. What it does say passes the rules of `dream.model.second_pass`.
"""

from __future__ import annotations

from collections import Counter

from dream.errors import DreamError
from dream.model.second_pass import SCHEMA, SYSTEM, Cleaned, pieces, question, read, removed
from dream.ports import ChatModel, Question

TOKENS = 800
"""Most that the model may write about a piece: forty quotations of a line each."""


def second_pass(text: str, model: ChatModel | None) -> Cleaned:
    """The text, already redacted by patterns, without what the model points at.

    Args:
        model: None where no model is configured.
    """
    if model is None:
        return Cleaned(text, skipped=("no model is configured",))
    spans: list[tuple[int, int, str]] = []
    skipped: list[str] = []
    refused = 0
    for start, piece in pieces(text):
        try:
            answer = model.complete(Question(SYSTEM, question(piece), SCHEMA, tokens=TOKENS))
        except (DreamError, OSError) as error:  # away, too slow, out of memory: the first pass stands
            skipped.append(f"the model is away ({error})")
            break
        reading = read(piece, answer.text)
        refused += reading.refused
        if reading.nonsense:
            skipped.append(reading.nonsense)
        spans += [(start + first, start + last, kind) for first, last, kind in reading.spans]
    counts = Counter(kind for _, _, kind in spans)
    return Cleaned(removed(text, tuple(spans)), dict(counts), refused, tuple(skipped))
