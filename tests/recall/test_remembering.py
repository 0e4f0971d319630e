"""An embedder that remembers."""

from __future__ import annotations

from collections.abc import Sequence

from dream.adapters.hotcache import DictCache
from dream.recall.remembering import RememberingEmbedder


class Counting:
    model, dimension = "counting", 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [[float(len(text)), 1.0] for text in texts]


def test_a_text_is_embedded_once_and_the_order_holds() -> None:
    model = Counting()
    embedder = RememberingEmbedder(model, DictCache(), 7)
    assert embedder.embed(["a", "bb"]) == [[1.0, 1.0], [2.0, 1.0]]
    assert embedder.embed(["bb", "ccc", "a"]) == [[2.0, 1.0], [3.0, 1.0], [1.0, 1.0]]
    assert model.asked == ["a", "bb", "ccc"]


def test_what_a_cache_garbled_is_embedded_again() -> None:
    cache, model = DictCache(), Counting()
    embedder = RememberingEmbedder(model, cache, 7)
    embedder.embed(["a"])
    for key in list(cache._held):
        cache.put(key, b"junk")
    assert embedder.embed(["a"]) == [[1.0, 1.0]]


def test_what_was_remembered_before_a_write_is_not_looked_up_after_it() -> None:
    cache, model = DictCache(), Counting()
    RememberingEmbedder(model, cache, 7).embed(["a"])
    RememberingEmbedder(model, cache, 7).embed(["a"])
    RememberingEmbedder(model, cache, 8).embed(["a"])
    assert model.asked == ["a", "a"]
    assert sorted(key.split(":")[0] for key in cache._held) == ["7", "8"]
