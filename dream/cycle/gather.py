"""Gather: all the night can read becomes notes, each once, however it came. Writes nothing but sealing the buffer.

1. The buffer is sealed by a rename, so a line written meanwhile is for the next night.
2. A note already in the ledger, on a dead branch, or on the deny-list is left out.
3. A bad line is kept aside; a transcript that cannot be read is told and waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dream.capture import buffer, deny
from dream.capture.salience import JUDGED
from dream.cycle.night import Gathered
from dream.house import House
from dream.model.note import Note, as_note
from dream.sources.manifest import Manifest, Mark
from dream.sources.report import SweepReport
from dream.sources.transcripts import notes as notes_of_transcript
from dream.sources.transcripts import sweep

BATCH = 500
"""Ids looked up in the store at once."""

Denied = Callable[[str], bool]


def gather(
    house: House, now: str, seal: bool, denied: Denied, step: Callable[[int], None] = lambda done: None
) -> Gathered:
    """Read the buffer and the transcripts.

    Args:
        seal: False only looks (a dry run): nothing on the disk moves.
        denied: whether a text must never be stored.
        step: told how many transcripts have been read.
    """
    sealed = buffer.seal(str(house.home.root)) if seal else []
    found, warnings = _buffered(house, sealed, seal)
    hooked = {note.session for note in found.values()}
    manifest = Manifest(house.home.manifest)
    report = SweepReport()
    marks: list[tuple[str, Mark]] = []
    swept_sessions: set[str] = set()
    for number, swept in enumerate(sweep(house.roots, manifest, now, house.settings.quiet_minutes, report), 1):
        for plain in notes_of_transcript(swept, house.redact_key):
            note = as_note(plain)
            if note.id not in found:
                found[note.id] = note
                swept_sessions.add(note.session)
        marks.append((swept.path, swept.mark))
        step(number)
    warnings += [*manifest.warnings, *report.warnings(manifest)]
    dead = report.dead_turns()
    live = [note for note in found.values() if note.turn not in dead]
    fresh = list(_unknown(house, live))
    allowed = _allowed(fresh, denied)
    kept = allowed if house.settings.notes != "salient" else [note for note in allowed if note.load >= JUDGED]
    return Gathered(
        sessions=_by_session(kept),
        caught_up=len({note.session for note in kept} & swept_sessions - hooked),
        denied=len(fresh) - len(allowed),
        dead=len(found) - len(live),
        buffers=tuple(Path(path) for path in sealed),
        marks=tuple(marks),
        warnings=tuple(warnings),
        manifest=manifest,
    )


def _allowed(notes: list[Note], denied: Denied) -> list[Note]:
    """The notes in which, or across which within a turn, no denied text stands; in the order they came."""
    turns: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        turns[note.turn].append(note)
    kept: set[str] = set()
    for said in turns.values():
        said.sort(key=lambda note: note.index)
        stays = deny.allowed([note.text for note in said], denied)
        kept.update(note.id for note, stay in zip(said, stays, strict=True) if stay)
    return [note for note in notes if note.id in kept]


def settle(gathered: Gathered) -> None:
    """After the commit: what was read is marked as read, and sealed buffers go."""
    manifest = gathered.manifest
    for transcript, mark in gathered.marks:
        manifest.record(transcript, mark)
    manifest.save()
    for path in gathered.buffers:
        buffer.discard(str(path))


def _buffered(house: House, sealed: Iterable[str], seal: bool) -> tuple[dict[str, Note], list[str]]:
    if not seal:
        return {str(n["id"]): as_note(n) for n in buffer.read_today(str(house.home.root))}, []
    found: dict[str, Note] = {}
    warnings = []
    for path in sealed:
        notes, bad = buffer.read(path)
        aside = buffer.set_aside(path, bad)
        if aside:
            warnings.append(f"{len(bad)} lines of the buffer could not be read and are kept in {Path(aside).name}.")
        for plain in notes:
            found.setdefault(str(plain["id"]), as_note(plain))
    return found, warnings


def _unknown(house: House, notes: list[Note]) -> Iterator[Note]:
    """Notes the ledger does not hold yet."""
    for start in range(0, len(notes), BATCH):
        batch = notes[start : start + BATCH]
        known = house.store.notes_by_id(note.id for note in batch)
        yield from (note for note in batch if note.id not in known)


def _by_session(notes: Iterable[Note]) -> tuple[tuple[Note, ...], ...]:
    sessions: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        sessions[note.session].append(note)
    ordered = [tuple(sorted(each, key=lambda n: (n.at, n.turn, n.index))) for each in sessions.values()]
    return tuple(sorted(ordered, key=lambda session: (session[0].at, session[0].session)))
