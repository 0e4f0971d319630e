"""What a rule of the date grammar is: a pattern, and how a match of it becomes a stretch of the calendar.

Patterns are written over folded text (`dream.model.folding`). In a pattern a blank stands for one or more blanks,
and `{NAME}` for a fragment of the language's own vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from dream.model import tense, tense_words
from dream.model.calendar import FUTURE, OPEN, PAST, Span, period, shift_days, shift_months, shift_workdays
from dream.model.folding import Folded

# A date is a whole word: not part of a name, an address, a path, a version or a compound.
_LEFT = r"(?<![\w@#/\\$€£])(?<!\w[-.])"
_RIGHT = r"(?![\w@/\\%€$£])(?!-\w)(?![.,]\d)(?!\.[a-z]\w)"


LEAD = re.compile(r"(?:du|des|de la|de l'|d'|au|a la|le|la|the|in|on|en) ?(?!\Z)")
"""An article or preposition that a phrase may begin with; it belongs to the words before it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One sentence and the local day it was said on."""

    text: Folded
    today: date
    french: bool
    hour: int
    zone: str

    def before(self, start: int, length: int = 60) -> str:
        """Folded text up to `start`."""
        return self.text.plain[max(0, start - length) : start]

    def after(self, end: int, length: int = 40) -> str:
        """Folded text from `end` on."""
        return self.text.plain[end : end + length]

    def original(self, start: int, end: int) -> str:
        first, last = self.text.original_span(start, end)
        return self.text.original[first:last]

    def moved(self, match: re.Match[str]) -> bool:
        """Whether what goes `from … to …` is the date of something (`the demo moved from the 12th to the 19th`)."""
        return bool(tense_words.SHIFTED.search(self.before(match.start())))

    def passed(self, match: re.Match[str]) -> bool:
        """Whether a « passe » in the match is the verb: « jeudi passe » is not « jeudi passé »."""
        return "passe" in match[0] and not re.search("passé", self.text.accented[match.start() : match.end()])

    def lean(self, match: re.Match[str]) -> int:
        """PAST, FUTURE or OPEN, by the tense around the match."""
        lead = LEAD.match(match[0])
        return tense.lean(self.text, match.start() + (lead.end() if lead else 0), match.end())


@dataclass(frozen=True, slots=True)
class Found:
    """A date at `start:end` of the folded text; `role` is "" where the words before it decide."""

    start: int
    end: int
    span: Span
    role: str = ""


Reading = Span | list[Found] | None
Build = Callable[[re.Match[str], Scene], Reading]


@dataclass(frozen=True, slots=True)
class Rule:
    """A production of the grammar.

    Attributes:
        role: what the words of the pattern themselves say (`depuis trois jours` is from).
    """

    pattern: re.Pattern[str]
    build: Build
    role: str = ""

    def matches(self, scene: Scene) -> list[Found]:
        found: list[Found] = []
        for match in self.pattern.finditer(scene.text.plain):
            reading = self.build(match, scene)
            if isinstance(reading, Span):
                found.append(Found(*match.span(), reading, self.role))
            elif reading is not None:
                found.extend(reading)
        return found


@dataclass(slots=True)
class Vocabulary:
    """Fragments by name, and the rules written with them, in order."""

    fragments: dict[str, str]
    rules: list[Rule] = field(default_factory=list)

    def compile(self, pattern: str, bounded: bool = True) -> re.Pattern[str]:
        """Put the fragments in and let each blank match several."""
        for _ in range(4):
            pattern = re.sub(r"\{([A-Z_]+)\}", lambda name: f"(?:{self.fragments[name[1]]})", pattern)
        pattern = pattern.replace(" ", "[ ]+").replace("[ ]+?", "[ ]*").replace("[ ]+*", "[ ]*")
        return re.compile(f"{_LEFT}(?:{pattern}){_RIGHT}" if bounded else f"(?:{pattern})\\Z")

    def rule(self, *patterns: str, role: str = "") -> Callable[[Build], Build]:
        """Register a builder for each of the patterns."""

        def register(build: Build) -> Build:
            self.rules.extend(Rule(self.compile(pattern), build, role) for pattern in patterns)
            return build

        return register


def any_of(words: Mapping[str, object] | list[str] | tuple[str, ...]) -> str:
    """An alternation, longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)).replace(r"\ ", " ")


def amount_away(today: date, count: float, unit: str, way: int, about: bool = False) -> Span | None:
    """The day `count` units before (PAST) or after (FUTURE) today; halves of months and years are rounded to days."""
    if not 0 <= count <= 9999:
        return None
    steps = {"day": 1.0, "week": 7.0, "fortnight": 14.0}
    months = {"month": 1.0, "quarter": 3.0, "half": 6.0, "year": 12.0}
    there: date | None
    if unit == "workday":
        there = shift_workdays(today, way * int(count))
    elif unit in steps:
        there = shift_days(today, way * int(count * steps[unit]))
    else:
        whole = int(count * months[unit])
        there = shift_months(today, way * whole)
        if there is not None and count * months[unit] != whole:
            there = shift_days(there, way * 15)
    return None if there is None else Span(there, about=about)


def hours_away(scene: Scene, count: float, way: int) -> Span | None:
    """The local day `count` hours before or after the line was said (to the hour)."""
    if not 0 <= count <= 24 * 366:
        return None
    there = shift_days(scene.today, (scene.hour + way * int(count)) // 24)
    return None if there is None else Span(there)


def around(today: date, grain: str, offset: int, about: bool = False) -> Span | None:
    """The period `offset` grains away."""
    span = period(today, grain, offset)
    return Span(span.first, span.granularity, about) if span else None


__all__ = [
    "FUTURE",
    "OPEN",
    "PAST",
    "Found",
    "Reading",
    "Rule",
    "Scene",
    "Vocabulary",
    "amount_away",
    "any_of",
    "around",
]
__all__ += ["hours_away"]
