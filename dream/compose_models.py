"""The models of the settings, looked for on the local server and fetched where they are missing."""

from __future__ import annotations

from collections.abc import Callable

from dream.adapters.ollama import OllamaChat
from dream.compose_meaning import fetch as fetch_sentence
from dream.paths import Home
from dream.settings import Settings

Told = Callable[[str, str, int, int], None]
"""Told of a pull: the model, what is being done, bytes done, bytes in all (0 where unknown)."""


def names(settings: Settings) -> tuple[str, ...]:
    """The models this house asks Ollama for, each once; a judge that is named takes the place of the default one."""
    judge = settings.consolidation_model if settings.judge in ("auto", "rules") else settings.judge
    embedder = settings.embedder.removeprefix("ollama:") if settings.embedder.startswith("ollama:") else ""
    wanted = (judge, settings.counterfactual_model, settings.sanitize_model, embedder)
    return tuple(dict.fromkeys(name for name in wanted if name))


def fetch(settings: Settings, told: Told) -> dict[str, str]:
    """Bring every model to the server, and those of sentence-transformers to the home; `there` or `fetched` by name.

    Raises:
        ModelUnavailable: no server answers, it is too old, or it cannot get a model; what came before stays.
    """
    done = fetch_sentence(Home(settings.home), lambda name: told(name, "fetching", 0, 0))
    for name in names(settings):
        model = OllamaChat(name, settings.ollama_host, num_ctx=settings.num_ctx)
        if model.there():
            done[name] = "there"
            continue

        def tell(status: str, bytes_done: int, total: int, name: str = name) -> None:
            told(name, status, bytes_done, total)

        model.pull(tell)
        done[name] = "fetched"
    return done
