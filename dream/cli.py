"""The command line: words in, a page or one JSON object out.

Promises: every command takes `--json` and `--help`; text is for people, JSON is one object on standard output; exit
codes are 0 done, 1 failed, 2 wrong usage, 3 refused with nothing lost; an error is a sentence and a hint on standard
error (and, with `--json`, an object `error` on standard output). Imports nothing heavy until a command runs.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dream import (
    __version__,
    cli_garden,
    cli_history,
    cli_host,
    cli_house,
    cli_ingest,
    cli_ledger,
    cli_night,
    cli_progress,
    cli_recall,
    cli_sanitize,
    cli_undo,
    cli_web,
)
from dream.errors import DreamError

if TYPE_CHECKING:
    from dream.cli_page import Page

INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """Every command with its arguments; `run` of what it parses is the function to call."""
    top = argparse.ArgumentParser(
        prog="dream",
        description="A local memory with a sleep cycle for Claude.",
        epilog="Each command has its own --help. Settings: `dream config`. Exit codes: 0 done, 1 failed, "
        "2 wrong usage, 3 refused with nothing lost.",
    )
    top.add_argument("--version", action="version", version=f"dream {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    groups = (
        cli_night,
        cli_recall,
        cli_sanitize,
        cli_ingest,
        cli_history,
        cli_ledger,
        cli_garden,
        cli_undo,
        cli_house,
        cli_web,
        cli_host,
    )
    for group in groups:
        group.add(commands, common)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    _tolerate_narrow_terminals()
    words = parser()
    arguments = words.parse_args(argv)
    if arguments.command is None:
        words.print_help(sys.stderr)
        return 2
    try:
        with cli_progress.shown(quiet=arguments.json):
            page: Page = arguments.run(arguments)
        _show(page, arguments.json)
    except DreamError as error:
        return _complain(error.code, error.sentence, error.hint, error.exit_code, arguments.json)
    except KeyboardInterrupt:
        return _complain("stopped", "Stopped.", "What was committed stays; run it again to go on.", INTERRUPTED, False)
    except BrokenPipeError:
        # The reader went away (`dream nights | head`): say nothing more, not even at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        sentence = f"The system refused: {error.strerror or error}{where}."
        return _complain("system", sentence, _way_out(error), 1, arguments.json)
    return page.exit_code


def _way_out(error: OSError) -> str:
    """What a person can do about a refusal of the system."""
    if isinstance(error, FileNotFoundError):
        return "Check the path; nothing was changed."
    if isinstance(error, (IsADirectoryError, NotADirectoryError, FileExistsError)):
        return "Name another path: a file stands where a folder is needed, or a folder where a file is."
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return (
            "Give yourself the right to read and write it; what was committed stays. `dream doctor` looks at the home."
        )
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Make room on the disk, then try again; what was committed stays."
    return "What was committed stays. `dream doctor` looks at the disk and the home."


def _show(page: Page, as_json: bool) -> None:
    if as_json:
        for answer in (page.plain,) if page.each is None else page.each:
            sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    else:
        from dream.cli_page import console

        page.draw(console())
    sys.stdout.flush()


def _complain(code: str, sentence: str, hint: str, exit_code: int, as_json: bool) -> int:
    sys.stderr.write("\n".join(part for part in (sentence, hint) if part) + "\n")
    if as_json:
        error = {"code": code, "sentence": sentence, "hint": hint}
        sys.stdout.write(json.dumps({"error": error}, ensure_ascii=False) + "\n")
    return exit_code


def _tolerate_narrow_terminals() -> None:
    """A console that cannot show a character shows a stand-in for it; a file or pipe gets UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
