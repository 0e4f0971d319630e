"""An embedder that a server does not wait for: it loads in the background from the first question on."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from dream.errors import DreamError, ModelUnavailable
from dream.ports import Embedder

PATIENCE = 1.5
"""Seconds that a question waits for a load that has begun, before it is answered without meaning: enough for a
small model on a quiet machine, and within what D15 grants."""


class AwaitedEmbedder:
    """Port `Embedder` over one that takes long to load.

    Args:
        patience: seconds to wait for the load within a question.
    """

    def __init__(self, embedder: Embedder, patience: float = PATIENCE) -> None:
        self._embedder = embedder
        self._patience = patience
        self._ready = threading.Event()
        self._failed: DreamError | None = None
        self._beginning = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def begin(self) -> None:
        """Start loading, where that has not begun; returns at once."""
        with self._beginning:
            if self._thread is None:
                self._thread = threading.Thread(target=self._load, name="embedder", daemon=True)
                self._thread.start()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector per text.

        Raises:
            ModelUnavailable: it is still loading, or could not be loaded (the next question tries again).
        """
        self.begin()
        if not self._ready.wait(self._patience):
            raise ModelUnavailable(f"the embedder {self.model} is not there yet: it is being loaded", "Ask again.")
        if self._failed is not None:
            failed = self._failed
            with self._beginning:
                self._failed, self._thread = None, None
                self._ready.clear()
            raise failed
        return self._embedder.embed(texts)

    def _load(self) -> None:
        try:
            self._embedder.embed(["ready"])
        except DreamError as error:
            self._failed = error
        finally:
            self._ready.set()
