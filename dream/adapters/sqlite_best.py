"""The best rows of a full-text index for some words, without scoring all that hold any of them.

FTS5 scores each row that holds a word, which for common words is a third of the store and nearly all of the time. What
a word can add to a score has a bound, so once enough rows are known to score more than the common words can give
together, a row that holds those alone need not be scored. The rows and scores that come back are those of the plain
query.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Sequence

K1 = 1.2
"""Of FTS5's own `bm25`: a word adds less than its rarity times `K1 + 1`, however often a text says it."""
LEAST = 1e-6
"""What FTS5 takes for the rarity of a word that more than half of the rows hold."""
MANY = 4_000
"""Rows that hold a word, summed over the words, from which it pays to leave some unscored."""
AHEAD = 2
"""The rarest words are taken until they hold so many times the rows that are wanted."""
SLACK = 1e-9

_BEST = "SELECT rowid, bm25({index}) AS score FROM {index} WHERE {index} MATCH ? ORDER BY score LIMIT ?"
_BEST_OF = (
    "SELECT rowid, bm25({index}) AS score FROM {index} WHERE {index} MATCH ?"
    " AND +rowid IN (SELECT rowid FROM {index} WHERE {index} MATCH ?) ORDER BY score LIMIT ?"
)


Held = dict[str, int]
"""How many texts hold each term, as far as it was asked: kept by the store for as long as it stands where it does."""
KEPT = 10_000


def best(
    connection: sqlite3.Connection, index: str, words: Sequence[str], most: int, held: Held
) -> list[tuple[int, float]]:
    """The best `most` rows of `lex` or `tri` for different words, with FTS5's score (lower is better)."""
    needed = _needed(connection, words, most, held) if index == "lex" else words
    if len(needed) == len(words):
        return plain(connection, index, words, most)
    asked = (quoted(words), quoted(needed), most)
    return connection.execute(_BEST_OF.format(index=index), asked).fetchall()


def plain(connection: sqlite3.Connection, index: str, words: Sequence[str], most: int) -> list[tuple[int, float]]:
    """The same by FTS5 alone, each row scored that holds one of the words."""
    return connection.execute(_BEST.format(index=index), (quoted(words), most)).fetchall()


def _needed(connection: sqlite3.Connection, words: Sequence[str], most: int, known: Held) -> Sequence[str]:
    """The words of which each of the best `most` rows must hold one; all where that cannot be told."""
    total, held = frequencies(connection, words, known)
    order = sorted(words, key=lambda word: held.get(word, 0))
    if sum(held.values()) < MANY:
        return words
    rare: list[str] = []
    reached = 0
    while len(rare) < len(order) and reached < AHEAD * most:
        rare.append(order[len(rare)])
        reached += held.get(rare[-1], 0)
    if len(rare) == len(order):
        return words
    scored = plain(connection, "lex", rare, most)
    if len(scored) < most:
        return words
    spare = -scored[-1][1] * (1.0 - SLACK)  # by the rare words alone: what the other words add only raises it
    needed = list(order)
    while needed and (adds := _most(total, held.get(needed[-1], 0))) < spare:
        spare -= adds
        needed.pop()
    return needed


def _most(total: int, holding: int) -> float:
    """More than a word that so many rows hold can add to the score of one."""
    return (K1 + 1) * max(LEAST, math.log((total - holding + 0.5) / (holding + 0.5)))


def quoted(words: Iterable[str]) -> str:
    """An FTS5 query for any of the words, each a string: nothing in it is syntax."""
    return " OR ".join('"' + word.replace('"', '""').replace("\0", " ") + '"' for word in words)


def frequencies(connection: sqlite3.Connection, terms: Iterable[str], known: Held) -> tuple[int, dict[str, int]]:
    """See `ports.Surroundings.frequencies`; a term of several tokens (`gemma4:12b`) is counted as the phrase it is."""
    (total,) = connection.execute(
        "SELECT coalesce((SELECT max(num) FROM note), 0) + coalesce((SELECT max(num) FROM node), 0)"
    ).fetchone()
    if len(known) > KEPT:
        known.clear()
    held: dict[str, int] = {}
    for term in dict.fromkeys(terms):
        number = known.get(term)
        if number is None:
            number = known[term] = _holding(connection, term)
        if number:
            held[term] = number
    return total, held


def _holding(connection: sqlite3.Connection, term: str) -> int:
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.lex_terms USING fts5vocab('main', 'lex', 'row')")
    safe = term.encode("utf-8", "replace").decode()
    if safe.isalnum():
        row = connection.execute("SELECT doc FROM temp.lex_terms WHERE term = ?", (safe,)).fetchone()
    else:
        row = connection.execute("SELECT count(*) FROM lex WHERE lex MATCH ?", (quoted((safe,)),)).fetchone()
    return 0 if row is None else int(row[0])
