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
    from rich.console import Console

    from dream.health.doctor import Finding

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    state = commands.add_parser("health", parents=[common], help="the state of the store in a few lines")
    state.set_defaults(run=health)
    check = commands.add_parser("doctor", parents=[common], help="is this machine and this store fit? what to mend")
    check.add_argument("--dry-run", action="store_true", help="only look; mend nothing")
    check.set_defaults(run=doctor)
    settings = commands.add_parser("config", parents=[common], help="every setting, its value and where it came from")
    settings.set_defaults(run=config)
    out = commands.add_parser("export", parents=[common], help="the graph as GraphML and JSON, for other tools")
    out.add_argument("folder", metavar="DIR", help="where to write graph.graphml and graph.json")
    out.set_defaults(run=export)


def health(arguments: argparse.Namespace) -> Page:
    """`dream health`."""
    from dream.cli_health import page

    return page()


def doctor(arguments: argparse.Namespace) -> Page:
    """`dream doctor`: exit code 1 where something must be mended."""
    from dream.compose import examine

    findings = examine(os.environ, mend=not arguments.dry_run)
    bad = [finding for finding in findings if finding.grade == "bad"]
    plain = {"ok": not bad, "findings": [asdict(finding) for finding in findings]}
    return Page(plain, lambda on: _draw_findings(on, findings, len(bad)), exit_code=1 if bad else 0)


def _draw_findings(on: Console, findings: list[Finding], bad: int) -> None:
    marks = {"good": "ok", "note": "--", "mended": "++", "bad": "!!"}
    for finding in findings:
        on.print(f"{marks[finding.grade]}  {finding.subject:<12} {finding.sentence}", soft_wrap=True)
        if finding.hint:
            on.print(f"                 {finding.hint}", soft_wrap=True)
    mended = sum(finding.grade == "mended" for finding in findings)
    done = f"{counted(mended, 'thing')} mended. " if mended else ""
    on.print(
        f"\n{done}{counted(bad, 'thing')} to mend." if bad else f"\n{done}Nothing {'more ' if done else ''}to mend."
    )


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
    from dream.cli_progress import working
    from dream.compose import open_dream

    if not arguments.folder.strip():
        raise UsageError("The name of the folder is empty.", "Name one, such as `dream export graph`.")
    with open_dream(os.environ) as dream, working("writing the graph", quiet=arguments.json):
        done = dream.export(Path(arguments.folder))
    files = [str(path) for path in done.files]
    plain = {"files": files, "nodes": done.nodes, "edges": done.edges}
    return Page(plain, lines(f"{counted(done.nodes, 'node')} and {counted(done.edges, 'edge')} written:", *files))
