"""What holds for every command: help, one JSON object, exit codes, errors that say what, why and what to do."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.adapters.system import FileLock
from dream.cli import parser
from tests.surfaces.line import ROOT, Line


def words_of(top: argparse.ArgumentParser, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, each in action.choices.items():
                yield from list(words_of(each, (*before, name))) or [(*before, name)]


COMMANDS = sorted(words_of(parser()))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_help(dream: Line, words: tuple[str, ...]) -> None:
    done = dream(*words, "--help")
    assert done.code == 0
    assert "--json" in done.out


@pytest.mark.parametrize("words", [(), ("dance",), ("search",), ("hitl",), ("search", "x", "-k", "many")])
def test_wrong_usage_is_2(dream: Line, words: tuple[str, ...]) -> None:
    done = dream(*words)
    assert done.code == 2
    assert done.err


NEEDS_A_STORE = [
    ("search", "x"), ("remember", "x"), ("pin", "f-0"), ("explain", "f-0"), ("context",), ("nights",),
    ("hitl", "list"), ("ledger", "verify"), ("ledger", "log"), ("health",), ("export", "out"),
]  # fmt: skip


@pytest.mark.parametrize("words", NEEDS_A_STORE, ids=" ".join)
def test_without_a_store_a_command_says_how_to_make_one(dream: Line, words: tuple[str, ...]) -> None:
    done = dream(*words)
    assert done.code == 1
    assert "dream init" in done.err
    assert not done.out


@pytest.mark.parametrize(
    "words", [("config",), ("doctor",), ("health",), ("nights",), ("hitl", "list"), ("ledger", "log")]
)
def test_json_is_one_object_on_standard_output(ready: Line, words: tuple[str, ...]) -> None:
    done = ready(*words, "--json")
    assert done.code == 0, done.err
    assert isinstance(done.plain, dict)
    assert done.out.count("\n") == 1


def test_an_error_with_json_is_told_on_both_streams(ready: Line) -> None:
    done = ready("explain", "f-000000000000000000000000", "--json")
    assert done.code == 1
    assert done.plain["error"]["code"] == "not-found"
    assert done.plain["error"]["hint"] in done.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("search", " "), "nothing to look for"),
        (("search", "x", "--as-of", "03/04/2026"), "03/04/2026"),
        (("search", "x", "--kind", "opinion"), "opinion"),
        (("search", "x", "-k", "0"), "0 hits"),
        (("remember", "word " * 200), "480"),
        (("cycle", "--now", "hier"), "hier"),
        (("cycle", "--tz", "Europe/Atlantis"), "Atlantis"),
    ],
)
def test_a_value_that_makes_no_sense_is_2_and_is_named(ready: Line, words: tuple[str, ...], named: str) -> None:
    done = ready(*words)
    assert done.code == 2
    assert named in done.err


@pytest.mark.parametrize(
    ("variable", "value"), [("DREAM_METRICS_PORT", "ninety"), ("DREAM_TZ", "Mars"), ("DREAM_NOTES", "some")]
)
def test_a_setting_that_cannot_be_used_is_2_and_is_named(dream: Line, variable: str, value: str) -> None:
    dream.environ[variable] = value
    done = dream("health")
    assert done.code == 2
    assert variable in done.err and value in done.err


def test_a_judge_that_is_not_there_defers_the_night_before_anything_is_read(copied: Line) -> None:
    """D16: exit code 3, the sentence says what waits, memory is as it was."""
    before = copied.files()
    done = copied("cycle", "--force", "--judge", "gemma4:12b")
    assert done.code == 3
    assert "waits for gemma4:12b (1 of 3 nights)" in done.err
    after = copied.files()
    changed = {name for name in after if after[name] != before.get(name)}
    assert not {name for name in changed if name.startswith(("ledger", "capture", "processed"))}
    assert "deferred" in after["index/status.json"].decode()


def test_a_second_night_at_once_is_refused_with_3_and_says_who_runs(samples: Line) -> None:
    """Case G05."""
    lock = FileLock(samples.home / "cycle.lock", "a test")
    with lock:
        done = samples("cycle", "--force", "--dry-run")
    assert done.code == 3
    assert "a test" in done.err


def test_init_twice_changes_nothing(ready: Line) -> None:
    before = ready.kept()
    assert ready("init", "--no-schedule").code == 0
    assert ready.kept() == before


def test_the_home_is_for_the_user_alone(ready: Line) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no mode bits")
    assert ready.home.stat().st_mode & 0o077 == 0
    assert (ready.home / "keys" / "ledger.key").stat().st_mode & 0o077 == 0


def test_a_home_that_stood_open_is_closed_when_the_store_is_made(dream: Line) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no mode bits")
    dream.home.mkdir(mode=0o755)
    assert dream("init", "--no-schedule").code == 0
    assert dream.home.stat().st_mode & 0o077 == 0


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom dream.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'rich', 'sqlite3', 'networkx', 'numpy', 'cryptography', 'asyncio'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_pipe_gets_utf_8_whatever_the_locale(ready: Line, tmp_path: Path) -> None:
    """Case A14."""
    import os

    environ = {**os.environ, **ready.environ, "PYTHONIOENCODING": "cp1252", "LANG": "C", "PYTHONPATH": str(ROOT)}
    said = "L'été à Genève coûte 12 €, 日本 aussi 🌱"
    run = [sys.executable, "-m", "dream", "remember", said, "--json"]
    done = subprocess.run(run, env=environ, capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["node"]["text"] == said
