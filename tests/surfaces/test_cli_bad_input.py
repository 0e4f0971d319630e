"""Whatever a person types, and whatever state the home is in: a sentence, a hint, the right exit code, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from tests.surfaces.line import ROOT, Line

NOBODY = 65534
UNKNOWN = "f-000000000000000000000000"


def test_no_word_at_all_shows_the_commands(dream: Line) -> None:
    done = dream()
    assert done.code == 2
    assert "search" in done.err and not done.out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("cycle", "--now", ""), "empty"),
        (("cycle", "--now", "0001-01-01T00:00:00Z"), "0001"),
        (("cycle", "--now", "9999-12-31T23:59:59Z", "--force"), "9999"),
        (("cycle", "--judge", ""), "judge"),
        (("ledger", "log", "-n", "-5"), "-5"),
        (("ledger", "log", "-n", "0"), "0 entries"),
        (("ledger", "restore", "--to", "99999"), "99999"),
        (("ledger", "restore", "--to", ""), "empty"),
        (("export", ""), "empty"),
        (("merge", "", ""), "itself"),
        (("remember", ""), "nothing to remember"),
        (("search", "x", "--as-of", "2026-02-30"), "2026-02-30"),
        (("search", "x", "--kind", ""), "kind"),
        (("context", "--budget", "-1"), "-1"),
    ],
)
def test_absurd_values_are_wrong_usage_and_change_nothing(ready: Line, words: tuple[str, ...], named: str) -> None:
    before = ready.kept()
    done = ready(*words)
    assert done.code == 2, done
    sentence, hint = done.err.strip().split("\n")
    assert named in sentence and hint
    assert ready.kept() == before


@pytest.mark.parametrize(
    "words",
    [
        ("explain", UNKNOWN), ("explain", ""), ("pin", UNKNOWN), ("forget", UNKNOWN, "--yes"), ("forget", "", "--yes"),
        ("merge", UNKNOWN, "f-111111111111111111111111"), ("unmerge", UNKNOWN), ("nights", "2026-99-99"),
        ("diff", "last"), ("undo", "last"), ("undo", ""), ("hitl", "show", ""), ("hitl", "accept", "h-0"),
        ("hitl", "reject", "h-0"), ("sanitize", "no-such-file"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_is_not_there_is_1_with_a_hint_and_changes_nothing(ready: Line, words: tuple[str, ...]) -> None:
    before = ready.kept()
    done = ready(*words)
    assert done.code == 1, done
    assert len(done.err.strip().split("\n")) == 2
    assert ready.kept() == before


@pytest.mark.parametrize("command", ["web", "serve"])
@pytest.mark.parametrize("port", ["-1", "0", "65536", "many", ""])
def test_a_port_that_is_none_is_wrong_usage(dream: Line, command: str, port: str) -> None:
    done = dream(command, f"--port={port}")
    assert done.code == 2 and "no port" in done.err


def test_a_folder_where_a_file_is_wanted_is_told(ready: Line, tmp_path: Path) -> None:
    done = ready("sanitize", str(tmp_path))
    assert done.code == 1 and "another path" in done.err
    (tmp_path / "taken").write_text("mine")
    done = ready("export", str(tmp_path / "taken"))
    assert done.code == 1 and "another path" in done.err
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize(
    ("written", "named"),
    [
        (b"{bad", "config.json"),
        (b"\xff\xfe\x00", "config.json"),
        (b"[]", "not a JSON object"),
        (b'{"quiet_minutes": 1.5}', "quiet_minutes"),
        (b'{"notes": 5}', "notes"),
    ],
)
def test_a_config_that_cannot_be_used_is_named_by_every_command(ready: Line, written: bytes, named: str) -> None:
    (ready.home / "config.json").write_bytes(written)
    for words in (("search", "x"), ("cycle",), ("remember", "One more."), ("config",), ("init", "--no-schedule")):
        done = ready(*words)
        assert done.code == 2, done
        assert named in done.err and done.err.count("\n") == 2
    done = ready("doctor")
    assert done.code == 1 and named in done.out
    assert (ready.home / "config.json").read_bytes() == written


def test_a_null_in_the_config_is_as_if_it_were_left_out(ready: Line) -> None:
    (ready.home / "config.json").write_text('{"tz": null, "notes": null}')
    assert ready("search", "x").code == 0


def test_a_home_that_is_a_file_is_told(dream: Line) -> None:
    dream.home.parent.mkdir(exist_ok=True)
    dream.home.write_text("mine")
    for words in (("init", "--no-schedule"), ("search", "x"), ("cycle",)):
        done = dream(*words)
        assert done.code == 2 and "is a file" in done.err
    assert dream.home.read_text() == "mine"


def test_a_lost_key_stops_with_what_still_works(ready: Line) -> None:
    ready("remember", "The harbour crane is number 7.")
    (ready.home / "keys" / "ledger.key").unlink()
    for words in (("search", "crane"), ("init", "--no-schedule"), ("cycle", "--force"), ("remember", "No.")):
        done = ready(*words)
        assert done.code == 1 and "Put the file back" in done.err
    assert not (ready.home / "keys" / "ledger.key").exists()


def test_a_damaged_database_costs_nothing(ready: Line) -> None:
    ready("remember", "The harbour crane is number 7.")
    (ready.home / "pgt.sqlite").write_bytes(b"junk")
    seen = ready("ledger", "verify")
    assert seen.code == 0 or "dream ledger restore" in seen.out
    for words in (("search", "crane"), ("nights",)):
        done = ready(*words)
        assert done.code == 0 or "dream ledger restore" in done.err
    assert ready("ledger", "restore").code == 0
    assert ready("search", "crane", "--json").plain["hits"]


@pytest.fixture
def line_of_nobody() -> Iterator[Line]:
    """A store that belongs to a user whom modes bind: root may read and write everything.

    It lies outside pytest's own folders, which are closed to everybody else.
    """
    if os.name != "posix":
        pytest.skip("Windows has no mode bits")
    with tempfile.TemporaryDirectory() as folder:
        line = Line(Path(folder))
        assert line("init", "--no-schedule").code == 0
        line("remember", "The harbour crane is number 7.")
        yield line
        line.home.chmod(0o700)
        for path in line.home.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)


@cache
def _reached_by_nobody() -> bool:
    if os.geteuid() != 0:
        return True
    run = [sys.executable, "-c", "import dream, rich, cryptography, networkx, psutil"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(run, env=environ, user=NOBODY, group=NOBODY, extra_groups=[], check=False, cwd="/")
    except PermissionError:
        return False
    return done.returncode == 0


def _as_nobody(line: Line, *words: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "dream", *words]
    environ = {**os.environ, **line.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    if not _reached_by_nobody():
        pytest.skip("this Python or this checkout lies where another user may not read")
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run(run, env=environ, capture_output=True, text=True, check=False, cwd=line.folder, **who)  # type: ignore[call-overload,no-any-return]


def _give(line: Line, mode_of_folders: int, mode_of_files: int) -> None:
    for path in (line.folder, *line.folder.rglob("*")):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
    for path in (*line.home.rglob("*"), line.home):
        path.chmod(mode_of_folders if path.is_dir() else mode_of_files)


def test_a_read_only_home_is_told_by_every_command_and_stays_as_it_is(line_of_nobody: Line) -> None:
    line = line_of_nobody
    _give(line, 0o500, 0o400)
    before = line.kept()
    for words in (("search", "crane"), ("remember", "No."), ("cycle", "--force"), ("init", "--no-schedule")):
        done = _as_nobody(line, *words)
        assert done.returncode in (1, 3), done
        assert "Traceback" not in done.stderr and done.stderr.count("\n") == 2
    looked = _as_nobody(line, "doctor")
    assert looked.returncode == 1 and "cannot be written" in looked.stdout
    assert line.kept() == before


def test_an_unreadable_home_is_told(line_of_nobody: Line) -> None:
    line = line_of_nobody
    _give(line, 0o000, 0o000)
    for words in (("search", "crane"), ("remember", "No."), ("cycle",)):
        done = _as_nobody(line, *words)
        assert done.returncode == 2 and "may not be read" in done.stderr
    assert _as_nobody(line, "doctor").returncode == 1


def test_a10_everything_works_in_a_home_with_spaces_and_accents(tmp_path: Path) -> None:
    line = Line(tmp_path)
    line.environ["DREAM_HOME"] = str(tmp_path / "Léa Dupré" / "mémoire été")
    assert line("init", "--no-schedule").code == 0
    kept = line("remember", "La grue du port porte le numéro 7.", "--json").plain["id"]
    assert line("cycle", "--force").code == 0
    assert line("search", "grue", "--json").plain["hits"][0]["id"] == kept
    assert line("ledger", "restore").code == 0
    assert line("ledger", "verify", "--full").code == 0
    assert line("export", str(tmp_path / "à côté")).code == 0
    assert line("undo", "last").code == 0
    assert line("forget", kept, "--yes").code == 0


def test_b22_a_relative_home_is_one_place_from_wherever_it_is_called(tmp_path: Path) -> None:
    environ = {key: value for key, value in os.environ.items() if not key.startswith("DREAM_")}
    environ |= {
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        "DREAM_HOME": "some/place",
        "PYTHONPATH": str(ROOT),
    }
    (tmp_path / "elsewhere").mkdir()
    for folder, words in ((tmp_path, ("init", "--no-schedule")), (tmp_path / "elsewhere", ("nights",))):
        run = [sys.executable, "-m", "dream", *words]
        done = subprocess.run(run, env=environ, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "some" / "place" / "ledger").is_dir()


def test_g05_of_three_cycles_at_once_one_runs_and_two_say_who_does(tmp_path: Path) -> None:
    """Case G05, through the command line: exit codes 0, 3, 3; the runner and its start are named; nothing doubles."""
    line = Line(tmp_path)
    line("init", "--no-schedule")
    transcripts = line.transcripts / "-srv-harbour"
    transcripts.mkdir(parents=True)
    turn = (
        '{"type":"user","uuid":"a%d","parentUuid":null,"sessionId":"s","cwd":"/srv/harbour","timestamp":'
        '"2026-03-02T09:%02d:00.000Z","message":{"role":"user","content":"We decided that berth %d takes crane %d."}}\n'
    )
    (transcripts / "s.jsonl").write_text("".join(turn % (n, n, n, n + 100) for n in range(40)))
    os.utime(transcripts / "s.jsonl", (1772442000, 1772442000))

    def cycle(_: int) -> subprocess.CompletedProcess[str]:
        run = [sys.executable, "-m", "dream", "cycle", "--force", "--json"]
        environ = {**os.environ, **line.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(run, env=environ, capture_output=True, text=True, check=False)

    with ThreadPoolExecutor(3) as several:
        done = list(several.map(cycle, range(3)))
    codes = sorted(each.returncode for each in done)
    assert codes[0] == 0 and set(codes) <= {0, 3}, done
    for each in done:
        if each.returncode == 3:
            assert "pid" in each.stderr and "nothing was lost" in each.stderr
    assert line("ledger", "verify", "--full").code == 0
    assert sum(night["counts"]["notes"] for night in line("nights", "--json").plain["nights"]) == 40


def test_a_transcript_that_cannot_be_read_is_named_and_the_others_are_taken_in(line_of_nobody: Line) -> None:
    line = line_of_nobody
    folder = line.transcripts / "-srv-harbour"
    folder.mkdir(parents=True)
    for name, readable in (("good", True), ("shut", False)):
        path = folder / f"{name}.jsonl"
        path.write_text(
            f'{{"type":"user","uuid":"{name}","parentUuid":null,"sessionId":"{name}","cwd":"/srv/harbour","timestamp":'
            '"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"We decided that berth 4 takes crane 9."}}\n'
        )
        os.utime(path, (1772442000, 1772442000))
        path.chmod(0o600 if readable else 0)
    _give(line, 0o700, 0o600)
    done = _as_nobody(line, "cycle", "--force")
    assert done.returncode == 0, done.stderr
    assert "shut.jsonl" in done.stdout and "Read 1 note" in done.stdout
