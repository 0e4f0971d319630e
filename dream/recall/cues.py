"""What a question says about its answer, beside its words: who said it, when, and of what sort the answer is.

Each cue has a reason that holds in any conversation; none is a list of topics.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from dream.errors import DreamError
from dream.model.note import Note, Origin
from dream.model.time import to_local_date

if TYPE_CHECKING:
    from dream.model.relative import Dated

LABEL = re.compile(r"\s*([A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-ZÀ-ÖØ-Þ][\w'’-]*){0,2}) ?: ")
"""Who speaks, before what is said."""
_BY_ASSISTANT = re.compile(
    r"\b(?:did you|you(?: have|'ve)? (?:said|suggested|proposed|recommended|told|gave|given|listed|mentioned)"
    r"|claude|assistant"
    r"|(?:as|avais|m'as)[ -]?tu|tu (?:m')?(?:as|avais) (?:dit|propos|sugg|recommand|conseill)\w*)\b",
    re.IGNORECASE,
)
_BY_USER = re.compile(
    r"\b(?:did i|i (?:said|told|asked|mentioned|wanted)|ai-je|j'ai (?:dit|demand|mentionn)\w*)\b", re.IGNORECASE
)
_ADVICE = re.compile(
    r"\b(?:recommend(?:ation)?s?|suggest(?:ion)?s?|advi[cs]e|tips|(?:any|some|have) ideas|inspiration|should i"
    r"|what (?:would|could|can) i|conseill\w+|(?:un|des|tes|vos|quelques) conseils?|recommand\w+|sugg[eéè]r\w+"
    r"|des id[ée]es|(?:devrais|dois)-je)\b",
    re.IGNORECASE,
)
"""Asks for something new: nobody has said the answer, but what the asker told of themselves decides it."""
_WHEN = re.compile(
    r"\b(?:when|what (?:date|day|time|month|year)|which (?:day|month|year)|how long|since when|quand|combien de temps"
    r"|quel(?:le)?s? (?:jours?|dates?|mois|heures?|ann[ée]es?))\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?:how (?:many|much|often|old)|combien|what (?:port|version|price)|quel(?:le)? (?:port|version|prix))\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|this (?:week|month|year|morning|weekend)|since|weeks?|months?"
    r"|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|hier|demain|aujourd'hui|derni[eè]re?|prochaine?|il y a|depuis|semaines?|mois|lundi"
    r"|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre"
    r"|octobre|novembre|d[ée]cembre|\d{1,2}[:h]\d\d|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)  # fmt: skip
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|once|several|deux|trois|quatre|cinq|sept|huit|neuf|dix)\b",
    re.IGNORECASE,
)
CLOSE_DAYS = 3.0
"""Days away from a date that is asked about at which what was said counts half: events are told a little later."""


@dataclass(frozen=True, slots=True)
class Cues:
    """What is read from a question once.

    Attributes:
        words: the question's words, lower case, for names.
        spans: (first day, last day) of each date it names.
        advice: it asks for a recommendation, not for what was said.
        today: day of asking; what is yet to come was not said then, only named.
    """

    words: frozenset[str]
    origin: Origin | None
    spans: tuple[tuple[date, date], ...]
    when: bool
    count: bool
    advice: bool = False
    today: date | None = None

    def speaker(self, notes: Sequence[Note], voices: Collection[str]) -> float:
        """1 where the turn is by whom the question names, by its label (`Ana: …`) or its origin.

        Args:
            voices: labels of those who speak (see `voices`).
        """
        name = label(notes)
        if name in voices and any(part.lower() in self.words for part in name.split()):
            return 1.0
        by = Origin.USER if self.advice else self.origin
        return 1.0 if by is not None and notes and notes[0].origin is by else 0.0

    def time(self, at: str, dates: Sequence[str] = ()) -> float:
        """How close what was said at `at`, or the dates it names, lie to the dates of the question."""
        if not self.spans:
            return 0.0
        said = datetime.fromisoformat(at).date()
        named = [day for text in dates if (day := _day(text)) is not None]
        away = [_distance(day, span) for day in named for span in self.spans]
        away += [_distance(said, span) for span in self.spans if self.today is None or span[0] <= self.today]
        return float(0.5 ** (min(away) / CLOSE_DAYS)) if away else 0.0

    def answers(self, text: str) -> float:
        """1 where a question for a time or a number meets a text that names one."""
        if self.when and _TIME.search(text):
            return 1.0
        return 1.0 if self.count and _NUMBER.search(text) else 0.0


def label(notes: Sequence[Note]) -> str:
    """What stands before a turn's first colon where a speaker's name would, "" for nothing."""
    found = LABEL.match(notes[0].text) if notes else None
    return found.group(1) if found is not None else ""


def voices(labels: Iterable[str]) -> frozenset[str]:
    """Labels of more than one turn: who speaks speaks again, while `Public API: …` heads one sentence."""
    return frozenset(name for name, number in Counter(labels).items() if name and number > 1)


def read(text: str, asked_at: str | None, zone: str) -> Cues:
    """The cues of a question; without an instant of asking it has no dates."""
    origin = Origin.ASSISTANT if _BY_ASSISTANT.search(text) else Origin.USER if _BY_USER.search(text) else None
    spans: list[tuple[date, date]] = []
    today: date | None = None
    if asked_at is not None and (_TIME.search(text) or _NUMBER.search(text)):
        from dream.model.relative import resolve  # its grammars take a third of a second to load

        try:
            today = to_local_date(asked_at, zone)
            spans = [span for each in resolve(text, asked_at, zone) if (span := _span(each, today)) is not None]
        except DreamError:
            spans = []
    words = frozenset(re.findall(r"[^\W_]+", text.lower()))
    advice = origin is None and _ADVICE.search(text) is not None
    return Cues(words, origin, tuple(spans), bool(_WHEN.search(text)), bool(_COUNT.search(text)), advice, today)


def _span(dated: Dated, today: date) -> tuple[date, date] | None:
    """Its days; none for today itself, which in a question means "at present"."""
    one, other = _edge(dated.iso, False), _edge(dated.last or dated.iso, True)
    if one is None or other is None or (one == other == today):
        return None
    return one, other


def _edge(iso: str, end: bool) -> date | None:
    """First or last day of a year, a month, a day."""
    try:
        if len(iso) == 4:
            return date(int(iso), 12, 31) if end else date(int(iso), 1, 1)
        if len(iso) == 7:
            first = date(int(iso[:4]), int(iso[5:]), 1)
            if not end:
                return first
            after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
            return date.fromordinal(after.toordinal() - 1)
        return date.fromisoformat(iso[:10])
    except ValueError:
        return None


def _day(iso: str) -> date | None:
    return _edge(iso, False)


def _distance(day: date, span: tuple[date, date]) -> int:
    if day < span[0]:
        return (span[0] - day).days
    return max(0, (day - span[1]).days)
