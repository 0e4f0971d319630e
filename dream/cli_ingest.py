"""`dream ingest`: files that a person hands over, into the buffer; secrets are taken out first, as on every way in."""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dream.api_ingest import Ingested

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the command."""
    take = commands.add_parser("ingest", parents=[common], help="take in files: text, a transcript, an export")
    take.add_argument("files", nargs="+", metavar="FILE", help=".jsonl is a transcript, .json an export; - is text")
    take.add_argument("--project", metavar="DIR", help="where they hold: the project of this folder (everywhere)")
    take.set_defaults(run=ingest)


def ingest(arguments: argparse.Namespace) -> Page:
    """`dream ingest FILE…`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        done = dream.ingest(_read(arguments.files), arguments.project)
    plain = {"files": [asdict(each) for each in done], "new": sum(each.new for each in done)}
    return Page(plain, lines(*_told(done)))


def _read(files: list[str]) -> Iterator[tuple[str, bytes, str]]:
    from dream.capture.instants import of_epoch

    for file in files:
        if file == "-":
            yield "standard input", sys.stdin.buffer.read(), of_epoch(time.time())
        else:
            yield Path(file).name, Path(file).read_bytes(), of_epoch(Path(file).stat().st_mtime)


def _told(done: list[Ingested]) -> Iterator[str]:
    for each in done:
        new = counted(each.new, "sentence")
        known = f", {each.notes - each.new} known already" if each.notes > each.new else ""
        yield f"{each.name}: {new}{known}."
        if each.redacted:
            yield (
                "Taken out: " + ", ".join(f"{number} × {kind}" for kind, number in sorted(each.redacted.items())) + "."
            )
        if each.denied:
            yield f"Left out, because it must never be stored: {counted(each.denied, 'sentence')}."
    if any(each.new for each in done):
        yield "They can be found now; the next night judges them."
