"""The mode a person pinned: NORMAL, CONSERVATIVE or SECURE, and what each allows.

Promises: the pin stands in `health.json`, not in the ledger, so that it works when the ledger does not; a file that
cannot be read counts as SECURE, never as NORMAL. Refuses: stepping by itself; no probe moves a pin.
"""

from __future__ import annotations

import json
import os
import unicodedata
from dataclasses import asdict, dataclass
from enum import StrEnum

from dream.errors import ModeForbids, UsageError
from dream.paths import Home

VERSION = 1


class Mode(StrEnum):
    """What Dream allows itself; `level` is the figure shown in metrics."""

    NORMAL = "NORMAL"
    CONSERVATIVE = "CONSERVATIVE"
    SECURE = "SECURE"

    @property
    def level(self) -> int:
        return tuple(Mode).index(self)


ALIASES = {"CONSERVATEUR": Mode.CONSERVATIVE, "SECURISE": Mode.SECURE}
"""The French names, without accents."""


@dataclass(frozen=True, slots=True)
class Pin:
    """The mode in force: `since` an instant and `why` a sentence, both "" where no one pinned anything."""

    mode: Mode = Mode.NORMAL
    since: str = ""
    why: str = ""

    @property
    def pinned(self) -> bool:
        return bool(self.since)


def mode_named(name: str) -> Mode:
    """A mode by its English or French name, in any case, with or without accents.

    Raises:
        UsageError: there is no such mode.
    """
    plain = unicodedata.normalize("NFKD", name.strip().upper()).encode("ascii", "ignore").decode()
    if plain in ALIASES:
        return ALIASES[plain]
    try:
        return Mode(plain)
    except ValueError as error:
        raise UsageError(f"{name!r} is no mode.", f"Modes: {', '.join(Mode)}; AUTO lifts the pin.") from error


def read_pin(home: Home) -> Pin:
    """The pin as it stands; SECURE where the file is there but cannot be read."""
    try:
        plain = json.loads(home.health.read_bytes())
        said = plain.get("pin")
        return Pin(Mode(said["mode"]), str(said["since"]), str(said["why"])) if said else Pin()
    except FileNotFoundError:
        return Pin()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Pin(Mode.SECURE, "unknown", "health.json cannot be read; set the mode again to mend it")


def write_pin(home: Home, pin: Pin) -> None:
    """Put a pin in force, or take it away where it is not pinned."""
    home.health.parent.mkdir(parents=True, exist_ok=True)
    fresh = home.health.with_name(f"{home.health.name}.{os.getpid()}.new")
    body = {"version": VERSION, "pin": asdict(pin) if pin.pinned else None}
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(body, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(home.health)


def require_writable(home: Home) -> None:
    """Let a write through in NORMAL alone.

    Raises:
        ModeForbids: the mode is CONSERVATIVE or SECURE; nothing was written.
    """
    pin = read_pin(home)
    if pin.mode is not Mode.NORMAL:
        hint = "Nothing was stored. `set_mode` with NORMAL or AUTO allows writing again."
        raise ModeForbids(f"Dream is in mode {pin.mode}, which only reads{_because(pin)}.", hint)


def require_nights(home: Home) -> None:
    """Let a night through unless the mode is SECURE.

    Raises:
        ModeForbids: the mode is SECURE; the buffer is kept.
    """
    pin = read_pin(home)
    if pin.mode is Mode.SECURE:
        hint = "The buffer is kept. `set_mode` with NORMAL or AUTO allows nights again."
        raise ModeForbids(f"Dream is in mode SECURE, which plays no night{_because(pin)}.", hint)


def _because(pin: Pin) -> str:
    return f" ({pin.why})" if pin.why else ""
