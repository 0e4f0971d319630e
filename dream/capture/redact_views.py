"""The same text as a reader sees it: without colour codes and invisible characters, with escapes read, folded lines
joined. A secret found in a view is removed where it stands in the text."""

from __future__ import annotations

from dream.capture.redact_rule import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

INVISIBLE = r"[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufe0f\ufeff]"
UNSEEN = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufe0f\ufeff"
COLOUR = r"(?:\x1b|\\u001b|\\x1b|\\033|\\e|\u241b)\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)"
ESCAPE = r"\\{1,4}(?:u[0-9A-Fa-f]{4}|[nrtbf\"'/])"
ENTITY = r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#34|#x27|#x2[fF]|#61|#x3[dD]);"
FOLD = r"(?<!=)=\r?\n(?![ \t]{0,20}[\w.-]{1,40}[:=])|\\\r?\n[ \t]{0,40}"
UNIT = "|".join((INVISIBLE, COLOUR, ESCAPE, ENTITY, FOLD))
PERCENT = r"%(?:25)?[2-7][0-9A-Fa-f]"
WRAP = r"(?<=[A-Za-z0-9_+/=-])(?:\r?\n[ \t>|#*]{0,12})(?=[A-Za-z0-9_+/=-])"

LETTERS = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " ", '"': '"', "'": "'", "/": "/"}
ENTITIES = {
    "lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " ", "#39": "'", "#34": '"', "#x27": "'",
    "#x2f": "/", "#61": "=", "#x3d": "=",
}  # fmt: skip


class View:
    """A text read anew, and for each piece of it where that stands in the text it was read from."""

    __slots__ = ("places", "text")

    def __init__(self, text: str, places: list[tuple[int, int]]) -> None:
        self.text = text
        self.places = places  # (offset here, offset there), in order; between two, offsets run alike

    def start(self, offset: int) -> int:
        """Where the character at `offset` begins."""
        here, there = self.places[self.first(offset + 1) - 1]
        return there + offset - here

    def end(self, offset: int) -> int:
        """Where the character before `offset` ends."""
        index = self.first(offset)
        if index < len(self.places) and self.places[index][0] == offset:
            return self.places[index][1]
        here, there = self.places[index - 1]
        return there + offset - here

    def windows(self, reach: int) -> list[tuple[int, int]]:
        """Parts of this text within `reach` of a difference, to the next blank: in order, without overlap."""
        out: list[tuple[int, int]] = []
        for here, _ in self.places[1:]:
            if out and here + reach <= out[-1][1]:
                continue
            low = max(0, here - reach)
            if out and low <= out[-1][1]:
                low = out.pop()[0]
            else:
                low = self._blank(low, -1)
                low = out.pop()[0] if out and low <= out[-1][1] else low
            out.append((low, self._blank(min(len(self.text), here + reach), 1)))
        return out

    def _blank(self, offset: int, step: int) -> int:
        """The next blank before or after `offset`, at most 4,000 characters on: a window does not cut a token."""
        for _ in range(4000):
            if not 0 < offset < len(self.text) or self.text[offset - 1].isspace():
                break
            offset += step
        return offset

    def first(self, offset: int) -> int:
        """Index of the first place at or after `offset`."""
        low, high = 0, len(self.places)
        while low < high:
            middle = (low + high) // 2
            if self.places[middle][0] < offset:
                low = middle + 1
            else:
                high = middle
        return low


def escaping(text: str) -> bool:
    """Whether there may be something to read: a cheap question before the expensive one."""
    if "\\" in text or "\x1b" in text or "&" in text or "=\n" in text or "=\r\n" in text:
        return True
    return not text.isascii() and any(char in text for char in UNSEEN)


def unescaped(text: str) -> View | None:
    """Without colours and invisible characters, with JSON escapes and entities read; None where there are none."""
    return _read(text, UNIT, _character)


def percent_decoded(text: str) -> View | None:
    """With percent-encoded ASCII read; None where there is none."""
    return _read(text, PERCENT, lambda unit: chr(int(unit[-2:], 16)))


def unwrapped(text: str) -> View | None:
    """With lines joined that break inside a run of token characters; None where there are none."""
    return _read(text, WRAP, lambda unit: "")


def _character(unit: str) -> str:
    if unit[0] == "&":
        return ENTITIES[unit[1:-1].lower()]
    if unit[0] != "\\" or "[" in unit or "\n" in unit:
        return ""
    bare = unit.lstrip("\\")
    if len(bare) == 5:
        char = chr(int(bare[1:], 16))
        return "" if compiled(INVISIBLE).match(char) else char
    return LETTERS[bare]


def _read(text: str, expression: str, meaning: Callable[[str], str]) -> View | None:
    pieces: list[str] = []
    places = [(0, 0)]
    at = size = 0
    for unit in compiled(expression).finditer(text):
        size += unit.start() - at
        pieces.append(text[at : unit.start()])
        places.append((size, unit.start()))
        read = meaning(unit.group())
        pieces.append(read)
        size += len(read)
        at = unit.end()
        places.append((size, at))
    if not pieces:
        return None
    pieces.append(text[at:])
    return View("".join(pieces), places)
