"""The model that reads texts a second time, beside a store or without one."""

from __future__ import annotations

from dream.api_sanitise import Reader
from dream.errors import ModelUnavailable
from dream.ports import ChatModel
from dream.settings import Loaded

LOAD_SECONDS = 60.0
ANSWER_SECONDS = 30.0
"""A person waits: shorter than at night."""


def second_reader(loaded: Loaded, answer_seconds: float = ANSWER_SECONDS) -> Reader:
    """What gives the configured model, loaded.

    Args:
        answer_seconds: how long an answer is waited for.

    Raises, when called:
        ModelUnavailable: none is configured, or it is not there.
        SettingsError: its server is not of this machine.
    """
    settings = loaded.settings

    def reader() -> ChatModel:
        from dream.adapters.ollama import OllamaChat

        if not settings.sanitize_model:
            raise ModelUnavailable("No model is configured for it.", "Set DREAM_SANITIZE_MODEL.")
        model = OllamaChat(
            settings.sanitize_model,
            settings.ollama_host,
            num_ctx=settings.num_ctx,
            load_seconds=LOAD_SECONDS,
            answer_seconds=answer_seconds,
        )
        model.prepare()
        return model

    return reader
