"""Two commands for a machine that has Python and nothing else: `night` shows Dream at work, `test` runs its suite.

Promises: standard library only; needs Python 3.11 (and says so on an older one, whose syntax this file keeps to);
makes `.venv` in the project once and uses it again while the requirements stay the same; `night` plays in a throw-away
home and touches neither ~/.dream nor the transcripts it reads, and reads none before it has listed them and asked.
Needs no model, no server and no download but packages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
OLDEST = (3, 11)
UTC = timezone.utc  # noqa: UP017 -- the alias is younger than the Pythons that must reach the check
DAYS = 14


def complain(sentence: str, hint: str = "") -> NoReturn:
    """Say on stderr what is wrong and what to do, and stop with exit code 1."""
    print(sentence, file=sys.stderr)
    if hint:
        print(hint, file=sys.stderr)
    sys.exit(1)


def require_python() -> None:
    """Go on with Python 3.11 or newer; start again with one found on PATH where this one is older."""
    if sys.version_info[:2] >= OLDEST:
        return
    for minor in (13, 12, 11):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            sys.exit(subprocess.call([newer, *sys.argv]))
    complain(
        f"Dream needs Python 3.11 or newer; this is Python {platform.python_version()} ({sys.executable}).",
        "Install a newer one from your system's packages or python.org, then run: python3.12 scripts/bootstrap.py",
    )


def venv_python() -> Path:
    """The interpreter of .venv, on this kind of system."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint(requirements: Path) -> str:
    """SHA-256 of this Python and a requirements file with those it names."""
    digest = hashlib.sha256(sys.version.encode())
    pending = [requirements]
    while pending:
        path = pending.pop()
        text = path.read_bytes()
        digest.update(text)
        for line in text.decode("utf-8").splitlines():
            if line.startswith("-r "):
                pending.append(path.parent / line[3:].strip())
    return digest.hexdigest()


def prepare(name: str) -> str:
    """Make .venv and install requirements/NAME.txt into it, unless that was done before; return its Python."""
    requirements = ROOT / "requirements" / (name + ".txt")
    mark = VENV / (f"installed-{name}.txt")
    wanted = fingerprint(requirements)
    if mark.exists() and mark.read_text(encoding="utf-8") == wanted and venv_python().exists():
        return str(venv_python())
    started = time.monotonic()
    if not venv_python().exists():
        print(f"Making a virtual environment in {VENV.name} …", flush=True)
        if subprocess.call([sys.executable, "-m", "venv", str(VENV)]) != 0:
            complain(
                "Python could not make a virtual environment.",
                "On Debian and Ubuntu install it first: sudo apt install python3-venv",
            )
    print(f"Installing {requirements.relative_to(ROOT).as_posix()} into it …", flush=True)
    command = [str(venv_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.call([*command, "-r", str(requirements)]) != 0:
        complain("The packages could not be installed.", "Check the connection to your package index, then try again.")
    mark.write_text(wanted, encoding="utf-8")
    print(f"Installed in {time.monotonic() - started:.0f} s.\n", flush=True)
    return str(venv_python())


class House:
    """A throw-away home and the command line of Dream in it."""

    def __init__(self, python: str, folder: Path) -> None:
        self.python = python
        self.home = folder / "home"
        self.transcripts = folder / "transcripts"
        self.transcripts.mkdir(parents=True)
        self.environ = {key: value for key, value in os.environ.items() if not key.startswith("DREAM_")}
        for kept in ("DREAM_TZ",):
            if kept in os.environ:
                self.environ[kept] = os.environ[kept]
        self.environ.update(
            DREAM_HOME=str(self.home),
            DREAM_TRANSCRIPTS=str(self.transcripts),
            DREAM_STATE=str(folder / "state"),
            PYTHONPATH=str(ROOT),
            PYTHONUTF8="1",
        )

    def dream(self, *words: str) -> None:
        """Run a command for the person to see."""
        code = subprocess.call([self.python, "-m", "dream", *words], env=self.environ)
        if code != 0:
            complain(f"`dream {' '.join(words)}` ended with exit code {code}.")

    def ask(self, *words: str) -> Any:
        """Run a command and return the object it prints with --json."""
        done = subprocess.run(
            [self.python, "-m", "dream", *words, "--json"], env=self.environ, stdout=subprocess.PIPE, check=False
        )
        if done.returncode != 0:
            complain(f"`dream {' '.join(words)}` ended with exit code {done.returncode}.")
        return json.loads(done.stdout.decode("utf-8"))


def title(text: str) -> None:
    print("\n── {} {}\n".format(text, "─" * max(0, 74 - len(text))), flush=True)


def local(stamp: float) -> datetime:
    return datetime.fromtimestamp(stamp, tz=UTC).astimezone()


def transcripts_folder() -> Path:
    """Where the client writes its transcripts."""
    claude = Path(os.environ.get("CLAUDE_CONFIG_DIR") or "~/.claude").expanduser()
    return Path(os.environ.get("DREAM_TRANSCRIPTS") or claude / "projects").expanduser()


def own_transcripts() -> list[Path]:
    """Transcripts of the last 14 days that Dream would read, oldest first."""
    since = time.time() - DAYS * 86400
    found = [path for path in transcripts_folder().glob("*/*.jsonl") if path.stat().st_mtime >= since]
    return sorted(found, key=lambda path: path.stat().st_mtime)


def agreed(found: list[Path]) -> bool:
    """List what would be read and ask; no answer is no."""
    size = sum(path.stat().st_size for path in found) / 1e6
    print(f"Dream would read these {len(found)} transcripts ({size:.1f} MB), on this machine only:\n")
    for path in found:
        facts = path.stat()
        print(f"  {local(facts.st_mtime).date()}  {facts.st_size / 1e3:8.0f} kB  {path.parent.name}/{path.name}")
    print("\nNothing is sent anywhere. What it makes of them is deleted at the end unless you keep it (--keep DIR).")
    return input("Read them? [y/N] ").strip().lower() in {"y", "yes", "o", "oui"}


def lend(path: Path, folder: Path) -> None:
    """Let a transcript appear in `folder` without copying its words where the file system allows."""
    there = folder / path.parent.name / path.name
    there.parent.mkdir(exist_ok=True)
    try:
        os.link(path, there)
    except OSError:
        try:
            there.symlink_to(path)
        except OSError:
            shutil.copy2(path, there)


def by_day(paths: list[Path]) -> list[tuple[date, list[Path]]]:
    """Group files by the local day of their last change, oldest first."""
    days: dict[date, list[Path]] = {}
    for path in paths:
        days.setdefault(local(path.stat().st_mtime).date(), []).append(path)
    return sorted(days.items())


def play(house: House, paths: list[Path]) -> None:
    """Bring each day's sessions, then play the night that follows it."""
    for day, sessions in by_day(paths):
        for path in sessions:
            lend(path, house.transcripts)
        after = max(local(path.stat().st_mtime) for path in sessions) + timedelta(hours=1)
        night = max(after, after.replace(hour=2, minute=5, second=0) + timedelta(days=1 if after.date() == day else 0))
        now = night.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        print(f"{day}  {len(sessions)} session{'s' if len(sessions) > 1 else ''}, then the night", flush=True)
        print(f"            {house.ask('cycle', '--now', now)['sentence']}", flush=True)


def sample_paths(house: House, folder: Path) -> tuple[list[Path], list[dict[str, str]]]:
    """The sample sessions, written where the client would have written them, and the questions about them."""
    command = [house.python, str(ROOT / "scripts" / "write_samples.py"), str(folder), "--json"]
    done = subprocess.run(command, env=house.environ, stdout=subprocess.PIPE, check=True)
    house.environ.setdefault("DREAM_TZ", "Europe/Paris")
    questions = json.loads((ROOT / "samples" / "questions.json").read_text(encoding="utf-8"))
    return [Path(path) for path in json.loads(done.stdout.decode("utf-8"))["files"]], questions


def own_questions(house: House, newest: Path) -> list[dict[str, str]]:
    """Three questions about what the newest session's project speaks of most."""
    written = house.ask("export", str(house.home / "export"))["files"]
    graph = json.loads(next(Path(path) for path in written if path.endswith(".json")).read_text(encoding="utf-8"))
    spoken: dict[str, int] = {}
    for node in graph["nodes"]:
        for name in node["entities"]:
            spoken[name] = spoken.get(name, 0) + 1
    often = [f"What do I know about {name}?" for name in sorted(spoken, key=lambda name: (-spoken[name], name))]
    usual = ["What did we decide?", "What must never be done?", "What broke, and what mended it?"]
    return [{"query": query, "project": working_folder(newest)} for query in [*often, *usual][:3]]


def working_folder(transcript: Path) -> str:
    """The folder a session worked in, as its lines say; "" where none does."""
    with transcript.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                cwd = json.loads(line).get("cwd")
            except (ValueError, AttributeError):
                continue
            if cwd:
                return str(cwd)
    return ""


def night(arguments: argparse.Namespace) -> int:
    """Play the main job and show what it leaves."""
    if arguments.keep and arguments.keep.exists():
        complain(f"{arguments.keep} is already there.", "Name a folder that does not exist yet.")
    python = prepare("base")
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    found = [] if arguments.sample else own_transcripts()
    if not found and not arguments.sample:
        print(f"No session of the last {DAYS} days in {transcripts_folder()}: playing the sample sessions.\n")
    if found and not arguments.yes:
        if not at_terminal:
            print("No terminal to ask at: playing the sample sessions instead of your own.\n")
            found = []
        elif not agreed(found):
            print("\nThen the sample sessions.\n")
            found = []
    started = time.monotonic()
    scratch = Path(tempfile.mkdtemp(prefix="dream-night-"))
    try:
        house = House(python, scratch)
        paths, questions = (found, None) if found else sample_paths(house, scratch / "sessions")
        house.dream("init", "--no-schedule")
        title("Day by day: the sessions, then the night")
        play(house, paths)
        show(house, questions or own_questions(house, paths[-1]))
        if arguments.keep:
            shutil.copytree(house.home, arguments.keep)
            print(f"\nThe store is kept in {arguments.keep}; look around:")
            print(f"  DREAM_HOME={shlex.quote(str(arguments.keep.absolute()))} {python} -m dream search …")
        rest = " but what you kept" if arguments.keep else ""
        print(f"\nPlayed in {time.monotonic() - started:.0f} s. Nothing of it is left on this machine{rest}.")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


def show(house: House, questions: list[dict[str, str]]) -> None:
    """The changelog of the nights, the index of the next session, three answered questions."""
    title("The changelog of the last night")
    house.dream("nights", "last")
    project = ["--project", questions[0]["project"]] if questions[0]["project"] else []
    title("What the next session is greeted with")
    house.dream("context", *project)
    title("Three questions")
    for each in questions:
        place = ["--project", each["project"]] if each["project"] else []
        print(f"? {each['query']}", flush=True)
        house.dream("search", each["query"], "-k", "1", *place)


def test(arguments: argparse.Namespace) -> int:
    """Run the whole suite, or what the pytest arguments choose."""
    python = prepare("dev")
    return subprocess.call([python, "-m", "pytest", *arguments.pytest], cwd=str(ROOT))


def main() -> int:
    require_python()
    parser = argparse.ArgumentParser(prog="bootstrap.py", description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("night", help="install, then play the main job in a throw-away home")
    first.add_argument("--sample", action="store_true", help="play the sample sessions, not your own transcripts")
    first.add_argument("--yes", action="store_true", help="read your own transcripts without asking")
    first.add_argument("--keep", metavar="DIR", type=Path, help="keep the store that was made, in a new folder")
    first.set_defaults(run=night)
    second = commands.add_parser("test", help="install, then run the whole test suite")
    second.add_argument("pytest", nargs=argparse.REMAINDER, help="arguments for pytest")
    second.set_defaults(run=test)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    arguments, more = parser.parse_known_args()
    if more and arguments.command != "test":
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if arguments.command == "test":
        arguments.pytest = [*more, *arguments.pytest]
    try:
        code: int = arguments.run(arguments)
    except KeyboardInterrupt:
        complain("Stopped; what was made for the play is deleted.")
    return code


if __name__ == "__main__":
    sys.exit(main())
