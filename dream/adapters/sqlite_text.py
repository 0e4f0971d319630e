"""Full text in SQLite: what is indexed of a text, and queries that are never syntax (decision 18).

Two indexes. `lex` holds the analyser's terms; `tri` holds the names in a text that are written like code
(`dream/ports.py`, `gemma4:12b`) as trigrams, so that any part of one finds it.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from dream.adapters import sqlite_best
from dream.ports import Analyser

_WORD = re.compile(r"[\w@#~]+(?:[-./:\\+=]+[\w@#~]+)*")
_HINT = re.compile(r"\w[-./:\\+=_@#~]+\w|[_@#~]|[a-z][A-Z0-9]|[0-9][a-zA-Z]")
_SIGNS = frozenset("-./:\\+=_@#~0123456789")
"""Without one of these and with small letters alone a text holds no such name."""
_CODE = re.compile(r"[-./:\\+=_@#~]|[a-z][A-Z0-9]|[0-9][a-zA-Z]")
MOST_TERMS = 64
"""Terms of a query beyond these are left out: a pasted page is no question."""


def terms_of(analyser: Analyser, text: str) -> list[str]:
    """The terms under which a text is found."""
    return [term for term in analyser.terms(text) if term.strip()]


def names_of(text: str) -> list[str]:
    """Names written like code, folded; three characters at least, which is what a trigram needs."""
    if (_SIGNS.isdisjoint(text.rstrip(".!?")) and text[1:].islower()) or _HINT.search(text) is None:
        return []
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    return [word.lower() for word in words if len(word) >= 3 and _CODE.search(word)]


def columns(analyser: Analyser, text: str) -> tuple[str, str]:
    """What `lex` and `tri` hold of a text."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be stored
    return " ".join(terms_of(analyser, text)), " ".join(names_of(text))


def add(connection: sqlite3.Connection, analyser: Analyser, texts: Iterable[tuple[int, str]]) -> None:
    """Index texts under their row numbers."""
    insert(connection, [(row, *columns(analyser, text)) for row, text in texts])


def insert(connection: sqlite3.Connection, made: Sequence[tuple[int, str, str]]) -> None:
    """Index what `columns` made of texts, under their row numbers."""
    connection.executemany("INSERT INTO lex(rowid, terms) VALUES(?, ?)", [(row, terms) for row, terms, _ in made])
    named = [(row, names) for row, _, names in made if names]
    if named:
        connection.executemany("INSERT INTO tri(rowid, names) VALUES(?, ?)", named)


def drop(connection: sqlite3.Connection, analyser: Analyser, row: int, text: str) -> None:
    """Take a text out again; it must be the one that was added."""
    terms, names = columns(analyser, text)
    connection.execute("INSERT INTO lex(lex, rowid, terms) VALUES('delete', ?, ?)", (row, terms))
    if names:
        connection.execute("INSERT INTO tri(tri, rowid, names) VALUES('delete', ?, ?)", (row, names))


_IDS = """
SELECT each.key, coalesce(note.id, node.id), coalesce(note.project, node.project)
FROM json_each(?) AS each
LEFT JOIN note ON each.value % 2 = 0 AND note.num = each.value / 2
LEFT JOIN node ON each.value % 2 = 1 AND node.num = each.value / 2
"""
_MATCH_IN = """
SELECT coalesce(note.id, node.id) AS id, bm25({index}) AS score
FROM {index}
LEFT JOIN note ON {index}.rowid % 2 = 0 AND note.num = {index}.rowid / 2
LEFT JOIN node ON {index}.rowid % 2 = 1 AND node.num = {index}.rowid / 2
WHERE {index} MATCH ? AND coalesce(note.project, node.project) IN ({marks})
ORDER BY score LIMIT ?
"""
_AHEAD = 10
"""Hits looked at per hit wanted, before all hits are joined to their projects (three times slower)."""


def match(
    connection: sqlite3.Connection,
    analyser: Analyser,
    text: str,
    k: int,
    projects: tuple[str, ...] | None,
    held: sqlite_best.Held,
) -> Mapping[str, float]:
    """Ids of what shares a term or a name with `text`, best first (higher is better)."""
    found: dict[str, float] = {}
    for index, words in (("lex", terms_of(analyser, text)), ("tri", names_of(text))):
        asked = list(dict.fromkeys(word.encode("utf-8", "replace").decode() for word in words))[:MOST_TERMS]
        if not asked:
            continue
        for each, score in _hits(connection, index, asked, k, projects, held):
            found[each] = found.get(each, 0.0) - score
    best = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return dict(best[:k])


def _hits(
    connection: sqlite3.Connection,
    index: str,
    words: Sequence[str],
    k: int,
    projects: tuple[str, ...] | None,
    held: sqlite_best.Held,
) -> list[tuple[str, float]]:
    """The best `k` ids of an index, with SQLite's score (lower is better)."""
    most = k if projects is None else k * _AHEAD
    rows = sqlite_best.best(connection, index, words, most, held)
    numbers = json.dumps([row for row, _ in rows])
    placed = {rank: (each, project) for rank, each, project in connection.execute(_IDS, (numbers,))}
    found = [(*placed[rank], score) for rank, (_, score) in enumerate(rows)]
    if projects is None:
        return [(each, score) for each, _, score in found]
    allowed = frozenset(projects)
    inside = [(each, score) for each, project, score in found if project in allowed]
    if len(inside) >= k or len(rows) < most:
        return inside[:k]
    sql = _MATCH_IN.format(index=index, marks=",".join("?" * len(projects)))
    return connection.execute(sql, (sqlite_best.quoted(words), *projects, k)).fetchall()
