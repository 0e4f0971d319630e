"""Where no timer runs, a live server asks the automatic gate and has a night played apart (decision 20).

Promises: the night is a process of its own at low priority, with nothing of the server's pipes; whether one is due is
the command's own question (`dream cycle --if-due automatic`: 24 hours and more than five sessions), and so is that only
one plays at a time. Does nothing without a store, or where a timer was registered that can fire (a systemd timer cannot
where the user's systemd does not run, as in many containers).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dream.errors import DreamError

FIRST_SECONDS = 120.0
"""Not in a session that is over before it has begun."""
EVERY_SECONDS = 3600.0
NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)


def watch(environ: Mapping[str, str], first: float = FIRST_SECONDS, every: float = EVERY_SECONDS) -> threading.Event:
    """Ask after `first` seconds, then every `every`, in a thread that ends with the process or on the event."""
    stop = threading.Event()

    def ask() -> None:
        pause = first
        while not stop.wait(pause):
            night = ask_gate(environ)
            if night is not None:
                night.wait()  # so that no dead child is left behind
            pause = every

    threading.Thread(target=ask, name="dream-nightfall", daemon=True).start()
    return stop


def ask_gate(environ: Mapping[str, str]) -> subprocess.Popen[bytes] | None:
    """Start the command that asks the gate; None where there is a timer that can fire, or no store."""
    from dream.settings import load

    try:
        home = load(environ).settings.home
    except DreamError:
        return None
    if not (home / "ledger").is_dir() or _timer(home, environ):
        return None
    isolated = ["-I"] if sys.flags.isolated else []
    command = [sys.executable, *isolated, "-X", "utf8", "-m", "dream", "cycle", "--if-due", "automatic"]
    try:
        night = subprocess.Popen(  # noqa: S603
            command, env=dict(environ), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, creationflags=NO_WINDOW,
        )  # fmt: skip
    except OSError as error:
        sys.stderr.write(f"dream: the automatic night could not be started: {error}\n")
        return None
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, night.pid, 10)
    return night


def _timer(home: Path, environ: Mapping[str, str]) -> bool:
    from dream.health.host import systemd_runs

    try:
        timer = json.loads((home / "install.json").read_text(encoding="utf-8")).get("timer")
    except (OSError, ValueError, AttributeError):
        return False
    asleep = isinstance(timer, dict) and timer.get("kind") == "systemd" and not systemd_runs(environ)
    return bool(timer) and not asleep
