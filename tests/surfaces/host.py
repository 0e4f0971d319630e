"""The client, as the hooks meet it: a project, a transcript that grows, payloads on standard input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from dream.capture import buffer

ROOT = Path(__file__).resolve().parents[2]
EVENTS = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]


def command(event: str, root: Path = ROOT) -> list[str]:
    args = EVENTS[event][0]["hooks"][0]["args"]
    return [sys.executable, *(part.replace("${CLAUDE_PLUGIN_ROOT}", str(root)) for part in args)]


class Host:
    """What the client does: a project, a transcript that grows, hooks with a payload on standard input."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir(parents=True)
        self.transcript = folder / "transcripts" / "s-1.jsonl"
        self.transcript.parent.mkdir()
        self.environ = {**os.environ, "DREAM_HOME": str(self.home)}
        for name in ("DREAM_INSIDE", "DREAM_CAPTURE_PROMPTS", "CLAUDE_PLUGIN_ROOT"):
            self.environ.pop(name, None)
        self._lines = 0

    def say(self, text: str, role: str = "user", transcript: Path | None = None) -> None:
        self._lines += 1
        place = {"uuid": f"u-{self._lines}", "sessionId": "s-1", "cwd": str(self.project)}
        record = {"type": role, **place, "timestamp": "2026-11-30T10:00:00.000Z", "message": {"content": text}}
        with (transcript or self.transcript).open("ab") as file:
            file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def payload(self, event: str, **more: object) -> dict[str, object]:
        common = {"session_id": "s-1", "transcript_path": str(self.transcript), "cwd": str(self.project)}
        return {**common, "hook_event_name": event, **more}

    def run(self, event: str, given: bytes | None = None, root: Path = ROOT, **more: object) -> bytes:
        """Run one hook; it ends with 0 and says nothing on standard error. Returns its standard output."""
        raw = json.dumps(self.payload(event, **more)).encode() if given is None else given
        done = subprocess.run(
            command(event, root), input=raw, env=self.environ, capture_output=True, check=False, timeout=30
        )
        assert done.returncode == 0
        assert done.stderr == b""
        return done.stdout

    def prepare(self, *lines: str, **status: object) -> None:
        index = self.home / "index"
        index.mkdir(parents=True, exist_ok=True)
        (index / "MEMORY.md").write_text("".join(f"- {line}\n" for line in lines), encoding="utf-8")
        (index / "status.json").write_text(json.dumps(status), encoding="utf-8")

    def said(self) -> list[object]:
        return [note["text"] for note in buffer.read_today(str(self.home))]

    def log(self) -> list[str]:
        path = self.home / "logs" / "hooks.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def files(self) -> dict[str, bytes]:
        """The store without what only says when a hook ran."""
        found = {str(p.relative_to(self.home)): p.read_bytes() for p in self.home.rglob("*") if p.is_file()}
        return {name: raw for name, raw in found.items() if "seen" not in name and not name.startswith("logs")}


def context(output: bytes) -> str:
    answer: dict[str, Any] = json.loads(output)
    assert set(answer) == {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    text = answer["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    return text


def copy_of_the_plugin(folder: Path) -> Path:
    for part in ("hooks", "dream/capture"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "dream" / "__init__.py", folder / "dream" / "__init__.py")
    return folder
