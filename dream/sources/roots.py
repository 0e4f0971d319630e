"""Where transcripts lie: the client's own folder, and the folders of Cowork's local sessions, found by looking.

Cowork gives each local session a client folder of its own, some levels below one folder of the application; how many
has changed before, so they are searched for and never built. Cloud sessions leave nothing on the machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from dream.sources.folders import transcript_files

DEEPEST = 5
"""Levels below the application's folder at which a session may begin."""


def roots(transcripts: Path, cowork: Path | None) -> tuple[Path, ...]:
    """Every folder to sweep, the client's own first."""
    return (transcripts, *(local_sessions(cowork) if cowork is not None else ()))


def gone(folders: Sequence[Path], sessions: Iterable[str]) -> frozenset[str]:
    """The sessions without a transcript below these folders: hosts delete them after some weeks."""
    wanted = set(sessions)
    return frozenset(wanted - {Path(path).stem for path in transcript_files(folders, [])}) if wanted else frozenset()


def local_sessions(folder: Path) -> list[Path]:
    """The `.claude/projects` folders at most five levels below, in a fixed order; what cannot be read is left out."""
    found = []
    top = len(folder.parts)
    for here, below, _ in os.walk(folder):
        path = Path(here)
        if ".claude" in below and (path / ".claude" / "projects").is_dir():
            found.append(path / ".claude" / "projects")
        deep = len(path.parts) - top >= DEEPEST
        below[:] = [] if deep else sorted(name for name in below if not name.startswith("."))
    return sorted(found)
