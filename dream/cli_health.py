"""The page of `dream health`: the whole picture in twenty lines, with colours, and what to do next at the end."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from dream.cli_page import UNBROKEN, Page, counted
from dream.cli_web import plain as plain_mode
from dream.cli_web import sentence

if TYPE_CHECKING:
    from rich.console import Console

    from dream.health.host import Host
    from dream.health.mode import Standing
    from dream.health.picture import Picture

LINES = 20
GIVES_WAY = ("Seen alive", "Metrics", "Ollama", "Memory", "Disk", "Vitality", "Search", "Nodes", "Store")
ABOUT = 13
"""Columns in which stands what a line is about."""
_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d) UTC")
COLOUR = {"good": "green", "warn": "yellow", "bad": "bold red", "": ""}
Told = tuple[str, str, str]
"""What a line is about, what it says, how it stands: good, warn, bad or ""."""


def page() -> Page:
    """Look, take a probe, and tell."""
    from dream.compose import open_dream, surroundings

    with open_dream(os.environ) as dream:
        standing = dream.probe()
        picture = dream.picture()
        advice = dream.advice(picture, standing)
        port, store = dream.port()
        zone = ZoneInfo(dream.zone)
    host = surroundings(os.environ)
    metrics = port.sentence(store)
    plain: dict[str, Any] = {
        **asdict(picture),
        "host": {**asdict(host), "seen": dict(host.seen)},
        "mode": plain_mode(standing),
        "readings": dict(standing.readings),
        "advice": advice,
        "metrics": metrics,
    }
    told = [*_of_mode(standing), *_of_store(picture), *_of_readings(standing, picture)]
    told += [*_of_nights(picture, host), ("Metrics", metrics, "")]
    told += [("Next" if not number else "", line, "warn") for number, line in enumerate(advice)]
    if not advice:
        told.append(("Next", "nothing to do: all is well", "good"))
    told = [(about, _local(said, zone), grade) for about, said, grade in told]
    said_above = ("No hook ", "No timer ")
    notes = [line for line in host.warnings if not line.startswith(said_above)]
    return Page(plain, lambda on: _draw(on, told, notes))


def _draw(on: Console, told: list[Told], notes: list[str]) -> None:
    """Twenty lines of the screen; what is worth knowing but asks for nothing gets the room that is left."""
    from rich.text import Text

    wide = on.width if on.is_terminal else UNBROKEN
    rows = [row for each in told for row in _rows(each, wide)]
    for usual in GIVES_WAY:  # where much is wrong, what is as usual gives way to it
        if len(rows) > LINES:
            told = [each for each in told if each[0] != usual or each[2]]
            rows = [row for each in told for row in _rows(each, wide)]
    for number, note in enumerate(notes):
        more = list(_rows(("Note" if not number else "", note, ""), wide))
        if len(rows) + len(more) > LINES:
            break
        rows += more
    for about, said, grade in rows:
        line = Text(f"{about:<12} ", style="bold" if about == "Next" else "dim")
        line.append(said, style=COLOUR[grade])
        on.print(line, soft_wrap=True)


def _rows(told: Told, wide: int) -> Iterator[Told]:
    """A line of the page as lines of the screen."""
    about, said, grade = told
    for number, part in enumerate(wrap(said, max(20, wide - ABOUT), break_on_hyphens=False) or [""]):
        yield about if not number else "", part, grade


def _local(said: str, zone: ZoneInfo) -> str:
    """A sentence with its times as the clock on the wall says them."""

    def there(found: re.Match[str]) -> str:
        return f"{datetime.fromisoformat(f'{found[1]}+00:00').astimezone(zone):%Y-%m-%d %H:%M}"

    return _TIME.sub(there, said)


def _of_mode(standing: Standing) -> Iterator[Told]:
    grade = {"NORMAL": "good", "CONSERVATIVE": "warn", "SECURE": "bad"}[standing.mode]
    yield "Mode", sentence(standing), grade


def _of_store(picture: Picture) -> Iterator[Told]:
    yield "Store", f"{picture.home}, {picture.megabytes} MB", ""
    since = f", said {picture.oldest[:10]} to {picture.newest[:10]}, without secrets" if picture.notes else ""
    yield "Notes", f"{picture.notes}{since}", ""
    tiers = ", ".join(f"{number} {tier}" for tier, number in picture.tiers.items())
    past = sum(number for status, number in picture.statuses.items() if status != "current")
    yield "Nodes", f"{tiers or 'none'}; {past} no longer hold", ""


def _of_readings(standing: Standing, picture: Picture) -> Iterator[Told]:
    said = standing.readings
    held = said.get("ledger_ok")
    word = {True: "verified", False: "does not verify", None: "could not be checked: another process writes"}[held]
    whole = f"; every entry and row {_at(picture.checked_at)}" if held and picture.checked_at else ""
    yield "Ledger", word + whole, {True: "good", False: "bad", None: "warn"}[held]
    if picture.mended:
        at, what = picture.mended[-1]
        yield "Mended", f"{_at(at)}: {what}", "warn"
    mean = said.get("vitality")
    exempt = f" ({said['exempt']}: no fault)" if said.get("exempt") else ""
    if mean is not None:
        yield "Vitality", f"{mean:.2f} on average of what was said or used in 30 days{exempt}", ""
    if said.get("searches"):
        slow = "warn" if said["search_p95_ms"] > 500 else ""
        many = counted(said["searches"], "search", "searches")
        yield "Search", f"{said['search_p95_ms']:.0f} ms (p95 of {many} in the last hour)", slow
    models = f", {_size(said['models_gb'])} of it models" if said.get("models_gb") else ""
    left = _size(said.get("available_gb", 0.0))
    yield "Memory", f"{_size(said.get('memory_gb', 0.0))}{models}; the machine has {left} left", ""
    disk = said.get("disk_gb")
    yield (
        "Disk",
        f"{disk:.0f} GB free" if disk is not None else "unknown",
        "bad" if disk is not None and disk < 1 else "",
    )
    yield "Ollama", "answers" if said.get("ollama_up") else "away: rules judge, or the night waits for its model", ""


def _of_nights(picture: Picture, host: Host) -> Iterator[Told]:
    if picture.age_days is None:
        yield "Last night", "none yet: `dream cycle` plays one", ""
    else:
        yield "Last night", f"{_at(picture.last_good_night)}, {_ago(picture.age_days)}", ""
    if picture.last_outcome not in {"", "done"}:
        yield (
            "Last run",
            f"{picture.last_outcome}: {picture.last_why}",
            "warn" if picture.last_outcome == "failed" else "",
        )
    without = (
        f"by {host.timer}, which does not run now" if host.timer else "none by itself: `dream init` registers a timer"
    )
    yield "Next night", f"{_at(host.next_run)}, by {host.timer}" if host.next_run else without, ""
    buffered, transcripts = counted(picture.buffered, "note"), counted(picture.transcripts, "transcript")
    yield "Waiting", f"{buffered} of today, {transcripts} to sweep", ""
    yield "Holds", f"{picture.holds}" + (": `dream hitl list`" if picture.holds else ""), ""
    hooks = max((at for name, at in host.seen.items() if name != "sweep"), default="")
    swept = f", the sweep {_at(host.seen['sweep'])}" if "sweep" in host.seen else ""
    yield (
        "Seen alive",
        (f"hooks {_at(hooks)}" if hooks else "no hook yet (the night's sweep reads all the same)") + swept,
        "",
    )


def _size(gigabytes: float) -> str:
    return f"{gigabytes:.1f} GB" if gigabytes >= 1 else f"{gigabytes * 1000:.0f} MB"


def _at(instant: str) -> str:
    return f"{instant[:16].replace('T', ' ')} UTC"


def _ago(days: float) -> str:
    """How long ago, in the words of a person."""
    return "less than a day ago" if days < 1 else f"{counted(int(days), 'day')} ago"
