"""Setting Dream up and taking it away again, the part that is the same on every system.

Promises: standard library only. Everything made lies under `DREAM_HOME` but for the timer's files, and is written down
in `install.json`; the folder this runs from may be deleted afterwards. A new version is tried (it must open and verify
the store that is there) before it takes the old one's place; until then the old environment and a copy of the store
are kept. Taking Dream away leaves the memory, unless a person says otherwise.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NoReturn

from dream_home import read_record, write_record

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
OLDEST = (3, 11)
SCRIPTS = (
    "dream_home.py", "installation.py", "removal.py", "run.py", "scheduler.py", "serve.py", "setup_main.py",
    "setup_linux.py", "setup_macos.py", "setup_windows.py",
)  # fmt: skip
TIMERS = ("dream.service.in", "dream.timer.in", "dev.dream.nightly.plist.in", "dream-nightly.xml.in")
SOURCES = ("dream", "scripts", "requirements", "requirements.txt", "pyproject.toml", "README.md", "LICENSE")
MEMORY = ("ledger", "keys", "pgt.sqlite", "pgt.sqlite-wal", "pgt.sqlite-shm", "processed", "index", "config.json")
PASSED_ON = ("DREAM_HOME", "DREAM_STATE", "DREAM_TRANSCRIPTS", "DREAM_TZ", "CLAUDE_CONFIG_DIR")
"""Variables that a timer must see as the person who set Dream up did."""


class SetupFailed(Exception):
    """Setting up stopped; what was there before is as it was. Args: a sentence, and what to do."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.hint = sentence, hint


def require_python() -> None:
    """Go on with Python 3.11 or newer; start again with one found on PATH where this one is older."""
    if sys.version_info[:2] >= OLDEST:
        return
    for minor in (14, 13, 12, 11):
        newer = shutil.which(f"python3.{minor}")
        if newer and not is_shop_stub(newer):
            sys.exit(subprocess.call([newer, *sys.argv]))
    _stop(
        f"Dream needs Python 3.11 or newer; this is {platform.python_version()} ({sys.executable}).",
        "Install a newer one from your system's packages or python.org, then run this again with it.",
    )


def is_shop_stub(python: str) -> bool:
    """Whether a program is the Windows Store's stand-in for Python: an empty link that only opens the shop."""
    path = Path(python)
    return "windowsapps" in str(path).lower() and (not path.exists() or path.stat().st_size == 0)


def tried(python: str) -> str:
    """The version of a Python that was just started, or "" where it does not start or is no Python."""
    if is_shop_stub(python):
        return ""
    command = [python, "-I", "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""


def offered_version() -> str:
    """The version in the folder this runs from, "" in the stable copy, which holds scripts alone."""
    try:
        found = json.loads((ROOT / "plugin.json").read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return ""
    return str(found) if (ROOT / "dream" / "__init__.py").is_file() else ""


def fingerprint(lean: bool) -> str:
    """SHA-256 over this Python and all that would be installed."""
    digest = hashlib.sha256(f"{sys.version}\n{lean}\n".encode())
    for name in SOURCES:
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(ROOT).as_posix()).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def venv_python(folder: Path, window: bool = True) -> Path:
    """The interpreter of a virtual environment; `window=False`: the one that opens no console on Windows."""
    if os.name == "nt":
        return folder / "Scripts" / ("python.exe" if window else "pythonw.exe")
    return folder / "bin" / "python"


def environment(home: Path, lean: bool) -> tuple[Path, bool]:
    """The folder of an environment that holds what is offered, made where it is not there; and whether it was made."""
    mark = fingerprint(lean)
    folder = home / "venv" / f"{offered_version()}-{mark[:12]}"
    done = folder / "installed"
    if done.is_file() and tried(str(venv_python(folder))):
        return folder, False
    shutil.rmtree(folder, ignore_errors=True)
    say(f"Making a virtual environment in {folder} …")
    folder.parent.mkdir(parents=True, exist_ok=True)
    if run([sys.executable, "-m", "venv", str(folder)]) != 0:
        hint = "On Debian and Ubuntu install it first: sudo apt install python3-venv"
        raise SetupFailed("Python could not make a virtual environment.", hint)
    python = str(venv_python(folder))
    if not tried(python):
        raise SetupFailed(f"The new environment's Python ({python}) does not start.", "Try another Python.")
    say("Installing the packages into it; this takes one to three minutes …")
    with tempfile.TemporaryDirectory(prefix="dream-setup-") as scratch:
        source = _copy_of_sources(Path(scratch))
        wanted = [str(source), _floor("fastmcp")] if lean else [f"{source}[plugin]"]
        pip = [python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        if run([*pip, *wanted]) != 0:
            shutil.rmtree(folder, ignore_errors=True)
            raise SetupFailed(
                "The packages could not be installed.", "Check the connection to your package index, then try again."
            )
    done.write_text(mark + "\n", encoding="utf-8")
    return folder, True


def copy_scripts(home: Path) -> None:
    """The stable copy that timer and launchers call; replaced file by file."""
    target = home / "scripts"
    if target.resolve() == HERE:
        return
    (target / "timers").mkdir(parents=True, exist_ok=True)
    for name in (*SCRIPTS, *(f"timers/{each}" for each in TIMERS)):
        fresh = target / f"{name}.new"
        shutil.copyfile(HERE / name, fresh)
        fresh.replace(target / name)


def launcher(home: Path, python: str) -> Path:
    """A `dream` to put on PATH: a few lines that call Dream's own Python."""
    folder = home / "bin"
    folder.mkdir(exist_ok=True)
    if os.name == "nt":
        path = folder / "dream.cmd"
        path.write_text(f'@"{python}" -I -X utf8 -m dream %*\r\n', encoding="utf-8")
        return path
    path = folder / "dream"
    quoted = python.replace("'", "'\\''")
    path.write_text(f"#!/bin/sh\nexec '{quoted}' -I -X utf8 -m dream \"$@\"\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def rehearse(home: Path, python: str) -> Path | None:
    """Let a new version open and verify a copy of the store before it sees the store itself.

    Returns the copy, to be kept until the store itself was verified; None where there is no store yet.
    """
    if not (home / "ledger").is_dir():
        return None
    copy = home / "kept"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(mode=0o700)
    for name in MEMORY:
        _copy(home / name, copy / name)
    try:
        try_out(python, {**os.environ, "DREAM_HOME": str(copy), "DREAM_STATE": str(copy / "state")})
    except SetupFailed:
        shutil.rmtree(copy, ignore_errors=True)  # the store itself was not touched
        raise
    return copy


def try_out(python: str, environ: dict[str, str] | None = None) -> dict[str, str]:
    """Open the store with this Python, making it where there is none, and verify it; returns its settings."""
    for words, wrong in (
        (["init", "--no-schedule"], "could not open the store"),
        (["ledger", "verify"], "could not verify the store"),
    ):
        done = dream(python, *words, environ=environ)
        if done.returncode != 0:
            raise SetupFailed(f"The new version {wrong}: {said(done)}", "The old version stays as it was.")
    rows = json.loads(dream(python, "config", "--json", environ=environ).stdout)["settings"]
    return {row["key"]: row["value"] for row in rows}


def dream(python: str, *words: str, environ: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run a command of `dream` and keep what it says."""
    command = [python, "-I", "-X", "utf8", "-m", "dream", *words]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environ, check=False)


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    """The last words of a process that failed, on one line."""
    return " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())[-400:]


def passed_on(home: Path) -> list[str]:
    """Arguments that make the timer's night see what this process sees."""
    chosen = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name, "").strip()}
    chosen["DREAM_HOME"] = str(home)
    return [word for name, value in sorted(chosen.items()) for word in ("--set", f"{name}={value}")]


def record(home: Path, **facts: Any) -> None:
    """Write down what this installation is; what an older record said and this one does not, stays."""
    stamp = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: UP017 - runs on Python 3.9
    write_record(home, {**read_record(home), "version": 1, "at": stamp, **facts})


def drop_old_environments(home: Path, keep: Path) -> None:
    for folder in (home / "venv").iterdir():
        if folder != keep:
            shutil.rmtree(folder, ignore_errors=True)


def run(command: list[str]) -> int:
    """Run a command for the person to see."""
    return subprocess.call(command, stdin=subprocess.DEVNULL)


def say(text: str) -> None:
    print(text, flush=True)


def _copy_of_sources(folder: Path) -> Path:
    """A copy to build from: a build leaves files behind, and the plugin's folder may not be ours to write."""
    target = folder / "dream-source"
    target.mkdir()
    for name in SOURCES:
        _copy(ROOT / name, target / name)
    return target


def _floor(package: str) -> str:
    for line in (ROOT / "requirements" / "plugin.txt").read_text(encoding="utf-8").splitlines():
        wanted = line.split("#")[0].strip()
        if wanted.startswith(f"{package}>="):
            return wanted
    raise SetupFailed(f"requirements/plugin.txt does not name {package}.")


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    elif source.exists():
        shutil.copy2(source, target)


def _stop(sentence: str, hint: str) -> NoReturn:
    print(sentence, hint, sep="\n", file=sys.stderr)
    sys.exit(1)
