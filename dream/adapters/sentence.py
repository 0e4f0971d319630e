"""Embedder and reranker on sentence-transformers: models of a folder on this disk, on the processor.

1. Nothing is fetched: a folder without weights is refused, and the libraries are told that they are offline before they
   are imported. `dream init --models` is what fetches (`sentence_fetch`).
2. The library takes ten seconds and 400 MB to import, so it is loaded on first use and not before.
"""

from __future__ import annotations

import importlib.util
import logging
import math
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dream.adapters.units import units
from dream.errors import ModelUnavailable

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
LONGEST_TEXT = 2_000
"""Characters of a text that are read."""
BATCH = 32
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


def installed() -> bool:
    """Whether the library is there, without loading it."""
    return importlib.util.find_spec("sentence_transformers") is not None


def there(folder: Path) -> bool:
    """Whether a folder holds a model with its weights."""
    return (folder / "config.json").is_file() and any(
        path.stat().st_size > 0 for kind in WEIGHTS for path in folder.glob(kind)
    )


class _Model:
    """A model of a folder, loaded once, when first asked."""

    def __init__(self, folder: Path, made: str) -> None:
        self.folder = folder
        self._made = made
        self._model: Any = None
        self._loading = threading.Lock()

    def loaded(self) -> Any:
        """The model.

        Raises:
            ModelUnavailable: the library or the weights are not there, or cannot be read.
        """
        with self._loading:
            if self._model is None:
                if not there(self.folder):
                    raise ModelUnavailable(
                        f"The model {self.folder.name} is not there yet ({self.folder}).",
                        "`dream init --models` gets it.",
                    )
                if not installed():
                    raise ModelUnavailable("sentence-transformers is not installed.", "Install requirements.txt.")
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        os.environ.update(OFFLINE)
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        import sentence_transformers
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        try:
            make = getattr(sentence_transformers, self._made)
            return make(str(self.folder), device="cpu", local_files_only=True, trust_remote_code=False)
        except Exception as error:  # each file format has an error of its own
            said = str(error).strip().splitlines()[0][:160] if str(error).strip() else type(error).__name__
            raise ModelUnavailable(
                f"The model in {self.folder} cannot be read ({said}).", "`dream init --models` gets it anew."
            ) from error


class SentenceEmbedder:
    """Port `Embedder`.

    Args:
        folder: with the model; its name is the model's.
    """

    def __init__(self, folder: Path) -> None:
        self._held = _Model(folder, "SentenceTransformer")

    @property
    def model(self) -> str:
        return self._held.folder.name

    @property
    def dimension(self) -> int:
        return len(self.embed(["dimension"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector per text.

        Raises:
            ModelUnavailable: see `_Model.loaded`.
        """
        if not texts:
            return []
        model = self._held.loaded()
        asked = [text[:LONGEST_TEXT] or " " for text in texts]
        rows = model.encode(asked, batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True)
        return units(self.model, len(texts), rows)


class SentenceReranker:
    """Port `Reranker`, by a cross-encoder of one output.

    Args:
        folder: with the model.
    """

    def __init__(self, folder: Path) -> None:
        self._held = _Model(folder, "CrossEncoder")

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text in 0..1: the logistic of what the model says.

        Raises:
            ModelUnavailable: see `_Model.loaded`; or it does not give one number a pair.
        """
        if not texts:
            return []
        pairs = [(query, text[:LONGEST_TEXT]) for text in texts]
        said = self._held.loaded().predict(pairs, activation_fn=_as_it_is, show_progress_bar=False)
        if getattr(said, "shape", None) != (len(texts),):
            raise ModelUnavailable(
                f"{self._held.folder.name} does not give one score a text.", "Name a cross-encoder of one output."
            )
        return [_logistic(float(each)) for each in said]


def _as_it_is(logits: Any) -> Any:
    """Some models bring an activation of their own, some none."""
    return logits


def _logistic(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit)))) if math.isfinite(logit) else 0.0
