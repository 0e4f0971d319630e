"""Ids that are safe as file names, unique across machines and repeatable from their source.

An id is a prefix that names its sort (`n-` note, `f-` node, `e-` edge, `h-` hold, `c-` cluster), then 24
lower-case hex digits of SHA-256 over its source: 96 bits, so two of a billion ids collide with chance < 1e-11.
"""

from __future__ import annotations

import hashlib
import re

_SHAPE = re.compile(r"[a-z]{1,2}-[0-9a-f]{24}\Z")


def make_id(prefix: str, *source: str) -> str:
    """Make the id of `source`; parts are length-prefixed so that ("a", "b") and ("ab",) differ."""
    digest = hashlib.sha256()
    for part in source:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return f"{prefix}-{digest.hexdigest()[:24]}"


def is_id(text: str) -> bool:
    """Whether `text` has the shape of an id (and so cannot climb out of a folder when used as a file name)."""
    return _SHAPE.match(text) is not None
