"""An embedder that a server does not wait for (D12)."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from dream.errors import ModelUnavailable
from dream.recall.awaited import AwaitedEmbedder


class Slow:
    """Loads when it is let; counts how often it was asked to."""

    model, dimension = "slow", 1

    def __init__(self) -> None:
        self.may = threading.Event()
        self.wrong: list[ModelUnavailable] = []
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        assert self.may.wait(30)
        if self.wrong:
            raise self.wrong.pop()
        return [[1.0] for _ in texts]


def test_a_question_is_not_kept_waiting_and_the_next_one_after_the_load_is_answered() -> None:
    slow = Slow()
    awaited = AwaitedEmbedder(slow, patience=0.01)
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="slow is not there yet"):
            awaited.embed(["a"])
    assert len(slow.asked) == 1  # one load, however many ask
    slow.may.set()
    assert AwaitedEmbedder(slow, patience=30).embed(["a", "b"]) == [[1.0], [1.0]]
    assert awaited._ready.wait(30) and awaited.embed(["a"]) == [[1.0]]


def test_a_load_that_failed_is_told_once_and_tried_again() -> None:
    slow = Slow()
    slow.may.set()
    slow.wrong.append(ModelUnavailable("The weights are damaged."))
    awaited = AwaitedEmbedder(slow, patience=30)
    with pytest.raises(ModelUnavailable, match="damaged"):
        awaited.embed(["a"])
    assert awaited.embed(["a"]) == [[1.0]]


def test_loading_can_begin_before_anybody_asks() -> None:
    slow = Slow()
    awaited = AwaitedEmbedder(slow, patience=30)
    awaited.begin()
    awaited.begin()
    slow.may.set()
    assert awaited.embed(["a"]) == [[1.0]] and len(slow.asked) == 2
