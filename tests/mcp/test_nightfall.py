"""Without a timer, a live server lets the automatic gate decide; with one it leaves the night to it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from dream.compose import open_dream
from dream.mcp.nightfall import ask_gate, watch


def sessions(folder: Path, number: int) -> None:
    """Transcripts that were quiet for hours."""
    for index in range(number):
        path = folder / "-work" / f"s-{index}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        said = {"role": "user", "content": f"Printer {index} is at port 91{index}0."}
        line = {
            "type": "user", "uuid": f"u-{index}", "parentUuid": None, "sessionId": f"s-{index}", "cwd": "/home/lea",
            "timestamp": "2026-01-12T08:00:00.000Z", "message": said,
        }  # fmt: skip
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")


def whole(environ: dict[str, str]) -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[2])
    return {**{k: v for k, v in os.environ.items() if not k.startswith("DREAM_")}, **environ, "PYTHONPATH": root}


def test_six_sessions_and_a_day_are_a_night_and_five_are_none(environ: dict[str, str], tmp_path: Path) -> None:
    sessions(tmp_path / "projects", 5)
    night = ask_gate(whole(environ))
    assert night is not None and night.wait(120) == 0
    with open_dream(environ) as dream:
        assert dream.picture().last_outcome == "nothing due"
    sessions(tmp_path / "projects", 6)
    night = ask_gate(whole(environ))
    assert night is not None and night.wait(120) == 0
    with open_dream(environ) as dream:
        assert dream.picture().last_outcome == "done" and dream.picture().notes == 6


def test_with_a_timer_or_without_a_store_nothing_is_started(environ: dict[str, str], tmp_path: Path) -> None:
    record = tmp_path / "home" / "install.json"
    record.write_text('{"timer": {"kind": "launchd", "files": []}}', encoding="utf-8")
    assert ask_gate(environ) is None
    record.write_text('{"timer": {"kind": "systemd", "files": []}}', encoding="utf-8")
    (tmp_path / "run" / "systemd").mkdir(parents=True)
    (tmp_path / "run" / "systemd" / "private").touch()
    assert ask_gate({**environ, "XDG_RUNTIME_DIR": str(tmp_path / "run")}) is None
    night = ask_gate({**whole(environ), "XDG_RUNTIME_DIR": str(tmp_path / "no-systemd")})
    assert night is not None and night.wait(120) == 0, "a timer that cannot fire is none"
    record.write_text("{", encoding="utf-8")
    assert ask_gate({**environ, "DREAM_HOME": str(tmp_path / "none")}) is None
    assert ask_gate({**environ, "DREAM_TZ": "Nowhere/At all"}) is None


def test_it_asks_after_a_while_and_again(environ: dict[str, str], tmp_path: Path) -> None:
    stop = watch(whole(environ), 0.1, 0.1)
    log = tmp_path / "home" / "logs" / "nightly.log"
    until = time.monotonic() + 60
    while time.monotonic() < until and (not log.is_file() or log.read_text(encoding="utf-8").count("nothing due") < 2):
        time.sleep(0.2)
    assert log.read_text(encoding="utf-8").count("nothing due") >= 2
    stop.set()
