"""Where a sentence says that something is over: runs of folded words that say so, and what turns them round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dream.debate import frame_words as words
from dream.debate import over_words as over
from dream.debate.tokens import ELISION, Token

REACH = 4
"""Tokens beside such words that may name what is over."""


class Endings:
    """Finds the words by which a sentence says that something is over. Stateless but for its tables."""

    def __init__(self) -> None:
        self._after = _phrases(over.OVER_AFTER)
        self._before = _phrases(over.OVER_BEFORE)

    def found(self, tokens: Sequence[Token]) -> Iterator[tuple[range, Sequence[Token]]]:
        """The places of each run of such words, and the tokens beside it that name what is over, nearest first."""
        folded = [token.folded for token in tokens]
        for index in range(len(folded)):
            given = _given(folded, index)
            reach = _no_more(folded, index) or _from_to(folded, index) or given
            if reach:
                yield range(index, index + reach), tokens[index + reach : index + reach + REACH]
            length = _longest(self._after, folded, index)
            if length and not _only_tells(tokens, index, length) and not _denied(folded, index, length):
                yield range(index, index + length), tokens[index + length : index + length + REACH]
                if index + length < len(folded) and folded[index + length].isalnum():
                    continue  # what is over follows (`n'est plus 15 jours`)
            length = _longest(self._before, folded, index)
            if length and not given and not _remains(folded, index, length) and not _goes_on(folded, index, length):
                yield range(index, index + length), tokens[max(0, index - REACH) : index][::-1]


def _only_tells(tokens: Sequence[Token], index: int, length: int) -> bool:
    """Whether `it was` tells of the past and ends nothing: it opens a sentence, or no value follows it."""
    phrase = " ".join(token.folded for token in tokens[index : index + length])
    after = tokens[index + length : index + length + 1]
    valued = bool(after) and (after[0].text[0].isdigit() or after[0].text[0].isupper())
    return phrase in over.PAST and (
        tokens[index].first or not (valued or (after and after[0].folded in words.NUMBER_WORDS))
    )


def _goes_on(folded: list[str], index: int, length: int) -> bool:
    """Whether words such as `is off`, `is closed` go on to say something else (`is off limits`, `is closed on …`)."""
    phrase = " ".join(folded[index : index + length])
    after = folded[index + length] if index + length < len(folded) else ""
    return phrase in over.BARE and after not in over.ENDS and (not after or after[0].isalnum())


def _remains(folded: list[str], index: int, length: int) -> bool:
    """Whether `left` tells what remains (`8 pieces are left`, `3 days left`), not who went."""
    before = folded[max(0, index - 2) : index]
    return folded[index : index + length] == ["left"] and (
        not words.STATES.isdisjoint(before[-1:])
        or any(word[0].isdigit() or word in words.NUMBER_WORDS for word in before)
    )


def _denied(folded: list[str], index: int, length: int) -> bool:
    """Whether a phrase is turned round (`n'oublie pas`, `do not forget`) or compares (`c'est plus rapide`)."""
    before = folded[index - 1] if index else ""
    after = folded[index + length] if index + length < len(folded) else ""
    phrase = folded[index : index + length]
    compares = phrase == ["est", "plus"] and "mais" not in folded[index + length :]
    compares |= phrase == ["plus", "de"] and (before in words.BEFORE_MORE or after[:1].isdigit())
    compares |= phrase == ["no", "more"] and after == "than"
    compares |= phrase == ["et", "plus"] and not after[:1].isdigit()
    refuses = phrase == ["not"] and (
        before in words.AUXILIARIES or (before in words.STATES and after.endswith(("ed", "en")))
    )
    return after == "pas" or before in {"not", "never", "ne", "jamais"} or compares or refuses


def _no_more(folded: list[str], index: int) -> int:
    """Length of `ne … plus` (`on ne livre plus le jeudi`), or 0."""
    for span in (3, 4):
        run = folded[index : index + span]
        if len(run) == span and run[0] == "ne" and run[-1] == "plus":
            return span
    return 0


def _from_to(folded: list[str], index: int) -> int:
    """1 where a `from` is followed by a `to`, or 0."""
    return int(folded[index] == "from" and "to" in folded[index + 2 : index + 7])


def _given(folded: list[str], index: int) -> int:
    """1 where a verb gives one thing for another (`swapped Cerberus for Pydantic`), or 0."""
    until = over.GIVEN_FOR.get(folded[index], "")
    return int(bool(until) and until in folded[index + 2 : index + 6])


def _phrases(lines: list[str]) -> dict[str, list[list[str]]]:
    table: dict[str, list[list[str]]] = {}
    for line in lines:
        phrase = ELISION.sub("", line.strip()).split()
        table.setdefault(phrase[0], []).append(phrase)
    return table


def _longest(table: dict[str, list[list[str]]], folded: list[str], index: int) -> int:
    fits = (len(p) for p in table.get(folded[index], ()) if folded[index : index + len(p)] == p)
    return max(fits, default=0)
