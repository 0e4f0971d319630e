"""Transcript lines in the client's form, in our own words."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dream.sources.manifest import Manifest
from dream.sources.report import SweepReport
from dream.sources.transcripts import Swept, sweep

START = datetime(2026, 11, 29, 21, 0, tzinfo=UTC)


def line(
    n: int, text: str, role: str = "user", parent: int | str | None = "before", session: str = "s1", **more: Any
) -> bytes:
    """Line number `n`, one minute after the one before, child of the one before unless `parent` says otherwise."""
    above = (n - 1 if n else None) if parent == "before" else parent
    content: object = text if role == "user" else [{"type": "text", "text": text}]
    record = {
        "type": role,
        "uuid": f"u{n}",
        "parentUuid": None if above is None else f"u{above}",
        "sessionId": session,
        "cwd": "/home/nobody-here/outil",
        "gitBranch": "main",
        "timestamp": (START + timedelta(minutes=n)).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "message": {"role": role, "content": content},
    }
    return json.dumps({**record, **more}, ensure_ascii=False).encode() + b"\n"


def result(n: int, parent: int, text: str = "3 passed") -> bytes:
    """A tool's result, which the client writes as a line of the user."""
    block = [{"type": "tool_result", "tool_use_id": f"t{n}", "content": text}]
    return line(n, "", parent=parent, message={"role": "user", "content": block}, toolUseResult={"stdout": text})


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write lines as a transcript that was last touched when its last line was said."""

    def write_(*lines: bytes, name: str = "p/s1.jsonl", at: datetime = START + timedelta(hours=1)) -> Path:
        path = tmp_path / "projects" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(lines))
        os.utime(path, (at.timestamp(), at.timestamp()))
        return path

    return write_


NIGHT = "2026-11-30T01:05:00.000Z"


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return Manifest(tmp_path / "home" / "processed" / "manifest.json")


def take(root: Path, manifest: Manifest, now: str = NIGHT, report: SweepReport | None = None) -> dict[str, list[str]]:
    """Sweep, iterate and mark, as a night does: turn uuids by file name."""
    taken = {}
    for swept in sweep(root, manifest, now, report=report):
        taken[Path(swept.path).name] = [turn["uuid"] for turn in swept.turns if turn["uuid"] not in swept.dead]
        manifest.record(swept.path, swept.mark)
    return taken


def only(root: Path, manifest: Manifest) -> Swept:
    (swept,) = sweep(root, manifest, NIGHT)
    return swept
