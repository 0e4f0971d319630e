"""Word of what was done for a store: the last full check with what it found, and what was mended; `ledger/care.json`.

It is kept for people, and so that a quick check goes on telling what a full one found. Unsigned: losing it costs
words, and no check believes it in a store's favour.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from dream.ledger import durable
from dream.ledger.follow import Fault

NAME = "care.json"
KEPT = 20
"""Mendings of which there is word."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What was mended, in sentences, and when (instant)."""

    at: str
    what: str


@dataclass(frozen=True, slots=True)
class Care:
    """What is known.

    Attributes:
        checked_at: when all was last checked and found good (instant), "" where that never was; entries: how many.
        fault: the first one of a later full check, until a full check or a restore finds all good; fault_at: when.
        mended: oldest first.
    """

    checked_at: str = ""
    entries: int = 0
    fault_at: str = ""
    fault: Fault | None = None
    mended: tuple[Mended, ...] = ()

    @property
    def since(self) -> tuple[Mended, ...]:
        """What was mended after all was last found good."""
        return tuple(each for each in self.mended if each.at >= self.checked_at)


def minute(instant: str) -> str:
    """An instant for people."""
    return f"{instant[:16].replace('T', ' ')} UTC"


def read(folder: Path) -> Care:
    """What the file says; nothing where it says nothing that can be read."""
    try:
        told = json.loads((folder / NAME).read_bytes())
        fault = told["fault"]
        return Care(
            str(told["checked_at"]),
            int(told["entries"]),
            str(told["fault_at"]),
            None
            if fault is None
            else Fault(None if fault["seq"] is None else int(fault["seq"]), str(fault["sentence"]), str(fault["hint"])),
            tuple(Mended(str(each["at"]), str(each["what"])) for each in told["mended"]),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return Care()


def looked(folder: Path, at: str, entries: int, faults: Sequence[Fault]) -> None:
    """Keep what a full check found."""
    care = read(folder)
    if faults:
        _write(folder, replace(care, fault_at=at, fault=faults[0]))
    else:
        _write(folder, Care(at, entries, mended=care.mended))


def restored(folder: Path) -> None:
    """Drop the fault: a restore has read the whole log and made the database again."""
    care = read(folder)
    if care.fault is not None:
        _write(folder, replace(care, fault_at="", fault=None))


def mended(folder: Path, at: str, what: str) -> None:
    """Keep word of a mending."""
    care = read(folder)
    _write(folder, replace(care, mended=(*care.mended, Mended(at, what))[-KEPT:]))


def _write(folder: Path, care: Care) -> None:
    durable.replace(folder / NAME, (json.dumps(asdict(care), ensure_ascii=False) + "\n").encode(), sync=False)
