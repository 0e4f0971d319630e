"""Commands of the counterfactual garden: list, grow, settle."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines, table

if TYPE_CHECKING:
    from rich.console import Console

    from dream.model.branch import Branch

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    garden = commands.add_parser("garden", help="had we done otherwise: branches, their predictions, what came of them")
    acts = garden.add_subparsers(dest="act", required=True, metavar="ACT")

    shown = acts.add_parser("list", parents=[common], help="what grows, and what has settled")
    shown.set_defaults(run=garden_list)

    grow = acts.add_parser("grow", parents=[common], help="grow branches from an error node now")
    grow.add_argument("node", metavar="NODE", help="id of a current node (f-…)")
    grow.set_defaults(run=garden_grow)

    settle = acts.add_parser("settle", parents=[common], help="hold what is due against what happened, as a night does")
    settle.set_defaults(run=garden_settle)


def garden_list(arguments: argparse.Namespace) -> Page:
    """`dream garden list`."""
    from dream.api_garden import Garden
    from dream.compose import open_house
    from dream.settings import load

    with open_house(load(os.environ)) as house:
        found = Garden(house).branches()

    def draw(on: Console) -> None:
        if not found:
            on.print("Nothing grows. Branches grow at night from what went wrong, or with `dream garden grow NODE`.")
            return
        for root in dict.fromkeys(each.branch.root for each in found):
            here = [each for each in found if each.branch.root == root]
            what = here[0].root.text if here[0].root is not None else "(it is gone)"
            on.print(f"What went otherwise: {what}  ({root})", soft_wrap=True)
            rows = [
                (each.branch.id, f"{each.branch.premise}:", _foretold(each.branch), _when(each.branch)) for each in here
            ]
            on.print(table({"branch": "left", "premise": "fold", "foretold": "fold", "so far": "left"}, rows))
            on.print()
        on.print(f"{counted(len(found), 'branch', 'branches')}. None is a fact, and none is recalled as one.")

    plain = [{**_plain(each.branch), "root_text": each.root.text if each.root is not None else ""} for each in found]
    return Page({"branches": plain}, draw)


def garden_grow(arguments: argparse.Namespace) -> Page:
    """`dream garden grow NODE`."""
    from dream.api_garden import Garden
    from dream.compose import open_house
    from dream.settings import load

    with open_house(load(os.environ)) as house:
        grown = Garden(house).grow(arguments.node)
    said = [f"{each.premise}: {_foretold(each)}, to be seen by {each.settles_at[:10]}. {each.id}" for each in grown]
    return Page({"branches": [_plain(each) for each in grown]}, lines(*said))


def garden_settle(arguments: argparse.Namespace) -> Page:
    """`dream garden settle`."""
    from dream.api_garden import Garden
    from dream.compose import open_house
    from dream.settings import load

    with open_house(load(os.environ)) as house:
        settled = Garden(house).settle()
    said = [f"{each.premise}: {_foretold(each)} was {each.status.value}. {each.id}" for each in settled]
    return Page({"settled": [_plain(each) for each in settled]}, lines(*(said or ["Nothing was due."])))


def _when(branch: Branch) -> str:
    """How it stands: growing until a day, or what came of it and when."""
    if branch.status == "growing":
        return f"growing, to be seen by {branch.settles_at[:10]}"
    made = f", {branch.promoted} is a process now" if branch.promoted else ""
    return f"{branch.status.value} on {(branch.settled_at or branch.settles_at)[:10]}{made}"


def _foretold(branch: Branch) -> str:
    told = {"ceases": "it does not come back", "recurs": "it comes back", "said": f"it is said: {branch.statement}"}
    return told[branch.foretold.value]


def _plain(branch: Branch) -> dict[str, Any]:
    return {
        "id": branch.id,
        "root": branch.root,
        "project": branch.project,
        "premise": branch.premise,
        "foretold": branch.foretold.value,
        "statement": branch.statement,
        "remedy": branch.remedy,
        "notes": list(branch.notes),
        "status": branch.status.value,
        "grown_at": branch.grown_at,
        "settles_at": branch.settles_at,
        "expires_at": branch.expires_at,
        "settled_at": branch.settled_at,
        "evidence": list(branch.evidence),
        "promoted": branch.promoted,
        "judge": branch.judge,
    }
