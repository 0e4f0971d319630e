"""`dream sanitize`: a text without its secrets; what must never be stored; and what was stored, under today's rules."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines
from dream.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from dream.api_clean import Rescanned
    from dream.api_sanitise import Reader

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the command."""
    clean = commands.add_parser("sanitize", parents=[common], help="a text without its secrets; needs no store")
    clean.add_argument("file", nargs="?", default="-", metavar="FILE", help="a file, or - for standard input (-)")
    clean.add_argument(
        "--lines", action="store_true", help='read JSON Lines {"id","text"}, write {"id","text","spans"}, one a line'
    )
    ways = clean.add_mutually_exclusive_group()
    ways.add_argument("--deep", action="store_true", help="let the local model read it too (setting sanitize_model)")
    ways.add_argument("--deny", action="store_true", help="put the text on the list of what is never stored")
    ways.add_argument("--rescan", action="store_true", help="clean what is stored by the rules and denials of today")
    clean.add_argument("--dry-run", action="store_true", help="with --rescan: only say what it would alter")
    clean.set_defaults(run=sanitize)


def sanitize(arguments: argparse.Namespace) -> Page:
    """`dream sanitize`: lines are answered as they are read, so that any number fits in memory."""
    if arguments.dry_run and not arguments.rescan:
        raise UsageError("--dry-run says nothing here.", "It belongs to --rescan.")
    if arguments.rescan:
        return _rescan(arguments)
    if arguments.deny:
        return _deny(arguments)
    from dream.api_sanitise import sanitise

    reader = _reader() if arguments.deep else None
    if arguments.lines:
        answers = _sanitized(_source(arguments.file), reader)
        return Page({}, lambda on: _write_lines(on, answers), each=answers)
    with _source(arguments.file) as source:
        done = sanitise(source.read().decode("utf-8", "replace"), reader=reader)
    if done.skipped:
        sys.stderr.write(f"By rules alone: {'; '.join(done.skipped)}\n")
    plain = {"text": done.text, "counts": dict(done.counts), "skipped": list(done.skipped)}
    return Page(plain, lambda on: _write(on, done.text))


def _source(file: str) -> IO[bytes]:
    return sys.stdin.buffer if file == "-" else Path(file).open("rb")


def _reader() -> Reader:
    from dream.compose_reader import second_reader
    from dream.settings import load

    return second_reader(load(os.environ))


def _write(on: Console, text: str) -> None:
    on.file.write(text)


def _write_lines(on: Console, answers: Iterator[dict[str, Any]]) -> None:
    for answer in answers:
        _write(on, json.dumps(answer, ensure_ascii=False) + "\n")


def _asked(source: IO[bytes]) -> Iterator[tuple[Any, str]]:
    """The id and the text of each line."""
    with source:
        for number, raw in enumerate(source, 1):
            if not raw.strip():
                continue
            try:
                asked = json.loads(raw)
                name, text = asked["id"], asked["text"]
            except (ValueError, KeyError, TypeError, RecursionError):
                name, text = None, None
            if not isinstance(text, str):
                sentence = f"Line {number} is not an object with an id and a text."
                raise UsageError(sentence, 'Write one {"id": …, "text": …} a line.')
            yield name, text


def _sanitized(source: IO[bytes], reader: Reader | None) -> Iterator[dict[str, Any]]:
    from dream.api_sanitise import sanitise

    for name, text in _asked(source):
        done = sanitise(text, reader=reader)
        yield {"id": name, "text": done.text, "spans": [list(span) for span in done.spans]}


def _deny(arguments: argparse.Namespace) -> Page:
    """Deny the text, and the text as it would be stored; neither is kept."""
    from dream.capture.deny import deny
    from dream.capture.home import redact_key
    from dream.capture.instants import of_epoch
    from dream.capture.redact import redact
    from dream.settings import load

    home = str(load(os.environ).settings.home)
    if arguments.lines:
        texts = [text for _, text in _asked(_source(arguments.file))]
    else:
        with _source(arguments.file) as source:
            texts = [source.read().decode("utf-8", "replace")]
    key = redact_key(home)
    if key is None:
        raise UsageError("keys/redact.key is damaged; the list cannot be written.", "Put it back from a copy.")
    at, new = of_epoch(time.time()), 0
    for text in texts:
        try:
            fresh = deny(home, text, key, at)
            stored, found = redact(text, key)
            fresh = (bool(found) and deny(home, stored, key, at)) or fresh
        except ValueError as error:
            raise UsageError("There is nothing to deny.", "Give a text with at least one word.") from error
        new += fresh
    told = f"Denied: {counted(new, 'text')}. " if new else "That was denied before. "
    hint = "It is not stored from now on; `dream sanitize --rescan` takes out what is stored already."
    return Page({"denied": new, "known": len(texts) - new}, lines(told + hint))


def _rescan(arguments: argparse.Namespace) -> Page:
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        done = dream.rescan(arguments.dry_run)
    plain = {"dry_run": arguments.dry_run, **asdict(done), "files": dict(done.files), "counts": dict(done.counts or {})}
    return Page(plain, lines(*_told(done, arguments.dry_run)), exit_code=1 if done.left else 0)


def _told(done: Rescanned, dry: bool) -> Iterator[str]:
    if not (done.notes or done.nodes or done.forgotten or done.parts or done.files):
        yield "Nothing stored holds what the rules take out."
    else:
        kinds = ", ".join(f"{number} × {kind}" for kind, number in sorted((done.counts or {}).items()))
        held = f"{counted(done.notes, 'note')} and {counted(done.nodes, 'node')}"
        yield f"{'Would clean' if dry else 'Cleaned'} {held}{f' ({kinds})' if kinds else ''}."
        if done.forgotten:
            yield f"{'Would drop' if dry else 'Dropped'} {counted(done.forgotten, 'text')} that must not be stored."
        if not dry:
            files = f" and {counted(len(done.files), 'file')}" if done.files else ""
            yield f"Removed from {counted(done.parts, 'part')} of the ledger{files}. The ledger still verifies."
    yield from (f"It still stands in {path}." for path in done.left)
    yield from (f"Claude's own transcript still holds it: {path}" for path in done.transcripts)
