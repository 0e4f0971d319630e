"""How the nights went: one small record for the next session to read, one line per run for people.

`index/status.json` tells "nothing to do" from "did not run" (every run leaves its outcome) and how old the last good
night is; the SessionStart hook reads it with the standard library alone. `logs/nightly.log` has a line for each run.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from dream.paths import Home

VERSION = 1
_ROTATE_BYTES = 1_000_000


class Outcome(StrEnum):
    """How a run ended. Only DONE is a good night."""

    DONE = "done"
    NOTHING_DUE = "nothing due"
    DEFERRED = "deferred"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits: notes in the buffer, transcripts not swept, clusters held for a person."""

    notes: int = 0
    transcripts: int = 0
    holds: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """The record as it stands; "" for an instant that never was.

    Attributes:
        last_good_night: when the last night that did its work began.
        last_run: when the last run began, whatever came of it.
        outcome: how that run ended, "" where none ran yet.
        why: what it said, one sentence.
        runs_since_good: runs that were no good night since the last that was.
    """

    last_good_night: str = ""
    last_run: str = ""
    outcome: str = ""
    why: str = ""
    runs_since_good: int = 0
    pending: Pending = field(default_factory=Pending)


def read_status(home: Home) -> Status:
    """The record, or an empty one where there is none or it cannot be read."""
    try:
        plain = json.loads(_path(home).read_bytes())
        pending = Pending(**{key: int(plain["pending"][key]) for key in ("notes", "transcripts", "holds")})
        texts = {key: str(plain[key]) for key in ("last_good_night", "last_run", "outcome", "why")}
        return Status(**texts, runs_since_good=int(plain["runs_since_good"]), pending=pending)
    except (OSError, ValueError, KeyError, TypeError):
        return Status()


def record_run(
    home: Home, began: str, outcome: Outcome, why: str, pending: Pending | None = None, trigger: str = "by hand"
) -> Status:
    """Remember a run that has ended, in the record and in the log; `pending` is kept as it was where it is None."""
    before = read_status(home)
    good = outcome is Outcome.DONE
    after = Status(
        last_good_night=began if good else before.last_good_night,
        last_run=began,
        outcome=outcome.value,
        why=" ".join(why.split()),
        runs_since_good=0 if good else before.runs_since_good + 1,
        pending=before.pending if pending is None else pending,
    )
    _write(home, after)
    _log(home, f"{began} {outcome.value} ({trigger}): {after.why}\n")
    return after


def record_pending(home: Home, pending: Pending) -> Status:
    """Bring the counts of what waits up to date; no run."""
    after = replace(read_status(home), pending=pending)
    _write(home, after)
    return after


def _path(home: Home) -> Path:
    return home.index / "status.json"


def _write(home: Home, status: Status) -> None:
    path = _path(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with fresh.open("w", encoding="utf-8") as file:
        # `pending_sessions` is what the SessionStart hook reads.
        plain = {"version": VERSION, **asdict(status), "pending_sessions": status.pending.transcripts}
        json.dump(plain, file, ensure_ascii=True, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _log(home: Home, line: str) -> None:
    """Append a line; at 1 MB the log becomes `nightly.log.1`."""
    path = home.logs / "nightly.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(line.encode("utf-8", "replace"))
        full = file.tell() > _ROTATE_BYTES
    if full:
        path.replace(path.with_name("nightly.log.1"))
