"""The deny-list: keyed digests of texts that must never be stored (`DREAM_HOME/deny.jsonl`, one object a line).

Promises that a denied text is recognised whole and inside a longer one, whatever its case, accents, quotes, spaces and
line ends, in composed or decomposed letters (of Latin, Greek and Cyrillic script); and that the list does not tell what
it denies: a line holds HMAC-SHA-256 under the home's key, the number of words, and eight bits of the first word's
digest, which spare most of the work. It does not promise to know a text in other words.
"""

from __future__ import annotations

import json
import os

from dream.capture.keyed import keyed_sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

FILE = "deny.jsonl"
LONGEST = 400
"""Words of a text that are compared; a longer one is known by its beginning."""
SENTENCES = 16
"""Sentences in a row in which a denied text of several is looked for."""

# A letter and its forms with marks; the marks themselves are dropped, so that both ways of writing agree.
_FAMILIES = (
    "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ hĥȟḣḥḧḩḫ "
    "iìíîïĩīĭįǐȉȋḭḯỉị jĵ kķǩḱḳḵ lĺļľḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ rŕŗřȑȓṙṛṝṟ "
    "sśŝşšșṡṣṥṧṩ tţťțṫṭṯṱ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉ xẋẍ yýÿŷȳẏỳỵỷỹ zźżžẑẓẕ æǣǽ øǿ "
    "αά εέ ηή ιίϊΐ οό υϋύΰ ωώ гѓ еѐё ийѝ кќ уў ії"
)
_PLAIN: dict[int, str] = {ord(form): family[0] for family in _FAMILIES.split() for form in family[1:]}
_PLAIN.update(dict.fromkeys((*range(768, 880), 173, *range(8203, 8208), *range(8288, 8293), 65279), ""))
_PLAIN.update({ord(char): " " for char in "\"'’‘“”«»„‹›`*_.,;:!?…()[]{}<>|–—-"})


def normal_words(text: str) -> list[str]:
    """The words of a text as the list compares them: no case, no accents, no punctuation, one space between."""
    return text.casefold().translate(_PLAIN).split()


def deny_digest(text: str, key: bytes) -> str:
    """What the list keeps of a text, in hexadecimal; texts with the same words have the same digest."""
    return _digest(normal_words(text)[:LONGEST], key).hex()


def deny(home: str, text: str, key: bytes, at: str) -> bool:
    """Put a text on the list of `home`; False where it stands there already.

    Args:
        at: the instant, UTC. Refuses (ValueError) a text without a word, which would deny everything.
    """
    words = normal_words(text)[:LONGEST]
    if not words:
        raise ValueError("a text without a word cannot be denied")
    listed = DenyList.read(home, key)
    digest = _digest(words, key)
    if digest in listed:
        return False
    line = {"digest": digest.hex(), "words": len(words), "first": _first(words[0], key), "at": at}
    path = os.path.join(home, FILE)
    writer = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        size = os.fstat(writer).st_size
        torn = size and os.lseek(writer, size - 1, os.SEEK_SET) is not None and os.read(writer, 1) != b"\n"
        os.write(writer, (b"\n" if torn else b"") + json.dumps(line, separators=(",", ":")).encode() + b"\n")
        os.fsync(writer)
    finally:
        os.close(writer)
    return True


def allowed(texts: list[str], denied: Callable[[str], bool]) -> list[bool]:
    """Which of the sentences of one turn may be stored: those in which, or across which, no denied text stands."""
    kept = [not denied(text) for text in texts]
    if len(texts) > 1 and all(kept) and denied("\n".join(texts)):
        for count in range(2, min(len(texts), SENTENCES) + 1):
            for start in range(len(texts) - count + 1):
                if all(kept[start : start + count]) and denied("\n".join(texts[start : start + count])):
                    kept[start : start + count] = [False] * count
    return kept


class DenyList:
    """What is denied, as read from the list. A line that cannot be read is counted in `bad` and denies nothing."""

    __slots__ = ("_by_first", "_key", "_known", "bad")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: dict[str, dict[int, set[bytes]] | None] = {}  # what is denied that begins with a word, once asked
        self._by_first: dict[int, dict[int, set[bytes]]] = {}
        self.bad = 0

    @classmethod
    def read(cls, home: str, key: bytes | None) -> DenyList:
        """The list of a home; empty where there is none, or no key to read it with."""
        listed = cls(key or b"")
        try:
            with open(os.path.join(home, FILE), "rb") as lines:
                raw = lines.read().split(b"\n")
        except FileNotFoundError:
            return listed
        for line in raw:
            if line.strip():
                listed._take(line)
        return listed

    def _take(self, line: bytes) -> None:
        try:
            entry = json.loads(line)
            digest = bytes.fromhex(entry["digest"])
            count, first = int(entry["words"]), int(entry["first"])
        except (ValueError, KeyError, TypeError):
            self.bad += 1
            return
        self._by_first.setdefault(first, {}).setdefault(count, set()).add(digest)
        self._known.clear()

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def __contains__(self, digest: object) -> bool:
        return any(digest in held for counts in self._by_first.values() for held in counts.values())

    def denied(self, text: str) -> bool:
        """Whether a denied text stands in `text`."""
        if not self._by_first:
            return False
        words = normal_words(text)
        known = self._known
        for word in words:
            if word not in known:
                known[word] = self._by_first.get(_first(word, self._key))
        for start, word in enumerate(words):
            for count, digests in (known[word] or {}).items():
                window = words[start : start + count]
                if len(window) == count and _digest(window, self._key) in digests:
                    return True
        return False


def _digest(words: list[str], key: bytes) -> bytes:
    return keyed_sha256(key, b"dream deny\0" + " ".join(words).encode("utf-8", "surrogatepass"))


def _first(word: str, key: bytes) -> int:
    return keyed_sha256(key, b"dream deny first\0" + word.encode("utf-8", "surrogatepass"))[0]
