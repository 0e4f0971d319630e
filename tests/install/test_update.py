"""An update to a version whose database has another form, with a copy of this package as that version."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.install.conftest import ROOT, Run, snapshot

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays the setup of Linux")
NEXT = "CREATE TABLE later(id TEXT PRIMARY KEY) WITHOUT ROWID;\nCREATE INDEX note_turn ON note(turn)"


@pytest.fixture
def later(tmp_path: Path, dream_python: str) -> Callable[[str], str]:
    """`later(script)`: a Python that has a later Dream, whose database needs one more script."""

    def made(script: str) -> str:
        folder = tmp_path / f"later-{len(list(tmp_path.glob('later-*')))}"
        shutil.copytree(ROOT / "dream", folder / "dream")  # with its bytecode: compiling it anew takes most of the time
        with (folder / "dream" / "adapters" / "sqlite_schema.py").open("a", encoding="utf-8") as file:
            file.write(f'\nSCRIPTS = (*SCRIPTS, """{script}""")\n')
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
        packages = next((folder / "venv").glob("lib/python*/site-packages"))
        known = next(Path(dream_python).parents[1].glob("lib/python*/site-packages/checkout.pth"))
        places = [str(folder), *(each for each in known.read_text(encoding="utf-8").split("\n") if each != str(ROOT))]
        (packages / "later.pth").write_text("\n".join(places), encoding="utf-8")
        return str(folder / "venv" / "bin" / "python")

    return made


def schema(user: Path) -> int:
    connection = sqlite3.connect(user / ".dream" / "pgt.sqlite")
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_an_older_store_is_brought_forward_and_one_that_cannot_be_stays_byte_for_byte(
    user: Path, run: Run, dream_python: str, later: Callable[[str], str]
) -> None:
    assert run("setup_linux.py", "--no-timer", "--python", dream_python).returncode == 0
    assert run("run.py", "remember", "The office is in Lyon.").returncode == 0
    before, was = snapshot(user), schema(user)

    failed = run("setup_linux.py", "--no-timer", "--python", later("CREATE NONSENSE"))
    assert failed.returncode == 1 and "The old version stays as it was." in failed.stderr
    assert snapshot(user) == before

    assert run("setup_linux.py", "--no-timer", "--python", later(NEXT)).returncode == 0
    assert schema(user) == was + 1
    assert not (user / ".dream" / "kept").exists(), "the old store goes once the new one verifies"
    assert not list((user / ".dream").glob("*.bad")), "an older database is no damaged one"
    assert "The office is in Lyon." in run("run.py", "search", "office").stdout
    assert run("run.py", "remember", "The archive is in Nantes.").returncode == 0, "it may be written at once"
    assert run("run.py", "ledger", "verify", "--full").returncode == 0

    held = snapshot(user)
    environ = {**os.environ, "HOME": str(user)}
    older = subprocess.run([dream_python, "-I", "-m", "dream", "search", "office"], env=environ, capture_output=True)
    assert older.returncode == 1 and b"newer version of Dream" in older.stderr
    held[".dream/writer.lock"] = snapshot(user)[".dream/writer.lock"]  # names whoever held it last
    assert snapshot(user) == held, "and an older one alters nothing"
