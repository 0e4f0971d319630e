"""How far a transcript has been read: one small file per transcript in `capture/cursors/`.

Promises that a transcript which shrank, was replaced, or was rewritten before the cursor is read again from its
start (its notes have the same ids, so nothing doubles). A cursor that cannot be read counts as none.
"""

from __future__ import annotations

import json
import os

from dream.capture.digest import sha256
from dream.capture.home import ensure_folder

EDGE_BYTES = 512
KEEP_SECONDS = 40 * 86_400


def path_of(home: str, transcript: str) -> str:
    """The cursor's file; named by a digest, so no session id or path can climb out of the folder."""
    name = sha256(os.path.abspath(transcript).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return os.path.join(home, "capture", "cursors", name + ".json")


def load(path: str) -> dict[str, object]:
    """What the cursor says, or {}."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(4096))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def offset_in(descriptor: int, cursor: dict[str, object]) -> int:
    """Where to read on in the open transcript: the cursor's offset if the bytes before it are those it saw, else 0."""
    offset = cursor.get("offset")
    if not isinstance(offset, int) or offset <= 0 or os.fstat(descriptor).st_size < offset:
        return 0
    return offset if edges(descriptor, offset) == (cursor.get("head"), cursor.get("last")) else 0


def edges(descriptor: int, offset: int) -> tuple[str, str]:
    """Digests of the first and of the last 512 bytes before `offset`."""
    size = min(EDGE_BYTES, offset)
    os.lseek(descriptor, 0, os.SEEK_SET)
    head = os.read(descriptor, size)
    os.lseek(descriptor, offset - size, os.SEEK_SET)
    last = os.read(descriptor, size)
    return sha256(head).hexdigest(), sha256(last).hexdigest()


def save(path: str, descriptor: int, offset: int, facts: dict[str, object]) -> None:
    """Replace the cursor in one step; `facts` (which transcript, what it was warned of) stand beside the place."""
    head, last = edges(descriptor, offset)
    size = os.fstat(descriptor).st_size
    content = {**facts, "offset": offset, "size": size, "head": head, "last": last}
    ensure_folder(os.path.dirname(path))
    spare = f"{path}.{os.getpid()}.tmp"
    writer = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(writer, json.dumps(content).encode("ascii"))
    finally:
        os.close(writer)
    os.replace(spare, path)


def tidy(home: str, now: float) -> int:
    """Remove cursors not moved for 40 days, and what a killed hook left half written; how many files went.

    A session resumed later is read from its start again: its notes have the ids the ledger knows.
    """
    gone = 0
    try:
        with os.scandir(os.path.join(home, "capture", "cursors")) as found:
            old = [(entry.path, now - entry.stat().st_mtime) for entry in found]
    except FileNotFoundError:
        return 0
    for path, age in old:
        if age > (86_400 if path.endswith(".tmp") else KEEP_SECONDS):
            os.remove(path)
            gone += 1
    return gone
