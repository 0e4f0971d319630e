"""The official client where it is installed, and a house with a day of transcripts (as the cycle's tests have it)."""

from __future__ import annotations

import pytest

from tests.cycle.conftest import client, dream, house, loaded

__all__ = ["client", "dream", "house", "loaded"]


@pytest.fixture(autouse=True)
def the_client() -> None:
    """Skip where the `ollama` package is not installed."""
    pytest.importorskip("ollama", reason="needs the package ollama (requirements/dev.txt)")
