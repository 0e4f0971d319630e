"""Index terms of French and English text, on the pure-Python Snowball stemmers (`snowballstemmer`, BSD).

1. A text and the same text without accents, in capitals, decomposed (NFD) or with typographic apostrophes give the
   same terms, so a query finds what was written either way.
2. A word gives the same terms wherever it stands: no guess at the text's language is made. Both stemmers run over each
   word, English first (French first would part `company` from `companies`).
3. What people type to find code is found whole and by its parts: `gemma4:12b`, `pre-commit`, `booking.spec.ts`,
   `AN-318`, `snake_case`, `camelCase`. A version or ISO date also gives its prefixes (`3.11.7` gives `3.11`).
4. Runs of Chinese, Japanese and Korean are cut into overlapping pairs, a lone character stands alone.
5. Text without a word (`c'est quoi`, an emoji) gives no terms; callers cope.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

import snowballstemmer

from dream.adapters.stopwords import STOP_WORDS

LONGEST_WORD = 64
"""Characters of a word that are looked at; longer runs are keys or noise."""
PIECES = 50_000
"""Pieces of text whose terms are kept: some 10 MB when they are all there."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+(?:[-.:/@+#'\\]+[^\W{_CJK}]+)*")
_FIRST_CJK = "\u3040"
_LATIN = re.compile(r"\w+(?:[-.:/@+#'\\]+\w+)*")
"""What `_TOKEN` finds in text below `_FIRST_CJK`, in half the time."""
_IS_CJK = re.compile(rf"[{_CJK}]")
_JOINTS = re.compile(r"[-.:/@+#_\\]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NUMERIC = re.compile(r"v?\d+(?:[.:-]\d+)+\Z")
_ELISIONS = frozenset(["c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"])
_CLITICS = frozenset(["s", "t", "d", "m", "re", "ve", "ll"])
_APOSTROPHES = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\uff07": "'", "\u0153": "oe", "\u0152": "OE"}
)


class SnowballAnalyser:
    """Port `Analyser`. Stateless but for one cache, of what stands between two spaces (a stemmer costs some 20 µs)."""

    def terms(self, text: str) -> list[str]:
        """Folded, stemmed words in order; no stop words. See the module's promises."""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text.translate(_APOSTROPHES))
        found: list[str] = []
        for piece in text.split():
            found += _PIECES[piece]
        return found


class _Pieces(dict[str, tuple[str, ...]]):
    """The terms of pieces of text without a space in them, made when first asked for; no token holds a space."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        pattern = _TOKEN if max(piece) >= _FIRST_CJK else _LATIN
        made = tuple(term for token in pattern.findall(piece) for term in _terms_of(token))
        if len(piece) <= LONGEST_WORD:
            if len(self) >= PIECES:
                self.clear()
            self[piece] = made
        return made


_PIECES = _Pieces()


def _terms_of(token: str) -> tuple[str, ...]:
    if _IS_CJK.match(token):
        run = unicodedata.normalize("NFKC", token)
        return tuple(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    if "'" in token and token.lower() != "aujourd'hui":
        return _elided(token.split("'"))
    token = token.strip("_")[:LONGEST_WORD]
    if not token:
        return ()
    whole = _fold(token)
    if _NUMERIC.match(whole):
        return _prefixes(whole)
    pieces = [hump for piece in _JOINTS.split(token) if piece for hump in _HUMPS.split(piece) if hump]
    if len(pieces) == 1:
        return _word(token)
    parts = [term for piece in pieces for term in _word(piece)]
    plain_compound = whole.replace("-", "").isalpha() and len(parts) < len(pieces)  # `utilise-t-on`, `est-ce`
    return tuple(parts) if plain_compound else (whole, *(part for part in parts if part != whole))


def _elided(pieces: list[str]) -> tuple[str, ...]:
    """`l'API` is `api`, `John's` is `john`: what stands beside the apostrophe says nothing."""
    if pieces[0].lower() in _ELISIONS:
        pieces = pieces[1:]
    elif pieces[-1].lower() in _CLITICS:
        pieces = pieces[:-1]
    return tuple(term for piece in pieces if piece for term in _terms_of(piece))


def _word(word: str) -> tuple[str, ...]:
    if word.lower() in STOP_WORDS:
        return ()
    folded = _fold(word)
    return (_stem(folded),) if folded else ()


def _prefixes(number: str) -> tuple[str, ...]:
    cuts = [match.start() for match in re.finditer(r"[.:-]", number)][1:]
    return (number, *(number[:cut] for cut in cuts))


def _fold(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in spread if not unicodedata.combining(char))


_FRENCH = snowballstemmer.stemmer("french")
_ENGLISH = snowballstemmer.stemmer("english")


def stemmed(folded: str) -> str:
    """The stem of a folded word, as the stemmers make it."""
    return str(_FRENCH.stemWord(_ENGLISH.stemWord(folded)))


@cache
def _table() -> dict[str, str]:
    """Stems of the lexicon's words, made beforehand by `scripts/build_stems.py`: a stemmer is slow on so many."""
    lines = files("dream.lexicon").joinpath("stems.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def _stem(folded: str) -> str:
    if not folded.isalpha() or not 3 <= len(folded) < LONGEST_WORD:
        return folded
    return _table().get(folded) or stemmed(folded)
