"""A sentence to its tokens: words, figures with their clock or unit, marks; elisions and clitics taken off."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from dream.debate import frame_words as words
from dream.debate.lexicon import fold

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " "})
_TOKEN = re.compile(
    r"\[redacted:[^\]]*\]"
    r"|https?://\S+"
    r"|\d{1,2}\s?(?:h|:)\s?\d{2}(?!\d)|\d{1,2}\s?(?:[ap]\.m\.|[ap]m)(?!\w)"
    r"|\d{1,3}(?:[ ,]\d{3})+(?![\d.,])"
    r"|\d+(?:[.,]\d+)+(?![\w.])"
    r"|\.?[^\W_](?:[\w.+#/@-]*[\w+#])?"
    r"|[€$£%°]|[,;:.!?()→=—–]"
)
_DAY_LIST = re.compile(rf"(?i)\b({'|'.join(words.DAYS)})/(?=\w)")
_NE = re.compile(r"(?i)\bn'(?=\w)")
_CLITIC = re.compile(r"(?i)(?<=\w)'(?:s|re|ve|ll|d|m)\b")
ELISION = re.compile(r"(?i)\b(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu)'(?=\w)")


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    folded: str
    first: bool  # opens a sentence or a clause after a full stop


def tokens_of(text: str) -> list[Token]:
    text = _CLITIC.sub("", unicodedata.normalize("NFC", text.translate(_APOSTROPHES)).replace("n't", " not"))
    text = _DAY_LIST.sub(r"\1 ", ELISION.sub("", _NE.sub("ne ", text)))
    raw = [
        (match.group(), match.start()) for match in _TOKEN.finditer(text) if not match.group().startswith("[redacted")
    ]
    found: list[Token] = []
    first = True
    for (token, _), ahead in pairwise([*raw, ("", 0)]):
        del ahead
        folded = fold(token)
        found.append(Token(token, words.PLACES.get(folded, folded) if token[0].isupper() else folded, first))
        first = token in {".", "!", "?"} or (first and not token[0].isalnum())
    return found
