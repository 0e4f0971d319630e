"""The part of the composition root that answers queries: embedder, vectors, graph and hot cache around the store."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from dream.capture import buffer
from dream.compose_meaning import Meaning

if TYPE_CHECKING:
    from dream.adapters.snowball import SnowballAnalyser
    from dream.adapters.sqlite import SqliteStore
    from dream.model.hit import Weights
    from dream.model.note import Note
    from dream.paths import Home
    from dream.ports import Embedder, GraphWalk, HotCache
    from dream.recall.search import Search
    from dream.recall.translate import Translations

ONCE = 3
"""Questions up to which a process walks the store's edges: loading networkx and the graph costs more than they do."""


YOUNG = 20_000
"""New objects at which Python looks for cycles. At its own 700 it did so twenty times in a search, which makes none."""


def _seldom() -> None:
    gc.set_threshold(YOUNG, 10, 10)


class Searching:
    """Makes what answers queries; the graph in RAM is built when a process asks again, and when the store moves on.

    Args:
        weights: of the signals; None takes the tuned ones.
        embed: whether an embedder that is installed is used.
        redis: host and port of the optional hot cache of embedded questions.
        meaning: which embedder, vectors and reranker; None takes the packaged embedder where it is installed.
    """

    def __init__(
        self,
        home: Home,
        store: SqliteStore,
        analyser: SnowballAnalyser,
        *,
        weights: Weights | None = None,
        embed: bool = True,
        redis: tuple[str, int] | None = None,
        meaning: Meaning | None = None,
    ) -> None:
        self._redis = redis
        self._home, self._store, self._analyser, self._weights = home, store, analyser, weights
        self._meaning = meaning or Meaning(home, "auto" if embed else "none")
        self._made: tuple[int, bool, Search] | None = None
        self._asked = 0

    def __call__(self) -> Search:
        self._asked += 1
        key = (self._store.watermark(), self._asked > ONCE)
        if self._made is None or self._made[:2] != key:
            self._made = (*key, self._make(*key))
        return self._made[2]

    def _make(self, mark: int, again: bool) -> Search:
        from dream.adapters.use_embedder import one_thread

        one_thread()
        from dream.adapters.bm25 import RankBm25
        from dream.model.note import as_note
        from dream.recall.activation import EdgeWalk
        from dream.recall.search import Search

        walk: GraphWalk = EdgeWalk(self._store)
        if again:
            from dream.adapters.nx_graph import NxGraph

            graph = NxGraph()
            graph.load(self._store, mark)
            walk = graph

        def today() -> Iterable[Note]:
            return [as_note(plain) for plain in buffer.read_today(str(self._home.root))]

        near = self._meaning.near()
        if again:
            _seldom()
        return Search(
            self._store,
            self._analyser,
            RankBm25(),
            walk=walk,
            embedder=self._remembering(near.embedder, mark) if near.embedder is not None else None,
            vectors=near.vectors,
            reranker=self._meaning.reranker(),
            translations=self._translations,
            today=today,
            weights=self._weights,
            missing=near.missing,
        )

    def _remembering(self, model: Embedder, mark: int) -> Embedder:
        if self._redis is None:
            return model
        from dream.recall.remembering import RememberingEmbedder

        return RememberingEmbedder(model, self._cache, mark)

    @cached_property
    def _translations(self) -> Translations:
        from dream.recall.translate import Translations

        return Translations.packaged(self._analyser)

    @cached_property
    def _cache(self) -> HotCache:
        """The hot cache, looked for once in a process; a stranger on its port is told of once (F08)."""
        from dream.adapters.hotcache import connect

        assert self._redis is not None  # noqa: S101 -- asked for only where it is
        found = connect(*self._redis, str(self._home.root))
        if found.stranger:
            sys.stderr.write(f"The hot cache stays in memory: {found.why}. Set DREAM_REDIS_PORT where it is wanted.\n")
        return found.cache
