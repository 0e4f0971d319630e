"""Commands of judgement and record: hitl (what waits for a person), ledger verify, restore, log."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines, table

if TYPE_CHECKING:
    from rich.console import Console

    from dream.model.change import Entry
    from dream.model.graph import Hold

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    waits = commands.add_parser("hitl", help="what waits for a person: list, show, accept, reject")
    acts = waits.add_subparsers(dest="act", required=True, metavar="ACT")
    acts.add_parser("list", parents=[common], help="every open hold, oldest first").set_defaults(run=hold_list)
    for name, run, text in (
        ("show", hold_show, "one hold with its ballots and what it would change"),
        ("accept", hold_accept, "let it in"),
        ("reject", hold_reject, "refuse it"),
    ):
        act = acts.add_parser(name, parents=[common], help=text)
        act.add_argument("id", help="id of a hold (h-…)")
        act.set_defaults(run=run)

    book = commands.add_parser("ledger", help="the signed log: verify, restore, log")
    acts = book.add_subparsers(dest="act", required=True, metavar="ACT")
    check = acts.add_parser("verify", parents=[common], help="is the log what was signed, and the store what it says?")
    check.add_argument("--full", action="store_true", help="every body and every row")
    check.set_defaults(run=ledger_verify)
    back = acts.add_parser("restore", parents=[common], help="make the store again from the log, or as it was then")
    back.add_argument("--to", metavar="SEQ|INSTANT", help="the last entry to take in (all)")
    back.set_defaults(run=ledger_restore)
    tail = acts.add_parser("log", parents=[common], help="the last entries, newest first")
    tail.add_argument("-n", type=int, default=20, metavar="N", help="how many (20)")
    tail.set_defaults(run=ledger_log)


def hold_list(arguments: argparse.Namespace) -> Page:
    """`dream hitl list`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        holds = dream.holds()
    return Page({"holds": [asdict(hold) for hold in holds]}, lambda on: _draw_holds(on, holds))


def _draw_holds(on: Console, holds: list[Hold]) -> None:
    if not holds:
        on.print("Nothing waits for you.")
        return
    columns = {"hold": "left", "since": "left", "consensus": "right", "what": "fold"}
    on.print(table(columns, [(h.id, h.held_at[:10], str(h.consensus), h.proposal.text) for h in holds]))
    on.print("\n`dream hitl show ID` tells why; accept or reject decides.")


def hold_show(arguments: argparse.Namespace) -> Page:
    """`dream hitl show`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        hold, notes, touched = dream.hold(arguments.id)
    plain = {"hold": asdict(hold), "notes": [asdict(n) for n in notes], "touches": [asdict(n) for n in touched]}

    def draw(on: Console) -> None:
        on.print(f"{hold.proposal.text}\n")
        on.print(f"Held {hold.held_at[:10]} by {hold.judge}, consensus {hold.consensus}: {hold.reason}\n")
        on.print(table({"role": "left", "score": "right", "reason": "fold"}, _ballot_rows(hold)))
        for note in notes:
            on.print(f"\n{note.at[:16].replace('T', ' ')}  {note.origin}: {note.text}")
        for node in touched:
            word = "would supersede" if node.id in hold.supersedes else "contradicts"
            on.print(f"\n{word} {node.id}: {node.text}")
        on.print(f"\ndream hitl accept {hold.id}   or   dream hitl reject {hold.id}")

    return Page(plain, draw)


def _ballot_rows(hold: Hold) -> list[tuple[str, ...]]:
    return [(role.replace("_", " "), str(score), reason) for role, score, reason in hold.ballots]


def hold_accept(arguments: argparse.Namespace) -> Page:
    """`dream hitl accept`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        node = dream.accept(arguments.id)
    return Page(
        {"accepted": arguments.id, "node": node.id}, lines(f"Accepted: {node.text}", f"dream explain {node.id}")
    )


def hold_reject(arguments: argparse.Namespace) -> Page:
    """`dream hitl reject`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        dream.reject(arguments.id)
    return Page({"rejected": arguments.id}, lines("Rejected; its notes stay and can be found."))


def ledger_verify(arguments: argparse.Namespace) -> Page:
    """`dream ledger verify`: exit code 1 where something does not hold."""
    from dream.cli_progress import working
    from dream.compose import verify_store

    with working("checking the ledger and the store", quiet=arguments.json or not arguments.full):
        report = verify_store(os.environ, arguments.full)
    plain = {
        "ok": report.ok,
        "full": report.full,
        "size": report.size,
        "root": report.root,
        "faults": [asdict(fault) for fault in report.faults],
        "remarks": list(report.remarks),
        "counts": dict(report.counts),
    }
    checked = " and ".join(f"{number} {what}" for what, number in report.counts if number)
    shown = [f"All holds: {checked or 'nothing was new'} checked, {counted(report.size, 'entry', 'entries')} signed."]
    if not report.ok:
        shown = [part for fault in report.faults for part in (fault.sentence, f"  {fault.hint}")]
    return Page(plain, lines(*shown, *report.remarks), exit_code=0 if report.ok else 1)


def ledger_restore(arguments: argparse.Namespace) -> Page:
    """`dream ledger restore`."""
    from dream.cli_progress import working
    from dream.compose import restore_store

    with working("making pgt.sqlite again from the log", quiet=arguments.json):
        done = restore_store(os.environ, arguments.to)
    shown = [f"pgt.sqlite is rebuilt from {done.entries} of {counted(done.size, 'entry', 'entries')}."]
    if done.pinned:
        shown.append("It stays as it was then and takes no writes until `dream ledger restore` brings it to the end.")
    return Page(asdict(done), lines(*shown))


def ledger_log(arguments: argparse.Namespace) -> Page:
    """`dream ledger log`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        entries = dream.log(arguments.n)
        total = dream.ledger_size
    plain = [plain_entry(entry) for entry in entries]

    def draw(on: Console) -> None:
        rows = [(str(e.seq), e.at[:19].replace("T", " "), e.night, told(e)) for e in entries]
        on.print(table({"seq": "right", "at": "left", "night": "left", "change": "fold"}, rows))
        on.print(f"\n{counted(total, 'entry', 'entries')} in all.")

    return Page({"entries": plain, "size": total}, draw)


def plain_entry(entry: Entry) -> dict[str, Any]:
    """An entry as `--json` shows it; `change` is None where it was redacted."""
    change = entry.change
    told = {"kind": type(change).__name__, **asdict(change)} if change is not None else None
    return {"seq": entry.seq, "log": entry.log, "at": entry.at, "night": entry.night, "change": told}


def told(entry: Entry) -> str:
    """One line on what an entry did."""
    change = entry.change
    if change is None:
        return "(redacted)"
    for name in ("node", "after", "hold", "branch", "edge", "notes", "cluster", "night"):
        part = getattr(change, name, None)
        if part is None:
            continue
        text = getattr(getattr(part, "proposal", part), "text", None) or getattr(part, "premise", None)
        if text is None:
            text = counted(len(part), "note") if isinstance(part, tuple) else getattr(part, "id", str(part))
        return f"{type(change).__name__}  {text}"
    return type(change).__name__
