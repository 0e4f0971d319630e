"""Commands of the page and the mode: web, mode."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from dream.cli_host import port
from dream.cli_page import Page, lines
from dream.errors import DreamError, UsageError

if TYPE_CHECKING:
    from dream.health.mode import Standing

Commands = Any
PORT = 9466
_UNITS = {"m": 1 / 60, "h": 1.0, "d": 24.0}


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    page = commands.add_parser("web", parents=[common], help="the page: nights, holds, search, graph, on 127.0.0.1")
    page.add_argument("--port", type=port, metavar="N", help="port of the page (that of the metrics, else a free one)")
    page.add_argument("--no-open", action="store_true", help="show the address and open no browser")
    page.set_defaults(run=web)

    state = commands.add_parser("mode", parents=[common], help="the mode in force, or pin one for a time")
    state.add_argument("mode", nargs="?", metavar="MODE", help="NORMAL, CONSERVATIVE, SECURE; AUTO lifts the pin")
    state.add_argument("--for", dest="span", metavar="SPAN", help="how long the pin holds: 30m, 2h, 3d (24h)")
    state.add_argument("--why", default="", help="the reason, one sentence")
    state.set_defaults(run=mode)


def web(arguments: argparse.Namespace) -> Page:
    """`dream web`: serves until it is stopped; prints the address first."""
    from dream.compose import open_dream
    from dream.web.watch import Watch

    with open_dream(os.environ):
        pass  # a store that cannot be opened is an error here, not on a page
    watch = Watch(os.environ, "page of `dream web`")
    try:
        port = watch.serve(arguments.port)
    except ModuleNotFoundError as missing:
        raise DreamError(f"The page needs the package {missing.name}.", "Install requirements/plugin.txt.") from missing
    address = f"http://127.0.0.1:{port}/?token={watch.token}"
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    if not arguments.no_open:
        import webbrowser

        webbrowser.open(address)
    watch.start()
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        watch.close()
    return Page({"address": address}, lines())


def mode(arguments: argparse.Namespace) -> Page:
    """`dream mode [MODE]`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        if arguments.mode is None:
            standing = dream.standing()
        else:
            standing = dream.pin_mode(arguments.mode, arguments.why, _hours(arguments.span))
    return Page(plain(standing), lines(sentence(standing)))


def plain(standing: Standing) -> dict[str, Any]:
    """The mode as `--json` shows it."""
    return {
        "mode": standing.mode,
        "level": standing.mode.level,
        "pinned": standing.pinned,
        "since": standing.since,
        "until": standing.until,
        "why": standing.why,
        "greens": standing.state.greens,
        "breaker": standing.state.mode,
        "faults": list(standing.faults),
    }


def sentence(standing: Standing) -> str:
    """The mode for people."""
    pinned = f", pinned until {standing.until[:16].replace('T', ' ')} UTC" if standing.pinned else ""
    greens = f", {standing.state.greens} of 3 green probes on the way up" if standing.state.greens else ""
    why = f": {standing.why}" if standing.why else ""
    return f"{standing.mode}{pinned}{greens}{why}"


def _hours(span: str | None) -> float | None:
    if span is None:
        return None
    number, unit = (span[:-1], span[-1:]) if span[-1:] in _UNITS else (span, "h")
    try:
        return float(number) * _UNITS[unit]
    except ValueError as error:
        raise UsageError(f"{span!r} is no span of time.", "Give 30m, 2h or 3d.") from error
