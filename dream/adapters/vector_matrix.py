"""Vectors as one memory-mapped matrix, searched by looking at the sign bits of every row.

1. Mapping a file takes no time and no memory until it is read. Few rows are all compared; of many, those whose signs
   (about the mean) agree best with the question's are: one bit a dimension is enough to leave out the rest, and the
   cosines that come back are exact to 16 bits.
2. Each state is a folder of its own that a rename puts in place, named by its model and size, so a half written one is
   never read and another model's never mixed in. A write leaves one state behind: what was taken out is on no disk.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dream.errors import DreamError

CHUNK = 8_192
"""Rows turned to 32 bits at a time: 16 MB at 512 dimensions. So few rows are all compared."""
LOOKED_AT = 4_096
SHARE = 16
"""Rows whose cosines are computed where there are more than `CHUNK`: so many, or one in `SHARE` of them. Of the 120
nearest of 23,000 chat sentences 4,096 rows held 0.999; one in 22 held 0.988, and 0.999 of the 40 nearest."""
_NO_SIGNS = np.zeros((0, 0), dtype=np.uint64)


class VectorsDiffer(DreamError):
    """The vectors on disk come from another model."""

    code = "vectors-differ"


class MatrixVectors:
    """Ports `VectorReader` and `VectorIndex` over files in `folder`.

    Args:
        model: of the embedder; a matrix of another, or of another size, is left as it is and refused (B12).
    """

    def __init__(self, folder: Path, model: str) -> None:
        self._folder = folder
        self._model = model
        self._read: tuple[str, list[str], dict[str, int], NDArray[np.int32], list[str], Any, Any] | None = None

    def watermark(self) -> int:
        return int(self._about().get("watermark", 0))

    def shape(self) -> tuple[int, int]:
        """How many vectors, of how many dimensions."""
        ids, _, _, _, rows, _ = self._open()
        return len(ids), int(rows.shape[1])

    def nearest(self, vector: Sequence[float], k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """The `k` nearest ids with their cosine, best first."""
        ids, _, of, names, rows, signs = self._open()
        if not ids:
            return {}
        self._fits(vector, rows.shape[1])
        asked = np.asarray(vector, dtype=np.float32)
        places: NDArray[Any] = np.arange(len(ids))
        if projects is not None:
            places = places[np.isin(of, [number for number, name in enumerate(names) if name in projects])]
        if len(places) > CHUNK and len(signs):
            places = self._likely(asked, signs, places)
        found = np.asarray(rows[places], dtype=np.float32) @ asked
        best = np.argsort(-found, kind="stable")[:k]
        ordered = sorted(best.tolist(), key=lambda row: (-float(found[row]), ids[places[row]]))
        return {ids[places[row]]: float(found[row]) for row in ordered}

    def _likely(self, asked: NDArray[np.float32], signs: Any, places: NDArray[Any]) -> NDArray[Any]:
        """The places whose sign bits differ from the question's in the fewest dimensions."""
        differ = signs if len(places) == len(signs) else signs[places]
        mean = np.asarray(self._about()["mean"], dtype=np.float32)
        apart = np.bitwise_count(differ ^ _signs(asked[None, :] - mean)).sum(axis=1, dtype=np.uint16)
        wanted = max(LOOKED_AT, len(places) // SHARE)
        most = np.partition(apart, wanted)[wanted]
        return places[np.flatnonzero(apart <= most)[: 2 * wanted]]

    def cosines(self, vector: Sequence[float], ids: Iterable[str]) -> dict[str, float]:
        """Cosine of each id that has a vector."""
        _, places, _, _, rows, _ = self._open()
        held = [(each, places[each]) for each in dict.fromkeys(ids) if each in places]
        if not held:
            return {}
        some = rows[[place for _, place in held]].astype(np.float32) @ np.asarray(vector, dtype=np.float32)
        return {each: float(cosine) for (each, _), cosine in zip(held, some, strict=True)}

    def write(self, rows: Sequence[tuple[str, str, Sequence[float]]], gone: Iterable[str], watermark: int) -> None:
        """Put rows, take `gone` out, move the watermark, in one rename.

        Raises:
            VectorsDiffer: a vector has another size, or the matrix another model.
            DreamError: the folder cannot be written.
        """
        ids, _, of, names, held, _ = self._open()
        size = held.shape[1] if len(ids) or not rows else len(rows[0][2])
        for _, _, vector in rows:
            self._fits(vector, size)
        fresh = {each: (project, vector) for each, project, vector in rows}
        out = set(gone) | fresh.keys()
        keep = [place for place, each in enumerate(ids) if each not in out]
        projects = [names[of[place]] for place in keep] + [project for project, _ in fresh.values()]
        table = list(dict.fromkeys(projects))
        numbers = {name: number for number, name in enumerate(table)}
        matrix = np.zeros((len(keep) + len(fresh), size), dtype=np.float16)
        for start in range(0, len(keep), CHUNK):
            matrix[start : start + len(keep[start : start + CHUNK])] = held[keep[start : start + CHUNK]]
        if fresh:
            matrix[len(keep) :] = np.asarray([vector for _, vector in fresh.values()], dtype=np.float16)
        mean = _mean(matrix)
        about = {"model": self._model, "dimension": size, "watermark": watermark, "projects": table, "mean": mean}
        self._put(about, [ids[place] for place in keep] + list(fresh), [numbers[name] for name in projects], matrix)

    def tidy(self) -> None:
        """Nothing to do: each write leaves one state behind."""

    def _put(self, about: dict[str, Any], ids: list[str], of: list[int], matrix: NDArray[np.float16]) -> None:
        state = f"{about['watermark']:012d}-{len(ids)}"
        target, making = self._folder / state, self._folder / f".{state}.new"
        try:
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir(parents=True)
            (making / "about.json").write_text(json.dumps(about), encoding="utf-8")
            (making / "ids").write_text("\n".join(ids), encoding="ascii")
            np.asarray(of, dtype=np.int32).tofile(making / "projects")
            matrix.tofile(making / "vectors.f16")
            if len(ids) > CHUNK:
                with (making / "signs").open("wb") as file:
                    for start in range(0, len(ids), CHUNK):
                        _signs(matrix[start : start + CHUNK].astype(np.float32) - about["mean"]).tofile(file)
            shutil.rmtree(target, ignore_errors=True)
            making.rename(target)
            (self._folder / ".current.new").write_text(state, encoding="ascii")
            (self._folder / ".current.new").replace(self._folder / "current")
        except OSError as error:
            raise DreamError(
                f"The vectors in {self._folder} could not be written ({error.strerror or error}).",
                "Search goes on without them; use a local disk for DREAM_HOME.",
            ) from error
        self._read = None
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
        return about

    def _open(self) -> tuple[list[str], dict[str, int], NDArray[np.int32], list[str], Any, Any]:
        about, state = self._about(), self._state()
        if not about or state is None:
            return [], {}, np.zeros(0, dtype=np.int32), [], np.zeros((0, 0), dtype=np.float16), _NO_SIGNS
        if self._read is None or self._read[0] != state.name:
            ids = (state / "ids").read_text("ascii").split("\n") if (state / "ids").stat().st_size else []
            size = about["dimension"]
            rows: Any = np.zeros((0, size), dtype=np.float16)
            signs: Any = _NO_SIGNS
            if ids:
                rows = np.memmap(state / "vectors.f16", np.float16, "r", shape=(len(ids), size))
            if (state / "signs").is_file():
                signs = np.memmap(state / "signs", np.uint64, "r", shape=(len(ids), _words(size)))
            places = {each: place for place, each in enumerate(ids)}
            of = np.fromfile(state / "projects", np.int32)
            self._read = (state.name, ids, places, of, about["projects"], rows, signs)
        return self._read[1:]


def _words(size: int) -> int:
    """64-bit words that hold a bit for each of `size` dimensions."""
    return -(-size // 64)


def _signs(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a dimension: whether it is above 0."""
    bits = np.zeros((len(rows), _words(rows.shape[1]) * 64), dtype=np.bool_)
    bits[:, : rows.shape[1]] = rows > 0
    return np.packbits(bits, axis=1).view(np.uint64)


def _mean(matrix: NDArray[np.float16]) -> list[float]:
    """Of up to `CHUNK` rows, spread over all."""
    some = matrix[:: max(1, len(matrix) // CHUNK)].astype(np.float32)
    return [float(each) for each in some.mean(axis=0)] if len(some) else []
