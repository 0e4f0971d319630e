"""How far a night is: bars on a terminal, a line per phase elsewhere, nothing with --json; the answer stays alone."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dream.cli_progress import Progress
from tests.surfaces.line import ROOT, Line


def test_a_pipe_gets_a_line_per_phase_on_standard_error(copied: Line) -> None:
    done = copied("cycle", "--force", "--dry-run", "--now", "2026-10-01T02:05:00+02:00")
    assert [line for line in done.err.splitlines() if line.endswith("…")] == ["orient …", "gather …", "prune …"]
    assert "…" not in done.out


def test_json_keeps_quiet(copied: Line) -> None:
    assert copied("cycle", "--force", "--dry-run", "--now", "2026-10-01T02:05:00+02:00", "--json").err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_a_bar_with_time_left(samples: Line, tmp_path: Path) -> None:
    import pty

    fresh = Line(tmp_path)
    assert fresh("init", "--no-schedule").code == 0
    environ = {**os.environ, **fresh.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    environ["DREAM_TRANSCRIPTS"] = str(samples.transcripts)
    above, below = pty.openpty()
    command = [sys.executable, "-m", "dream", "cycle", "--now", "2026-10-01T02:05:00+02:00"]
    done = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=below)
    os.close(below)
    drawn = b""
    while True:
        try:
            piece = os.read(above, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        drawn += piece
    out, _ = done.communicate()
    assert done.returncode == 0
    assert b"consolidate" in drawn and b"\x1b[" in drawn
    assert "Read" in out.decode("utf-8") and "\x1b[" not in out.decode("utf-8")


def test_an_observer_takes_events_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    err = io.StringIO()
    monkeypatch.setattr(sys, "stderr", err)
    with Progress() as progress:
        progress.on("phase", {"phase": "gather", "total": 3})
        progress.on("step", {"phase": "gather", "done": 2})
        progress.on("weather", {})
        progress.on("end", {"phase": "gather"})
    assert err.getvalue() == "gather …\n"
