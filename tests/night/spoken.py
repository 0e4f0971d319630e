"""`ChatModel` without a server: the in-memory reference of `tests/contracts/test_chat.py`."""

from __future__ import annotations

from collections.abc import Callable

from dream.errors import ModelUnavailable, PromptCut
from dream.ports import Answer, Question


class SpokenChat:
    """A model that says what `says` makes of a question, word by word.

    Args:
        window: tokens of question and answer together; a token is four bytes.
        there: False is a model that cannot be had.
    """

    def __init__(self, name: str, says: Callable[[Question], str], window: int = 4096, there: bool = True) -> None:
        self._name = name
        self._says = says
        self._window = window
        self._there = there

    @property
    def name(self) -> str:
        return self._name

    def prepare(self) -> str:
        if not self._there:
            raise ModelUnavailable(f"There is no {self._name}.", "Name another.")
        return f"{self._name}-digest"

    def complete(self, question: Question) -> Answer:
        self.prepare()
        read = -(-len((question.system + question.user).encode()) // 4)
        if read + question.tokens > self._window:
            raise PromptCut(f"The question has {read} tokens, the window {self._window}.", "Raise num_ctx.")
        said = self._says(question)
        room = question.tokens * 4
        chances = {word: float(f'"{word}"' in said) for word in question.watch}
        return Answer(
            text=said[:room],
            whole=len(said) <= room,
            read=read,
            written=-(-len(said[:room]) // 4),
            chances=chances if any(chances.values()) else {},
        )

    def release(self) -> None:
        """It holds nothing."""
