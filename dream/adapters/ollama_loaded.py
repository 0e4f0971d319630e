"""What an Ollama server holds in memory (`/api/ps`): one short question, no model is loaded by it.

Only this machine is asked, no proxy and no redirect is followed. The official client is not used here: it takes a
third of a second to import, and this runs with every probe.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from typing import Any

from dream.adapters.ollama import loopback
from dream.operations import LoadedModel

SECONDS = 1.0


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Stays where it was sent."""

    def redirect_request(self, *_: Any) -> None:
        return None


class OllamaLoaded:
    """`ModelServer` at `http://127.0.0.1:11434` or another loopback address.

    Raises:
        SettingsError: the host is not of this machine.
    """

    def __init__(self, host: str, seconds: float = SECONDS) -> None:
        self._address = f"{loopback(host)}/api/ps"
        self._seconds = seconds
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect).open

    def loaded(self) -> tuple[LoadedModel, ...] | None:
        """The models in its memory; None where no server answers, or something else does."""
        try:
            with self._open(self._address, timeout=self._seconds) as answer:
                plain = json.loads(answer.read(1_000_000))
            return tuple(_model(each) for each in plain["models"])
        except (OSError, ValueError, KeyError, TypeError, urllib.error.URLError):
            return None


def _model(plain: dict[str, Any]) -> LoadedModel:
    """On a Mac the graphics card's memory is the machine's own."""
    size = int(plain["size"])
    elsewhere = 0 if sys.platform == "darwin" else int(plain.get("size_vram", 0))
    return LoadedModel(str(plain["name"]), max(0, size - elsewhere))
