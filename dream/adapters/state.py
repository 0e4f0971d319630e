"""state.sqlite: counters, histogram buckets, recent samples and access counts of all processes. Unsigned.

Promises: every process adds to the same figures, so one that has long ended still counts; a write that the disk or
another process refuses is dropped and told in `lost`, never raised; a damaged file is put aside and begun anew.
Nothing of memory is here: only names, ids, instants and numbers.
"""

from __future__ import annotations

import json
import math
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from dream.adapters.sqlite_journal import choose
from dream.operations import Histogram, Labels, Totals

BUSY_SECONDS = 0.5
"""Longest a verb waits for a figure."""
KEPT_SAMPLES = 5_000
KEPT_USES = 200_000
_SCRIPT = (
    "CREATE TABLE IF NOT EXISTS counters (name TEXT, labels TEXT, value REAL NOT NULL, PRIMARY KEY (name, labels))",
    "CREATE TABLE IF NOT EXISTS buckets (name TEXT, edge REAL, count INTEGER NOT NULL, PRIMARY KEY (name, edge))",
    "CREATE TABLE IF NOT EXISTS sums (name TEXT PRIMARY KEY, number INTEGER NOT NULL, total REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS samples (name TEXT, at TEXT, value REAL NOT NULL)",
    "CREATE INDEX IF NOT EXISTS samples_at ON samples (name, at)",
    "CREATE TABLE IF NOT EXISTS uses (node TEXT, at TEXT)",
    "CREATE INDEX IF NOT EXISTS uses_at ON uses (at)",
    "CREATE INDEX IF NOT EXISTS uses_node ON uses (node)",
    "CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL)",
)
_VERSION = 2
Answer = TypeVar("Answer")


class SqliteState:
    """`State` in one small database that threads and processes share."""

    def __init__(self, path: Path, journal: str | None = None) -> None:
        self._path = path
        self._journal = journal or choose(path).mode
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._lost = ""

    @property
    def lost(self) -> str:
        """Why the last figure was not kept, "" where all were."""
        return self._lost

    def count(self, name: str, labels: Labels = (), by: float = 1) -> None:
        """Add to a counter; less than nothing is refused."""
        if by < 0 or not math.isfinite(by):
            raise ValueError(f"a counter only grows, {name} by {by}")
        key = json.dumps(sorted(labels), ensure_ascii=False)
        self._write(
            lambda on: on.execute(
                "INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value",
                (name, key, by),
            )
        )

    def observe(self, name: str, value: float, edges: Sequence[float]) -> None:
        """Count a value in the first of the ascending edges that is not below it, else in the infinite one."""
        edge = next((edge for edge in edges if value <= edge), math.inf)

        def write(on: sqlite3.Connection) -> None:
            on.execute("INSERT INTO buckets VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1", (name, edge))
            on.execute(
                "INSERT INTO sums VALUES (?, 1, ?) "
                "ON CONFLICT DO UPDATE SET number = number + 1, total = total + excluded.total",
                (name, value),
            )

        self._write(write)

    def totals(self) -> Totals:
        """Everything counted so far."""

        def read(on: sqlite3.Connection) -> Totals:
            on.execute("BEGIN")
            counters = {
                (name, tuple(tuple(pair) for pair in json.loads(labels))): value
                for name, labels, value in on.execute("SELECT name, labels, value FROM counters")
            }
            histograms = {}
            for name, number, total in on.execute("SELECT name, number, total FROM sums").fetchall():
                counts = on.execute("SELECT edge, count FROM buckets WHERE name = ? ORDER BY edge", (name,)).fetchall()
                histograms[name] = Histogram(tuple(counts), number, total)
            on.execute("COMMIT")
            return Totals(counters, histograms)

        return self._read(read, Totals())

    def sample(self, name: str, value: float, at: str) -> None:
        """Keep a value for the percentiles of the last hours; the oldest go."""

        def write(on: sqlite3.Connection) -> None:
            row = on.execute("INSERT INTO samples VALUES (?, ?, ?)", (name, at, value)).lastrowid or 0
            if row % 500 == 0:
                on.execute("DELETE FROM samples WHERE rowid <= ?", (row - KEPT_SAMPLES,))

        self._write(write)

    def since(self, name: str, at: str) -> list[float]:
        """The values seen at or after an instant, in their order."""
        query = "SELECT value FROM samples WHERE name = ? AND at >= ? ORDER BY at, rowid"
        return self._read(lambda on: [value for (value,) in on.execute(query, (name, at))], [])

    def touch(self, node_ids: Iterable[str], at: str) -> None:
        """A search returned these."""
        rows = [(node, at) for node in node_ids]

        def write(on: sqlite3.Connection) -> None:
            on.executemany("INSERT INTO uses VALUES (?, ?)", rows)
            (last,) = on.execute("SELECT max(rowid) FROM uses").fetchone()
            if last > KEPT_USES and last % 500 < len(rows):
                on.execute("DELETE FROM uses WHERE rowid <= ?", (last - KEPT_USES,))

        if rows:
            self._write(write)

    def uses(self, since: str) -> Mapping[str, Sequence[str]]:
        """Instants by node, oldest first."""
        found: dict[str, list[str]] = {}
        query = "SELECT node, at FROM uses WHERE at >= ? ORDER BY at"
        rows: list[tuple[str, str]] = self._read(lambda on: on.execute(query, (since,)).fetchall(), [])
        for node, at in rows:
            found.setdefault(node, []).append(at)
        return found

    def uses_of(self, node_id: str) -> Sequence[str]:
        """Instants of one node, oldest first."""
        query = "SELECT at FROM uses WHERE node = ? ORDER BY at"
        return self._read(lambda on: [at for (at,) in on.execute(query, (node_id,))], [])

    def put(self, name: str, value: str, at: str) -> None:
        """Put a mark in the place of the last one of its name."""
        self._write(lambda on: on.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (name, value, at)))

    def get(self, name: str) -> tuple[str, str] | None:
        """A mark and when it was put."""
        query = "SELECT value, at FROM marks WHERE name = ?"
        rows: list[tuple[str, str]] = self._read(lambda on: on.execute(query, (name,)).fetchall(), [])
        return rows[0] if rows else None

    def named(self, beginning: str) -> Mapping[str, tuple[str, str]]:
        """All marks whose name begins so."""
        query = "SELECT name, value, at FROM marks WHERE substr(name, 1, ?) = ? ORDER BY name"
        values = (len(beginning), beginning)
        return self._read(lambda on: {name: (value, at) for name, value, at in on.execute(query, values)}, {})

    def drop(self, name: str) -> None:
        """Take a mark away."""
        self._write(lambda on: on.execute("DELETE FROM marks WHERE name = ?", (name,)))

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _write(self, act: Callable[[sqlite3.Connection], object]) -> None:
        def whole(on: sqlite3.Connection) -> None:
            on.execute("BEGIN IMMEDIATE")
            act(on)
            on.execute("COMMIT")

        self._run(whole, None)

    def _read(self, act: Callable[[sqlite3.Connection], Answer], nothing: Answer) -> Answer:
        return self._run(act, nothing)

    def _run(self, act: Callable[[sqlite3.Connection], Answer], nothing: Answer) -> Answer:
        with self._lock:
            for again in (True, False):
                try:
                    answer = act(self._connected())
                except sqlite3.OperationalError as error:  # busy, full, read-only: figures wait for nobody
                    self._lost = str(error)
                    self._roll_back()
                    return nothing
                except sqlite3.DatabaseError as error:  # damaged
                    self._lost = str(error)
                    self._set_aside()
                    if not again:
                        return nothing
                except OSError as error:
                    self._lost = str(error)
                    return nothing
                else:
                    return answer
        return nothing

    def _roll_back(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._connection.rollback()

    def _set_aside(self) -> None:
        self.close()
        for ending in ("-wal", "-shm", "-journal"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        self._path.replace(self._path.with_name(self._path.name + ".damaged"))

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and not self._path.exists():
            self.close()
        if self._connection is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute(f"PRAGMA journal_mode = {self._journal}")
                connection.execute("PRAGMA synchronous = OFF")  # losing the last figures in a power cut costs nothing
                if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                    connection.execute("BEGIN IMMEDIATE")
                    for statement in _SCRIPT:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
                    connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection
