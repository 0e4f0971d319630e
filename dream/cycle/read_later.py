"""Notes that no model could read in their own night, kept by id until one can.

Promises that a note stays on the list until a model has read it or it is forgotten; and that what is pointed at later
leaves by the path of `forget`: log, store, files. A quotation of a kind that is private wherever it stands (`address`,
`secret`, `birth-date`) leaves every text; of any other kind, the sentence it was said in and the nodes that cite it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dream.cycle.clean_files import clean_files
from dream.cycle.second_pass import Pointed
from dream.house import House
from dream.ledger import durable
from dream.model.note import Note
from dream.model.second_pass import places, removed
from dream.paths import Home

MOST = 20_000
"""Notes that wait at most; of more, the oldest go: whoever has no model has no use for a list without end."""
EVERYWHERE = frozenset({"address", "secret", "birth-date"})

Spans = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Late:
    """What came of reading earlier nights' notes: how many were read, what was taken out, how many still wait."""

    read: int = 0
    counts: tuple[tuple[str, int], ...] = ()
    waiting: int = 0
    away: bool = False


def path_of(home: Home) -> Path:
    """Where the ids wait."""
    return home.manifest.with_name("unread.json")


def waiting(home: Home) -> list[str]:
    """Ids of the notes that wait, oldest first; a list that cannot be read is none."""
    try:
        listed = json.loads(path_of(home).read_text(encoding="utf-8"))["notes"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def wait(home: Home, ids: Iterable[str]) -> None:
    """Put notes on the list; those that stand there keep their place."""
    before = waiting(home)
    after = list(dict.fromkeys([*before, *ids]))[-MOST:]
    if after != before:
        _keep(home, after)


def read_late(house: House, ask: Callable[[Sequence[Note]], Pointed | None]) -> Late:
    """Have the notes that wait read, session by session, and clean what is pointed at.

    Args:
        ask: what the model points at in the notes of a session, page and all; None where the time is over.

    Raises:
        LedgerSealed, Locked: as `forget`; the list then stays.
    """
    ids = waiting(house.home)
    notes = house.store.notes_by_id(ids)
    sessions: dict[str, list[Note]] = defaultdict(list)
    for each in ids:
        if each in notes:
            sessions[notes[each].session].append(notes[each])
    done: set[str] = set(ids) - set(notes)
    read, counts, away = 0, Counter[str](), False
    found: list[tuple[Note, Spans]] = []
    for session in sessions.values():
        session.sort(key=lambda note: (note.at, note.turn, note.index))
        pointed = ask(session)
        away = pointed is not None and pointed.away
        if pointed is None or away:
            break
        counts.update(kind for _, _, kind in pointed.spans)
        found += [(note, own) for note, own in by_note(session, pointed.spans) if own]
        done.update(note.id for note in session)
        read += len(session)
    if found:
        rule = _Taken(house, found)
        clean_files(house.home, rule, lambda text: False)
        house.ledger.clean(house.store, rule)
    left = [each for each in ids if each not in done]
    if left != ids:
        _keep(house.home, left)
    return Late(read, tuple(sorted(counts.items())), len(left), away)


def by_note(session: Sequence[Note], spans: Spans) -> Iterable[tuple[Note, Spans]]:
    """Each note with the spans of its page, a note a line, that fall into its line, as offsets of its text."""
    at = 0
    for note in session:
        end = at + len(note.text)
        yield (
            note,
            tuple(
                (max(start, at) - at, min(stop, end) - at, kind)
                for start, stop, kind in spans
                if start < end and stop > at
            ),
        )
        at = end + 1


class _Taken:
    """The rule that what a model pointed at makes of a text."""

    def __init__(self, house: House, found: Sequence[tuple[Note, Spans]]) -> None:
        self._sentences = {note.text: removed(note.text, spans) for note, spans in found}
        self._quotes = {
            note.text[start:stop]: kind for note, spans in found for start, stop, kind in spans if kind in EVERYWHERE
        }
        citing = house.store.citing([note.id for note, _ in found])
        for note, spans in found:
            quotes = {note.text[start:stop]: kind for start, stop, kind in spans}
            for node_id in citing.get(note.id, ()):
                node = house.store.node(node_id)
                if node is not None:
                    self._sentences[node.text] = _without(self._sentences.get(node.text, node.text), quotes)

    def __call__(self, text: str) -> str:
        for said, clean in self._sentences.items():
            if said in text:
                text = text.replace(said, clean)
        return _without(text, self._quotes)


def _without(text: str, quotes: dict[str, str]) -> str:
    for quote, kind in quotes.items():
        text = removed(text, tuple((start, stop, kind) for start, stop in places(text, quote)))
    return text


def _keep(home: Home, ids: list[str]) -> None:
    path = path_of(home)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    durable.replace(path, (json.dumps({"notes": ids}) + "\n").encode())
