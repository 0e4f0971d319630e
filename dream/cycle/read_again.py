"""The second pass over a night's notes: once each, before anything is judged or written; never in a hook.

A model that is away, slow or senseless leaves the notes as the patterns left them, and the night says so. Notes of a
session are read together, a page at a time, since a name and what is said of it stand in different sentences. What no
model could read waits for the next night that has one (`read_later`).
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from dream.cycle import read_later
from dream.cycle.night import Gathered
from dream.cycle.second_pass import Pointed, pointed
from dream.errors import DreamError
from dream.house import House
from dream.model.note import Note
from dream.model.second_pass import removed
from dream.ports import ChatModel

MINUTES = 15
"""Longest that a night reads again; what is left stays as the patterns left it, and waits."""


def read_again(house: House, gathered: Gathered, seated: ChatModel | None, dry: bool = False) -> Gathered:
    """The gathered notes without what the model of the second pass points at, and a sentence on how that went.

    Cleans what is stored, too, where notes of earlier nights waited for a model.

    Args:
        seated: the model that judges tonight; asked itself where it is the same one, and loaded again where it is not.
        dry: nothing is written, and so no note of an earlier night is read.
    """
    name = house.settings.sanitize_model
    waiting = [] if dry else read_later.waiting(house.home)
    if not name or not (gathered.sessions or waiting):
        return gathered
    own = seated is None or seated.name != name
    try:
        model = seated if seated is not None and not own else house.chat(name)
        if own:
            model.prepare()
    except DreamError as error:
        sentence = f"No model read the notes again: {error.sentence} They wait for a night that has one."
        ids = tuple(note.id for session in gathered.sessions for note in session)
        return dataclasses.replace(gathered, second_pass=(sentence,), unread=ids)
    read: list[tuple[Note, ...]] = []
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    unread: list[str] = []
    away, began = False, house.clock.monotonic()

    def late() -> bool:
        return house.clock.monotonic() - began > MINUTES * 60

    for session in gathered.sessions:
        if away or late():
            unread += [note.id for note in session]
            read.append(session)
            continue
        found = pointed(_page(session), model)
        counts.update(kind for _, _, kind in found.spans)
        away = found.away
        skipped.update(found.skipped[:-1] if away else found.skipped)
        unread += [note.id for note in session] if away else []
        read.append(_without(session, found))
    told = [_told(name, counts, skipped, len(unread), away)] if gathered.sessions else []
    if waiting and not away:
        found_late = read_later.read_late(house, lambda notes: None if late() else pointed(_page(notes), model))
        told.append(_told_late(found_late))
    if own:
        _change_over(model, seated)
    return dataclasses.replace(gathered, sessions=tuple(read), second_pass=tuple(told), unread=tuple(unread))


def _page(session: Sequence[Note]) -> str:
    """A session's notes, a line each."""
    return "\n".join(note.text.replace("\n", " ") for note in session)


def _without(session: Sequence[Note], found: Pointed) -> tuple[Note, ...]:
    """Each note without the spans that fall into its line."""
    if not found.spans:
        return tuple(session)
    return tuple(
        dataclasses.replace(note, text=removed(note.text, own)) if own else note
        for note, own in read_later.by_note(session, found.spans)
    )


def _change_over(model: ChatModel, seated: ChatModel | None) -> None:
    """Free the memory and load the judge again; one that is away by now is the court's to deal with."""
    try:
        model.release()
        if seated is not None:
            seated.prepare()
    except DreamError:
        return


def _told(name: str, counts: Counter[str], skipped: Counter[str], unread: int, away: bool) -> str:
    taken = ", ".join(f"{number} × {kind}" for kind, number in sorted(counts.items()))
    told = f"{name} read the notes again and took out {taken or 'nothing'}"
    if unread:
        told += f"; {unread} notes wait for another night, because it {'went away' if away else 'took too long'}"
    odd = sum(skipped.values())
    return told + (f"; {odd} of its replies made no sense." if odd else ".")


def _told_late(late: read_later.Late) -> str:
    taken = ", ".join(f"{number} × {kind}" for kind, number in late.counts)
    told = f"Of earlier nights it read {late.read} notes that had waited for a model, and took out {taken or 'nothing'}"
    return told + (f"; {late.waiting} still wait." if late.waiting else ".")
