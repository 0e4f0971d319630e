"""A composed house in a throw-away home whose machine and model server say what a test wants."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dream.compose import open_house
from dream.house import House
from dream.operations import LoadedModel
from dream.settings import Loaded, load


class StepClock:
    """A clock that moves when told."""

    def __init__(self, at: str = "2026-03-09T09:00:00+00:00") -> None:
        self.at = datetime.fromisoformat(at)

    def now(self) -> str:
        return self.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        return self.at.timestamp()

    def forward(self, **span: float) -> None:
        self.at += timedelta(**span)


class Box:
    """A computer with as much memory as a test says."""

    def __init__(self) -> None:
        self.taken, self.available, self.disk = 300_000_000, 8_000_000_000, 50_000_000_000

    def memory(self, pids: Iterable[int] = ()) -> tuple[int, int, int]:
        return self.taken, self.available, 16_000_000_000

    def peak(self) -> int:
        return self.taken

    def free(self, path: str) -> int:
        return self.disk


class Server:
    """A model server holding what a test says; None is away."""

    def __init__(self) -> None:
        self.holds: tuple[LoadedModel, ...] | None = ()

    def loaded(self) -> tuple[LoadedModel, ...] | None:
        return self.holds


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    (tmp_path / "transcripts").mkdir()
    own = {name: value for name, value in os.environ.items() if not name.startswith("DREAM_")}
    return load(
        {
            **own,
            "DREAM_HOME": str(tmp_path / "home"),
            "DREAM_TRANSCRIPTS": str(tmp_path / "transcripts"),
            "DREAM_STATE": str(tmp_path / "state"),
            "DREAM_TZ": "Europe/Paris",
            "DREAM_OLLAMA_HOST": "http://127.0.0.1:9",
        }
    )


@pytest.fixture
def house(loaded: Loaded, clock: StepClock, box: Box, server: Server) -> Iterator[House]:
    with open_house(loaded, create=True) as opened:
        beside = dataclasses.replace(opened.operations, machine=box, models=server)
        yield dataclasses.replace(opened, clock=clock, operations=beside)
