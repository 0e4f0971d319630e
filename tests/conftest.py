"""Fixtures every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def shared() -> Path:
    """The folder with corpora, samples and cases beside the project, or a skip that says so."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs ../shared (corpora, samples, cases), which is not beside this checkout")
    return folder
