"""This computer's memory and disk, through psutil, which knows how each system counts them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import psutil


class LocalMachine:
    """`Machine` on the computer at hand."""

    def memory(self, pids: Iterable[int] = ()) -> tuple[int, int, int]:
        """Bytes: taken by this process and those of `pids` that live, still available, in all."""
        own = psutil.Process()
        taken = own.memory_info().rss + sum(self.taken(pid) for pid in set(pids) - {own.pid})
        machine = psutil.virtual_memory()
        return taken, machine.available, machine.total

    def taken(self, pid: int) -> int:
        """Bytes that a process takes; 0 where it is gone or another user's."""
        try:
            return int(psutil.Process(pid).memory_info().rss)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            return 0

    def peak(self) -> int:
        """The most bytes this process has taken so far; what it takes now where the system does not remember."""
        now = psutil.Process().memory_info()
        return max(int(now.rss), int(getattr(now, "peak_wset", 0)), _peak_of_unix())

    def free(self, path: str) -> int:
        """Bytes free on the disk of `path`, or of the nearest folder above it that is there."""
        place = Path(path)
        while not place.exists() and place != place.parent:
            place = place.parent
        return shutil.disk_usage(place).free


def _peak_of_unix() -> int:
    import sys

    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most) if sys.platform == "darwin" else int(most) * 1024
