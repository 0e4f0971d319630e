"""The state of one store in a few figures, read from what is there; nothing is judged twice and nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dream.capture import buffer
from dream.cycle.status import read_status
from dream.health.metrics import held_up
from dream.house import House
from dream.ledger import care
from dream.model.graph import NodeStatus, Tier
from dream.model.time import days_between, format_instant
from dream.sources.manifest import Manifest
from dream.sources.transcripts import waiting

MENDED_DAYS = 30


@dataclass(frozen=True, slots=True)
class Picture:
    """What `dream health` says.

    Attributes:
        megabytes: size of everything under the home, on disk.
        oldest, newest: when the first and the last note were said, "" where there is none.
        tiers: current nodes by tier; statuses: all nodes by status.
        buffered: notes of today that wait for the night; transcripts: those a night would read now.
        last_good_night: instant, "" where there was none; age_days since then, None where there was none.
        hooks_seen: when a hook last ran, "" where none ever did.
        checked_at: when all of ledger and store was last checked and found good, "" where that never was.
        mended: what Dream mended by itself in the last 30 days: (instant, sentence), oldest first.
        held_up: sentences a person gave since the last night that waited because another process held the store.
    """

    home: str
    megabytes: float
    notes: int
    oldest: str
    newest: str
    tiers: dict[str, int]
    statuses: dict[str, int]
    holds: int
    entries: int
    buffered: int
    transcripts: int
    last_good_night: str
    age_days: float | None
    last_outcome: str
    last_why: str
    hooks_seen: str
    checked_at: str
    mended: tuple[tuple[str, str], ...]
    held_up: int


def look(house: House) -> Picture:
    """Look at a store now."""
    home, now = house.home, house.clock.now()
    tally, (oldest, newest) = house.store.tally(), house.store.span()
    status = read_status(home)
    ready, _ = waiting(house.roots, Manifest(home.manifest), now, house.settings.quiet_minutes)
    good = status.last_good_night
    cared = care.read(home.ledger)
    return Picture(
        home=str(home.root),
        megabytes=round(sum(size for size in _sizes(home.root)) / 1e6, 1),
        notes=tally["notes"],
        oldest=oldest,
        newest=newest,
        tiers={tier.value: tally[tier] for tier in Tier if tier in tally},
        statuses={status.value: tally[status] for status in NodeStatus if status in tally},
        holds=tally["holds"],
        entries=house.ledger.size,
        buffered=len(buffer.read_today(str(home.root))),
        transcripts=ready,
        last_good_night=good,
        age_days=round(days_between(good, now), 1) if good else None,
        last_outcome=status.outcome,
        last_why=status.why,
        hooks_seen=_hooks_seen(home.capture),
        checked_at=cared.checked_at,
        mended=tuple((each.at, each.what) for each in cared.mended if days_between(each.at, now) <= MENDED_DAYS),
        held_up=held_up(house.operations.state),
    )


def _sizes(root: Path) -> list[int]:
    """Of the memory; the program's own folders (environment, scripts, launchers) are not counted."""
    tops = [path for path in root.iterdir() if path.name not in {"venv", "scripts", "bin"}] if root.is_dir() else []
    found = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*"))]
    return [path.stat().st_size for path in found if path.is_file() and not path.is_symlink()]


def _hooks_seen(capture: Path) -> str:
    """Each event of the host leaves an empty file in `seen/`; the newest tells when a hook last ran."""
    seen = [path.stat().st_mtime for path in (capture / "seen").glob("*")]
    return format_instant(datetime.fromtimestamp(max(seen), UTC)) if seen else ""
