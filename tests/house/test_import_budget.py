"""What a hook loads, in a real run: `sys os json re time hashlib` and `dream.capture`, no more."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = ("sys", "os", "json", "re", "time", "hashlib")
CAPTURE = sorted((ROOT / "dream" / "capture").glob("*.py"))
HOOKS = sorted((ROOT / "hooks").glob("*.py"))
FLAGS = ["-I", "-S", "-X", "utf8", "-X", "importtime"]


def imported(arguments: list[str], given: bytes, environ: dict[str, str]) -> set[str]:
    """Every module that a process imported, by the interpreter's own account."""
    done = subprocess.run(
        [sys.executable, *FLAGS, *arguments], input=given, env=environ, capture_output=True, check=True
    )
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    return {line.rsplit("|", 1)[1].strip() for line in lines if line.startswith("import time:") and "[us]" not in line}


@pytest.fixture
def session(tmp_path: Path) -> tuple[bytes, dict[str, str]]:
    """A hook's input and environment, with something to capture, to redact and to greet with."""
    home, transcript = tmp_path / "home", tmp_path / "s-1.jsonl"
    (home / "index").mkdir(parents=True)
    (home / "index" / "MEMORY.md").write_text("- Le port est 9464.\n", encoding="utf-8")
    (home / "index" / "status.json").write_text('{"last_good_night": null, "pending_sessions": 2}', encoding="utf-8")
    text = f"On garde SQLite. Mon adresse est lea@{'mail'}.example et la clé {'gh' + 'p_' + 'aB3dE6gH9j' * 4}. Non !"
    record = {"type": "user", "uuid": "u", "cwd": str(tmp_path), "message": {"content": text}}
    transcript.write_text(json.dumps(record) + "\n", encoding="utf-8")
    payload = {"session_id": "s-1", "transcript_path": str(transcript), "cwd": str(tmp_path)}
    environ = {**os.environ, "DREAM_HOME": str(home), "DREAM_CAPTURE_PROMPTS": "1"}
    environ.setdefault("HOME", str(tmp_path))  # without it the user's home is looked up, which loads `pwd`
    environ.pop("DREAM_INSIDE", None)
    return json.dumps(payload).encode(), environ


@pytest.mark.parametrize("hook", HOOKS, ids=lambda path: path.stem)
def test_a_hook_loads_nothing_beyond_its_budget(hook: Path, session: tuple[bytes, dict[str, str]]) -> None:
    given, environ = session
    allowed = imported(["-c", f"import {', '.join(ALLOWED)}"], b"", environ)
    loaded = imported([str(hook)], given, environ)
    own = {name for name in loaded if name == "dream" or name.startswith("dream.capture")}
    assert "dream.capture.hooks" in own
    assert loaded - own - allowed <= {"__future__", "_sha256", "_sha2"}
    assert not {"dataclasses", "pathlib", "datetime", "typing", "sqlite3", "site"} & loaded


@pytest.mark.parametrize("hook", HOOKS, ids=lambda path: path.stem)
def test_a_hook_needs_no_account_database_where_home_is_unset(
    hook: Path, session: tuple[bytes, dict[str, str]]
) -> None:
    given, environ = session
    environ.pop("HOME", None)
    assert "pwd" not in imported([str(hook)], given, environ)


def test_openssl_is_loaded_only_where_a_secret_needs_a_keyed_tag(session: tuple[bytes, dict[str, str]]) -> None:
    given, environ = session
    transcript = Path(json.loads(given)["transcript_path"])
    record = {"type": "user", "uuid": "u", "message": {"content": "On garde SQLite. Le port est 9464."}}
    transcript.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert "_hashlib" not in imported([str(ROOT / "hooks" / "stop.py")], given, environ)


def test_session_start_and_session_end_leave_the_sanitiser_unloaded(session: tuple[bytes, dict[str, str]]) -> None:
    given, environ = session
    imported([str(ROOT / "hooks" / "stop.py")], given, environ)
    for name in ("session_start", "session_end"):
        loaded = imported([str(ROOT / "hooks" / f"{name}.py")], given, environ)
        assert not [module for module in loaded if module.startswith("dream.capture.redact")]


@pytest.mark.parametrize("path", [*CAPTURE, *HOOKS], ids=lambda path: path.stem)
def test_capture_names_only_the_allowed_modules_and_is_written_for_python_3_9(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    checker_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in checker_only:
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            fits = name in {*ALLOWED, "__future__", "_thread", "_sha2", "_sha256", "dream.capture"}
            assert fits or name.startswith("dream.capture."), f"{path.name}:{node.lineno} imports {name}"
