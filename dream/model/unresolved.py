"""Words that name a day and mean none: `30 February`, `le 31 juin`, `31/02/2026`. They are reported, never guessed at.

Only what can be nothing but a date counts: a figure beside a month that has no such day, or a whole date in figures.
An ordinary number (`in June 31 people came`), a day that was resolved, code and addresses are left alone.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable

from dream.model.folding import fold
from dream.model.relative import Dated
from dream.model.relative_rule import any_of
from dream.model.relative_words import EN_MONTHS, FR_MONTHS

_ANY_YEAR = 2024
"""A day that some year has is a day where no year is named: this one has them all."""
_MONTHS = {**EN_MONTHS, **FR_MONTHS}
_MONTH = rf"(?P<m>{any_of(list(_MONTHS))})\b\.?"
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_DAY = r"(?P<d>[123]\d)"
_DAY_FIRST = re.compile(rf"(?<![\w.,:/-]){_DAY}(?:st|nd|rd|th)?(?: of)?[ -]{_MONTH}(?:[ -]{_YEAR}(?!\w))?(?![\w-])")
_MONTH_FIRST = re.compile(
    rf"(?P<on>\b(?:on|by|until|till|from|since|before|after) )?\b{_MONTH} {_DAY}(?P<th>(?:st|nd|rd|th)\b)?"
    rf"(?:,? {_YEAR}(?!\w))?(?![\w%-]|[.,:]\d)(?P<last>(?= *(?:[.;!?)]|$)))?"
)
_FIGURES = re.compile(
    r"(?<![\w./-])(?:(?P<iso>(?:19|20)\d\d)(?P<s>[-/])(?P<n>[01]\d)(?P=s)(?P<k>[0-3]\d)"
    rf"|(?P<a>[0-3]?\d)(?P<t>[/.])(?P<b>[0-3]?\d)(?P=t){_YEAR})(?![\w/-]|\.\d)"
)


def unresolved(text: str, dated: Iterable[Dated]) -> tuple[str, ...]:
    """The phrases of a text that name a day no calendar has, as written, in its order.

    Args:
        dated: what `relative.resolve` found in the text; a phrase inside one of these names a day after all.
    """
    folded = fold(text)
    if not any(mark.isdigit() for mark in folded.plain):
        return ()
    from dream.model.relative_scan import QUOTED_CODE

    taken = [(each.start, each.end) for each in dated]
    taken += [folded.original_span(*code.span()) for code in QUOTED_CODE.finditer(folded.plain)]
    found: dict[int, str] = {}
    for shape, names in ((_DAY_FIRST, _in_words), (_MONTH_FIRST, _after_month), (_FIGURES, _in_figures)):
        for match in shape.finditer(folded.plain):
            begins = match.end("on") if match.groupdict().get("on") else match.start()
            start, end = folded.original_span(begins, match.end())
            if names(match) and not any(first <= start and end <= last for first, last in taken):
                found.setdefault(start, text[start:end].strip(" ."))
    return tuple(found[start] for start in sorted(found))


def _in_words(match: re.Match[str]) -> bool:
    """Whether no year has such a day, or the year named has none."""
    day, month = int(match["d"]), _MONTHS[match["m"]]
    if day > 31 and match["m"] in ("may", "mar", "dec"):
        return False  # `the other 32 may wait`
    return not _there(int(match["y"] or _ANY_YEAR), month, day)


def _after_month(match: re.Match[str]) -> bool:
    """The same behind the month, where a word, its ending, a year or the end of the clause says that it is a day."""
    told = match["on"] or match["th"] or match["y"] or match["last"] is not None
    return bool(told) and _in_words(match)


def _in_figures(match: re.Match[str]) -> bool:
    if match["iso"]:
        return not _there(int(match["iso"]), int(match["n"]), int(match["k"]))
    year, a, b = int(match["y"]), int(match["a"]), int(match["b"])
    return not _there(year, b, a) and (match["t"] == "." or not _there(year, a, b))


def _there(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
