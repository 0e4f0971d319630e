"""The night as a page in Markdown that a person enjoys reading: what was learned, what changed, what waits for them.

Text of the memory is quoted as it was said, in its language, and escaped so that it stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

QUOTED = 60
"""Most lines of one section; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Line:
    """A node, by its id and words; `note` says more about it in a few words (how often it was said, a date)."""

    id: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """One statement in the place of another since `since` (a moment, "" where unknown)."""

    old: Line
    new: Line
    since: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A verdict that waits for a person."""

    id: str
    text: str
    consensus: int
    reason: str


@dataclass(frozen=True, slots=True)
class NightSummary:
    """All that the page says.

    Attributes:
        night: id of the night; `judge` who judged (`rules` or a model's name); `dry` nothing was written.
        sessions, notes: how many were read; caught_up: sessions no hook had captured; denied: notes left out because
            they were forgotten before.
        merged: (kept, absorbed); contradictions: pairs that both stand; retracted: taken back without a successor.
        history: said before what is held now, kept as past.
        rejected: (reason, how many).
        tiers: (from, to, how many).
        carried: sentences about what waits for another night.
        warnings: sentences for the reader; court: what the judge cost; garden: what grew and what settled.
        first, last: entries in the ledger, last < first where there are none; root: checkpoint root in hex.
    """

    night: str
    judge: str
    seconds: float
    sessions: int = 0
    notes: int = 0
    caught_up: int = 0
    denied: int = 0
    added: tuple[Line, ...] = ()
    said_again: tuple[Line, ...] = ()
    superseded: tuple[Replacement, ...] = ()
    retracted: tuple[Line, ...] = ()
    history: tuple[Line, ...] = ()
    merged: tuple[tuple[Line, Line], ...] = ()
    contradictions: tuple[tuple[Line, Line], ...] = ()
    held: tuple[Held, ...] = ()
    rejected: tuple[tuple[str, int], ...] = ()
    tiers: tuple[tuple[str, str, int], ...] = ()
    carried: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    court: tuple[str, ...] = ()
    garden: tuple[str, ...] = ()
    first: int = 0
    last: int = -1
    root: str = ""
    dry: bool = False


def changelog(night: NightSummary) -> str:
    """The page, ending in a newline."""
    parts = [f"# Night of {night.night}", _opening(night)]
    parts += [f"> {escape(warning)}" for warning in night.warnings]
    parts += _section("Learned", (_line(each) for each in night.added), len(night.added))
    parts += _section("Replaced", (_replacement(each) for each in night.superseded), len(night.superseded))
    parts += _section("No longer so", (_line(each) for each in night.retracted), len(night.retracted))
    parts += _section("Said again", (_line(each) for each in night.said_again), len(night.said_again))
    parts += _section("Made one", (_pair(each, "and") for each in night.merged), len(night.merged))
    parts += _section("At odds", (_pair(each, "against") for each in night.contradictions), len(night.contradictions))
    parts += _section("Of the past", (_line(each) for each in night.history), len(night.history))
    parts += _section("Waits for you", (_held(each) for each in night.held), len(night.held))
    parts += _section(
        "Not kept", (f"- {number} × {escape(reason)}" for reason, number in night.rejected), len(night.rejected)
    )
    parts += _section("Livelier and quieter", map(_move, night.tiers), len(night.tiers))
    parts += _section("In the garden", (f"- {escape(each)}" for each in night.garden), len(night.garden))
    parts += _section("Left for another night", (f"- {escape(each)}" for each in night.carried), len(night.carried))
    parts.append(_closing(night))
    return "\n\n".join(parts) + "\n"


def _opening(night: NightSummary) -> str:
    if not night.sessions and not night.notes:
        return "Nothing new was said, so nothing was judged."
    read = f"Read {_count(night.notes, 'note')} from {_count(night.sessions, 'session')}"
    if night.caught_up:
        read += f", {night.caught_up} of which no hook had caught"
    kept = len(night.added) + len(night.superseded)
    outcome = [
        f"{kept} kept" if kept else "",
        f"{len(night.said_again)} known already" if night.said_again else "",
        f"{len(night.held)} held for you" if night.held else "",
        f"{sum(number for _, number in night.rejected)} refused" if night.rejected else "",
    ]
    said = [each for each in outcome if each]
    sentence = f"{read}: {_listed(said)}." if said else f"{read}; nothing in them was worth keeping."
    if night.denied:
        sentence += f" {_count(night.denied, 'note')} you had asked to forget came up again and stayed out."
    return f"*Nothing was written: this is what the night would do.*\n\n{sentence}" if night.dry else sentence


def _section(title: str, lines: Iterable[str], number: int) -> list[str]:
    if not number:
        return []
    shown = [line for line, _ in zip(lines, range(QUOTED), strict=False)]
    if number > QUOTED:
        shown.append(f"- … and {number - QUOTED} more")
    return [f"## {title}", "\n".join(shown)]


def _line(line: Line) -> str:
    return f"- {_quote(line)}"


def _quote(line: Line, more: str = "") -> str:
    said = [each for each in (line.note, more) if each]
    aside = f" ({escape(', '.join(said))})" if said else ""
    return f"{escape(line.text)}{aside} `{line.id}`"


def _replacement(each: Replacement) -> str:
    since = f"since {each.since}" if each.since else ""
    return f"- ~~{escape(each.old.text)}~~ `{each.old.id}`\n  → {_quote(each.new, since)}"


def _pair(pair: tuple[Line, Line], word: str) -> str:
    return f"- {_quote(pair[0])}\n  {word} {_quote(pair[1])}"


def _held(held: Held) -> str:
    return (
        f"- {escape(held.text)}\n  {held.consensus} of 100: {escape(held.reason)}\n"
        f"  `dream hitl accept {held.id}` or `dream hitl reject {held.id}`"
    )


def _move(move: tuple[str, str, int]) -> str:
    before, after, number = move
    return f"- {_count(number, 'node')} from {before} to {after}"


def _closing(night: NightSummary) -> str:
    judge = "the rules alone (no model)" if night.judge == "rules" else f"`{night.judge}`"
    said = f"Judged by {judge} in {_duration(night.seconds)}."
    said += "".join(f" {escape(sentence)}" for sentence in night.court)
    if night.last >= night.first:
        said += f" Ledger entries {night.first} to {night.last}."
    if night.root:
        said += f" Checkpoint root `{night.root}`."
    said += "\n\n`dream explain ID` shows where a line comes from"
    said += f"; `dream undo {night.night}` takes the night back." if night.last >= night.first else "."
    return f"---\n\n{said}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    minutes, rest = divmod(round(seconds), 60)
    return f"{_count(minutes, 'minute')} {rest} s" if minutes else _count(rest, "second")


_MARKUP = re.compile(r"[\\`*\[\]<]|~~|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_LEADING = re.compile(r"(?:[-+>=]|#{1,6}|\d+(?=[.)]))(?=\s|[.)]|$)")


def escape(text: str) -> str:
    """Text as Markdown shows it unchanged, on one line; words with an underscore inside need no escape."""
    line = _MARKUP.sub(lambda mark: "\\" + mark[0], " ".join(text.split()))
    lead = _LEADING.match(line)
    if lead is None:
        return line
    place = lead.end() if lead[0].isdecimal() else 0
    return f"{line[:place]}\\{line[place:]}"
