"""Set Dream up on Linux: virtual environment, store, and a systemd user timer at 02:05 that makes up missed nights.

A user's timers run while the user is logged in; `loginctl enable-linger` lets them run from boot on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from dream_home import user_home
from setup_main import main

TEMPLATES = Path(__file__).resolve().parent / "timers"


def config_home() -> Path:
    named = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(named) if Path(named).is_absolute() else user_home() / ".config"


def word(text: str) -> str:
    """A word of ExecStart: quoted, with what systemd would replace escaped."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$").replace("\n", "\\n")
    return f'"{plain}"'


class Systemd:
    """A service and its timer in the user's own unit folder."""

    kind = "systemd"

    def files(self, home: Path, python: Path, arguments: list[str]) -> dict[Path, bytes]:
        folder = config_home() / "systemd" / "user"
        service = (TEMPLATES / "dream.service.in").read_text(encoding="utf-8")
        service = service.replace("@COMMAND@", " ".join(word(each) for each in [str(python), *arguments]))
        timer = (TEMPLATES / "dream.timer.in").read_bytes()
        return {folder / "dream.service": service.encode(), folder / "dream.timer": timer}

    def register(self, files: list[Path]) -> list[str]:
        timer = files[-1]
        if _systemctl("daemon-reload") and _systemctl("enable", "--now", timer.name):
            return [f"02:05 every night, by {timer}", *_lingering()]
        link = _link(timer)
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(timer)
        return [f"no user manager runs here now; {timer} starts with your next login", *_lingering()]

    def unregister(self, files: list[Path]) -> list[Path]:
        timer = files[-1]
        _systemctl("disable", "--now", timer.name)
        link = _link(timer)
        link.unlink(missing_ok=True)
        if link.parent.is_dir() and not any(link.parent.iterdir()):
            link.parent.rmdir()
        timer.unlink(missing_ok=True)
        files[0].unlink(missing_ok=True)
        _systemctl("daemon-reload")
        data = os.environ.get("XDG_DATA_HOME", "")
        stamps = (Path(data) if Path(data).is_absolute() else user_home() / ".local" / "share") / "systemd" / "timers"
        return [stamps / f"stamp-{timer.name}"]


def _link(timer: Path) -> Path:
    return timer.parent / "timers.target.wants" / timer.name


def _systemctl(*words: str) -> bool:
    if shutil.which("systemctl") is None:
        return False
    command = ["systemctl", "--user", "--quiet", *words]
    try:
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _lingering() -> list[str]:
    if shutil.which("loginctl") is None:
        return []
    command = ["loginctl", "show-user", str(os.getuid()), "--property=Linger", "--value"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    if done.stdout.strip() == b"yes":
        return []
    return ["it runs while you are logged in; `loginctl enable-linger` lets it run from boot on"]


if __name__ == "__main__":
    sys.exit(main(Systemd()))
