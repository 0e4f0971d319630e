"""Set Dream up on Windows: virtual environment, store, and a task at 02:05 in the Task Scheduler.

Not tried on Windows yet: the task's XML is checked against its own rules elsewhere. It starts as soon as possible after
a missed time, on batteries too, never twice at once, and with pythonw, which opens no console window.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from setup_main import main

NAME = "\\Dream\\Nightly"
TEMPLATE = Path(__file__).resolve().parent / "timers" / "dream-nightly.xml.in"


class TaskScheduler:
    """A task of the user's own."""

    kind = "task-scheduler"

    def files(self, home: Path, python: Path, arguments: list[str]) -> dict[Path, bytes]:
        domain = os.environ.get("USERDOMAIN", "")
        user = f"{domain}\\{getpass.getuser()}" if domain else getpass.getuser()
        text = TEMPLATE.read_text(encoding="utf-8")
        for mark, value in (
            ("@USER@", user),
            ("@COMMAND@", str(python)),
            ("@ARGUMENTS@", subprocess.list2cmdline(arguments)),
            ("@FOLDER@", str(home)),
        ):
            text = text.replace(mark, escape(value))
        return {home / "scripts" / "dream-nightly.xml": text.replace("\n", "\r\n").encode("utf-16")}

    def register(self, files: list[Path]) -> list[str]:
        if _schtasks("/Create", "/TN", NAME, "/XML", str(files[0]), "/F"):
            return [f"02:05 every night, by the task {NAME}"]
        return [f"the Task Scheduler refused; import {files[0]} by hand (Task Scheduler, Import Task)"]

    def unregister(self, files: list[Path]) -> list[Path]:
        _schtasks("/Delete", "/TN", NAME, "/F")
        return []


def _schtasks(*words: str) -> bool:
    try:
        return subprocess.run(["schtasks", *words], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    sys.exit(main(TaskScheduler()))
