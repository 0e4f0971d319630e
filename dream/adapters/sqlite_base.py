"""One connection to pgt.sqlite, its transactions, and its errors in plain words."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dream.adapters import sqlite_journal, sqlite_schema
from dream.errors import DreamError, Locked, StoreBroken, StoreOlder

BUSY_SECONDS = 10.0
"""How long a statement waits for another connection (decision 13 asks for at least 5 s)."""

CACHE_KB = 4_096
"""Pages kept by a connection. Four times as many made no search among 100,000 notes faster, and each process 12 MB
bigger."""

_OPEN: Counter[str] = Counter()
"""How many connections this process has to each database, by its path."""
_OPEN_LOCK = threading.Lock()


class StoreFull(DreamError):
    """The disk did not take what was to be stored."""

    code = "store-full"


class Database:
    """A connection that several threads may share, one statement at a time.

    Args:
        path: of the database; its folder must exist.
        journal: `wal` or `delete`; None chooses by `sqlite_journal.choose`.
        busy: seconds to wait for another connection.
    """

    def __init__(self, path: Path, journal: str | None = None, busy: float = BUSY_SECONDS) -> None:
        self.path = path
        self._wanted = journal or sqlite_journal.choose(path).mode
        self.journal = self._wanted
        self.opened = 0
        self._busy = busy
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and not self._connection.in_transaction and self._file != _identity(self.path):
            self.close()  # another process put a restored database in its place
        if self._connection is None:
            _refuse_noise(self.path)
            connection = sqlite3.connect(
                self.path, timeout=self._busy, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            try:
                connection.execute("PRAGMA secure_delete = ON")
                connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
                self.journal = _journal(connection, self._wanted)
                connection.execute("PRAGMA synchronous = FULL")
                _prepare(connection, self.path.name)
            except BaseException:
                connection.close()
                raise
            self._connection, self._file = connection, _identity(self.path)
            self.opened += 1
            with _OPEN_LOCK:
                _OPEN[str(self.path)] += 1
        return self._connection

    @contextmanager
    def told(self) -> Iterator[sqlite3.Connection]:
        """The connection, held by this thread; what SQLite raises within becomes a `DreamError`."""
        with self._lock:
            try:
                yield self._connected()
            except sqlite3.Error as error:
                raise self._in_words(error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is executed within, or nothing."""
        with self.told() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self.told() as connection:
            return connection.execute(sql, values).fetchall()

    def close(self) -> None:
        """Close the connection; the next statement opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                with _OPEN_LOCK:
                    _OPEN[str(self.path)] -= 1

    @contextmanager
    def closed(self) -> Iterator[bool]:
        """Without a connection of this object; says whether the process has no other one to the file.

        Only then may the file be opened as a file: closing one drops the locks SQLite holds on it in this process.
        """
        with self._lock:
            self.close()
            with _OPEN_LOCK:
                alone = _OPEN[str(self.path)] == 0
            yield alone

    def replace(self, fresh: Path) -> None:
        """Put the whole database `fresh` in the place of this one; the old journal never meets the new file.

        With a WAL it is copied page by page in one transaction: a connection of another process to a file that was
        replaced would, when it closes, remove the new file's WAL by its name.

        Raises:
            Locked: another process has the file open, on a system that forbids replacing it then.
        """
        with self._lock:
            if self._copied(fresh):
                return
            self.close()
            with fresh.open("rb+") as file:
                os.fsync(file.fileno())
            try:
                for ending in ("-journal", "-wal", "-shm"):
                    self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
                fresh.replace(self.path)
            except PermissionError as error:
                raise Locked(
                    f"{self.path.name} is open in another process.", "Close other sessions of Dream, then try again."
                ) from error

    def _copied(self, fresh: Path) -> bool:
        """Copy `fresh` over a sound database that has a WAL; False where there is none such."""
        if self._wanted != "wal" or not self.path.exists():
            return False
        try:
            with self.told() as connection:
                if self.journal != "wal":
                    return False
                source = sqlite3.connect(fresh)
                try:
                    source.backup(connection)
                finally:
                    source.close()
        except DreamError:
            return False
        fresh.unlink()
        return True

    def quarantine(self) -> list[Path]:
        """Set the file and what lies beside it aside under names ending in `.bad`, and say which."""
        with self._lock:
            self.close()
            moved = []
            for ending in ("", "-journal", "-wal", "-shm"):
                path = self.path.with_name(self.path.name + ending)
                if path.exists():
                    place = 1
                    while (aside := path.with_name(f"{path.name}.{place}.bad")).exists():
                        place += 1
                    path.replace(aside)
                    moved.append(aside)
            return moved

    def _in_words(self, error: sqlite3.Error) -> DreamError:
        name = self.path.name
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Locked(
                f"{name} was locked by another program for more than {self._busy:g} s.",
                "Nothing is lost; close the other program, or try again.",
            )
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return StoreFull(
                f"The disk did not take a write to {name} ({error}).",
                "Free some space, then run `dream ledger verify`; what was acknowledged is in the ledger.",
            )
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return StoreBroken(
                f"{name} is damaged ({error}).", "Run `dream ledger restore`: the ledger holds all of it."
            )
        return DreamError(f"{name}: {error}.", "Run `dream doctor`.")


def _refuse_noise(path: Path) -> None:
    """A file where the WAL should be that is none: SQLite would pass over it in silence, and what it held is lost.

    Raises:
        StoreBroken: there is one.
    """
    wal = path.with_name(f"{path.name}-wal")
    try:
        with wal.open("rb") as file:
            begins = file.read(4)
    except OSError:
        return
    if begins and begins not in (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"):
        raise StoreBroken(f"{wal.name} is damaged: it is no write-ahead log.", "Run `dream ledger restore`.")


def _journal(connection: sqlite3.Connection, wanted: str) -> str:
    """Ask for a journal mode; says which it is, because another connection may stand in the way."""
    try:
        (mode,) = connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()
    except sqlite3.OperationalError:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    return str(mode)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        told = os.stat(path)  # noqa: PTH116 -- asked at every statement
    except OSError:
        return None
    return (told.st_dev, told.st_ino)


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    """Make the tables of a new database; safe when several processes do it at once.

    A database is a projection: one of another version is not altered in place, where a half-done change or a change of
    the sealed bytes would look like tampering.

    Raises:
        StoreOlder: it is of an older version; whoever opens the log makes it again from there.
        DreamError: it is of a newer one.
    """
    newest = len(sqlite_schema.SCRIPTS)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        connection.execute("BEGIN IMMEDIATE")
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in (each for script in sqlite_schema.SCRIPTS for each in script.split(";\n")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {newest}")
                version = newest
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    if version < newest:
        raise StoreOlder(
            f"{name} is of an older version of Dream (schema {version}; this one writes {newest}).",
            "`dream init` makes it again from the log.",
        )
    if version > newest:
        raise DreamError(
            f"{name} was written by a newer version of Dream (schema {version}; this one knows {newest}).",
            "Bring this one up to date: say *initialise dream*, or run the setup.",
        )
