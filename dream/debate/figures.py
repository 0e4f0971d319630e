"""Tokens to figures: numbers in digits or words with what they count, times of day, prices."""

from __future__ import annotations

import re

from dream.debate import frame_words as words
from dream.debate.tokens import Token
from dream.model.frame import Figure

_THOUSANDS = re.compile(r"\d{1,3}(?:[ ,]\d{3})+")
_NUMBER = re.compile(r"\d[\d.,]*\Z")
_TIME = re.compile(r"(\d{1,2})\s?(?:h|:)\s?(\d{2})\Z")
_HALF_DAY = re.compile(r"(\d{1,2})\s?([ap])\.?m\.?\Z", re.I)
_AMOUNT_UNIT = re.compile(r"(\d[\d.,]*)([a-zA-Z]{1,4})\Z")


def figure_at(tokens: list[Token], index: int) -> tuple[Figure, int] | None:
    text = tokens[index].folded
    if clock := _TIME.match(text):
        return Figure(f"{int(clock[1]):02d}:{clock[2]}", "clock"), 1
    if half := _HALF_DAY.match(text):
        hour = int(half[1]) % 12 + (12 if half[2].lower() == "p" else 0)
        return Figure(f"{hour:02d}:00", "clock"), 1
    amount = words.NUMBER_WORDS.get(text)
    if _THOUSANDS.fullmatch(text):
        text = text.replace(" ", "").replace(",", "")
    if amount is None and _NUMBER.match(text):
        amount = text.rstrip(".,").replace(",", ".")
    if amount is None:
        if (glued := _AMOUNT_UNIT.match(text)) and glued[2] in words.UNITS:
            return _hour_or(Figure(glued[1].replace(",", "."), words.UNITS[glued[2]]), tokens, index), 1
        return None
    after = tokens[index + 1].folded if index + 1 < len(tokens) else ""
    if after in words.UNITS and (after not in words.CAPITAL_UNITS or tokens[index + 1].text[0].isupper()):
        return _hour_or(Figure(amount, words.UNITS[after]), tokens, index), 2
    before = tokens[index - 1].folded if index else ""
    return Figure(amount, words.UNITS[before] if before in {"€", "$", "£"} else ""), 1


def _hour_or(figure: Figure, tokens: list[Token], index: int) -> Figure:
    """A whole number of hours behind a word of time is an hour of the day (`à 16h`, `entre 9h et 12h`), no length."""
    whole = figure.unit == "hour" and figure.amount.isdigit() and int(figure.amount) <= 24
    lasts = (
        any(token.folded in words.PASSES for token in tokens[:index])
        and tokens[max(0, index - 3)].folded in words.UNITS
    )
    before = tokens[index - 1].folded if index else ""
    spans = before in {"et", "a", "-", "–"} and any(token.folded in {"entre", "de"} for token in tokens[:index])
    if whole and not lasts and (spans or before in words.HOUR_AFTER):
        return Figure(f"{int(figure.amount) % 24:02d}:00", "clock")
    return figure
