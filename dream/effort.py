"""How far long work is, told from deep inside it to whoever watches; nothing is told where nobody does.

The work (reading the log, filling tables, drawing up the export) lies many calls below the commands and servers that
start it, and most of them watch nothing: so the watcher is of the context, not an argument of every call between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Thing = TypeVar("Thing")
Tell = Callable[[str, int, int], None]
"""What is being done, how much of it is done, and of how much in all."""

_TELL: ContextVar[Tell | None] = ContextVar("tell", default=None)
_PART: ContextVar[tuple[int, int]] = ContextVar("part", default=(0, 0))
STEPS = 200
"""How often `each` tells, over all its things."""


@contextmanager
def watched(watcher: Tell | None) -> Iterator[None]:
    """Whoever works within this block is watched by `watcher`; None by nobody."""
    token = _TELL.set(watcher)
    try:
        yield
    finally:
        _TELL.reset(token)


@contextmanager
def part(base: int, whole: int) -> Iterator[None]:
    """What is told within this block comes after `base` others, of `whole` in all."""
    token = _PART.set((base, whole))
    try:
        yield
    finally:
        _PART.reset(token)


def tell(what: str, done: int, total: int) -> None:
    """Say how far it is."""
    watcher = _TELL.get()
    if watcher is not None:
        base, whole = _PART.get()
        watcher(what, base + done, whole or total)


def each(what: str, things: Collection[Thing]) -> Iterator[Thing]:
    """The things one by one, telling how many are done."""
    total = len(things)
    every = max(1, total // STEPS)
    for number, thing in enumerate(things):
        if number % every == 0:
            tell(what, number, total)
        yield thing
    tell(what, total, total)
