"""Which files are transcripts: `*.jsonl` below the client's folders, each file once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_NOT_SESSIONS = frozenset({"subagents", "tool-results", "memory"})


def transcript_files(roots: Iterable[Path], failed: list[str]) -> Iterator[str]:
    """Yield absolute paths in a fixed order; a folder or file reached twice (links, nested roots) comes once.

    Left out: folders of subagents, tool results and memory files, and `agent-*.jsonl`. A root that is not there has
    no transcripts. A folder that cannot be read is named in `failed`.
    """
    met: set[tuple[int, int]] = set()
    waiting = [str(root.absolute()) for root in roots][::-1]
    while waiting:
        folder = waiting.pop()
        try:
            if not _first_time(folder, met):
                continue
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as refused:
            failed.append(f"{folder} ({refused.strerror or type(refused).__name__})")
            continue
        below = []
        for entry in entries:
            try:
                if entry.is_dir():
                    if entry.name not in _NOT_SESSIONS:
                        below.append(entry.path)
                elif _is_session(entry) and _first_time(entry.path, met):
                    yield entry.path
            except OSError:  # a link that leads nowhere, or a file gone since
                continue
        waiting.extend(reversed(below))


def _is_session(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".jsonl") and not entry.name.startswith("agent-") and entry.is_file()


def _first_time(path: str, met: set[tuple[int, int]]) -> bool:
    found = Path(path).stat()
    key = (found.st_dev, found.st_ino)
    if found.st_ino and key in met:
        return False
    met.add(key)
    return True
