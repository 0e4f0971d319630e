"""The best rows of the full-text index are those of the plain query, scored or left out."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator

import pytest

from dream.adapters import sqlite_best, sqlite_schema

WORDS = [f"w{number}" for number in range(400)]
SHARES = [1 / (rank + 3) for rank in range(len(WORDS))]


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    """1,500 texts by Zipf's law, some taken out again."""
    draw = random.Random(4)
    made = sqlite3.connect(":memory:")
    made.executescript(";\n".join(sqlite_schema.SCRIPTS))
    texts = [" ".join(draw.choices(WORDS, SHARES, k=draw.randint(1, 25))) for _ in range(1_500)]
    made.executemany("INSERT INTO lex(rowid, terms) VALUES(?, ?)", enumerate(texts))
    gone = [(row, texts[row]) for row in range(0, 1_500, 7)]
    made.executemany("INSERT INTO lex(lex, rowid, terms) VALUES('delete', ?, ?)", gone)
    rows = [(number, f'{{"id":"n-{number}"}}') for number in range(1, 751)]
    made.executemany("INSERT INTO note(num, json) VALUES(?, ?)", rows)
    made.executemany("INSERT INTO node(num, json) VALUES(?, ?)", rows)
    yield made
    made.close()


def test_rows_and_scores_are_those_of_the_plain_query(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_best, "MANY", 0)
    draw, left_out, held = random.Random(9), 0, {}
    for _ in range(150):
        words = list(dict.fromkeys(draw.choices([*WORDS, "absent"], [*SHARES, 0.05], k=draw.randint(1, 9))))
        most = draw.choice([1, 5, 20, 2_000])
        assert sqlite_best.best(connection, "lex", words, most, held) == sqlite_best.plain(
            connection, "lex", words, most
        )
        left_out += len(sqlite_best._needed(connection, words, most, held)) < len(words)
    assert left_out > 30  # or nothing was tested


def test_few_rows_are_asked_for_plainly(connection: sqlite3.Connection) -> None:
    assert sqlite_best._needed(connection, ["w300", "w0"], 1, {}) == ["w300", "w0"]


def test_a_count_that_is_known_is_not_asked_again_and_one_of_many_is_dropped(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = {"w1": 77}
    assert sqlite_best.frequencies(connection, ["w1", "absent"], held) == (1_500, {"w1": 77})
    monkeypatch.setattr(sqlite_best, "KEPT", 1)
    total, found = sqlite_best.frequencies(connection, ["w1"], held)
    assert (total, len(sqlite_best.plain(connection, "lex", ["w1"], 2_000))) == (1_500, found["w1"])
