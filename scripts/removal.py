"""Taking Dream away: the timer, and every file that `install.json` lists; the memory only where a person says so."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from dream_home import RECORD, read_record, user_home

OWN_TREES = ("venv", "scripts", "bin", "kept")
"""Folders under the home that hold nothing but what the setup made."""


def remove_program(home: Path, timer_files: list[Path]) -> list[str]:
    """Remove environment, scripts, launchers, the timer's files and the record; returns what could not be removed."""
    left: list[str] = []
    record = read_record(home)
    for path in timer_files:
        _unlink(path, left)
    for made in reversed(record.get("folders", [])):
        _rmdir_if_empty(Path(made))
    for name in OWN_TREES:
        _remove_tree(home / name, left)
    _unlink(home / RECORD, left)
    return left


def remove_memory(home: Path, record: dict[str, Any]) -> list[str]:
    """Remove the store itself and its copy of the last checkpoint; returns what could not be removed."""
    left: list[str] = []
    try:
        own = (home / "ledger" / "checkpoint").read_text(encoding="utf-8", errors="replace")
    except OSError:
        own = ""
    folder = Path(record["state"]) if record.get("state") else state_folder()
    for path in folder.glob("*.checkpoint") if folder.is_dir() else ():
        if path.stem in own or path.read_text(encoding="utf-8", errors="replace") == own:
            _unlink(path, left)
    _rmdir_if_empty(folder)
    _remove_tree(home, left)
    return left


def state_folder() -> Path:
    """Where the copy of the last checkpoint lies without a record (as platformdirs has it; a test holds both equal)."""
    named = os.environ.get("DREAM_STATE", "").strip()
    if named:
        return Path(named).expanduser()
    if sys.platform == "darwin":
        return user_home() / "Library" / "Application Support" / "dream"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(user_home() / "AppData" / "Local"))) / "dream"
    named = os.environ.get("XDG_STATE_HOME", "").strip()
    return (Path(named) if named else user_home() / ".local" / "state") / "dream"


def agreed(home: Path) -> bool:
    """Ask the person whether the memory itself may go; without a terminal the answer is no."""
    if sys.stdin is None or not sys.stdin.isatty():
        print("The memory itself is kept: there is no terminal to ask at. `--yes` says that you were asked.")
        return False
    print(f"This deletes the memory in {home} for good. `dream export DIR` writes it out in open formats first.")
    return input("Type the word delete to go on: ").strip() == "delete"


def _unlink(path: Path, left: list[str]) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        left.append(f"{path} ({error.strerror})")


def _remove_tree(path: Path, left: list[str]) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if path.exists():
        left.append(str(path))


def _rmdir_if_empty(path: Path) -> None:
    if path.is_dir() and not any(path.iterdir()):
        path.rmdir()
