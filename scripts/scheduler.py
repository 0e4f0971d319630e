"""What the timer of the operating system starts: finds Dream's own Python, plays the night where one is due, logs.

Promises: standard library only; output goes to `logs/scheduler.log` (a timer has no one to read it); a night that runs
longer than three hours is ended; a second firing of the same night finds nothing due, so timers may fire too often but
never too seldom. Exit codes are those of `dream cycle`: 0 done or nothing due, 3 another night runs.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]  # a Python started with -I does not look beside the script

from dream_home import dream_home, own_python

LONGEST_S = 3 * 3600
ROTATE_BYTES = 1_000_000
NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows: no console pops up


def log(home: Path, text: str) -> None:
    """Append lines, each with the instant; at 1 MB the log becomes `scheduler.log.1`."""
    path = home / "logs" / "scheduler.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: UP017 - runs on Python 3.9
    with path.open("a", encoding="utf-8", errors="replace") as file:
        file.writelines(f"{stamp} {line}\n" for line in text.splitlines() if line.strip())
        full = file.tell() > ROTATE_BYTES
    if full:
        path.replace(path.with_name("scheduler.log.1"))


def play(home: Path, longest_s: float = LONGEST_S) -> int:
    """One call of `dream cycle --if-due nightly`; returns its exit code, 1 where it could not be started or ended."""
    python, why = own_python(home)
    if not python:
        log(home, f"{why} Run the setup again: the skill dream-init does it.")
        return 1
    command = [python, "-I", "-X", "utf8", "-m", "dream", "cycle", "--if-due", "nightly"]
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=str(home), timeout=longest_s, creationflags=NO_WINDOW, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        log(home, (late.output or b"").decode("utf-8", "replace"))
        log(home, f"the night was ended after {longest_s:.0f} s; what was committed stays")
        return 1
    except OSError as error:
        log(home, f"{python} does not start: {error}")
        return 1
    log(home, done.stdout.decode("utf-8", "replace"))
    if done.returncode not in (0, 3):
        log(home, f"dream cycle ended with exit code {done.returncode}")
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="scheduler.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable for the night")
    for name, _, value in (each.partition("=") for each in parser.parse_args().set):
        os.environ[name] = value
    return play(dream_home())


if __name__ == "__main__":
    sys.exit(main())
