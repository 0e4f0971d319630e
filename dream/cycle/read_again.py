"""The second pass over a night's notes: once each, before anything is judged or written; never in a hook.

A model that is away, slow or senseless leaves the notes as the patterns left them, and the night says so. Notes of a
session are read together, a page at a time, since a name and what is said of it stand in different sentences.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from dream.cycle.night import Gathered
from dream.cycle.second_pass import Pointed, pointed
from dream.errors import DreamError
from dream.house import House
from dream.model.note import Note
from dream.model.second_pass import removed
from dream.ports import ChatModel

MINUTES = 15
"""Longest that a night reads again; what is left stays as the patterns left it."""


def read_again(house: House, gathered: Gathered, seated: ChatModel | None) -> Gathered:
    """The gathered notes without what the model of the second pass points at, and a sentence on how that went.

    Args:
        seated: the model that judges tonight; asked itself where it is the same one, and loaded again where it is not.
    """
    name = house.settings.sanitize_model
    if not name or not gathered.sessions:
        return gathered
    own = seated is None or seated.name != name
    try:
        model = seated if seated is not None and not own else house.chat(name)
        if own:
            model.prepare()
    except DreamError as error:
        return dataclasses.replace(gathered, second_pass=(f"No model read the notes again: {error.sentence}",))
    read: list[tuple[Note, ...]] = []
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    unread, away, began = 0, False, house.clock.monotonic()
    for session in gathered.sessions:
        if away or house.clock.monotonic() - began > MINUTES * 60:
            unread += len(session)
            read.append(session)
            continue
        found = pointed(_page(session), model)
        counts.update(kind for _, _, kind in found.spans)
        away = found.away
        skipped.update(found.skipped[:-1] if away else found.skipped)
        unread += len(session) if away else 0
        read.append(_without(session, found))
    if own:
        _change_over(model, seated)
    told = _told(name, counts, skipped, unread, away)
    return dataclasses.replace(gathered, sessions=tuple(read), second_pass=(told,))


def _page(session: Sequence[Note]) -> str:
    """A session's notes, a line each."""
    return "\n".join(note.text.replace("\n", " ") for note in session)


def _without(session: Sequence[Note], found: Pointed) -> tuple[Note, ...]:
    """Each note without the spans that fall into its line."""
    if not found.spans:
        return tuple(session)
    cleaned, at = [], 0
    for note in session:
        end = at + len(note.text)
        own = [
            (max(start, at) - at, min(stop, end) - at, kind)
            for start, stop, kind in found.spans
            if start < end and stop > at
        ]
        cleaned.append(dataclasses.replace(note, text=removed(note.text, tuple(own))) if own else note)
        at = end + 1
    return tuple(cleaned)


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
        told += f"; {unread} notes were not read, because it {'went away' if away else 'took too long'}"
    odd = sum(skipped.values())
    return told + (f"; {odd} of its replies made no sense." if odd else ".")
