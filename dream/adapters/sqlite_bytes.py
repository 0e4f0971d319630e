"""One digest over all bytes of pgt.sqlite, as fast as the machine hashes.

The digest is SHA-256 over the SHA-256 of each block of 1 MiB, so two threads can share the work (hashlib frees the
interpreter lock). The file is read as a file where this process has no connection to it; else SQLite gives its bytes
(`serialize`), because closing a plain descriptor would drop the locks of the open connections (decision 13). Both are
the same bytes where no journal is waiting. The caller holds the writer's lock.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dream.adapters.sqlite_base import Database

BLOCK = 1 << 20


def digest(database: Database) -> tuple[int, bytes]:
    """(length in bytes, digest) of the database; (0, digest of nothing) where there is no file."""
    for _ in range(2):
        with database.closed() as alone:
            if alone and not _waiting(database.path):
                return _of_file(database.path)
            if not alone:
                break
        database.rows("SELECT count(*) FROM meta")  # lets SQLite take in or roll back what a dead process left
    with database.told() as connection:
        connection.execute("SELECT count(*) FROM meta").fetchone()
        return digest_of(memoryview(connection.serialize()))


def digest_of(content: memoryview) -> tuple[int, bytes]:
    """(length, digest) of these bytes."""
    size = len(content)
    places = range(0, size, BLOCK)
    if len(places) < 8:
        return size, _joined([_block(content, at) for at in places])
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return size, _joined(list(pool.map(lambda some: b"".join(_block(content, at) for at in some), _shares(places))))


def _shares(places: range) -> list[range]:
    """Runs of blocks, several for each thread, in order."""
    step = max(1, len(places) // 16)
    return [places[start : start + step] for start in range(0, len(places), step)]


def _block(content: memoryview, at: int) -> bytes:
    return hashlib.sha256(content[at : at + BLOCK]).digest()


def _joined(digests: list[bytes]) -> bytes:
    return hashlib.sha256(b"".join(digests)).digest()


def _waiting(path: Path) -> bool:
    """Whether a journal or a WAL holds something that is not in the file."""
    for ending in ("-journal", "-wal"):
        try:
            if os.stat(f"{path}{ending}").st_size:  # noqa: PTH116
                return True
        except OSError:
            continue
    return False


def _of_file(path: Path) -> tuple[int, bytes]:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return 0, _joined([])
    try:
        if os.fstat(descriptor).st_size == 0:
            return 0, _joined([])
        with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as content:
            return digest_of(content)
    finally:
        os.close(descriptor)
