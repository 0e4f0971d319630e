"""How far long work is: a bar with a percentage and the time left on a terminal, a plain line for each piece elsewhere.

Everything goes to standard error, so that standard output holds the answer alone. A bar of work that a command did not
announce (reading the log, filling tables when a store is opened) appears only once it has taken a moment.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING

from dream import effort

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

SOON_S, LATE_S = 0.4, 3.0
"""When unannounced work is shown: with a bar on a terminal, with a line elsewhere."""


class Board:
    """Bars under one another, each piece of work by its name; opened when there is something to show."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._drawn = not quiet and sys.stderr.isatty()
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._begun: dict[str, float] = {}
        self._named: set[str] = set()

    def tell(self, what: str, done: int, total: int) -> None:
        """A watcher of `effort`: shows the work once it has taken a moment."""
        now = time.monotonic()
        since = now - self._begun.setdefault(what, now)
        if since >= (SOON_S if self._drawn else LATE_S) or what in self._tasks:
            self.show(what, done, total or None)

    def show(self, what: str, done: float, total: int | None) -> None:
        """Show the work at once; without a total the bar only moves."""
        if self._quiet:
            return
        if not self._drawn:
            if what not in self._named:
                self._named.add(what)
                sys.stderr.write(f"{what} …\n")
            return
        bars = self._open()
        if what not in self._tasks:
            self._tasks[what] = bars.add_task(what, total=total)
        bars.update(self._tasks[what], completed=done, total=total)

    def end(self, what: str) -> None:
        """The work is done, however far it was counted."""
        if self._bars is not None and what in self._tasks:
            task = self._tasks[what]
            known = self._bars.tasks[self._bars.task_ids.index(task)].total or 1
            self._bars.update(task, total=known, completed=known)

    def close(self) -> None:
        if self._bars is not None:
            self._bars.stop()

    def _open(self) -> Bars:
        if self._bars is None:
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bars

            columns = (TextColumn("{task.description:<28}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            self._bars = Bars(*columns, console=Console(stderr=True), transient=True)
            self._bars.start()
        return self._bars


_BOARD: ContextVar[Board | None] = ContextVar("board", default=None)


@contextmanager
def shown(quiet: bool = False) -> Iterator[None]:
    """Show whatever long work is done within this block."""
    board = Board(quiet)
    token = _BOARD.set(board)
    try:
        with effort.watched(board.tell):
            yield
    finally:
        _BOARD.reset(token)
        board.close()


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[None]:
    """Announce a piece of long work that is shown at once; its parts get bars of their own."""
    board = _BOARD.get()
    if board is not None and not quiet and sys.stderr.isatty():
        board.show(what, 0, None)
    try:
        yield
    finally:
        if board is not None:
            board.end(what)


class Progress:
    """An observer: `phase` starts one (`phase`, `total` or None), `step` counts (`phase`, `done`), `end` closes it."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._own: Board | None = None
        self._board = _BOARD.get()
        self._totals: dict[str, int | None] = {}

    def __enter__(self) -> Progress:
        if self._board is None:
            self._board = self._own = Board(self._quiet)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own is not None:
            self._own.close()

    def on(self, event: str, facts: Mapping[str, object]) -> None:
        """Take in what a night says."""
        phase, total, done = str(facts.get("phase", "")), facts.get("total"), facts.get("done")
        if self._board is None or self._quiet:
            return
        if isinstance(total, int) or event == "phase":
            self._totals[phase] = total if isinstance(total, int) else None
        if event == "phase":
            self._board.show(phase, 0, self._totals[phase])
        elif event == "step" and phase in self._totals:
            self._board.show(phase, float(done) if isinstance(done, int) else 0.0, self._totals[phase])
        elif event == "end":
            self._board.end(phase)
