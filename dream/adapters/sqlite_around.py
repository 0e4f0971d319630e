"""What stands around notes in pgt.sqlite: the turns beside theirs, and the nodes on them.

Notes enter the log session by session, so the neighbours of a note have numbers close to its own: a window of numbers
is read, not whole sessions. Rows become notes here without the codec, which is built for what is signed; a row is the
same JSON either way.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter

from dream.model.note import Note, Origin

WINDOW = 24
"""Notes before and after one in which the turns beside it are looked for."""
TURN = 10
"""The same for the rest of its own turn."""


_ROWS = """
WITH span AS MATERIALIZED (
    SELECT json_extract(value, '$[0]') AS first, json_extract(value, '$[1]') AS last FROM json_each(?)
)
SELECT note.num, note.json FROM span CROSS JOIN note WHERE note.num BETWEEN span.first AND span.last
"""
"""All windows in one statement, each read from its first row to its last."""


def around(connection: sqlite3.Connection, note_ids: Iterable[str], reach: int) -> list[Note]:
    """See `ports.Surroundings.around`."""
    asked = _numbers(connection, note_ids)
    found: dict[int, str] = {}
    window, most = (WINDOW // 2, WINDOW) if reach else (TURN // 3, TURN)
    while asked:
        cut: set[int] = set()
        ranges = _ranges(asked, window)
        rows = connection.execute(_ROWS, (json.dumps(ranges),)).fetchall()
        begins = 0
        for _, last in ranges:
            ends = begins
            while ends < len(rows) and rows[ends][0] <= last:
                ends += 1
            cut |= _beside(rows[begins:ends], asked, reach, found)
            begins = ends
        asked, window = (cut, most) if window < most else (set(), most)
    notes = _notes(found.values())
    notes.sort(key=attrgetter("at", "session", "turn", "index", "id"))
    return notes


def citing(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Ids of the nodes on each note, for all notes that any stands on."""
    found: dict[str, list[str]] = {}
    sql = "SELECT each.value, node.id FROM node, json_each(node.json, '$.notes') AS each ORDER BY node.id"
    for note_id, node_id in connection.execute(sql):
        found.setdefault(note_id, []).append(node_id)
    return {note_id: tuple(ids) for note_id, ids in found.items()}


def _numbers(connection: sqlite3.Connection, note_ids: Iterable[str]) -> set[int]:
    sql = "SELECT num FROM note WHERE id IN (SELECT value FROM json_each(?))"
    return {number for (number,) in connection.execute(sql, (json.dumps(list(note_ids)),))}


def _ranges(numbers: set[int], window: int) -> list[tuple[int, int]]:
    """Windows around numbers, those that overlap made one."""
    made: list[tuple[int, int]] = []
    for number in sorted(numbers):
        first, last = number - window, number + window
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], last)
        else:
            made.append((first, last))
    return made


def _beside(rows: list[tuple[int, str]], asked: set[int], reach: int, found: dict[int, str]) -> set[int]:
    """Add to `found` the rows in the turns of `asked` and up to `reach` turns away in their session.

    Returns those of `asked` whose turns may go on beyond these rows.
    """
    turns: dict[str, list[str]] = {}
    placed: list[tuple[str, str]] = []
    for _, text in rows:
        session, turn = place = _place(text)
        placed.append(place)
        held = turns.get(session)
        if held is None:
            turns[session] = [turn]
        elif held[-1] != turn:
            held.append(turn)
    near: set[tuple[str, str]] = set()
    ends = {placed[0], placed[-1]} if placed else set()
    cut: set[int] = set()
    for (number, _), (session, turn) in zip(rows, placed, strict=True):
        if number in asked:
            held = turns[session]
            at = held.index(turn)
            own = {(session, each) for each in held[max(0, at - reach) : at + reach + 1]}
            near |= own
            if own & ends:
                cut.add(number)
    for (number, text), place in zip(rows, placed, strict=True):
        if place in near:
            found[number] = text
    return cut


_SESSION, _TURN, _INDEX = '"session":"', '","turn":"', '","index":'


def _place(text: str) -> tuple[str, str]:
    """Session and turn of a note's JSON, unread: within a text each quote of these would stand behind a backslash.

    SQLite's own `json_extract` parses the whole row for it, which was a third of a search.
    """
    one = text.find(_SESSION)
    two = text.find(_TURN, one)
    three = text.find(_INDEX, two)
    return text[one + len(_SESSION) : two], text[two + len(_TURN) : three]


_STRING = r'"([^"\\]*)"'
_PLAIN = re.compile(
    rf'{{"id":{_STRING},"text":{_STRING},"at":{_STRING},"session":{_STRING},"turn":{_STRING},"index":(\d+)'
    rf',"origin":{_STRING},"load":(\d+),"signals":(\[[^\\]*?\]),"project":{_STRING}'
    rf'(?:,"branch":{_STRING})?(?:,"lang":{_STRING})?}}'
)
"""A note's JSON in which nothing stands behind a backslash: its strings are what they say."""
_ORIGINS = {str(each): each for each in Origin}
_SET = tuple(getattr(Note, each.name).__set__ for each in dataclasses.fields(Note))


def _notes(rows: Iterable[str]) -> list[Note]:
    """Rows as notes. A search reads a thousand: they are made without JSON's reader and without `Note.__init__`."""
    made = []
    one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve = _SET
    for row in rows:
        found = _PLAIN.fullmatch(row)
        if found is None:
            made.append(_read(row))
            continue
        key, text, at, session, turn, index, origin, load, signals, project, branch, lang = found.groups("")
        note = Note.__new__(Note)
        one(note, key)
        two(note, text)
        three(note, at)
        four(note, session)
        five(note, turn)
        six(note, int(index))
        seven(note, _ORIGINS[origin])
        eight(note, int(load))
        nine(note, _signals(signals))
        ten(note, project)
        eleven(note, branch)
        twelve(note, lang)
        made.append(note)
    return made


def _read(row: str) -> Note:
    plain = json.loads(row)
    plain["origin"] = _ORIGINS[plain["origin"]]
    plain["signals"] = tuple(plain["signals"])
    return Note(**plain)


@lru_cache(maxsize=256)
def _signals(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))
