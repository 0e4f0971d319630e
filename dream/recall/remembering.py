"""An embedder that remembers: a question asked again needs no model, in any process that shares the cache."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence

from dream.ports import Embedder, HotCache


class RememberingEmbedder:
    """Port `Embedder` over another.

    Args:
        watermark: of the ledger, in every key: after a write, a clean-up or a `forget` nothing older is looked up.
    """

    def __init__(self, embedder: Embedder, cache: HotCache, watermark: int) -> None:
        self._embedder = embedder
        self._cache = cache
        self._begins = f"{watermark}:{embedder.model}:"

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector per text."""
        keys = [self._begins + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for text in texts]
        found: list[list[float] | None] = [_vector(self._cache.get(key)) for key in keys]
        missing = [place for place, vector in enumerate(found) if vector is None]
        if missing:
            for place, vector in zip(missing, self._embedder.embed([texts[each] for each in missing]), strict=True):
                found[place] = vector
                self._cache.put(keys[place], array("d", vector).tobytes())
        return [vector for vector in found if vector is not None]


def _vector(raw: bytes | None) -> list[float] | None:
    return list(memoryview(raw).cast("d")) if raw and len(raw) % 8 == 0 else None
