"""Is this machine and this store fit for Dream? One line a finding: what, how it stands, what to do."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dream.settings import Loaded

BASE = ("cryptography", "networkx", "rank_bm25", "snowballstemmer", "platformdirs", "rich", "psutil")
FREE_MEGABYTES = 200
WANTED_GB = 16
MODELS_GB = 35
"""What the models of the defaults take on the disk, with room to work."""
STUB_SECONDS = 5


class Grade(StrEnum):
    """How a finding stands; only `bad` makes `dream doctor` exit with 1."""

    GOOD = "good"
    NOTE = "note"
    MENDED = "mended"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what it is, a sentence, and what to do where it is not good."""

    subject: str
    grade: Grade
    sentence: str
    hint: str = ""


def examine(loaded: Loaded, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at interpreter, packages, settings, home and transcripts; opens no store."""
    yield _python()
    yield _packages()
    yield Finding("SQLite", Grade.GOOD, f"version {sqlite3.sqlite_version}")
    for old in sorted(loaded.settings.home.glob("*.gpickle")):
        sentence = (
            f"{old.name} is of an earlier Dream and is never read: unpickling runs code, the graph is in pgt.sqlite"
        )
        yield Finding("graph", Grade.NOTE, sentence, f"It can go: {old}")
    yield _hook_python(environ)
    if loaded.unknown:
        names = ", ".join(loaded.unknown)
        yield Finding(
            "settings", Grade.NOTE, f"config.json has unknown keys: {names}", "`dream config` has the known ones."
        )
    else:
        yield Finding("settings", Grade.GOOD, "every key is known")
    yield from _home(loaded.settings.home)
    yield _transcripts(loaded.settings.transcripts)


def _python() -> Finding:
    return Finding("Python", Grade.GOOD, f"{platform.python_version()} at {sys.executable}")


def memory(total: int) -> Finding:
    """Whether the machine's `total` bytes are what the judging model of the defaults needs; rules judge in far less."""
    gigabytes = total / 1e9
    if gigabytes < WANTED_GB - 1:  # what firmware keeps is not missing
        hint = "Rules judge in a few hundred MB (DREAM_JUDGE=rules); a smaller model fits too."
        return Finding("memory", Grade.NOTE, f"{gigabytes:.0f} GB; the judging model wants {WANTED_GB}", hint)
    return Finding("memory", Grade.GOOD, f"{gigabytes:.0f} GB")


def _packages() -> Finding:
    missing = [name for name in BASE if importlib.util.find_spec(name) is None]
    if missing:
        hint = f"{sys.executable} -m pip install {' '.join(missing)}"
        return Finding("packages", Grade.BAD, f"missing: {', '.join(missing)}", hint)
    return Finding("packages", Grade.GOOD, "all that a night needs")


def _hook_python(environ: Mapping[str, str]) -> Finding:
    """Hooks run on the `python3` of PATH; on Windows that can be a stub that only opens a shop."""
    found = shutil.which("python3", path=environ.get("PATH"))
    hint = "Install Python 3 so that `python3` starts it; until then the night's sweep does what hooks would have done."
    if found is None:
        return Finding("hooks", Grade.NOTE, "there is no `python3` on PATH, so hooks cannot run", hint)
    command = [found, "-c", "import sys; sys.exit(sys.version_info < (3, 9))"]
    try:
        done = subprocess.run(command, timeout=STUB_SECONDS, capture_output=True, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("hooks", Grade.NOTE, f"`python3` on PATH ({found}) does not start: {error}", hint)
    if done.returncode != 0:
        return Finding("hooks", Grade.NOTE, f"`python3` on PATH ({found}) is a stub or older than 3.9", hint)
    return Finding("hooks", Grade.GOOD, f"run on {found}")


def _home(home: Path) -> Iterator[Finding]:
    if not home.is_dir():
        yield Finding("home", Grade.NOTE, f"{home} is not there yet", "`dream init` makes it.")
        return
    if not os.access(home, os.W_OK):
        yield Finding("home", Grade.BAD, f"{home} cannot be written", "Give yourself the right to write there.")
    elif os.name == "posix" and home.stat().st_mode & 0o077:
        yield Finding("home", Grade.BAD, f"others can read {home}", f"chmod -R go= {home}")
    else:
        yield Finding("home", Grade.GOOD, str(home))
    free = shutil.disk_usage(home).free // 1_000_000
    if free < FREE_MEGABYTES:
        hint = "Free some space; what is in the buffer waits."
        yield Finding("disk", Grade.BAD, f"{free} MB free, of {FREE_MEGABYTES} MB wanted", hint)
    elif free < MODELS_GB * 1000:
        hint = "Enough for Dream itself; only models, where you want them, need more."
        yield Finding("disk", Grade.NOTE, f"{free / 1000:.0f} GB free; all models want {MODELS_GB}", hint)
    else:
        yield Finding("disk", Grade.GOOD, f"{free / 1000:.0f} GB free")


def journal(wanted: str, why: str, found: str) -> Finding:
    """How the database writes: the mode that is safe here, and the one its file is in ("" where there is none yet)."""
    if found == "wal" and wanted != "wal":
        hint = "Close the other sessions of Dream: the first to open it alone changes it."
        return Finding("journal", Grade.NOTE, f"the database is in WAL mode, and {why}", hint)
    return Finding("journal", Grade.GOOD, f"{wanted}: {why}")


def _transcripts(folder: Path) -> Finding:
    if folder.exists() and not folder.is_dir():
        return Finding("transcripts", Grade.BAD, f"{folder} is a file", "Name a folder with DREAM_TRANSCRIPTS.")
    if folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK):
        return Finding("transcripts", Grade.BAD, f"{folder} may not be read", "Give yourself the right to read it.")
    if not folder.is_dir():
        hint = "It appears with the first session; set DREAM_TRANSCRIPTS if yours lies elsewhere."
        return Finding("transcripts", Grade.NOTE, f"{folder} is not there", hint)
    number = sum(1 for _ in folder.glob("*/*.jsonl"))
    return Finding("transcripts", Grade.GOOD, f"{number} in {folder}")
