"""Vectors in LanceDB: one table, written once per batch, compacted at night (decision 14).

1. The table is named by its model; a vector of another size, or another model, is refused and nothing is altered (B12).
2. The watermark is a row of the table, so it moves in the same commit as the rows it speaks of. What is gone is taken
   out before: a crash between the two is repaired by writing again.
3. What was taken out is in no version on the disk any more when `write` returns.
4. Writers of other processes are met by trying again with growing, uneven pauses (B09). A folder that cannot hold a
   table (no rename, no space) is an error that names it; nothing is deleted (B13).
5. Importing the library takes seconds, so it is done on first use.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from dream.errors import DreamError, ModelUnavailable

MARK = "!watermark"
TABLE = "vectors"
TRIES = 12
OLD = timedelta(days=1)
"""How long an old version is kept: a reader of another process may still look at it."""
_BATCH = 800

Value = TypeVar("Value")


class LanceDiffers(DreamError):
    """The table was made by another model."""

    code = "vectors-differ"


class LanceVectors:
    """Ports `VectorReader` and `VectorIndex`.

    Args:
        old: age from which `tidy` removes versions.
        pause: waits some seconds between two tries.
    """

    def __init__(
        self, folder: Path, model: str, *, old: timedelta = OLD, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._folder = folder
        self._model = model
        self._old = old
        self._pause = pause
        self._table: Any = None

    def watermark(self) -> int:
        table = self._open()
        if table is None:
            return 0
        rows = table.search().where(f"id = '{MARK}'").select(["project"]).limit(1).to_list()
        return int(rows[0]["project"]) if rows else 0

    def shape(self) -> tuple[int, int]:
        """How many vectors, of how many dimensions."""
        table = self._open()
        return (0, 0) if table is None else (table.count_rows(f"id != '{MARK}'"), self._size(table))

    def nearest(self, vector: Sequence[float], k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """The `k` nearest ids with their cosine, best first."""
        where = f"id != '{MARK}'"
        if projects is not None:
            where += f" AND project IN ({_quoted(projects)})"
        return self._search(vector, where, k)

    def cosines(self, vector: Sequence[float], ids: Iterable[str]) -> dict[str, float]:
        """Cosine of each id that has a vector."""
        asked = list(dict.fromkeys(ids))
        found: dict[str, float] = {}
        for start in range(0, len(asked), _BATCH):
            some = asked[start : start + _BATCH]
            found |= self._search(vector, f"id IN ({_quoted(some)})", len(some))
        return found

    def write(self, rows: Sequence[tuple[str, str, Sequence[float]]], gone: Iterable[str], watermark: int) -> None:
        """Take `gone` out, put rows, move the watermark.

        Raises:
            LanceDiffers: a vector has another size, or the table another model.
            DreamError: the folder does not take it.
        """
        table = self._open()
        if table is None:
            if not rows:
                return
            table = self._create(len(rows[0][2]))
        size = self._size(table)
        for _, _, vector in rows:
            self._fits(vector, size)
        out = list(dict.fromkeys(gone))
        if out:
            self._retried(lambda: table.delete(f"id IN ({_quoted(out)})"))
        made = [{"id": key, "project": project, "vector": list(vector)} for key, project, vector in rows]
        made.append({"id": MARK, "project": str(watermark), "vector": [0.0] * size})

        def merge() -> None:
            table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(made)

        self._retried(merge)
        if out:
            self._purge(table)

    def tidy(self) -> None:
        """Compact, and remove versions older than a day."""
        table = self._open()
        if table is not None:
            self._retried(lambda: table.optimize(cleanup_older_than=self._old))

    def _purge(self, table: Any) -> None:
        """Leave no trace of what was taken out: a deleted row stays in its file, and in every version, until rewritten.

        Every row is written anew in one transaction (which another process's write makes start again), then all older
        versions go. It costs a pass over the table, and a reader of an old version has to look again.
        """
        self._retried(lambda: table.update(where="true", values_sql={"project": "project"}))
        with warnings.catch_warnings():  # that readers of an older version fail is what is wanted
            warnings.simplefilter("ignore", UserWarning)
            self._retried(lambda: table.optimize(cleanup_older_than=timedelta(0)))

    def _search(self, vector: Sequence[float], where: str, k: int) -> dict[str, float]:
        table = self._open()
        if table is None:
            return {}
        self._fits(vector, self._size(table))
        asked = table.search(list(vector), vector_column_name="vector").distance_type("cosine").where(where)
        rows = asked.limit(k).select(["id", "_distance"]).to_list()
        return {row["id"]: 1.0 - float(row["_distance"]) for row in rows}

    def _open(self) -> Any:
        """The table, or None where there is none yet."""
        if self._table is None:
            if not self._folder.is_dir():
                return None
            base = self._connect()
            try:
                self._table = base.open_table(TABLE)
            except (ValueError, FileNotFoundError):
                return None
        held = (self._table.schema.metadata or {}).get(b"model", b"").decode()
        if held != self._model:
            self._table = None
            raise LanceDiffers(
                f"The vectors in {self._folder} are by {held}, the embedder is {self._model}.",
                "Run `dream cycle`: it embeds anew beside them, and the old ones stay until the new are whole.",
            )
        return self._table

    def _connect(self) -> Any:
        try:
            import lancedb
        except ImportError as error:
            raise ModelUnavailable("LanceDB is not installed.", "pip install lancedb") from error
        return lancedb.connect(self._folder, read_consistency_interval=timedelta(0))

    def _create(self, size: int) -> Any:
        import pyarrow

        fields = [("id", pyarrow.string()), ("project", pyarrow.string())]
        schema = pyarrow.schema([*fields, ("vector", pyarrow.list_(pyarrow.float32(), size))])
        schema = schema.with_metadata({"model": self._model})
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._refused(error) from error
        base = self._connect()
        self._table = self._retried(lambda: base.create_table(TABLE, schema=schema, exist_ok=True))
        return self._table

    def _size(self, table: Any) -> int:
        return int(table.schema.field("vector").type.list_size)

    def _fits(self, vector: Sequence[float], size: int) -> None:
        if len(vector) != size:
            raise LanceDiffers(
                f"The vectors in {self._folder} have {size} dimensions, {self._model} gives {len(vector)}.",
                f"Remove {self._folder} and run `dream cycle`: it embeds anew. Until then search goes on without.",
            )

    def _retried(self, act: Callable[[], Value]) -> Value:
        for attempt in range(TRIES):
            try:
                return act()
            except (RuntimeError, OSError, ValueError) as error:
                text = str(error).lower()
                if attempt + 1 == TRIES or not any(word in text for word in ("conflict", "retry", "concurrent")):
                    raise self._refused(error) from error
                self._pause(0.02 * 1.6**attempt * (1 + os.getpid() % 17 / 17))
        raise AssertionError("unreachable")

    def _refused(self, error: Exception) -> DreamError:
        return DreamError(
            f"The vectors in {self._folder} could not be written ({str(error).splitlines()[0][:160]}).",
            "Nothing was deleted and search goes on without them; keep DREAM_HOME on a local disk.",
        )


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join("'" + text.replace("'", "''") + "'" for text in texts) or "''"
