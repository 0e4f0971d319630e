"""Commands of judgement: hitl, what waits for a person."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, lines, table
from dream.model.debate import REJECT_BELOW

if TYPE_CHECKING:
    from rich.console import Console

    from dream.model.graph import Hold, Node

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
    columns = {"hold": "left", "since": "left", "consensus": "right", "what": "fold", "why, and who is against": "fold"}
    rows = []
    for hold in holds:
        against = _against(hold)
        why = f"{hold.reason} ({', '.join(against)})" if against else hold.reason
        rows.append((hold.id, hold.held_at[:10], str(hold.consensus), hold.proposal.text, why))
    on.print(table(columns, rows))
    on.print(
        "\n`dream hitl show ID` tells the notes, the ballots and what accepting would change; accept or reject decides."
    )


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
        against = _against(hold)
        on.print(f"\nAgainst it: {', '.join(against)}." if against else "\nNo role is against it.")
        for note in notes:
            on.print(f"\n{note.at[:16].replace('T', ' ')}  {note.origin}: {note.text}")
        for line in _consequences(hold, touched):
            on.print(f"\n{line}", soft_wrap=True)
        on.print(f"\ndream hitl accept {hold.id}   or   dream hitl reject {hold.id}")

    return Page(plain, draw)


def _consequences(hold: Hold, touched: list[Node]) -> list[str]:
    """What accepting and rejecting would do, a line each."""
    kept = hold.proposal
    holds = f", true from {kept.valid_from[:10]}" if kept.valid_from else ""
    found = [f"Accepting keeps it as a {kept.kind.value}{holds}{'' if touched else '; nothing else changes'}."]
    for node in touched:
        word = "It takes the place of" if node.id in hold.supersedes else "It contradicts, and both stand:"
        found.append(f"{word} {node.id}: {node.text}")
    return [*found, "Rejecting changes nothing; its notes stay and can be found."]


def _against(hold: Hold) -> list[str]:
    """The roles whose ballot was a refusal."""
    return [role.replace("_", " ") for role, score, _ in hold.ballots if score < REJECT_BELOW]


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
