"""docs/life-of-a-sentence.md is cut from real files: the samples are played and each quoted line is looked up."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.surfaces.line import GRAINOTHEQUE, NIGHTS, ROOT, Line, script

PAGE = (ROOT / "docs" / "life-of-a-sentence.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"<!-- (.+?) -->\n```\w*\n(.+?)```", PAGE, re.DOTALL)
Hook = Callable[..., str]


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Line:
    """The samples played as the page tells it: the last session is captured by the Stop hook."""
    played = Line(tmp_path_factory.mktemp("life"))
    assert played("init", "--no-schedule").code == 0
    written = script("write_samples").write(played.folder / "sessions")
    for path, night in zip(written, NIGHTS, strict=True):
        there = played.transcripts / path.parent.name / path.name
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, there)
        if path is written[-1]:
            hook(played, "stop", transcript_path=str(there), session_id=path.stem, stop_hook_active=False)
            shutil.copytree(played.home / "capture", played.folder / "before" / "capture")
        assert played("cycle", "--now", f"2026-{night}T02:05:00+02:00").code == 0
    return played


def hook(played: Line, name: str, **fields: object) -> str:
    """Fire a hook as the client does: a process that reads JSON."""
    payload = {"cwd": GRAINOTHEQUE, "hook_event_name": name, **fields}
    run = [sys.executable, str(ROOT / "hooks" / f"{name}.py")]
    environ = {**os.environ, **played.environ}
    done = subprocess.run(run, input=json.dumps(payload).encode(), env=environ, capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def text_of(played: Line, source: str) -> str:
    """What a block says it was cut from."""
    if source.startswith("output of: dream "):
        return played(*shlex.split(source.removeprefix("output of: dream "))).out
    if source == "output of the SessionStart hook":
        printed = hook(played, "session_start", session_id="next", source="startup")
        return json.dumps(json.loads(printed), ensure_ascii=False)
    if source == "transcript":
        return "".join(path.read_text(encoding="utf-8") for path in played.transcripts.rglob("*.jsonl"))
    root = played.folder if source.startswith("before/") else played.home
    found = sorted(root.glob(source))
    assert found, f"no file {source}"
    return "".join(path.read_text(encoding="utf-8") for path in found)


def test_the_page_quotes_every_step() -> None:
    assert len(BLOCKS) >= 8


@pytest.mark.parametrize(("source", "quoted"), BLOCKS, ids=[source for source, _ in BLOCKS])
def test_what_the_page_quotes_is_there(line: Line, source: str, quoted: str) -> None:
    text = text_of(line, source)
    for quote in filter(str.strip, quoted.splitlines()):
        pattern = ".*".join(re.escape(part) for part in quote.split("…"))
        assert re.search(pattern, text), f"{source} does not hold: {quote}"
