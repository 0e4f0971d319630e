"""The machine: its clock, its file locks.

A `FileLock` is an operating-system lock (`flock`, or `msvcrt.locking` on Windows), so it ends with the process that
holds it however that process ends; nothing has to be cleaned up and no pid is ever trusted. Who holds it and since
when stands beside it in `<name>.holder`, for the message alone: that text never decides anything.

The lock file itself is never deleted: two processes could then hold locks on two files of one name.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from dream.errors import Locked
from dream.ports import Clock, Holder

_POLL_S = 0.02
_GRACE_S = 0.06  # what `held` may take the lock for: a taker without a timeout outlasts it


class SystemClock:
    """The machine's clock, read in UTC."""

    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        return time.monotonic()


class FileLock:
    """One holder at a time, over all processes and threads of this machine. Not re-entrant.

    Args:
        path: the lock file; it and its folder are made when first asked for.
        who: what the holder is doing, for the message of the one who waits ("dream cycle").
        clock: says since when.
    """

    def __init__(self, path: Path, who: str = "", clock: Clock | None = None) -> None:
        self._path = path
        self._beside = path.with_name(path.name + ".holder")
        self._who = who
        self._clock: Clock = clock if clock is not None else SystemClock()
        self._fd: int | None = None

    def acquire(self, timeout_s: float = 0.0) -> None:
        """Take the lock, waiting up to `timeout_s` seconds.

        Raises:
            Locked: another holds it still; the sentence says who and since when.
        """
        if self._fd is not None:
            raise RuntimeError(f"{self._path.name} is already held by this object")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._wait_for(fd, max(timeout_s, _GRACE_S))
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        self._write_holder()

    def release(self) -> None:
        """Give the lock back; nothing happens where it is not held."""
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        self._beside.unlink(missing_ok=True)
        _unlock(fd)
        os.close(fd)

    def holder(self) -> Holder | None:
        """What the last taker wrote beside the lock, or None. It may be out of date: only `acquire` decides."""
        try:
            said = json.loads(self._beside.read_text("utf-8"))
            return Holder(int(said["pid"]), str(said["since"]), str(said["who"]), str(said["host"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def held(self) -> bool:
        """Whether someone holds it now (this object included)."""
        if self._fd is not None:
            return True
        try:
            fd = os.open(self._path, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            if not _try_lock(fd):
                return True
            _unlock(fd)
            return False
        finally:
            os.close(fd)

    def __enter__(self) -> FileLock:
        if self._fd is None:
            self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _wait_for(self, fd: int, timeout_s: float) -> None:
        deadline = self._clock.monotonic() + timeout_s
        while not _try_lock(fd):
            if self._clock.monotonic() >= deadline:
                raise Locked(self._sentence(), "Wait until it has ended, then try again; nothing was lost.")
            time.sleep(_POLL_S)

    def _sentence(self) -> str:
        holder = self.holder()
        if holder is None:
            return f"{self._path.name} is held by another process."
        doing = holder.who or "another process"
        return f"{self._path.name} is held by {doing} (pid {holder.pid} on {holder.host}) since {holder.since}."

    def _write_holder(self) -> None:
        said = {"pid": os.getpid(), "since": self._clock.now(), "who": self._who, "host": socket.gethostname()}
        try:
            self._beside.write_text(json.dumps(said), "utf-8")
        except OSError:
            # A full disk must not cost the lock: the message will only be poorer.
            self._beside.unlink(missing_ok=True)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, 0, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(fd: int) -> None:
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)
