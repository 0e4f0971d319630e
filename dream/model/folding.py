"""Text folded for matching, with the way back to the original offsets."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ′´＇"), "'")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_ONE_CHAR = {**_APOSTROPHES, **_DASHES}


@dataclass(frozen=True, slots=True)
class Folded:
    """`plain` has no case and no accents, `accented` no case; both have one character per place in `offsets`.

    `offsets` has one place more: the length of the original.
    """

    original: str
    plain: str
    accented: str
    offsets: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original of a stretch of `plain`; combining marks go with their letter."""
        return self.offsets[start], self.offsets[end]


def fold(text: str) -> Folded:
    """Fold case, accents, apostrophes, dashes and blanks (a newline stays one)."""
    plain: list[str] = []
    accented: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if unicodedata.combining(char) and accented:
            composed = unicodedata.normalize("NFC", accented[-1] + char)
            if len(composed) == 1:
                accented[-1] = composed
            continue
        lower = _ONE_CHAR.get(ord(char), char).lower()[:1]
        if lower.isspace() and lower != "\n":
            lower = " "
        accented.append(lower)
        plain.append(unicodedata.normalize("NFD", lower)[:1])
        offsets.append(offset)
    return Folded(text, "".join(plain), "".join(accented), (*offsets, len(text)))
