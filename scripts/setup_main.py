"""What the three setup scripts share: the options, the order of the steps, and the last lines a person reads."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Protocol

import installation as made
import removal
from dream_home import RECORD, dream_home, own_python, read_record


class Timer(Protocol):
    """How a system starts Dream at night."""

    kind: str

    def files(self, home: Path, python: Path, arguments: list[str]) -> dict[Path, bytes]:
        """The files to write; `python` opens no console, `arguments` are for it."""
        ...

    def register(self, files: list[Path]) -> list[str]:
        """Make the system take notice; returns sentences for the person (what it could not do comes first)."""
        ...

    def unregister(self, files: list[Path]) -> list[Path]:
        """Make the system forget it; returns further files that it left behind."""
        ...


def main(timer: Timer) -> int:
    """Run a setup script; returns its exit code."""
    parser = argparse.ArgumentParser(description="Set Dream up on this machine; safe to run again.")
    parser.add_argument("--no-timer", action="store_true", help="register no nightly timer")
    parser.add_argument("--lean", action="store_true", help="leave vectors and local models out")
    parser.add_argument(
        "--python", metavar="PATH", help="use this Python, which has Dream already; make no environment"
    )
    parser.add_argument(
        "--uninstall", action="store_true", help="remove timer, environment and scripts; keep the memory"
    )
    parser.add_argument("--memory", action="store_true", help="with --uninstall: the memory itself, too")
    parser.add_argument(
        "--export", metavar="DIR", default="", help="with --uninstall: write what Dream knows into this folder first"
    )
    parser.add_argument("--yes", action="store_true", help="with --memory: the person was asked and agreed")
    given = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    made.require_python()
    try:
        return uninstall(timer, given) if given.uninstall else install(timer, given)
    except made.SetupFailed as failed:
        print(failed.sentence, failed.hint, sep="\n", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The system refused: {error}. Nothing that was there before is lost.", file=sys.stderr)
        return 1


def install(timer: Timer, given: argparse.Namespace) -> int:
    home = dream_home()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    python, folder, fresh = choose(home, given)
    version = made.said(made.dream(python, "--version")).split()[-1]
    known = read_record(home)
    changed = fresh or (python, version) != (known.get("python"), known.get("dream"))
    kept = made.rehearse(home, python) if changed else None
    beside = _missing(removal.state_folder())
    try:
        settings = made.try_out(python)
    except made.SetupFailed as failed:
        if kept is not None:
            failed.hint += f" A copy of the store as it was is in {kept}."
        raise
    made.copy_scripts(home)
    shown = made.launcher(home, python)
    folders = known.get("folders", [])
    folders = [*folders, *(each for each in beside if each not in folders)]
    made.record(home, dream=version, python=python, state=settings["state"], folders=folders)
    told = register(timer, home, python, folder) if not given.no_timer else []
    if folder is not None:
        made.drop_old_environments(home, folder)
    if kept is not None:
        shutil.rmtree(kept, ignore_errors=True)
    made.say(f"\nDream is set up: version {version}.")
    made.say(f"Store     {home}")
    made.say(f"Command   {shown} (put its folder on PATH, or leave it)")
    for line in told or ["No timer was registered; `dream cycle` plays a night."]:
        made.say(f"Timer     {line}")
    made.say("In Claude, start a new session or reconnect the server with /mcp.")
    return 0


def choose(home: Path, given: argparse.Namespace) -> tuple[str, Path | None, bool]:
    """The Python to use, its environment where that is ours, and whether it is new."""
    if given.python:
        if not made.tried(given.python):
            raise made.SetupFailed(f"{given.python} does not start.", "Name the Python that Dream is installed in.")
        return str(Path(given.python).absolute()), None, False
    if made.offered_version():
        folder, fresh = made.environment(home, given.lean)
        return str(made.venv_python(folder)), folder, fresh
    python, why = own_python(home)
    if not python:
        raise made.SetupFailed(why, "Run the setup from the plugin's own folder: the skill dream-init does it.")
    return python, None, False


def register(timer: Timer, home: Path, python: str, folder: Path | None) -> list[str]:
    """Write and register the timer's files, and write them down."""
    silent = made.venv_python(folder, window=False) if folder is not None else Path(python)
    command = ["-I", str(home / "scripts" / "scheduler.py"), *made.passed_on(home)]
    files = timer.files(home, silent, command)
    folders = list(read_record(home).get("folders", []))
    for path, content in files.items():
        folders += [each for each in _make_folders(path.parent) if each not in folders]
        path.write_bytes(content)
    names = [str(path) for path in files]
    made.record(home, timer={"kind": timer.kind, "files": names}, folders=folders)
    return timer.register(list(files))


def uninstall(timer: Timer, given: argparse.Namespace) -> int:
    home = dream_home()
    record = read_record(home)
    if not (home / RECORD).exists() and not given.memory:
        made.say(f"Dream is not set up in {home}; nothing was removed.")
        return 0
    if not given.yes or given.export:
        removal.write_out(home, given.export)
    if given.memory and not given.yes and not removal.agreed(home):
        made.say("Nothing was removed.")
        return 1
    registered = record.get("timer") or {}
    files = [Path(name) for name in registered.get("files", [])]
    left = removal.remove_program(home, [*files, *timer.unregister(files)] if files else [])
    if given.memory:
        left += removal.remove_memory(home, record)
    for path in left:
        print(f"Could not be removed: {path}", file=sys.stderr)
    what = "Dream and its memory are gone." if given.memory else f"Dream is removed; the memory is still in {home}."
    made.say(what)
    made.say("The plugin itself is Claude's to remove: claude plugin uninstall dream@dream")
    return 1 if left else 0


def _make_folders(folder: Path) -> list[str]:
    """Make a folder and those above it; returns those that were not there, outermost first."""
    missing = _missing(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def _missing(folder: Path) -> list[str]:
    """A folder and those above it that are not there, outermost first."""
    return [str(each) for each in reversed([each for each in (folder, *folder.parents) if not each.exists()])]
