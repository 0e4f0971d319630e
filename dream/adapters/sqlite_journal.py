"""Which journal mode is safe for a database here, and why (decision 13).

SQLite before 3.44.6, 3.50.7 or 3.51.3 can lose acknowledged writes when two connections write and checkpoint a WAL
at once; and a WAL needs shared memory, which network and synced folders do not give.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SYNCED = re.compile(
    r"(?i)^(onedrive|dropbox|google ?drive|my drive|icloud ?drive|mobile documents|nextcloud|owncloud|pcloud ?drive|"
    r"box sync|mega(sync)?|syncthing|seafile|kdrive|proton ?drive)(\b| -)"
)
_NETWORK = frozenset(
    "nfs nfs4 cifs smb smbfs smb3 afpfs webdav davfs 9p afs ceph glusterfs "
    "fuse.sshfs fuse.rclone fuse.glusterfs".split()
)


@dataclass(frozen=True, slots=True)
class Journal:
    """The mode (`wal` or `delete`) and one sentence that says why."""

    mode: str
    why: str


def affected(version: tuple[int, ...]) -> bool:
    """Whether this SQLite has the WAL fault."""
    if version < (3, 45):
        return version < (3, 44, 6)
    if version < (3, 51):
        return version < (3, 50, 7)
    return version < (3, 51, 3)


def choose(
    path: Path,
    version: tuple[int, ...] = sqlite3.sqlite_version_info,
    mounts: Sequence[tuple[str, str]] | None = None,
) -> Journal:
    """The journal mode for the database at `path` (absolute).

    Args:
        mounts: (mount point, type of file system); None asks the system.
    """
    shared = shared_folder(path, mounts)
    if shared:
        return Journal("delete", f"{shared}: a WAL is not safe there")
    if affected(version):
        number = ".".join(map(str, version))
        return Journal("delete", f"SQLite {number} can lose writes in WAL mode (fixed in 3.44.6, 3.50.7 and 3.51.3)")
    return Journal("wal", "a local folder and a SQLite without the WAL fault")


def in_use(path: Path) -> str:
    """The journal mode the file itself names, `wal` or `delete`; "" where there is no database.

    Reads the header as a file: for a process that has no connection to it (decision 13).
    """
    try:
        with path.open("rb") as file:
            header = file.read(20)
    except OSError:
        return ""
    return "" if len(header) < 20 else "wal" if header[18] == 2 else "delete"


def shared_folder(path: Path, mounts: Sequence[tuple[str, str]] | None = None) -> str:
    """Says that the folder is synced or on a network, and which; "" where it is neither, as far as can be told."""
    for part in path.parts:
        if _SYNCED.match(part):
            return f"{path.parent} lies in the synced folder {part!r}"
    if str(path).startswith(("\\\\", "//")):
        return f"{path.parent} is a network share"
    best, kind = "", ""
    for point, sort in _mounted() if mounts is None else mounts:
        if (path.is_relative_to(point)) and len(point) >= len(best):
            best, kind = point, sort
    return f"{path.parent} is on a network file system ({kind} at {best})" if kind in _NETWORK else ""


def _mounted() -> list[tuple[str, str]]:
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    fields = [line.split(" ") for line in lines]
    return [(each[1].replace("\\040", " "), each[2]) for each in fields if len(each) > 2]
