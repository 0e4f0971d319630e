"""What to do next, in sentences a person can follow; nothing where all is well. The first matters most."""

from __future__ import annotations

from collections.abc import Iterator

from dream.health.mode import Standing
from dream.health.picture import Picture
from dream.model.mode import Mode

OLD_DAYS = 2.0
LOW_DISK_GB = 2.0


def advice(picture: Picture, standing: Standing) -> Iterator[str]:
    """Sentences, the most pressing first."""
    said = standing.readings
    if said.get("ledger_ok") is False:
        if "pgt.sqlite" in str(said.get("ledger_why", "")):
            yield "pgt.sqlite does not agree with the log: `dream doctor` makes it again from the log; nothing is lost."
        else:
            yield (
                "The log itself does not verify: keep the folder as it is, put `ledger/` back from a copy, then run "
                "`dream ledger verify --full`."
            )
    if standing.pinned and standing.mode is not Mode.NORMAL:
        yield f"Mode {standing.mode} is pinned by a person; `dream mode AUTO` gives it back to the breaker."
    elif standing.mode is not Mode.NORMAL and not standing.faults:
        yield "What put Dream on its guard has passed: it climbs by itself after three green probes, ten seconds apart."
    elif standing.mode is Mode.SECURE and any("GB" in fault for fault in standing.faults):
        yield "Close something large, or choose a smaller judging model (DREAM_CONSOLIDATION_MODEL)."
    elif any(fault.startswith("searches take") for fault in standing.faults):
        yield "Searches are slow: `dream doctor` looks at the disk and the store; a busy machine passes by itself."
    elif any("consensus" in fault for fault in standing.faults):
        yield "The last night was unsure: decide what it held (`dream hitl list`); the next good night lifts the mode."
    elif any("vitality" in fault for fault in standing.faults):
        yield "Much of what is held contradicts itself: decide the holds (`dream hitl list`) and forget what is wrong."
    if standing.unsaved:
        yield f"{standing.unsaved}; give Dream the right to write in {picture.home}."
    if said.get("disk_gb") is not None and float(said["disk_gb"]) < LOW_DISK_GB:
        yield f"Only {float(said['disk_gb']):.1f} GB are free on the disk: free some space."
    if picture.last_outcome == "failed":
        yield f"The last night failed ({picture.last_why}); `dream cycle` tries again, the buffer is kept."
    if picture.held_up:
        why = "because another process held the store"
        one = f"A sentence waited {why}; it is safe in the buffer: `dream cycle` takes it in."
        many = f"{picture.held_up} sentences waited {why}; they are safe in the buffer: `dream cycle` takes them in."
        yield one if picture.held_up == 1 else many
    waiting = picture.buffered + picture.transcripts
    if picture.age_days is None and waiting:
        yield "No night has been played yet: `dream cycle` plays the first."
    elif picture.age_days is not None and picture.age_days > OLD_DAYS and waiting:
        old = f"{picture.age_days:.0f} days old"
        yield f"The last good night is {old} and something waits: `dream cycle` plays one now."
    if picture.holds:
        many = f"{picture.holds} verdicts wait" if picture.holds > 1 else "A verdict waits"
        yield f"{many} for you: `dream hitl list`, or “To decide” in `dream web`."
