"""What a person sees while a night runs: bars on a terminal, a line a phase elsewhere, nothing where it is quiet."""

from __future__ import annotations

import io
import re

import pytest

from dream.cli_progress import Progress


class Screen(io.StringIO):
    """A recorded standard error that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def play(progress: Progress) -> None:
    """What a night tells: a phase of unknown length, one of ten steps, one that is over at once."""
    progress.on("phase", {"phase": "orient", "total": None})
    progress.on("end", {"phase": "orient"})
    progress.on("phase", {"phase": "consolidate", "total": 10})
    for done in (1, 5, 10):
        progress.on("step", {"phase": "consolidate", "done": done})
    progress.on("end", {"phase": "consolidate"})
    progress.on("step", {"phase": "unheard of", "done": 1})


def recorded(monkeypatch: pytest.MonkeyPatch, terminal: bool, quiet: bool = False) -> str:
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    with Progress(quiet=quiet) as progress:
        play(progress)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())


def test_a_terminal_shows_a_bar_for_each_phase_with_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, terminal=True)
    assert "orient" in shown
    assert re.search(r"consolidate\s+━+\s+100%\s+\d+:\d\d:\d\d", shown)


def test_elsewhere_it_is_one_plain_line_a_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = recorded(monkeypatch, terminal=False).splitlines()
    assert [line.split()[0] for line in lines] == ["orient", "consolidate"]


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_is_silent(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    assert recorded(monkeypatch, terminal, quiet=True) == ""
