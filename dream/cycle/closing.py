"""The night's last act: a full check of ledger and store, so that a quick one by day means "since last night"."""

from __future__ import annotations

from dataclasses import replace

from dream.cycle.changelog import escape
from dream.cycle.night import NightReport
from dream.errors import Locked
from dream.house import House


def checked(house: House, report: NightReport) -> NightReport:
    """The report with what the check found, in its changelog; a fault or a mending is a warning too.

    The night is committed: whatever is found does not undo it, it is told, and puts the breaker on SECURE.
    """
    try:
        found = house.operations.verify_all()
    except Locked as error:
        return _told(report, (), f"The full check of the ledger has to wait: {error.sentence}")
    counts = " and ".join(f"{number} {what}" for what, number in found.counts)
    if found.ok:
        return _told(report, found.remarks, f"Ledger and store were checked whole, {counts}: all holds.")
    faults = tuple(f"{fault.sentence} {fault.hint}" for fault in found.faults[:3])
    sentence = "Ledger and store were checked whole: **not all holds**, see above."
    return _told(report, (*faults, *found.remarks), sentence)


def _told(report: NightReport, warnings: tuple[str, ...], sentence: str) -> NightReport:
    quoted = "".join(f"> {escape(each)}\n\n" for each in warnings)
    changelog = f"{report.changelog.rstrip()}\n\n{quoted}{sentence}\n"
    return replace(report, changelog=changelog, warnings=(*report.warnings, *warnings))
