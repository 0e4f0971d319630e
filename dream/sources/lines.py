"""The lines of a file of any size, in bounded memory, with the offset and digest of what has been passed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import BinaryIO

LONGEST = 32 * 1024 * 1024
"""Bytes of the longest line that is read; a longer one (a pasted film) is passed over and counted."""


class Lines:
    """Whole lines of `file` from where it stands, not beyond byte `end`.

    Attributes (true of what has been iterated so far):
        offset: bytes up to the end of the last whole line.
        count: whole lines, the overlong ones included.
        overlong: lines passed over.
        rest: what stands after the last whole line; known at the end.
    """

    def __init__(self, file: BinaryIO, end: int, longest: int = LONGEST) -> None:
        self._file = file
        self._end = end
        self._longest = longest
        self._digest = hashlib.sha256()
        self.offset = file.tell()
        self.count = 0
        self.overlong = 0
        self.rest = b""

    def digest(self) -> str:
        """SHA-256 over the whole lines passed so far, in hex."""
        return self._digest.copy().hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        while (left := self._end - self.offset) > 0:
            line = self._file.readline(min(left, self._longest))
            if line.endswith(b"\n"):
                self._pass(len(line), line)
                yield line
            elif len(line) < self._longest or not self._skip(line):
                self.rest = line if len(line) < self._longest else b""
                return

    def _pass(self, size: int, line: bytes) -> None:
        self._digest.update(line)
        self.offset += size
        self.count += 1

    def _skip(self, start: bytes) -> bool:
        """Pass over an overlong line chunk by chunk; False where it has no end yet."""
        digest, size, chunk = self._digest.copy(), 0, start
        while chunk:
            digest.update(chunk)
            size += len(chunk)
            if chunk.endswith(b"\n"):
                self._digest = digest
                self.offset += size
                self.count += 1
                self.overlong += 1
                return True
            chunk = self._file.readline(min(self._end - self.offset - size, self._longest))
        return False
