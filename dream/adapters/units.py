"""What a model gave, as unit vectors; an answer that is none of that is refused before anything is stored of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dream.errors import ModelUnavailable


def units(model: str, wanted: int, rows: Sequence[Any]) -> list[list[float]]:
    """`rows` as `wanted` unit vectors of one size.

    Raises:
        ModelUnavailable: another number of rows, rows of different sizes, or one with no direction (NaN, all zero).
    """
    vectors = [[float(each) for each in row] for row in rows]
    if len(vectors) != wanted or len({len(vector) for vector in vectors}) > 1:
        sizes = sorted({len(vector) for vector in vectors})
        raise ModelUnavailable(f"{model} answered {wanted} texts with {len(vectors)} vectors of sizes {sizes}.", HINT)
    return [_unit(model, vector) for vector in vectors]


HINT = "Search goes on by words. Load the model anew, or name another (DREAM_EMBEDDER)."


def _unit(model: str, vector: list[float]) -> list[float]:
    length = math.sqrt(sum(each * each for each in vector))
    if not math.isfinite(length) or length == 0.0:
        raise ModelUnavailable(f"{model} answered with a vector that points nowhere (NaN or zero).", HINT)
    return [each / length for each in vector]
