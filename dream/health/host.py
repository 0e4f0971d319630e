"""What the host and the machine do for Dream: which capture paths were seen alive, the timer, the host's own clean-up.

Reads small files and nothing else; a file that is missing or damaged is a warning or silence, never an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dream.capture.home import resolve_transcripts
from dream.cycle.gates import next_run
from dream.paths import Home

KEEP_DAYS = 60
"""The host deletes transcripts after `cleanupPeriodDays`; fewer than this leaves little time for missed nights."""
HOST_DEFAULT_DAYS = 30
HOOKS = ("SessionStart", "Stop", "PreCompact", "SessionEnd", "UserPromptSubmit")


@dataclass(frozen=True, slots=True)
class Host:
    """What was found.

    Attributes:
        seen: capture path (a hook's event, or `sweep`) to the instant it was last alive; never seen ones are left out.
        timer: what is registered (systemd, launchd, task-scheduler), "" for nothing.
        next_run: instant of the next night that the timer starts, "" without one that runs.
        warnings: sentences for a person.
    """

    seen: Mapping[str, str]
    timer: str
    next_run: str
    warnings: tuple[str, ...]


def look_at_host(home: Home, environ: Mapping[str, str], zone: str, now: str) -> Host:
    """Look at what surrounds the store, as of the instant `now`."""
    seen = dict(_seen(home))
    install = _json(home.root / "install.json")
    timer = install.get("timer") or {}
    kind = str(timer.get("kind", "")) if isinstance(timer, dict) else ""
    asleep = kind == "systemd" and not systemd_runs(environ)
    warnings = [*_of_hooks(seen), *_of_timer(kind, asleep), *_of_clean_up(environ), *_of_version(install, environ)]
    return Host(seen, kind, next_run(now, zone) if kind and not asleep else "", tuple(warnings))


def _seen(home: Home) -> Iterator[tuple[str, str]]:
    for name in HOOKS:
        at = _changed_at(home.capture / "seen" / name)
        if at:
            yield name, at
    swept = _changed_at(home.manifest)
    if swept:
        yield "sweep", swept


def _of_hooks(seen: Mapping[str, str]) -> Iterator[str]:
    if not any(name in seen for name in HOOKS):
        yield (
            "No hook has been seen since the install; some hosts (Cowork) run none. The night's sweep reads the "
            "transcripts it can find, and facts can be stored with store_event or `dream remember`."
        )


def systemd_runs(environ: Mapping[str, str]) -> bool:
    """Whether the user's own systemd, which starts the timer, runs now."""
    named = environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(named) if Path(named).is_absolute() else Path("/run/user") / str(getattr(os, "getuid", int)())
    return (folder / "systemd" / "private").exists()


def _of_timer(kind: str, asleep: bool) -> Iterator[str]:
    if asleep:
        yield (
            "The timer is registered, but your systemd does not run now: nights start with your next login. "
            "`loginctl enable-linger` lets them start without one; `dream cycle` plays one now."
        )
    if not kind:
        yield "No timer is registered: no night plays by itself. `dream init` registers one; `dream cycle` plays one."


def _of_clean_up(environ: Mapping[str, str]) -> Iterator[str]:
    folder = Path(resolve_transcripts({k: v for k, v in environ.items() if k != "DREAM_TRANSCRIPTS"})).parent
    days = _json(folder / "settings.json").get("cleanupPeriodDays")
    if isinstance(days, int) and not isinstance(days, bool) and days >= KEEP_DAYS:
        return
    said = f"cleanupPeriodDays is {days}" if isinstance(days, int) else f"the default, {HOST_DEFAULT_DAYS} days"
    yield (
        f"Claude deletes its transcripts early ({said}): set cleanupPeriodDays to {KEEP_DAYS} or more in "
        f"{folder / 'settings.json'}, so that nights missed in a holiday can still read them."
    )


def _of_version(install: Mapping[str, Any], environ: Mapping[str, str]) -> Iterator[str]:
    root = environ.get("CLAUDE_PLUGIN_ROOT", "")
    offered = _json(Path(root) / "plugin.json").get("version") if root else None
    installed = install.get("dream")
    if offered and installed and offered != installed:
        yield f"The plugin is {offered}, but {installed} is installed: run the skill dream-init to bring it up to date."


def _json(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _changed_at(path: Path) -> str:
    try:
        stamp = path.stat().st_mtime
    except OSError:
        return ""
    return datetime.fromtimestamp(stamp, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
