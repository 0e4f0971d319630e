"""trail.sqlite: which entries of the log name an id. Made from the log, thrown away at the first doubt.

It names candidates and proves nothing: whoever asks reads the entries themselves. An id is kept as 64 bits of its
digest, so two ids may share an answer, and nothing of what was said is in the file.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dream.adapters.sqlite_journal import choose
from dream.errors import DreamError
from dream.ports import Step

_VERSION = 1
_BUSY_SECONDS = 5.0
_BATCH = 500
_SCRIPT = (
    "CREATE TABLE IF NOT EXISTS names (id INTEGER, seq INTEGER, PRIMARY KEY (id, seq)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS mark (one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER, last TEXT)",
)


class SqliteTrail:
    """`Trail` over one file; nothing is opened before the first question."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def mark(self) -> tuple[int, str]:
        with self._told() as on:
            row = on.execute("SELECT size, last FROM mark").fetchone()
        return (int(row[0]), str(row[1])) if row else (0, "")

    def extend(self, size: int, steps: Iterable[Step]) -> None:
        with self._told() as on:
            on.execute("BEGIN IMMEDIATE")
            try:
                row = on.execute("SELECT size FROM mark").fetchone()
                if size == (row[0] if row else 0):  # else another process was here first
                    last: list[Step] = []
                    on.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", _rows(steps, last))
                    for step in last:
                        told = (step.seq + 1, hashlib.sha256(step.header).hexdigest())
                        on.execute("INSERT OR REPLACE INTO mark VALUES (1, ?, ?)", told)
                on.execute("COMMIT")
            except BaseException:
                if on.in_transaction:
                    on.execute("ROLLBACK")
                raise

    def naming(self, ids: Collection[str], start: int) -> set[int]:
        keys = [_key(each) for each in ids]
        found: set[int] = set()
        with self._told() as on:
            for at in range(0, len(keys), _BATCH):
                some = keys[at : at + _BATCH]
                sql = f"SELECT seq FROM names WHERE id IN ({','.join('?' * len(some))}) AND seq >= ?"  # noqa: S608
                found.update(seq for (seq,) in on.execute(sql, (*some, start)))
        return found

    def clear(self) -> None:
        with self._told() as on:
            on.execute("BEGIN IMMEDIATE")
            on.execute("DELETE FROM names")
            on.execute("DELETE FROM mark")
            on.execute("COMMIT")

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _told(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connected()
            except sqlite3.OperationalError as error:  # busy, full, read-only
                self.close()
                raise DreamError(f"{self._path.name}: {error}.", "Run `dream doctor`.") from error
            except sqlite3.DatabaseError as error:  # damaged: it is made again from the log
                self.close()
                for ending in ("", "-wal", "-shm", "-journal"):
                    self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
                raise DreamError(f"{self._path.name}: {error}.", "Run `dream doctor`.") from error

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and not self._path.exists():
            self.close()
        if self._connection is None:
            self._connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            on = self._connection
            on.execute(f"PRAGMA journal_mode = {choose(self._path).mode}")
            on.execute("PRAGMA synchronous = FULL")  # a mark that outlived its rows would hide entries
            if on.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                on.execute("BEGIN IMMEDIATE")
                for statement in _SCRIPT:
                    on.execute(statement)
                on.execute(f"PRAGMA user_version = {_VERSION}")
                on.execute("COMMIT")
        return self._connection


def _key(some_id: str) -> int:
    digest = hashlib.blake2b(some_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _rows(steps: Iterable[Step], last: list[Step]) -> Iterator[tuple[int, int]]:
    """The rows of the steps; the last one stays in `last`."""
    for step in steps:
        last[:] = [step]
        for some_id, seq in step.names:
            yield _key(some_id), seq
