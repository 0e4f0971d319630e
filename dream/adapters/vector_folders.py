"""A folder of vectors for each model: the one that is searched, and one that is being built beside it.

1. Another model, or another size of the same one, is built in a folder of its own; what was there answers until the new
   one is whole, and goes then (B12).
2. Two models are never mixed: each folder is opened with the model its name says.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from dream.ports import VectorIndex, VectorReader

BUILDING = ".building"


class Vectors(VectorReader, VectorIndex, Protocol):
    """Searched and written."""

    def shape(self) -> tuple[int, int]:
        """How many vectors, of how many dimensions."""
        ...


class VectorFolders:
    """The folders under `root`.

    Args:
        opening: opens a folder for a model.
    """

    def __init__(self, root: Path, opening: Callable[[Path, str], Vectors]) -> None:
        self._root = root
        self._opening = opening

    def whole(self, model: str) -> Vectors | None:
        """The vectors of a model that were whole once; None where there are none."""
        folder = self._root / model
        return self._opening(folder, model) if folder.is_dir() else None

    def building(self, model: str) -> Vectors:
        """The vectors of a model in the making, as far as they came."""
        return self._opening(self._root / (model + BUILDING), model)

    def begin(self, model: str) -> Vectors:
        """An empty place to build in."""
        shutil.rmtree(self._root / (model + BUILDING), ignore_errors=True)
        return self.building(model)

    def keep(self, model: str) -> None:
        """What was built is whole: it takes its place, and what other models left goes. "" keeps none."""
        made = self._root / (model + BUILDING)
        if made.is_dir():
            shutil.rmtree(self._root / model, ignore_errors=True)
            made.rename(self._root / model)
        for other in self._root.iterdir() if self._root.is_dir() else ():
            if other.is_dir() and other.name != model:
                shutil.rmtree(other, ignore_errors=True)

    def models(self) -> list[str]:
        """Whose vectors are whole."""
        return [path.name for path in self._folders() if not path.name.endswith(BUILDING)]

    def all(self) -> Iterator[Vectors]:
        """Every folder's, whole or not."""
        for path in self._folders():
            yield self._opening(path, path.name.removesuffix(BUILDING))

    def _folders(self) -> list[Path]:
        return sorted(path for path in self._root.iterdir() if path.is_dir()) if self._root.is_dir() else []
