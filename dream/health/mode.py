"""The mode in force: what the breaker last found, or what a person pinned for a time; kept in `health.json`.

Promises: it works when the ledger does not; every process that asks reads the file anew, so all see one mode; a file
that cannot be read counts as SECURE, never as NORMAL, and the next probes mend it. Refuses: deciding anything; that is
`dream.model.mode`, and a pin is a person's.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dream.errors import ModeForbids, UsageError
from dream.model.mode import ALLOWS, Allowance, Mode, State
from dream.paths import Home

__all__ = ["ALIASES", "Mode", "Pin", "Standing", "forbid", "mode_named", "read_standing", "write_standing"]

VERSION = 2
ALIASES = {"CONSERVATEUR": Mode.CONSERVATIVE, "SECURISE": Mode.SECURE}
"""The French names, without accents."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A mode that a person put in force: `since` an instant, `until` another ("" for good), `why` a sentence."""

    mode: Mode
    since: str
    why: str = ""
    until: str = ""

    def holds(self, now: str) -> bool:
        return not self.until or now < self.until


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand.

    Attributes:
        state: the breaker's own, whatever is pinned.
        entered: when the breaker came into its mode, "" where it never left NORMAL.
        probed: when the last probe ran; counted: when the last green one was counted.
        faults: sentences of the last probe, the worst first.
        readings: figures of the last probe, by name.
        pin: what a person pinned, while it holds.
        unsaved: why the file could not be written, "" where it was.
    """

    state: State = field(default_factory=State)
    entered: str = ""
    probed: str = ""
    counted: str = ""
    faults: tuple[str, ...] = ()
    readings: Mapping[str, Any] = field(default_factory=dict)
    pin: Pin | None = None
    unsaved: str = ""

    @property
    def mode(self) -> Mode:
        """The mode in force."""
        return self.pin.mode if self.pin is not None else self.state.mode

    @property
    def allows(self) -> Allowance:
        """What it allows."""
        return ALLOWS[self.mode]

    @property
    def pinned(self) -> bool:
        return self.pin is not None

    @property
    def since(self) -> str:
        return self.pin.since if self.pin is not None else self.entered

    @property
    def until(self) -> str:
        return self.pin.until if self.pin is not None else ""

    @property
    def why(self) -> str:
        return self.pin.why if self.pin is not None else "; ".join(self.faults)


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


def read_standing(home: Home, now: str) -> Standing:
    """How things stand at the instant `now`; SECURE where the file is there but cannot be read."""
    try:
        plain = json.loads(home.health.read_bytes())
        pin = _pin(plain.get("pin"))
        said = plain.get("breaker") or {}
        return Standing(
            state=State(Mode(said.get("mode", Mode.NORMAL)), int(said.get("greens", 0))),
            entered=str(said.get("since", "")),
            probed=str(said.get("probed", "")),
            counted=str(said.get("counted", "")),
            faults=tuple(str(each) for each in said.get("faults", ())),
            readings=dict(said.get("readings", {})),
            pin=pin if pin is not None and pin.holds(now) else None,
        )
    except FileNotFoundError:
        return Standing()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Standing(State(Mode.SECURE), faults=("health.json cannot be read; the next probes write it anew",))


def _pin(said: dict[str, Any] | None) -> Pin | None:
    if not said:
        return None
    return Pin(Mode(said["mode"]), str(said["since"]), str(said["why"]), str(said.get("until", "")))


def write_standing(home: Home, standing: Standing) -> Standing:
    """Put it on the disk whole, or say in `unsaved` why not: the mode must not fail for want of a file."""
    body = {
        "version": VERSION,
        "mode": standing.mode,
        "pin": asdict(standing.pin) if standing.pin is not None else None,
        "breaker": {
            "mode": standing.state.mode,
            "greens": standing.state.greens,
            "since": standing.entered,
            "probed": standing.probed,
            "counted": standing.counted,
            "faults": list(standing.faults),
            "readings": dict(standing.readings),
        },
    }
    fresh = home.health.with_name(f"{home.health.name}.{os.getpid()}.new")
    try:
        home.health.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(body, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(home.health)
    except OSError as error:
        return replace(standing, unsaved=f"health.json cannot be written: {error.strerror or error}")
    return standing


def forbid(standing: Standing, act: str) -> ModeForbids:
    """The error that says which mode forbids `act` ("pin a node"), why it is in force and how it is lifted."""
    because = f" ({standing.why})" if standing.why else ""
    until = f" until {standing.until[:16].replace('T', ' ')} UTC" if standing.until else ""
    hint = (
        "`dream mode AUTO` lifts the pin."
        if standing.pinned
        else "`dream health` says what is wrong; after three green probes it climbs by itself."
    )
    return ModeForbids(f"Dream is in mode {standing.mode}{until}{because} and does not {act}.", f"{hint}")
