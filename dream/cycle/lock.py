"""One cycle at a time: an operating-system lock that dies with its process.

A left-over text of a dead or recycled pid never blocks, because only the lock decides (see `dream.adapters.system`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dream.errors import Locked
from dream.ports import Lock


@contextmanager
def alone(lock: Lock, timeout_s: float = 0.0) -> Iterator[None]:
    """Hold the cycle's lock for the time of a `with` block.

    Raises:
        Locked: another cycle runs; the sentence says by whom and since when. Exit code 3.
    """
    try:
        lock.acquire(timeout_s)
    except Locked as refused:
        raise Locked(_sentence(lock), refused.hint) from refused
    try:
        yield
    finally:
        lock.release()


def _sentence(lock: Lock) -> str:
    holder = lock.holder()
    if holder is None:
        return "A dream cycle is already running."
    doing = f" by {holder.who}" if holder.who else ""
    return f"A dream cycle is already running: started{doing} (pid {holder.pid} on {holder.host}) at {holder.since}."
