"""Commands that look at history and take it back: diff, undo, merge, unmerge, forget."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dream.cli_ledger import plain_entry, told
from dream.cli_page import Page, counted, lines, table

if TYPE_CHECKING:
    from rich.console import Console

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    did = commands.add_parser("diff", parents=[common], help="what a night altered, entry by entry")
    did.add_argument("night", metavar="NIGHT", help="id of a night, or `last`")
    did.set_defaults(run=diff)

    back = commands.add_parser("undo", parents=[common], help="take a night back; history only grows")
    back.add_argument("night", metavar="NIGHT", help="id of a night, or `last`")
    back.add_argument("--cascade", action="store_true", help="and the entries since that were built on it")
    back.add_argument("--dry-run", action="store_true", help="say what that would take back; change nothing")
    back.set_defaults(run=undo)

    one = commands.add_parser("merge", parents=[common], help="two nodes are one: the words of the first stay")
    one.add_argument("kept", metavar="A", help="id of the node whose words stay")
    one.add_argument("absorbed", metavar="B", help="id of the node that goes into it")
    one.set_defaults(run=merge)

    two = commands.add_parser("unmerge", parents=[common], help="they were not one: take back the last merge of a node")
    two.add_argument("id", help="id of either node")
    two.add_argument("--cascade", action="store_true", help="though the merged node has changed since")
    two.set_defaults(run=unmerge)

    gone = commands.add_parser("forget", parents=[common], help="remove a node or a note and its text for good")
    gone.add_argument("id", help="id of a node (f-…) or a note (n-…)")
    gone.add_argument("--yes", action="store_true", help="do not ask")
    gone.set_defaults(run=forget)


def diff(arguments: argparse.Namespace) -> Page:
    """`dream diff`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        night = dream.night(arguments.night).night
        entries = dream.diff(night)

    def draw(on: Console) -> None:
        on.print(table({"seq": "right", "change": "fold"}, [(str(entry.seq), told(entry)) for entry in entries]))
        on.print(f"\n{counted(len(entries), 'entry', 'entries')}. `dream undo {night}` takes the night back.")

    return Page({"night": night, "entries": [plain_entry(entry) for entry in entries]}, draw)


def undo(arguments: argparse.Namespace) -> Page:
    """`dream undo`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        done = dream.undo(arguments.night, arguments.cascade, arguments.dry_run)
    plain = {
        "dry_run": arguments.dry_run,
        "nights": list(done.nights),
        "days": list(done.days),
        "parts": [{"night": name, "entries": number} for name, number in done.parts],
        "changes": [{"kind": type(change).__name__, **asdict(change)} for change in done.changes],
        "kept": list(done.kept),
        "first": done.receipt.first if done.receipt else None,
        "last": done.receipt.last if done.receipt else None,
    }
    verb = "Would take" if arguments.dry_run else "Took"
    built = [f"{counted(number, 'entry', 'entries')} of {name}" for name, number in done.parts]
    built += [f"{counted(len(done.days), 'entry', 'entries')} of the days since"] if done.days else []
    more = f" and what was built on it ({', '.join(built)})" if built else ""
    shown = [f"{verb} back {' and '.join(done.nights)}{more}: {counted(len(done.changes), 'change')}."]
    if not arguments.dry_run:
        shown.append("The next night does not do it again; `dream cycle --rejudge` lifts that.")
    return Page(plain, lines(*shown, *done.kept))


def merge(arguments: argparse.Namespace) -> Page:
    """`dream merge`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        node = dream.merge(arguments.kept, arguments.absorbed)
    shown = [
        f"One node now, on {counted(len(node.notes), 'note')}: {node.text}",
        f"dream unmerge {node.id} takes it back.",
    ]
    return Page({"node": asdict(node)}, lines(*shown))


def unmerge(arguments: argparse.Namespace) -> Page:
    """`dream unmerge`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        nodes = dream.unmerge(arguments.id, arguments.cascade)
    return Page({"nodes": [asdict(node) for node in nodes]}, lines("Two nodes again:", *(f"  {n.text}" for n in nodes)))


def forget(arguments: argparse.Namespace) -> Page:
    """`dream forget`: asks at a terminal, since nothing brings the text back."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        why = dream.explain(arguments.id)
        text = why.node.text if why.node is not None else why.notes[0].text
        if not arguments.yes and not arguments.json and sys.stdin.isatty():
            answer = input(f"{text}\nForget this for good, with every note that says it? [y/N] ")
            if answer.strip().lower() not in {"y", "yes", "o", "oui"}:
                return Page({"forgotten": False}, lines("Nothing was forgotten."))
        done = dream.forget(arguments.id)
    places = sum(number for _, number in (*done.parts, *done.files))
    shown = [
        f"Forgotten: {counted(len(done.nodes), 'node')} and {counted(len(done.notes), 'note')}, "
        f"removed from {counted(places, 'place')}. The ledger still verifies.",
        *(f"It still stands in {path}, which Dream cannot rewrite." for path in done.left),
        *(f"Claude's own transcript still holds it: {path}" for path in done.transcripts),
    ]
    return Page({"forgotten": True, **asdict(done)}, lines(*shown))
