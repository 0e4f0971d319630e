"""Commands at the border to the host: init, serve, uninstall."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from dream.cli_page import Page, lines
from dream.errors import UsageError

Commands = Any
PORT = 9465


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    first = commands.add_parser(
        "init", parents=[common], help="make the store (key, folders, schema) and register the timer; safe to repeat"
    )
    first.add_argument("--no-schedule", action="store_true", help="register no timer")
    first.add_argument("--models", action="store_true", help="fetch the models of the settings")
    first.set_defaults(run=init)
    server = commands.add_parser("serve", parents=[common], help="the MCP server, on standard input and output")
    server.add_argument("--http", action="store_true", help="serve on 127.0.0.1 instead, for this machine alone")
    server.add_argument("--port", type=port, default=PORT, metavar="N", help=f"port of --http ({PORT})")
    server.set_defaults(run=serve)
    leave = commands.add_parser(
        "uninstall", parents=[common], help="remove timer, environment and scripts; the memory stays unless --memory"
    )
    leave.add_argument("--memory", action="store_true", help="remove the memory itself, too; asks first")
    leave.add_argument("--export", metavar="DIR", default="", help="write what Dream knows into this folder first")
    leave.add_argument("--yes", action="store_true", help="with --memory: you were asked and agreed")
    leave.set_defaults(run=uninstall)


def port(text: str) -> int:
    """The number of a port, for argparse."""
    if not text.isdecimal() or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give a number from 1 to 65535")
    return int(text)


def init(arguments: argparse.Namespace) -> Page:
    """`dream init`."""
    from dream.compose import open_dream

    with open_dream(os.environ, create=True) as dream:
        home, entries = dream.home.root, dream.ledger_size
    said = [] if arguments.no_schedule else _register(home)
    shown = [f"The store is ready in {home}. Back up its folders keys and ledger together.", *said]
    plain = {"home": str(home), "entries": entries, "timer": said or None}
    if arguments.models:
        from dream.cli_models import fetch_models

        plain["models"] = models = fetch_models(arguments.json)
        shown += [f"Model {name}: {what}." for name, what in models.items()]
    return Page(plain, lines(*shown))


def serve(arguments: argparse.Namespace) -> Page:
    """`dream serve`: returns when the client has gone; standard output is the protocol's, so the page is empty."""
    from dream.mcp.server import main

    code = main(["--http", "--port", str(arguments.port)] if arguments.http else [])
    return Page({"served": code == 0}, lines(), exit_code=code)


def uninstall(arguments: argparse.Namespace) -> Page:
    """`dream uninstall`: what the setup made is removed by the setup's own script, with a Python that can stay."""
    from dream.settings import load

    script = _setup_script(load(os.environ).settings.home)
    if script is None:
        raise UsageError("There is no setup here that could be undone.", "Remove what you installed with pip itself.")
    base = getattr(sys, "_base_executable", "") or sys.executable
    chosen = [f"--{name}" for name in ("memory", "yes") if getattr(arguments, name)]
    wanted = ["--export", str(Path(arguments.export).absolute())] if arguments.export else []
    command = [base, str(script), "--uninstall", *chosen, *wanted]
    asked_at = None if sys.stdin.isatty() else subprocess.DEVNULL
    if not arguments.json:
        sys.stdout.flush()
        done = subprocess.run(command, stdin=asked_at, check=False)  # noqa: S603
        raise SystemExit(done.returncode)  # nothing more can be said from here: what draws a page may be gone by now
    told = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)  # noqa: S603
    said = [line for line in (told.stdout + told.stderr).splitlines() if line.strip()]
    return Page({"removed": told.returncode == 0, "said": said}, lines(*said), exit_code=told.returncode)


def _register(home: Path) -> list[str]:
    """Have the setup script write launcher, scripts and timer for this Python; what it said of them."""
    script = _setup_script(home)
    if script is None:
        return ["No timer is registered: the setup scripts are not here. `dream cycle` plays a night."]
    command = [sys.executable, str(script), "--python", sys.executable]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        return [f"No timer is registered: {' '.join(done.stderr.split())[:300]}"]
    return [line for line in done.stdout.splitlines() if line.startswith(("Timer", "Command"))]


def _setup_script(home: Path) -> Path | None:
    """This system's setup script: of the checkout, of the wheel, or the stable copy in the home."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    name = f"setup_{system}.py"
    checkout = Path(__file__).resolve().parents[1] / "scripts"
    wheel = Path(sysconfig.get_path("data")) / "share" / "dream" / "scripts"
    for folder in (checkout, wheel, home / "scripts"):
        if (folder / name).is_file() and (folder / "setup_main.py").is_file():
            return folder / name
    return None
