"""Commands of the house: health, doctor, config, export."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines, table
from dream.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from dream.health.doctor import Finding
    from dream.health.host import Host
    from dream.health.picture import Picture

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    state = commands.add_parser("health", parents=[common], help="the state of the store in a few lines")
    state.set_defaults(run=health)
    check = commands.add_parser("doctor", parents=[common], help="is this machine and this store fit? what to mend")
    check.set_defaults(run=doctor)
    settings = commands.add_parser("config", parents=[common], help="every setting, its value and where it came from")
    settings.set_defaults(run=config)
    out = commands.add_parser("export", parents=[common], help="the graph as GraphML and JSON, for other tools")
    out.add_argument("folder", metavar="DIR", help="where to write graph.graphml and graph.json")
    out.set_defaults(run=export)


def health(arguments: argparse.Namespace) -> Page:
    """`dream health`."""
    from dream.compose import open_dream, surroundings

    with open_dream(os.environ) as dream:
        picture = dream.picture()
    host = surroundings(os.environ)
    plain = {**asdict(picture), "host": {**asdict(host), "seen": dict(host.seen)}}
    return Page(plain, lines(*_told(picture), *_told_of_host(host)))


def _told_of_host(host: Host) -> Iterator[str]:
    at = f"{host.next_run[:16].replace('T', ' ')} UTC, by {host.timer}" if host.next_run else "not registered"
    yield f"Next night   {at}"
    for name, seen in host.seen.items():
        yield f"Seen alive   {name:<17} {seen[:16].replace('T', ' ')} UTC"
    for warning in host.warnings:
        yield f"Note         {warning}"


def _told(picture: Picture) -> Iterator[str]:
    entries = counted(picture.entries, "entry", "entries")
    yield f"Store        {picture.home}, {picture.megabytes} MB, {entries} in the ledger"
    since = f" from {picture.oldest[:10]} to {picture.newest[:10]}" if picture.notes else ""
    yield f"Notes        {picture.notes}{since}, a redacted near-transcript on your disk"
    tiers = ", ".join(
        f"{picture.tiers[tier]} {tier}" for tier in ("hot", "active", "dark", "cold") if tier in picture.tiers
    )
    past = sum(number for status, number in picture.statuses.items() if status != "current")
    yield f"Nodes        {tiers or 'none'}; {past} no longer hold"
    if picture.age_days is None:
        yield "Last night   none yet: `dream cycle` plays one"
    else:
        yield f"Last night   {picture.last_good_night[:16].replace('T', ' ')} UTC, {_ago(picture.age_days)}"
    if picture.last_outcome not in {"", "done"}:
        yield f"Last run     {picture.last_outcome}: {picture.last_why}"
    buffered, transcripts = counted(picture.buffered, "note"), counted(picture.transcripts, "transcript")
    yield f"Waiting      {buffered} of today, {transcripts} to sweep"
    yield f"Holds        {picture.holds}" + (": `dream hitl list`" if picture.holds else "")
    seen = f"last seen {picture.hooks_seen[:16].replace('T', ' ')} UTC" if picture.hooks_seen else "never seen"
    yield f"Hooks        {seen}" + (
        "" if picture.hooks_seen else "; the night's sweep reads the transcripts all the same"
    )


def _ago(days: float) -> str:
    """How long ago, in the words of a person."""
    return "less than a day ago" if days < 1 else f"{counted(int(days), 'day')} ago"


def doctor(arguments: argparse.Namespace) -> Page:
    """`dream doctor`: exit code 1 where something must be mended."""
    from dream.compose import examine

    findings = examine(os.environ)
    bad = [finding for finding in findings if finding.grade == "bad"]
    plain = {"ok": not bad, "findings": [asdict(finding) for finding in findings]}
    return Page(plain, lambda on: _draw_findings(on, findings, len(bad)), exit_code=1 if bad else 0)


def _draw_findings(on: Console, findings: list[Finding], bad: int) -> None:
    marks = {"good": "ok", "note": "--", "bad": "!!"}
    for finding in findings:
        on.print(f"{marks[finding.grade]}  {finding.subject:<12} {finding.sentence}", soft_wrap=True)
        if finding.hint:
            on.print(f"                 {finding.hint}", soft_wrap=True)
    on.print(f"\n{counted(bad, 'thing')} to mend." if bad else "\nNothing to mend.")


def config(arguments: argparse.Namespace) -> Page:
    """`dream config`: needs no store."""
    from dream.settings import load

    loaded = load(os.environ)
    plain = {"settings": [asdict(row) for row in loaded.rows], "unknown": list(loaded.unknown)}

    def draw(on: Console) -> None:
        columns = {"setting": "left", "variable": "left", "value": "fold", "from": "left"}
        on.print(table(columns, [(row.key, row.variable, row.value, row.source) for row in loaded.rows]))
        on.print()
        for row in loaded.rows:
            on.print(f"{row.key}: {row.help} Default: {row.default or 'none'}.", soft_wrap=True)
        for name in loaded.unknown:
            on.print(f"\nconfig.json has {name!r}, which is no setting.")

    return Page(plain, draw)


def export(arguments: argparse.Namespace) -> Page:
    """`dream export`."""
    from dream.compose import open_dream

    if not arguments.folder.strip():
        raise UsageError("The name of the folder is empty.", "Name one, such as `dream export graph`.")
    with open_dream(os.environ) as dream:
        done = dream.export(Path(arguments.folder))
    files = [str(path) for path in done.files]
    plain = {"files": files, "nodes": done.nodes, "edges": done.edges}
    return Page(plain, lines(f"{counted(done.nodes, 'node')} and {counted(done.edges, 'edge')} written:", *files))
