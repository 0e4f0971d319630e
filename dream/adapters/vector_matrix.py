"""Vectors as one memory-mapped matrix, searched by looking at every row: for a process that asks once.

Importing a vector database takes seconds; mapping a file takes none, and a scan of 100,000 rows some tens of
milliseconds. Each state is a folder of its own that a rename puts in place, named by its model and size, so a half
written one is never read and another model's never mixed in.
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
"""Rows turned to 32 bits at a time: 16 MB at 512 dimensions."""


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
        self._read: tuple[str, list[str], dict[str, int], NDArray[np.int32], list[str], Any] | None = None

    def watermark(self) -> int:
        return int(self._about().get("watermark", 0))

    def nearest(self, vector: Sequence[float], k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """The `k` nearest ids with their cosine, best first."""
        ids, _, of, names, rows = self._open()
        if not ids:
            return {}
        self._fits(vector, rows.shape[1])
        asked = np.asarray(vector, dtype=np.float32)
        found = np.empty(len(ids), dtype=np.float32)
        for start in range(0, len(ids), CHUNK):
            found[start : start + CHUNK] = rows[start : start + CHUNK].astype(np.float32) @ asked
        if projects is not None:
            allowed = [number for number, name in enumerate(names) if name in projects]
            found[~np.isin(of, allowed)] = -2.0
        best = np.argpartition(-found, min(k, len(ids) - 1))[:k]
        ordered = sorted(best.tolist(), key=lambda row: (-float(found[row]), ids[row]))
        return {ids[row]: float(found[row]) for row in ordered if found[row] > -1.5}

    def cosines(self, vector: Sequence[float], ids: Iterable[str]) -> dict[str, float]:
        """Cosine of each id that has a vector."""
        _, places, _, _, rows = self._open()
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
        ids, _, of, names, held = self._open()
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
        about = {"model": self._model, "dimension": size, "watermark": watermark, "projects": table}
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

    def _open(self) -> tuple[list[str], dict[str, int], NDArray[np.int32], list[str], Any]:
        about, state = self._about(), self._state()
        if not about or state is None:
            return [], {}, np.zeros(0, dtype=np.int32), [], np.zeros((0, 0), dtype=np.float16)
        if self._read is None or self._read[0] != state.name:
            ids = (state / "ids").read_text("ascii").split("\n") if (state / "ids").stat().st_size else []
            rows: Any = np.zeros((0, about["dimension"]), dtype=np.float16)
            if ids:
                rows = np.memmap(state / "vectors.f16", np.float16, "r", shape=(len(ids), about["dimension"]))
            places = {each: place for place, each in enumerate(ids)}
            self._read = (state.name, ids, places, np.fromfile(state / "projects", np.int32), about["projects"], rows)
        return self._read[1:]
