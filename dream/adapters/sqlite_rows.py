"""Whole tables of pgt.sqlite at once: built from a replay of the log, and compared with one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dream import effort
from dream.adapters import sqlite_schema, sqlite_text
from dream.model.rows import Difference, Rows
from dream.ports import Analyser

_DECODER = json.JSONDecoder()
MOST = 20
"""Differences beyond these are not told."""


def build(path: Path, analyser: Analyser, rows: Rows, pinned: bool) -> None:
    """Make a database of these rows at `path`, in the place of an unfinished one."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -262144")
        connection.execute("BEGIN")
        with ThreadPoolExecutor(1) as other:  # SQLite works without the interpreter lock while terms are made
            filled = other.submit(_fill, connection, rows, pinned)
            numbered = [
                (number * 2 + parity, text)
                for parity, texts in ((0, rows.notes), (1, rows.nodes))
                for number, text in enumerate(texts.values(), 1)
            ]
            made = [
                (number, *sqlite_text.columns(analyser, _text_of(text)))
                for number, text in effort.each("filling pgt.sqlite", numbered)
            ]
            filled.result()
        sqlite_text.insert(connection, made)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _text_of(row: str) -> str:
    """The `text` of a value's JSON, unread but for it where it is the second member, as notes and nodes are written."""
    at = row.find('"text":"')
    if 0 < at < 64:
        return str(_DECODER.raw_decode(row, at + 7)[0])
    return str(json.loads(row)["text"])


def _fill(connection: sqlite3.Connection, rows: Rows, pinned: bool) -> None:
    """Make the tables, fill them, then make their indexes."""
    statements = [each for script in sqlite_schema.SCRIPTS for each in script.split(";\n")]
    late = [each for each in statements if "CREATE INDEX" in each or "CREATE UNIQUE INDEX" in each]
    for statement in statements:
        if statement not in late:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(sqlite_schema.SCRIPTS)}")
    for table, texts in (("note", rows.notes), ("node", rows.nodes), ("edge", rows.edges), ("hold", rows.holds)):
        connection.executemany(
            f"INSERT INTO {table}(num, json) VALUES(?, ?)",
            enumerate(texts.values(), 1),
        )
    connection.executemany("INSERT INTO record VALUES(?, ?, ?)", [(*key, text) for key, text in rows.records.items()])
    connection.executemany("INSERT INTO run VALUES(?, ?, ?)", rows.runs)
    connection.executemany("INSERT INTO merge VALUES(?, ?)", rows.merges.items())
    meta = [("watermark", str(rows.mark)), *([("pinned", "1")] if pinned else [])]
    connection.executemany("INSERT INTO meta VALUES(?, ?)", meta)
    for statement in late:
        connection.execute(statement)


def compare(connection: sqlite3.Connection, rows: Rows) -> list[Difference]:
    """Where the tables are not `rows`; the first few, in the order of the entries that said them."""
    found: list[Difference] = []
    tables = (("note", rows.notes), ("node", rows.nodes), ("edge", rows.edges), ("hold", rows.holds))
    for table, texts in effort.each("comparing rows", tables):
        held = [text for (text,) in connection.execute(f"SELECT json FROM {table}")]  # noqa: S608
        if len(held) == len(texts) and set(held) == set(texts.values()):
            continue
        pairs = connection.execute(f"SELECT id, json FROM {table}")  # noqa: S608
        found += _differ(table, texts, pairs, rows.seqs)
    records = {f"{sort} {key}": text for (sort, key), text in rows.records.items()}
    seqs = {f"{sort} {key}": rows.seqs[key] for sort, key in rows.records if key in rows.seqs}
    found += _differ("record", records, connection.execute("SELECT sort || ' ' || id, json FROM record"), seqs)
    runs = {str(first): f"{last} {night}" for first, last, night in rows.runs}
    held_runs = connection.execute("SELECT first, last || ' ' || night FROM run")
    found += _differ("run", runs, ((str(first), text) for first, text in held_runs), {})
    merges = {str(seq): text for seq, text in rows.merges.items()}
    held_merges = connection.execute("SELECT seq, json FROM merge")
    found += _differ("merge", merges, ((str(seq), text) for seq, text in held_merges), {})
    found.sort(key=lambda each: (each.seq is None, each.seq or 0, each.table, each.id))
    return found[:MOST]


def _differ(
    table: str, expected: dict[str, str], held: Iterable[tuple[str | None, str]], seqs: dict[str, int]
) -> list[Difference]:
    found = []
    missing = dict(expected)
    for key, text in held:
        key = str(key)
        should = missing.pop(key, None)
        if should is None:
            found.append(Difference(table, key, seqs.get(key), "the log knows no such row"))
        elif should != text:
            found.append(Difference(table, key, seqs.get(key), "differs from what the log says"))
    found += [Difference(table, key, seqs.get(key), "is missing") for key in missing]
    return found


def sound(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong: pages, indexes against tables, full text in itself."""
    found = [text for (text,) in connection.execute("PRAGMA integrity_check(20)") if text != "ok"]
    for index in ("lex", "tri"):
        try:
            connection.execute(f"INSERT INTO {index}({index}) VALUES('integrity-check')")
        except sqlite3.DatabaseError as error:
            found.append(f"full text {index}: {error}")
    return found


def purge(connection: sqlite3.Connection) -> None:
    """Write the whole file anew, so that no page keeps what was dropped."""
    for index in ("lex", "tri"):
        connection.execute(f"INSERT INTO {index}({index}) VALUES('optimize')")
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
