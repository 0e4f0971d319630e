"""What `dream doctor` mends by itself, and says that it did. Only what can be made again or is nobody's word.

Promises: the log, the keys and the settings are never altered (but who may read them); what is put aside is kept
beside its place. Refuses: guessing; what needs a person stays a finding with a hint.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from dream.health.doctor import Finding, Grade
from dream.paths import Home

STALE_SECONDS = 3600
"""A half-written file this old belongs to a process that has died."""
_MADE_AGAIN = ("health.json", "index/status.json")


def mend_files(home: Home) -> Iterator[Finding]:
    """Close the home to others, put damaged state aside, sweep out half-written files; one finding for each repair."""
    if not home.root.is_dir() or not os.access(home.root, os.W_OK):
        return
    if os.name == "posix":
        yield from _closed(home.root)
    for name in _MADE_AGAIN:
        yield from _aside(home.root / name)
    yield from _swept(home.root)


def _closed(root: Path) -> Iterator[Finding]:
    mode = root.stat().st_mode
    if mode & 0o077:
        try:
            root.chmod(mode & 0o700)
        except OSError:
            return
        yield Finding("home", Grade.MENDED, f"others could read {root}; now only you can")
    for path in sorted((root / "keys").glob("*.key")):
        if path.stat().st_mode & 0o077:
            try:
                path.chmod(0o600)
            except OSError:
                return
            yield Finding("key", Grade.MENDED, f"others could read {path.name}; now only you can")


def _aside(path: Path) -> Iterator[Finding]:
    try:
        fine = isinstance(json.loads(path.read_bytes()), dict)
    except (FileNotFoundError, IsADirectoryError, PermissionError):
        return
    except (OSError, ValueError):
        fine = False
    if fine:
        return
    try:
        path.replace(path.with_name(f"{path.name}.damaged"))
    except OSError:
        return
    yield Finding(path.name, Grade.MENDED, f"it could not be read and lies beside its place as {path.name}.damaged")


def _swept(root: Path) -> Iterator[Finding]:
    old = time.time() - STALE_SECONDS
    places = (root, root / "index", root / "index" / "projects", root / "archive" / "nights", root / "processed")
    gone = 0
    for place in places:
        for path in place.glob("*.new"):
            try:
                if path.is_file() and path.stat().st_mtime < old:
                    path.unlink()
                    gone += 1
            except OSError:
                continue
    if gone:
        yield Finding("left-overs", Grade.MENDED, f"{gone} half-written files of processes that died are gone")
