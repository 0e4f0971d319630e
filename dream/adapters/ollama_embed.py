"""An embedder served by Ollama on this machine (`/api/embed`): no model in this process.

Only a loopback address is spoken to, no proxy and no redirect is followed. The official client is not used: it takes a
third of a second to import, and a search is shorter. Nothing is pulled.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from dream.adapters.ollama import loopback
from dream.adapters.ollama_loaded import NoRedirect
from dream.adapters.units import HINT, units
from dream.errors import ModelUnavailable

SECONDS = 120.0
"""Longest wait for an answer: the first one loads the model."""
KEEP_ALIVE = "15m"
LONGEST_TEXT = 2_000
"""Characters of a text that are read."""
BATCH = 32
MOST_BYTES = 50_000_000
BEGINS = "ollama-"


def served(model: str) -> str:
    """What the server calls the model of that name; "" where it is none of a server."""
    return model[len(BEGINS) :].replace("@", ":").replace("+", "/") if model.startswith(BEGINS) else ""


class OllamaEmbedder:
    """Port `Embedder` at `http://127.0.0.1:11434` or another loopback address.

    Raises:
        SettingsError: the host is not of this machine.
    """

    def __init__(self, model: str, host: str, seconds: float = SECONDS) -> None:
        self._name = model
        self._host = loopback(host)
        self._seconds = seconds
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect).open

    @property
    def model(self) -> str:
        """A name that can be a folder's: `ollama-bge-m3`, `ollama-bge-m3@567m`; `served` reads it back."""
        return BEGINS + self._name.removesuffix(":latest").replace(":", "@").replace("/", "+")

    @property
    def dimension(self) -> int:
        return len(self.embed(["dimension"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector per text.

        Raises:
            ModelUnavailable: no server, no such model, or an answer that holds no vectors.
        """
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            some = [text[:LONGEST_TEXT] or " " for text in texts[start : start + BATCH]]
            vectors += units(self._name, len(some), self._asked(some))
        return vectors

    def _asked(self, texts: list[str]) -> list[Any]:
        told = {"model": self._name, "input": texts, "truncate": True, "keep_alive": KEEP_ALIVE}
        request = urllib.request.Request(  # noqa: S310 -- the scheme was checked by `loopback`
            f"{self._host}/api/embed", json.dumps(told).encode(), {"Content-Type": "application/json"}
        )
        try:
            with self._open(request, timeout=self._seconds) as answer:
                rows: list[Any] = json.loads(answer.read(MOST_BYTES))["embeddings"]
                return [[float(each) for each in row] for row in rows]
        except urllib.error.HTTPError as error:
            raise self._refused(error) from error
        except OSError as error:
            raise ModelUnavailable(
                f"Ollama does not answer at {self._host}.", "Start it (`ollama serve`); search goes on by words."
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise ModelUnavailable(f"What answers at {self._host} gave no vectors of {self._name}.", HINT) from error

    def _refused(self, error: urllib.error.HTTPError) -> ModelUnavailable:
        with error:
            said = error.read(2_000).decode("utf-8", "replace")
        if error.code == 404:
            return ModelUnavailable(
                f"Ollama has no model {self._name}.", f"`dream init --models` or `ollama pull {self._name}` gets it."
            )
        if "NaN" in said:  # a server that cannot write a NaN as JSON says so with a 500
            return ModelUnavailable(f"{self._name} answered with a vector that points nowhere (NaN or zero).", HINT)
        return ModelUnavailable(f"Ollama refused ({error.code}): {' '.join(said.split())[:200]}", HINT)
