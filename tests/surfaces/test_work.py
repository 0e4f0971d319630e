"""Long work tells how far it is, and a terminal draws it with a percentage and the time left."""

from __future__ import annotations

import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream import cli_progress, effort
from dream.compose import open_dream, restore_store, verify_store
from tests.surfaces.line import Line

Heard = dict[str, list[tuple[int, int]]]


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    made = Line(tmp_path).environ
    with open_dream(made, create=True) as dream:
        for number in range(30):
            dream.remember(f"Le serveur {number} écoute sur le port {9000 + number}.")
    return made


@pytest.fixture
def heard() -> Iterator[Heard]:
    told: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    with effort.watched(lambda what, done, total: told[what].append((done, total))):
        yield told


def assert_whole(steps: list[tuple[int, int]]) -> None:
    """It only grows, and ends at all of it."""
    done = [each for each, _ in steps]
    assert done == sorted(done) and steps[-1][0] == steps[-1][1] > 0


def test_checking_tells_how_far_it_is(environ: dict[str, str], heard: Heard) -> None:
    assert verify_store(environ, full=True).ok
    assert_whole(heard["reading the log"])
    assert_whole(heard["comparing rows"])


def test_restoring_tells_how_far_it_is(environ: dict[str, str], heard: Heard) -> None:
    restore_store(environ, None)
    assert_whole(heard["reading the log"])
    assert_whole(heard["filling pgt.sqlite"])


def test_a_rebuild_at_open_tells_how_far_it_is(environ: dict[str, str], heard: Heard) -> None:
    for path in Path(environ["DREAM_HOME"]).glob("pgt.sqlite*"):
        path.unlink()
    with open_dream(environ) as dream:
        assert dream.ledger_size == heard["taking entries into pgt.sqlite"][-1][1]
    assert_whole(heard["taking entries into pgt.sqlite"])


def test_exporting_tells_how_far_it_is(environ: dict[str, str], heard: Heard, tmp_path: Path) -> None:
    with open_dream(environ) as dream:
        dream.export(tmp_path / "out")
    assert_whole(heard["reading the graph"])
    assert_whole(heard["writing the graph"])


def test_parts_of_one_whole_count_on(heard: Heard) -> None:
    for base in (0, 3):
        with effort.part(base, 6):
            assert list(effort.each("work", "abc")) == list("abc")
    assert_whole(heard["work"])
    assert heard["work"][-1] == (6, 6)


def test_a_terminal_shows_a_percentage_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(cli_progress, "SOON_S", 0.0)
    with cli_progress.shown(), cli_progress.working("checking"):
        effort.tell("reading the log", 25, 100)
        effort.tell("reading the log", 50, 100)
    assert re.search(r"reading the log.*50%.*(\d:\d\d|-:--)", terminal.getvalue())


def test_what_is_over_in_a_moment_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(cli_progress, "SOON_S", 60.0)
    with cli_progress.shown():
        effort.tell("reading the log", 100, 100)
    assert terminal.getvalue() == ""


def test_without_a_terminal_what_takes_long_is_named_once_and_json_names_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_progress, "LATE_S", 0.0)
    with cli_progress.shown():
        for done in range(5):
            effort.tell("reading the log", done, 5)
    with cli_progress.shown(quiet=True):
        effort.tell("filling pgt.sqlite", 1, 5)
    assert capsys.readouterr().err == "reading the log …\n"
