"""Taking Dream away: the timer, and every file that `install.json` lists; the memory only where a person says so.

What Dream knows is written out in open formats first, where a person names a folder for it; where that fails, nothing
is removed. With the program goes the mark that lets hooks note, so a plugin that is still in Claude is quiet.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from dream_home import RECORD, own_python, read_record, user_home
from installation import SetupFailed, dream, said, say

OWN_TREES = ("venv", "scripts", "bin", "kept")
"""Folders under the home that hold nothing but what the setup made."""

ALLOWED = Path("capture", "allowed")
"""As `dream.capture.home` has it; a test holds both equal."""


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
    _unlink(home / ALLOWED, left)
    _unlink(home / RECORD, left)
    _rmdir_if_empty((home / ALLOWED).parent)
    return left


def write_out(home: Path, named: str) -> None:
    """Have Dream export what it knows into the folder a person named, or names when asked; nothing where they do not.

    Raises:
        SetupFailed: it could not be written, or it would go with the memory.
    """
    folder = named or _folder_wanted()
    if not folder:
        return
    target = Path(folder).expanduser().absolute()
    if home.resolve() in (target.resolve(), *target.resolve().parents):
        raise SetupFailed(f"{target} lies inside the memory itself.", "Name a folder elsewhere. Nothing was removed.")
    python, why = own_python(home)
    if not python:
        raise SetupFailed(f"Nothing can be exported: {why}", "Set Dream up again first. Nothing was removed.")
    done = dream(python, "export", str(target))
    if done.returncode != 0:
        raise SetupFailed(f"The export failed: {said(done)}", "Nothing was removed.")
    say(done.stdout.decode("utf-8", "replace").strip())


def _folder_wanted() -> str:
    """The folder a person at a terminal names for an export; "" elsewhere."""
    if sys.stdin is None or not sys.stdin.isatty():
        return ""
    print("Before it goes: what Dream knows can be written out in open formats (GraphML and JSON).")
    return input("Into which folder? (nothing for none) ").strip()


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
    for made in reversed(record.get("folders", [])):
        _rmdir_if_empty(Path(made))
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
    print(f"This deletes the memory in {home} for good.")
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
