"""Vectors as one memory-mapped matrix, searched by looking at the sign bits of every row.

1. Mapping a file takes no time and no memory until it is read. Few rows are all compared; of many, those whose signs
   (about the mean) agree best with the question's are: one bit a dimension is enough to leave out the rest, and the
   cosines that come back are exact to 16 bits.
2. Each state is a folder of its own that a rename puts in place, named by its model and size, so a half written one is
   never read and another model's never mixed in. A write leaves one state behind: what was taken out is on no disk.
"""

from __future__ import annotations

import json
import mmap
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dream.errors import DreamError

CHUNK = 8_192
"""So few rows are all compared."""
PART = 1_024
"""Rows turned to 32 bits at a time: 2 MB at 512 dimensions."""
WHOLE = 32_767
"""A component of 1.0 as it is written, in 16 bits; processors widen these four times as fast as 16-bit floats."""
LOOKED_AT = 4_096
SHARE = 16
"""Rows whose cosines are computed where there are more than `CHUNK`: so many, or one in `SHARE` of them. Of the 120
nearest of 23,000 chat sentences 4,096 rows held 0.999; one in 22 held 0.988, and 0.999 of the 40 nearest."""


class VectorsDiffer(DreamError):
    """The vectors on disk come from another model."""

    code = "vectors-differ"


class _State(NamedTuple):
    """One state as it lies on the disk, mapped; rows stand in the order of their ids."""

    name: str
    ids: NDArray[np.bytes_]
    project: NDArray[np.int32]
    projects: list[str]
    rows: Any
    signs: Any
    mean: NDArray[np.float32]

    def places(self, ids: Iterable[str]) -> list[tuple[str, int]]:
        """Ids that have a row, with it."""
        asked = sorted(dict.fromkeys(ids))
        if not asked or not len(self.ids):
            return []
        raw = np.array([each.encode("ascii", "replace") for each in asked])
        found = np.minimum(np.searchsorted(self.ids, raw), len(self.ids) - 1)
        return [(asked[at], int(found[at])) for at in np.flatnonzero(self.ids[found] == raw).tolist()]


class MatrixVectors:
    """Ports `VectorReader` and `VectorIndex` over files in `folder`.

    Args:
        model: of the embedder; a matrix of another, or of another size, is left as it is and refused (B12).
    """

    def __init__(self, folder: Path, model: str) -> None:
        self._folder = folder
        self._model = model
        self._read: _State | None = None

    def watermark(self) -> int:
        return int(self._about().get("watermark", 0))

    def shape(self) -> tuple[int, int]:
        """How many vectors, of how many dimensions."""
        number, size = self._open().rows.shape
        return int(number), int(size)

    def nearest(self, vector: Sequence[float], k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """The `k` nearest ids with their cosine, best first.

        The rows that are read stay in this process's memory until `cosines` gives them back: a search asks for both.
        """
        state = self._open()
        if not len(state.ids):
            return {}
        self._fits(vector, state.rows.shape[1])
        asked = np.asarray(vector, dtype=np.float32)
        places: NDArray[Any] = np.arange(len(state.ids))
        if projects is not None:
            allowed = [number for number, name in enumerate(state.projects) if name in projects]
            places = places[np.isin(state.project, allowed)]
        if len(places) > CHUNK and len(state.signs):
            places = _likely(asked, state, places)
        found = _cosines(state.rows, places, asked)
        best = np.argsort(-found, kind="stable")[:k]
        return {state.ids[places[at]].decode("ascii"): float(found[at]) for at in best}

    def cosines(self, vector: Sequence[float], ids: Iterable[str]) -> dict[str, float]:
        """Cosine of each id that has a vector."""
        state = self._open()
        held = state.places(ids)
        if not held:
            return {}
        some = _cosines(state.rows, np.array([place for _, place in held]), np.asarray(vector, dtype=np.float32))
        _give_back(state.rows)
        return {each: float(cosine) for (each, _), cosine in zip(held, some, strict=True)}

    def write(self, rows: Sequence[tuple[str, str, Sequence[float]]], gone: Iterable[str], watermark: int) -> None:
        """Put rows, take `gone` out, move the watermark, in one rename.

        Raises:
            VectorsDiffer: a vector has another size, or the matrix another model.
            DreamError: the folder cannot be written.
        """
        state = self._open()
        size = state.rows.shape[1] if len(state.ids) or not rows else len(rows[0][2])
        for _, _, vector in rows:
            self._fits(vector, size)
        fresh = {each: (project, vector) for each, project, vector in rows}
        stays = np.ones(len(state.ids), dtype=np.bool_)
        stays[[place for _, place in state.places({*gone, *fresh})]] = False
        keep = np.flatnonzero(stays)
        new = np.array([each.encode("ascii") for each in fresh]) if fresh else state.ids[:0]
        ids = np.concatenate([state.ids[keep], new])
        names = [*state.projects, *(project for project, _ in fresh.values())]
        table = {name: number for number, name in enumerate(dict.fromkeys(names))}
        moved = np.array([table[name] for name in state.projects], dtype=np.int32)
        of = np.concatenate(
            [moved[state.project[keep]], np.array([table[project] for project, _ in fresh.values()], dtype=np.int32)]
        )
        added = np.empty((len(fresh), size), dtype=np.int16)
        for at, (_, vector) in enumerate(fresh.values()):
            added[at] = np.rint(np.clip(np.asarray(vector, dtype=np.float32), -1.0, 1.0) * WHOLE)
        order = np.argsort(ids, kind="stable")
        matrix = np.empty((len(ids), size), dtype=np.int16)
        for start in range(0, len(ids), CHUNK):
            part = order[start : start + CHUNK]
            old = part < len(keep)
            if old.any():
                matrix[start : start + len(part)][old] = state.rows[keep[part[old]]]
            matrix[start : start + len(part)][~old] = added[part[~old] - len(keep)]
        about = {"model": self._model, "dimension": size, "watermark": watermark, "projects": list(table)}
        self._put({**about, "width": ids.dtype.itemsize, "mean": _mean(matrix)}, ids[order], of[order], matrix)

    def tidy(self) -> None:
        """Nothing to do: each write leaves one state behind."""

    def _put(
        self, about: dict[str, Any], ids: NDArray[np.bytes_], of: NDArray[np.int32], matrix: NDArray[np.int16]
    ) -> None:
        state = f"{about['watermark']:012d}-{len(ids)}"
        target, making = self._folder / state, self._folder / f".{state}.new"
        try:
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir(parents=True)
            (making / "about.json").write_text(json.dumps(about), encoding="utf-8")
            ids.tofile(making / "ids")
            of.tofile(making / "projects")
            matrix.tofile(making / "vectors.i16")
            if len(ids) > CHUNK:
                with (making / "signs").open("wb") as file:
                    for start in range(0, len(ids), CHUNK):
                        part = matrix[start : start + CHUNK].astype(np.float32)
                        part /= WHOLE
                        _signs(part - np.asarray(about["mean"], dtype=np.float32)).tofile(file)
            self._read = None  # what is mapped may lie in the folder that goes
            shutil.rmtree(target, ignore_errors=True)
            making.rename(target)
            (self._folder / ".current.new").write_text(state, encoding="ascii")
            (self._folder / ".current.new").replace(self._folder / "current")
        except OSError as error:
            raise DreamError(
                f"The vectors in {self._folder} could not be written ({error.strerror or error}).",
                "Search goes on without them; use a local disk for DREAM_HOME.",
            ) from error
        for old in self._folder.iterdir():
            if old.is_dir() and old.name != state:
                shutil.rmtree(old, ignore_errors=True)

    def _fits(self, vector: Sequence[float], size: int) -> None:
        if len(vector) != size:
            raise VectorsDiffer(
                f"The vectors in {self._folder} have {size} dimensions, {self._model} gives {len(vector)}.",
                f"Remove {self._folder} and run `dream cycle`: it embeds anew. Until then search goes on without.",
            )

    def _state(self) -> Path | None:
        try:
            return self._folder / (self._folder / "current").read_text("ascii").strip()
        except OSError:
            return None

    def _about(self) -> dict[str, Any]:
        state = self._state()
        if state is None or not (state / "about.json").is_file():
            return {}
        about: dict[str, Any] = json.loads((state / "about.json").read_text("utf-8"))
        if about["model"] != self._model:
            raise VectorsDiffer(
                f"The vectors are by {about['model']}, the embedder is {self._model}.",
                "Run `dream cycle`: it embeds anew.",
            )
        return about if "width" in about else {}  # of a form that is no longer read: as if there were none

    def _open(self) -> _State:
        about, state = self._about(), self._state()
        if not about or state is None:
            return _EMPTY
        if self._read is None or self._read.name != state.name:
            size, width = about["dimension"], about["width"]
            number = (state / "projects").stat().st_size // 4
            empty = np.zeros((0, size), dtype=np.int16)
            self._read = _State(
                state.name,
                np.memmap(state / "ids", f"S{width}", "r", shape=(number,)) if number else _EMPTY.ids,
                np.fromfile(state / "projects", np.int32),
                about["projects"],
                np.memmap(state / "vectors.i16", np.int16, "r", shape=(number, size)) if number else empty,
                np.memmap(state / "signs", np.uint64, "r", shape=(number, _words(size)))
                if (state / "signs").is_file()
                else _EMPTY.signs,
                np.asarray(about["mean"], dtype=np.float32),
            )
        return self._read


_EMPTY = _State(
    "",
    np.zeros(0, dtype="S1"),
    np.zeros(0, dtype=np.int32),
    [],
    np.zeros((0, 0), dtype=np.int16),
    np.zeros((0, 0), dtype=np.uint64),
    np.zeros(0, dtype=np.float32),
)


def _cosines(rows: Any, places: NDArray[Any], asked: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of the rows at `places` with a unit vector."""
    found = np.empty(len(places), dtype=np.float32)
    plain = np.asarray(rows)  # a memmap asks at each slice whether it still is one
    for start in range(0, len(places), PART):
        found[start : start + PART] = plain[places[start : start + PART]].astype(np.float32) @ asked
    found /= WHOLE
    return found


def _give_back(rows: Any) -> None:
    """Take the pages just read out of this process's memory; the system still has them for the next question."""
    mapped = getattr(rows, "_mmap", None)
    if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _likely(asked: NDArray[np.float32], state: _State, places: NDArray[Any]) -> NDArray[Any]:
    """The places whose sign bits differ from the question's in the fewest dimensions."""
    wanted = max(LOOKED_AT, len(places) // SHARE)
    bits = _signs((asked - state.mean)[None, :])
    apart = np.empty(len(places), dtype=np.uint16)
    signs = np.asarray(state.signs)
    for start in range(0, len(places), CHUNK):
        part = places[start : start + CHUNK]
        whole = len(places) == len(signs)  # then they are all rows in their order: no copy is made of them
        apart[start : start + CHUNK] = _apart(signs[start : start + CHUNK] if whole else signs[part], bits)
    if wanted >= len(places):
        return places
    most = np.partition(apart, wanted)[wanted]
    return places[np.flatnonzero(apart <= most)[: 2 * wanted]]


def _apart(rows: NDArray[np.uint64], bits: NDArray[np.uint64]) -> NDArray[Any]:
    """In how many bits each row differs from `bits`."""
    counts: NDArray[np.uint8] = np.bitwise_count(rows ^ bits)
    if counts.shape[1] % 8:
        return np.asarray(counts.sum(axis=1, dtype=np.uint16))
    eights = counts.view(np.uint64)  # eight counts of at most 64 in one word are added at once
    pairs = (eights & _EVEN) + ((eights >> np.uint64(8)) & _EVEN)
    added: NDArray[np.uint64] = (pairs * _ONES) >> np.uint64(48)
    return np.asarray(added.sum(axis=1, dtype=np.uint16)) if added.shape[1] > 1 else added[:, 0]


_EVEN = np.uint64(0x00FF_00FF_00FF_00FF)
_ONES = np.uint64(0x0001_0001_0001_0001)


def _words(size: int) -> int:
    """64-bit words that hold a bit for each of `size` dimensions."""
    return -(-size // 64)


def _signs(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a dimension: whether it is above 0."""
    bits = np.zeros((len(rows), _words(rows.shape[1]) * 64), dtype=np.bool_)
    bits[:, : rows.shape[1]] = rows > 0
    return np.packbits(bits, axis=1).view(np.uint64)


def _mean(matrix: NDArray[np.int16]) -> list[float]:
    """Of up to `CHUNK` rows, spread over all."""
    some = matrix[:: max(1, len(matrix) // CHUNK)].astype(np.float32)
    return [float(each) / WHOLE for each in some.mean(axis=0)] if len(some) else []
