"""Single entries out of the log by their seq, without reading what lies between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from dream.ledger import segment
from dream.model.change import Entry


class Picker:
    """Reads each segment once, where entries are asked for in their order.

    Promises what `Ledger.entries` does: only what was committed is given, digests are not looked at. A seq that no
    committed entry has is left out.
    """

    def __init__(self, folder: Path, log: str) -> None:
        self._log = log
        paths = segment.paths(folder)
        firsts = [segment.read_first(path) for path in paths]
        self._parts = [(told["first"], path) for told, path in zip(firsts, paths, strict=True) if told is not None]
        self._path: Path | None = None
        self._content = b""
        self._at = 0

    def entries(self, seqs: Iterable[int]) -> Iterator[Entry]:
        """The entries with these seqs, in ascending order."""
        for seq in sorted(seqs):
            raw = self.raw(seq)
            if raw is not None:
                yield raw.entry(self._log)

    def raw(self, seq: int) -> segment.Raw | None:
        """One entry as its lines stand; None where there is none."""
        path = next((path for first, path in reversed(self._parts) if first <= seq), None)
        if path is None:
            return None
        if path != self._path:
            content = path.read_bytes()
            self._path, self._content, self._at = path, content[: segment.committed(content)], 0
        begun = b"\n" + segment.HEADER + b"%d," % seq
        found = self._content.find(begun, self._at)
        if found < 0:  # it lies before the last one that was asked for, or nowhere
            found = self._content.find(begun, 0, self._at)
        if found < 0:
            return None
        lines = self._lines(found + 1)
        made = segment.Raw(next(lines), [])
        for line in lines:
            if line.startswith((segment.HEADER, segment.CHECKPOINT)):
                break
            made.parts.append(line)
        self._at = found
        return made

    def _lines(self, at: int) -> Iterator[bytes]:
        while at < len(self._content):
            end = self._content.index(b"\n", at)
            yield self._content[at:end]
            at = end + 1
