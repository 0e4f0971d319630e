"""`writer.lock`: one writer at a time, by an OS lock that dies with its process.

The file names who holds it (process id and since when) for people only; a number left by a dead process, or one that
another process has got since, says nothing, because what counts is the lock.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dream.errors import Locked

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try(descriptor: int) -> bool:
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def held(path: Path, patience: float = 30.0) -> Iterator[None]:
    """Hold the lock; waits up to `patience` seconds.

    Raises:
        Locked: another process, or another thread of this one, still holds it; nothing was done.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        until = time.monotonic() + patience
        pause = 0.001
        while not _try(descriptor):
            if time.monotonic() >= until:
                raise Locked(
                    f"{path.name} is held by process {_holder(descriptor)} for more than {patience:g} s.",
                    "Wait for it to end, or end that process, then try again; nothing was written.",
                )
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0) if hasattr(os, "pwrite") else None
        yield
    finally:
        os.close(descriptor)


def _holder(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
