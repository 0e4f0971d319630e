"""The first command on a fresh machine: it lists and asks before it reads, and plays in a place of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.surfaces.line import ROOT, script


@pytest.fixture
def bootstrap(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, with this Python in the place of the one it would install."""
    module = script("bootstrap")
    monkeypatch.setattr(module, "prepare", lambda name: sys.executable)
    return module


def test_an_old_python_is_told_what_is_missing(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        bootstrap.require_python()
    assert stopped.value.code == 1
    assert "3.11" in capsys.readouterr().err


def test_an_old_python_can_read_the_program_that_tells_it_so() -> None:
    ast.parse((ROOT / "scripts" / "bootstrap.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse((ROOT / "scripts" / "bootstrap.py").read_text(encoding="utf-8"))
    names = {alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    names |= {n.module.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    assert names <= sys.stdlib_module_names


def test_the_environment_is_made_again_only_when_the_requirements_change(bootstrap: ModuleType, tmp_path: Path) -> None:
    wanted = tmp_path / "base.txt"
    wanted.write_text("rich>=13\n")
    first = bootstrap.fingerprint(wanted)
    assert bootstrap.fingerprint(wanted) == first
    wanted.write_text("rich>=14\n")
    assert bootstrap.fingerprint(wanted) != first


def test_no_answer_is_no(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = tmp_path / "p" / "s.jsonl"
    mine.parent.mkdir()
    mine.write_text("{}\n")
    for answer, agreed in (("", False), ("n", False), ("y", True), ("oui", True)):
        monkeypatch.setattr("builtins.input", lambda prompt, answer=answer: answer)
        assert bootstrap.agreed([mine]) is agreed


def test_only_transcripts_of_the_last_fourteen_days_are_offered(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import time

    for name, days in (("new", 1), ("old", 20)):
        path = tmp_path / "project" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}\n")
        os.utime(path, (time.time() - days * 86400,) * 2)
    monkeypatch.setenv("DREAM_TRANSCRIPTS", str(tmp_path))
    assert [path.stem for path in bootstrap.own_transcripts()] == ["new"]


def test_the_sample_night_runs_to_its_end_and_leaves_nothing(tmp_path: Path) -> None:
    """The README's first command, with this Python in the place of .venv and a home nobody may touch."""
    code = (
        "import sys, runpy; sys.argv = ['bootstrap.py', 'night', '--sample']\n"
        f"program = runpy.run_path({str(ROOT / 'scripts' / 'bootstrap.py')!r})\n"
        "program['night'].__globals__['prepare'] = lambda name: sys.executable\n"
        "sys.exit(program['main']())"
    )
    temporary, user = tmp_path / "tmp", tmp_path / "user"
    temporary.mkdir()
    user.mkdir()
    environ: dict[str, Any] = {**os.environ, "TMPDIR": str(temporary), "HOME": str(user), "USERPROFILE": str(user)}
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, env=environ, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr
    assert "SQLite" in done.stdout and "Nour Haddad" in done.stdout
    assert "not instructions" in done.stdout
    assert not list(temporary.iterdir())
    assert not list(user.iterdir())
