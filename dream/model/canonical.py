"""One byte form for one value: JSON without spaces, keys in the order given, UTF-8.

Digests are taken over the bytes as they lie on disk, never over a value written again, so a reader in another
language needs no rule for writing JSON. A lone surrogate, which UTF-8 cannot hold, is written as its JSON escape.
"""

from __future__ import annotations

import json
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


_DECODER = json.JSONDecoder()


def read(line: bytes) -> Any:
    """The value of a line that begins with its first character and ends with its last.

    Raises:
        ValueError: it holds no JSON, or something after it.
    """
    text = line.decode()
    value, end = _DECODER.raw_decode(text)
    if end != len(text):
        raise ValueError(f"a line goes on after its value, at character {end}")
    return value


def to_bytes(plain: Any) -> bytes:
    """The byte form of a plain value; holds no line break."""
    return _ENCODER.encode(plain).encode("utf-8", "backslashreplace")


def to_text(plain: Any) -> str:
    """The same as text that UTF-8 can always hold."""
    return to_bytes(plain).decode("utf-8")
