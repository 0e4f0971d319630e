"""How far a night is: a bar per phase with time left on a terminal, a plain line per phase elsewhere.

Everything goes to standard error, so that standard output holds the answer alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


class Progress:
    """An observer: `phase` starts one (`phase`, `total` or None), `step` counts (`phase`, `done`), `end` closes it."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Progress:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bars

            columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bars = Bars(*columns, console=Console(stderr=True), transient=True)
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def on(self, event: str, facts: Mapping[str, object]) -> None:
        """Take in what a night says."""
        phase = str(facts.get("phase", ""))
        if self._bars is not None:
            self._draw(event, phase, facts)
        elif not self._quiet and event == "phase":
            sys.stderr.write(f"{phase} …\n")

    def _draw(self, event: str, phase: str, facts: Mapping[str, object]) -> None:
        assert self._bars is not None  # noqa: S101 -- `on` asks before it calls
        total = facts.get("total")
        if event == "phase":
            self._tasks[phase] = self._bars.add_task(phase, total=total if isinstance(total, int) else None)
        elif event == "step" and phase in self._tasks:
            done = facts.get("done")
            number = float(done) if isinstance(done, int) else None
            self._bars.update(self._tasks[phase], completed=number, total=total if isinstance(total, int) else None)
        elif event == "end" and phase in self._tasks:
            task = self._tasks[phase]
            known = self._bars.tasks[self._bars.task_ids.index(task)].total or 1
            self._bars.update(task, total=known, completed=known)


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[None]:
    """On a terminal, say that something long is being done and for how long it has been."""
    if quiet or not sys.stderr.isatty():
        yield
    else:
        from rich.console import Console
        from rich.progress import Progress as Bars
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
            bars.add_task(what, total=None)
            yield
