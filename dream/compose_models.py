"""The models of the settings, looked for on the local server and fetched where they are missing."""

from __future__ import annotations

from collections.abc import Callable

from dream.adapters.ollama import OllamaChat
from dream.settings import Settings

Told = Callable[[str, str, int, int], None]
"""Told of a pull: the model, what is being done, bytes done, bytes in all (0 where unknown)."""


def names(settings: Settings) -> tuple[str, ...]:
    """The models this house asks, each once; a judge that is named goes in the place of the default one."""
    judge = settings.consolidation_model if settings.judge in ("auto", "rules") else settings.judge
    wanted = (judge, settings.counterfactual_model, settings.sanitize_model)
    return tuple(dict.fromkeys(name for name in wanted if name))


def fetch(settings: Settings, told: Told) -> dict[str, str]:
    """Bring every model to the server; `there` or `fetched` by name.

    Raises:
        ModelUnavailable: no server answers, it is too old, or it cannot get a model; what came before stays.
    """
    done: dict[str, str] = {}
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
