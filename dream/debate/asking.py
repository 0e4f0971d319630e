"""Ask a model and read its answer: one question, one repair, then the answer counts as lost. Nothing is guessed.

An answer that ran out of tokens is asked for once more without thinking and with more room; one that cannot be read is
asked for once more with the reason. What a model costs is counted in tokens and seconds, and a budget stops it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from dream.errors import PromptCut, ReplyLost
from dream.model.reply import Unreadable, read
from dream.ports import Answer, ChatModel, Question

MORE_ROOM = 3
"""How many times the room of an answer that ran out of it."""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that fits its schema; `chances` as in `ports.Answer`."""

    plain: dict[str, Any]
    chances: dict[str, float]


@dataclass(slots=True)
class Spent:
    """What was asked of a model so far, and how often an answer was repaired or lost."""

    calls: int = 0
    read: int = 0
    written: int = 0
    seconds: float = 0.0
    repaired: int = 0
    lost: int = 0

    @property
    def tokens(self) -> int:
        return self.read + self.written


class Asker:
    """Asks `model` and keeps count.

    Args:
        seconds: a clock that only moves forward.
    """

    def __init__(self, model: ChatModel, seconds: Callable[[], float]) -> None:
        self._model = model
        self._seconds = seconds
        self.spent = Spent()

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, question: Question) -> Told:
        """The answer.

        Raises:
            ReplyLost: neither the first nor the repaired answer can be used.
            ModelUnavailable: the server went away.
        """
        first, why = self._once(question)
        if first is not None:
            return first
        if why == CUT_SHORT:
            again = replace(question, thinking=False, tokens=question.tokens * MORE_ROOM)
        else:
            again = replace(question, user=f"{question.user}\n\nYour last answer was no use: {why}. {REPAIR}")
        self.spent.repaired += 1
        second, why = self._once(again)
        if second is not None:
            return second
        self.spent.lost += 1
        raise ReplyLost(
            f"{self.name} gave no usable answer: {why}.",
            "It is asked again another night.",
            unfinished=why == CUT_SHORT,
        )

    def _once(self, question: Question) -> tuple[Told | None, str]:
        began = self._seconds()
        try:
            answer = self._model.complete(question)
        except PromptCut as error:
            self.spent.lost += 1
            raise ReplyLost(error.sentence, error.hint, unfinished=True) from error
        finally:
            self.spent.calls += 1
            self.spent.seconds += self._seconds() - began
        self.spent.read += answer.read
        self.spent.written += answer.written
        return _reading(answer, question)


CUT_SHORT = "it ran out of room"
REPAIR = "Answer with one JSON object that fits the form, and nothing else."


def _reading(answer: Answer, question: Question) -> tuple[Told | None, str]:
    text = answer.text if answer.text.strip() else answer.thought
    if not answer.whole:
        return None, CUT_SHORT
    try:
        return Told(read(text, question.schema), dict(answer.chances)), ""
    except Unreadable as error:
        return None, str(error)
