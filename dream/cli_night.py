"""Commands of the night: cycle, nights."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, table

if TYPE_CHECKING:
    from rich.console import Console

    from dream.api_night import CycleOutcome
    from dream.cycle.nights import Night

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    night = commands.add_parser("cycle", parents=[common], help="play a night: gather, judge, tidy, write the index")
    night.add_argument("--dry-run", action="store_true", help="show what the night would change; change nothing")
    night.add_argument("--force", action="store_true", help="play it even where nothing is pending")
    night.add_argument(
        "--if-due",
        nargs="?",
        const="automatic",
        choices=("automatic", "nightly"),
        help="play it only when its gates are open: automatic (24 h and more than 5 sessions) or nightly",
    )
    night.add_argument("--rejudge", action="store_true", help="judge again what an undo had forbidden")
    night.add_argument(
        "--accept-plan",
        action="store_true",
        help="write what the last night's gate refused, once you have looked at it",
    )
    night.add_argument("--now", metavar="INSTANT", help="play it as of this instant, such as 2026-09-08T02:05:00+02:00")
    night.add_argument("--tz", metavar="ZONE", help="time zone of relative dates (setting tz)")
    night.add_argument("--judge", metavar="auto|rules|MODEL", help="who judges (setting judge)")
    night.set_defaults(run=cycle)

    past = commands.add_parser("nights", parents=[common], help="every night so far, or one with its changelog")
    past.add_argument("night", nargs="?", metavar="NIGHT", help="id of a night, or `last`")
    past.set_defaults(run=nights)


def cycle(arguments: argparse.Namespace) -> Page:
    """`dream cycle`."""
    from dream.cli_progress import Progress
    from dream.compose import open_dream

    with open_dream(os.environ, zone=arguments.tz, create=True) as dream, Progress(quiet=arguments.json) as progress:
        if arguments.rejudge and not arguments.dry_run:
            dream.rejudge()
        outcome = dream.cycle(
            now=arguments.now,
            dry_run=arguments.dry_run,
            judge=arguments.judge,
            trigger=arguments.if_due or ("forced" if arguments.force else "by hand"),
            observer=progress,
            accept_plan=arguments.accept_plan,
        )
    return Page(outcome.plain, lambda on: _draw_outcome(on, outcome))


def _draw_outcome(on: Console, outcome: CycleOutcome) -> None:
    on.print(outcome.sentence)
    for sort, count in outcome.counts:
        if count:
            on.print(f"  {sort.replace('_', ' '):<24}{count:>6}")
    for warning in outcome.report.warnings if outcome.report is not None else ():
        on.print(f"! {warning}", soft_wrap=True)


def nights(arguments: argparse.Namespace) -> Page:
    """`dream nights [NIGHT]`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        if arguments.night is None:
            found = dream.nights()
            return Page({"nights": [_plain(each) for each in found]}, lambda on: _draw_nights(on, found))
        one = dream.night(arguments.night)
        text = dream.changelog(one.night)
    return Page({**_plain(one), "changelog": text}, lambda on: _draw_changelog(on, text))


def _plain(night: Night) -> dict[str, Any]:
    record = night.record
    return {
        "night": night.night,
        "started_at": record.started_at if record else None,
        "ended_at": record.ended_at if record else None,
        "judge": record.judge if record else None,
        "first": night.first,
        "last": night.last,
        "counts": dict(record.counts) if record else {},
        "undone": night.undone,
    }


def _draw_nights(on: Console, found: list[Night]) -> None:
    if not found:
        on.print("No night yet. `dream cycle` plays one.")
        return
    shown = [_plain(each) for each in reversed(found)]
    names = list(shown[0]["counts"])
    columns = {"night": "left", "judge": "left", **{name.replace("_", " "): "right" for name in names}, "": "left"}
    rows = [
        (
            each["night"],
            each["judge"] or "?",
            *(str(each["counts"].get(name, 0)) for name in names),
            "undone" if each["undone"] else "",
        )
        for each in shown
    ]
    on.print(table(columns, rows))
    on.print(f"\n{counted(len(found), 'night')}. `dream nights NIGHT` shows a changelog.")


def _draw_changelog(on: Console, text: str) -> None:
    from rich.markdown import Markdown

    on.print(Markdown(text) if on.is_terminal else text, soft_wrap=not on.is_terminal)
