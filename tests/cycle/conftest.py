"""A whole composed house in a throw-away home, and transcripts as the client writes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dream.api import Dream
from dream.compose import open_house
from dream.house import House
from dream.settings import Loaded, load

CWD = "/home/lea/atelier"


class Client:
    """Writes transcripts: `said` adds lines to a session, one minute apart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0

    def said(self, session: str, *lines: tuple[str, Any], at: str = "2026-03-09T09:00", cwd: str = CWD) -> list[str]:
        """Append (role, content) lines; their uuids."""
        path = self.folder / "project" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        uuids = []
        with path.open("a", encoding="utf-8") as file:
            for role, content in lines:
                self._count += 1
                uuid = f"00000000-0000-4000-8000-{self._count:012d}"
                line = {
                    "type": role, "uuid": uuid, "parentUuid": uuids[-1] if uuids else None, "isSidechain": False,
                    "sessionId": session, "cwd": cwd, "version": "2.1.332", "gitBranch": "HEAD", "userType": "external",
                    "timestamp": f"{at}:{self._count % 60:02d}.000Z", "message": {"role": role, "content": content},
                }  # fmt: skip
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                uuids.append(uuid)
        return uuids


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path / "transcripts")


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    (tmp_path / "transcripts").mkdir(exist_ok=True)
    return load(
        {
            **{name: value for name, value in os.environ.items() if not name.startswith("DREAM_")},
            "DREAM_HOME": str(tmp_path / "home"),
            "DREAM_TRANSCRIPTS": str(tmp_path / "transcripts"),
            "DREAM_STATE": str(tmp_path / "state"),
            "DREAM_TZ": "Europe/Paris",
        }
    )


@pytest.fixture
def house(loaded: Loaded) -> Iterator[House]:
    with open_house(loaded, create=True) as house:
        yield house


@pytest.fixture
def dream(house: House) -> Dream:
    return Dream(house)
