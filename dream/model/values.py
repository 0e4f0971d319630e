"""How the values of two sentences stand to each other: figures, names, identifiers and days, shared or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from dream.model.frame import Figure, Frame, cognate

DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})


@dataclass(frozen=True, slots=True)
class Values:
    """How the values of two sentences stand to each other, over all classes.

    `single`: each has one value that the other has not, so one may stand in the other's place.
    `joined`: shared figures that belong to a shared name and tell nothing more (`Postgres 16`).
    """

    shared: int
    clash: int
    added: int
    lost: int
    names_only: bool
    telling: int
    named: int
    single: bool
    joined: int


def values_of(new: Frame, old: Frame, met: int) -> Values:
    shared, clash, added, lost, names, telling, named = met, 0, 0, 0, 0, 0, 0
    mine_alone = theirs_alone = 0
    units = {figure.kind for figure in new.figures} & {figure.kind for figure in old.figures}
    counted = _same_counted if across(new, old) else same_figure
    classes: tuple[tuple[set[Any], set[Any], Callable[[Any, Any], bool]], ...] = (
        ({f for f in new.figures if f.kind in units}, {f for f in old.figures if f.kind in units}, counted),
        (
            {f for f in new.figures if f.kind not in units},
            {f for f in old.figures if f.kind not in units},
            _same_amount,
        ),
        (set(new.names), set(old.names), same_name),
        (set(new.codes), set(old.codes), _equal),
        (set(new.days), set(old.days), _equal),
    )
    for mine, theirs, alike in classes:
        here = {a for a in mine if any(alike(a, b) for b in theirs)}
        there = {b for b in theirs if any(alike(a, b) for a in mine)}
        only_mine, only_theirs = len(mine - here), len(theirs - there)
        shared += len(here)
        named += len(here) if alike is same_name else 0
        telling += len(here) if alike is same_name else sum(_tells(value) for value in here)
        if only_mine and only_theirs and alike is not _same_amount:
            clash += 1
            names += alike is same_name
        mine_alone += only_mine
        theirs_alone += only_theirs
        added += bool(only_mine)
        lost += bool(only_theirs)
    single = mine_alone == theirs_alone == 1
    held = {word for name in old.names for word in name}
    both = {word for name in new.names for word in name if word in held}
    joined = sum(
        f.unit.startswith("@") and any(w.startswith(f.unit[1:]) for w in both) for f in new.figures & old.figures
    )
    return Values(shared, clash, added, lost, clash == names, telling, named, single, joined)


def reconciled(new: Frame, old: Frame) -> tuple[Frame, Frame, int]:
    """The frames without what one takes for a name and the other for a word, and how often that met."""
    new, old, there = _name_as_word(new, old)
    old, new, here = _name_as_word(old, new)
    return new, old, there + here


def _name_as_word(naming: Frame, speaking: Frame) -> tuple[Frame, Frame, int]:
    met = 0
    for name in sorted(naming.names):
        if any(same_name(name, other) for other in speaking.names):
            continue
        found = [next((s for s in speaking.topic if word in s or cognate(word) in s), None) for word in name]
        if all(sense is not None for sense in found):
            met += 1
            naming = replace(naming, names=naming.names - {name})
            speaking = replace(speaking, topic=tuple(sense for sense in speaking.topic if sense not in found))
    return naming, speaking, met


def without(frame: Frame, words: frozenset[str]) -> Frame:
    """The frame without what is said to be over."""
    if not words:
        return frame
    return replace(
        frame,
        topic=tuple(sense for sense in frame.topic if not sense & words),
        figures=frozenset(figure for figure in frame.figures if figure.amount not in words),
        names=frozenset(name for name in frame.names if not set(name) & words),
        codes=frame.codes - words,
        days=frame.days - words,
    )


def _tells(value: object) -> bool:
    """Whether a value is rare enough to tell one subject from another: not a weekday, not a bare small number."""
    if isinstance(value, Figure):
        return value.measured or len(value.amount) > 2
    return value not in DAYS


def _equal(a: object, b: object) -> bool:
    return a == b


def same_figure(a: Figure, b: Figure) -> bool:
    """The same amount of the same; bare numbers that stand behind different words are not (`berth 5`, `crane 5`)."""
    return a.amount == b.amount and (a.unit == b.unit or (a.kind == b.kind and "" in (a.unit, b.unit)))


def _same_counted(a: Figure, b: Figure) -> bool:
    """The same amount in two languages, where what a bare number counts has two words (`quai 5`, `berth 5`)."""
    return a.amount == b.amount and a.kind == b.kind


def _same_amount(a: Figure, b: Figure) -> bool:
    """A figure whose unit one of the two left out."""
    return a.amount == b.amount and "" in (a.kind, b.kind)


def same_name(a: Iterable[str], b: Iterable[str]) -> bool:
    """`Oksana` and `Oksana Petrenko` are one, `Camille Roy` and `Camille Roux` are not; `topo` and `topos` are."""
    mine, theirs = ({word.removesuffix("s") for word in name} for name in (a, b))
    return mine <= theirs or theirs <= mine


def across(new: Frame, old: Frame) -> bool:
    """Whether they are known to be in two languages."""
    return bool(new.lang and old.lang and new.lang != old.lang)
