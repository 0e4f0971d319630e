"""Files that survive a crash: the only places where the ledger touches the disk to write.

Every write, fsync, rename and truncation goes through here, so that a test can let each of them fail in turn.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from dream.errors import DreamError

if sys.platform == "darwin":
    import fcntl

RESERVE = 2 * 1024 * 1024
"""Bytes that must stay free: a store that fills its disk to the last byte cannot even be cleaned."""


class DiskFull(DreamError):
    """The disk has no room for what was to be written; nothing was."""

    code = "disk-full"


def need_room(folder: Path, size: int) -> None:
    """Refuse to write `size` bytes of log, and what the stores make of them, where the disk would be full after.

    Raises:
        DiskFull: there is no room.
    """
    free = shutil.disk_usage(folder).free
    if free < RESERVE + 8 * size:
        raise DiskFull(
            f"The disk of {folder.parent} is full: {free // 1024} KB are free.",
            "Free some space, then try again; what was acknowledged is kept, and nothing of this was written.",
        )


def write_at(path: Path, offset: int, content: bytes) -> None:
    """Make `content` the end of the file from `offset` on, and reach the disk; on failure put the old end back.

    Raises:
        OSError: nothing was added (or, where even cutting failed, a torn tail is left that the next open cuts).
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    fresh = not path.exists()
    descriptor = os.open(path, flags, 0o600)
    try:
        if fresh:
            sync_folder(path.parent)
        try:
            os.ftruncate(descriptor, offset)
            os.lseek(descriptor, offset, os.SEEK_SET)
            _write(descriptor, content)
            fsync(descriptor)
        except BaseException:
            os.ftruncate(descriptor, offset)
            raise
    finally:
        os.close(descriptor)


def _write(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def fsync(descriptor: int) -> None:
    """Reach the disk; on macOS its platters too, which `fsync` alone does not promise there."""
    if sys.platform == "darwin":
        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError:  # a file system that knows no such call
            os.fsync(descriptor)
        return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Make names in `folder` survive a crash, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fsync(descriptor)
    finally:
        os.close(descriptor)


def truncate(path: Path, size: int) -> None:
    """Cut the file to `size` bytes."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.ftruncate(descriptor, size)
        fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Remove what a process that died had not put in place; the caller holds the lock under which all write here."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def replace(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Put a whole new file in the place of `path`: the old one or the new one is there, never a half."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        try:
            _write(descriptor, content)
            if sync:
                fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(fresh, path)  # noqa: PTH105 -- all that reaches the disk is asked of `os`
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    if sync:
        sync_folder(path.parent)
