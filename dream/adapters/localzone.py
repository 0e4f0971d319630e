"""The machine's time zone by its IANA name, by `tzlocal`: systems keep it in five places, Windows under other names."""

from __future__ import annotations

from zoneinfo import ZoneInfoNotFoundError

import tzlocal


def machine_zone() -> str:
    """Such as `Europe/Paris`; `UTC` where the machine says nothing that is a zone."""
    try:
        return tzlocal.get_localzone_name() or "UTC"
    except (ZoneInfoNotFoundError, LookupError):
        return "UTC"
