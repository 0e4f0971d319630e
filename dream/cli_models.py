"""`dream init --models`: fetch the models with a bar each on a terminal, a line each elsewhere."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Task, TaskID

    from dream.compose_models import Told


def fetch_models(quiet: bool) -> dict[str, str]:
    """Bring the models of the settings to the server; `there` or `fetched` by name."""
    from dream.compose_models import fetch
    from dream.settings import load

    settings = load(os.environ).settings
    if quiet or not sys.stderr.isatty():
        return fetch(settings, _line() if not quiet else lambda *told: None)
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Size(DownloadColumn):
        """How much of how much; nothing where the server does not say."""

        def render(self, task: Task) -> Text:
            return super().render(task) if task.total else Text("")

    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Size(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[str, TaskID] = {}

        def draw(name: str, status: str, done: int, total: int) -> None:
            key = f"{name} {status}" if total else name
            if key not in tasks:
                tasks[key] = bars.add_task(key, total=total or None)
            bars.update(tasks[key], completed=done, total=total or None)

        return fetch(settings, draw)


def _line() -> Told:
    """Say each step once."""
    said: set[tuple[str, str]] = set()

    def tell(name: str, status: str, done: int, total: int) -> None:
        if (name, status) not in said:
            said.add((name, status))
            sys.stderr.write(f"{name}: {status}\n")

    return tell
