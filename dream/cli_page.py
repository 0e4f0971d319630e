"""What a command answers, and how pages are drawn: one console, one look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


UNBROKEN = 10_000
"""Columns of a console that is a file or a pipe."""


@dataclass(frozen=True, slots=True)
class Page:
    """A command's answer: `plain` for `--json`, `draw` for people; `each` are objects, one a line, in its place."""

    plain: Mapping[str, Any]
    draw: Callable[[Console], None]
    exit_code: int = 0
    each: Iterable[Mapping[str, Any]] | None = None


def console() -> Console:
    """Standard output; without a terminal, plain text with no line broken, so that it can be searched."""
    import sys

    from rich.console import Console

    wide = None if sys.stdout.isatty() else UNBROKEN
    return Console(highlight=False, soft_wrap=False, width=wide, emoji=False, markup=False)


def lines(*texts: str) -> Callable[[Console], None]:
    """Draw lines as they are, however long."""

    def draw(on: Console) -> None:
        for text in texts:
            on.print(text, soft_wrap=True)

    return draw


def table(columns: Mapping[str, str], rows: Sequence[tuple[str, ...]]) -> RenderableType:
    """A table without rules; `columns` names each and says how it is set: left, right, or fold (long text)."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True, header_style="bold")
    for name, setting in columns.items():
        if setting == "fold":
            made.add_column(name, overflow="fold")
        else:
            made.add_column(name, justify="right" if setting == "right" else "left", no_wrap=True)
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def counted(number: int, one: str, many: str = "") -> str:
    """`1 night`, `3 nights`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
