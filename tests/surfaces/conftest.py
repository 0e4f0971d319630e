"""A throw-away home for the command line, and the sample sessions played night by night in one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.surfaces.line import NIGHTS, Line, script


@pytest.fixture
def dream(tmp_path: Path) -> Line:
    """A home that is not made yet."""
    return Line(tmp_path)


@pytest.fixture
def ready(dream: Line) -> Line:
    """A home that `init` made, with nothing in it."""
    assert dream("init", "--no-schedule").code == 0
    return dream


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Line:
    folder = tmp_path_factory.mktemp("samples")
    written = script("write_samples").write(folder / "sessions")
    line = Line(folder)
    for path, night in zip(written, NIGHTS, strict=True):
        there = line.transcripts / path.parent.name / path.name
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, there)
        done = line("cycle", "--now", f"2026-{night}T02:05:00+02:00", "--json")
        assert done.code == 0, done.err
    return line


@pytest.fixture
def samples(_played: Line) -> Line:
    """The sample sessions, played night by night. Read only: tests that write take `copied`."""
    return _played


@pytest.fixture
def copied(_played: Line, tmp_path: Path) -> Iterator[Line]:
    """A copy of the played home, to write in."""
    line = Line(tmp_path / "copy")
    shutil.copytree(_played.home, line.home)
    line.environ["DREAM_TRANSCRIPTS"] = str(_played.transcripts)  # the manifest knows them by their path
    yield line
