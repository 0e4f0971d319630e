"""Where the store lies and which Python is Dream's own, for the scripts that start it; syntax of Python 3.9.

The Python is named by its absolute path in `install.json` of the store, which the setup writes when it has tried it;
it is never looked for on PATH. `dream_home` decides as `dream.capture.home` does; a test holds both equal.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

RECORD = "install.json"


def user_home() -> Path:
    """The user's home folder, from the environment and else from the system."""
    found = os.environ.get("USERPROFILE" if os.name == "nt" else "HOME", "")
    return Path(found) if Path(found).is_absolute() else Path("~").expanduser()


def dream_home() -> Path:
    """The store's folder, absolute: `DREAM_HOME`, or `.dream` in the user's home."""
    named = os.environ.get("DREAM_HOME", "").strip() or "~/.dream"
    if named == "~" or named.startswith(("~/", "~\\")):
        named = str(user_home() / named[2:])
    return Path(os.path.normpath(user_home() / named))


def read_record(home: Path) -> dict[str, Any]:
    """What the setup wrote; empty where there is none or it cannot be read."""
    try:
        plain = json.loads((home / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return plain if isinstance(plain, dict) else {}


def write_record(home: Path, record: dict[str, Any]) -> None:
    """Put the record in the old one's place, whole or not at all."""
    fresh = home / f"{RECORD}.{os.getpid()}.new"
    fresh.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(home / RECORD)


def own_python(home: Path) -> tuple[str, str]:
    """Dream's interpreter and "", or "" and a sentence that says why there is none."""
    if not (home / RECORD).exists():
        return "", "Dream is not set up on this machine yet."
    python = read_record(home).get("python")
    if not isinstance(python, str) or not Path(python).is_absolute():
        return "", f"The record of Dream's installation ({home / RECORD}) cannot be read."
    if not os.access(python, os.X_OK):
        return "", f"Dream's own Python ({python}) is gone or cannot be started."
    return python, ""
