"""What stands around notes in pgt.sqlite: the turns beside theirs, the nodes on them, how common a term is.

Notes enter the log session by session, so the neighbours of a note have numbers close to its own: a window of numbers
is read, not whole sessions. Rows become notes here without the codec, which is built for what is signed; a row is the
same JSON either way.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from dream.model.note import Note, Origin

WINDOW = 24
"""Notes before and after one in which the turns beside it are looked for."""
TURN = 10
"""The same for the rest of its own turn."""
_BATCH = 500


def around(connection: sqlite3.Connection, note_ids: Iterable[str], reach: int) -> list[Note]:
    """See `ports.Surroundings.around`."""
    asked = _numbers(connection, note_ids)
    found: dict[int, Note] = {}
    window, most = (WINDOW // 2, WINDOW) if reach else (TURN // 3, TURN)
    while asked:
        cut: set[int] = set()
        for first, last in _ranges(asked, window):
            sql = "SELECT num, json FROM note WHERE num BETWEEN ? AND ?"
            rows = connection.execute(sql, (first, last)).fetchall()
            cut |= _beside(rows, asked, reach, found)
        asked, window = (cut, most) if window < most else (set(), most)
    return sorted(found.values(), key=lambda note: (note.at, note.session, note.turn, note.index, note.id))


def citing(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Ids of the nodes on each note, for all notes that any stands on."""
    found: dict[str, list[str]] = {}
    sql = "SELECT each.value, node.id FROM node, json_each(node.json, '$.notes') AS each ORDER BY node.id"
    for note_id, node_id in connection.execute(sql):
        found.setdefault(note_id, []).append(node_id)
    return {note_id: tuple(ids) for note_id, ids in found.items()}


def frequencies(connection: sqlite3.Connection, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
    """See `ports.Surroundings.frequencies`; a term of several tokens (`gemma4:12b`) is counted as the phrase it is."""
    (total,) = connection.execute(
        "SELECT coalesce((SELECT max(num) FROM note), 0) + coalesce((SELECT max(num) FROM node), 0)"
    ).fetchone()
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.lex_terms USING fts5vocab('main', 'lex', 'row')")
    held: dict[str, int] = {}
    for term in dict.fromkeys(terms):
        safe = term.encode("utf-8", "replace").decode()
        if safe.isalnum():
            row = connection.execute("SELECT doc FROM temp.lex_terms WHERE term = ?", (safe,)).fetchone()
        else:
            phrase = '"' + safe.replace('"', '""').replace("\0", " ") + '"'
            row = connection.execute("SELECT count(*) FROM lex WHERE lex MATCH ?", (phrase,)).fetchone()
        if row is not None and row[0]:
            held[term] = row[0]
    return total, held


def _numbers(connection: sqlite3.Connection, note_ids: Iterable[str]) -> set[int]:
    ids = list(dict.fromkeys(note_ids))
    found: set[int] = set()
    for start in range(0, len(ids), _BATCH):
        some = ids[start : start + _BATCH]
        marks = ",".join("?" * len(some))
        sql = f"SELECT num FROM note WHERE id IN ({marks})"  # noqa: S608 -- question marks alone
        found.update(number for (number,) in connection.execute(sql, some))
    return found


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


def _beside(rows: list[tuple[int, str]], asked: set[int], reach: int, found: dict[int, Note]) -> set[int]:
    """Add to `found` the rows in the turns of `asked` and up to `reach` turns away in their session.

    Returns those of `asked` whose turns may go on beyond these rows.
    """
    turns: dict[str, list[str]] = {}
    placed: list[tuple[str, str]] = []
    for _, text in rows:
        session, turn = place = (_member(text, '"session":"'), _member(text, '"turn":"'))
        placed.append(place)
        held = turns.setdefault(session, [])
        if not held or held[-1] != turn:
            held.append(turn)
    near: set[tuple[str, str]] = set()
    wanted = [(number, place) for (number, _), place in zip(rows, placed, strict=True) if number in asked]
    ends = {placed[0], placed[-1]} if placed else set()
    cut: set[int] = set()
    for number, (session, turn) in wanted:
        held = turns[session]
        at = held.index(turn)
        own = {(session, each) for each in held[max(0, at - reach) : at + reach + 1]}
        near |= own
        if own & ends:
            cut.add(number)
    for (number, text), place in zip(rows, placed, strict=True):
        if place in near and number not in found:
            found[number] = _note(text)
    return cut


def _member(text: str, begins: str) -> str:
    """A member's JSON string, unread: within a text the quotes of `begins` would stand behind backslashes.

    SQLite's own `json_extract` parses the whole row for it, which was a third of a search.
    """
    at = text.find(begins) + len(begins)
    end = text.find('"', at)
    return text[at:end] if text[end - 1] != "\\" else text[at:]


_DECODE = json.JSONDecoder().raw_decode
_ORIGINS = {str(each): each for each in Origin}


def _note(text: str) -> Note:
    plain, _ = _DECODE(text)
    plain["origin"] = _ORIGINS[plain["origin"]]
    plain["signals"] = tuple(plain["signals"])
    return Note(**plain)
