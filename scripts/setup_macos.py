"""Set Dream up on macOS: virtual environment, store, and a launchd agent at 02:05 that runs at login, too.

launchd starts a night that was slept through when the machine wakes, once; RunAtLoad covers nights it was off. There is
no KeepAlive: the job ends, and a start on which nothing is due exits with 0.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from dream_home import user_home
from setup_main import main

LABEL = "dev.dream.nightly"
TEMPLATE = Path(__file__).resolve().parent / "timers" / f"{LABEL}.plist.in"


class Launchd:
    """An agent in the user's own folder."""

    kind = "launchd"

    def files(self, home: Path, python: Path, arguments: list[str]) -> dict[Path, bytes]:
        rows = "\n".join(f"\t\t<string>{escape(each)}</string>" for each in [str(python), *arguments])
        text = TEMPLATE.read_text(encoding="utf-8").replace("@ARGUMENTS@", rows)
        return {user_home() / "Library" / "LaunchAgents" / f"{LABEL}.plist": text.encode()}

    def register(self, files: list[Path]) -> list[str]:
        _launchctl("bootout", f"{_domain()}/{LABEL}")
        if _launchctl("bootstrap", _domain(), str(files[0])):
            return [f"02:05 every night, by {files[0]}"]
        return [f"launchd did not take it now; {files[0]} is read at your next login"]

    def unregister(self, files: list[Path]) -> list[Path]:
        _launchctl("bootout", f"{_domain()}/{LABEL}")
        return []


def _domain() -> str:
    return f"gui/{getattr(os, 'getuid', int)()}"


def _launchctl(*words: str) -> bool:
    try:
        return subprocess.run(["launchctl", *words], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    sys.exit(main(Launchd()))
