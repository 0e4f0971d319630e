"""Are two sentences one fact, an old and a new version of it, or two facts? Precision before recall (decision 2).

Two facts become one only when every value agrees. The same topic with another value is a supersession where the
newer one says so or nothing else sets them apart; otherwise they stay two. Unsure stays two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from dream.model.frame import Figure, Frame, Overlap, Sense, Weight, overlap


class Kinship(StrEnum):
    """What a newer sentence is to an older one."""

    SAME = "same"
    SUPERSEDES = "supersedes"
    RETRACTS = "retracts"
    CONTRADICTS = "contradicts"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class Relation:
    """A kinship, how sure (0..1), and the reason in words."""

    kinship: Kinship
    strength: float
    reason: str


DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})

DISTINCT = Relation(Kinship.DISTINCT, 0.0, "they speak of different things")

SAME_COVER = 0.6  # of the smaller sentence's topic, to be one fact without a shared value
VALUE_COVER = 0.4  # the same, where a telling value is shared
ACROSS_COVER = 0.3  # the same, between two languages, where words may be missing from the lexicon
WHOLE_COVER = 0.95  # of the shorter of two sentences in two languages, to be part of the longer one
SILENT_COVER = 0.75  # of both topics, to supersede without a word of change
TOLD_COVER = 0.45  # of both topics, to supersede with one
FAMILIAR_COVER = 0.35  # the same, where two words or more are shared
SLIGHT = 0.25  # weight that both sentences may have alone, to supersede without a word of change
TOLD_SLACK = 0.8  # of that, for the newer sentence: telling of a change takes words of its own
LONE_COVER = 0.6  # the same, where one word is shared and only names differ
MOVED_COVER = 0.3  # of the older topic, for one of two names to be the old value
RETRACT_COVER = 0.35  # of the older topic, to be taken back by a word that says so
SUBJECT = 0.6  # weight of topic two sentences must share to speak of one subject
MANY = 10  # nodes beyond which a name tells nothing apart
FEW = 3  # nodes that may hold a name for its replacement to speak of all of them
VALUE_WEIGHT = 0.7  # of a shared value, beside the words of a topic
ANCHOR = 0.35  # weight of topic that two sentences must share beside a value that is said to be over


@dataclass(frozen=True, slots=True)
class _Values:
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


def relate(new: Frame, old: Frame, weight: Weight, holders: Callable[[str], int] = lambda word: FEW + 1) -> Relation:
    """What `new`, said later, is to `old`.

    Args:
        weight: how telling a sense is; pass the inverse frequency over the nodes compared with.
        holders: how many of the nodes compared with hold a word.
    """
    new, old = _telling(new, holders), _telling(old, holders)
    new = _moved_name(_moved_figure(new, old), old, weight)
    named = holds_over(new, old)
    fresh, held, met = _reconciled(_without(new, new.gone), _without(old, old.gone))
    met += bool(set(new.dates) & set(old.dates)) + bool(_proper(new) & _proper(old) & new.gone & old.gone)
    topic = overlap(fresh.topic, held.topic, weight)
    values = _values(fresh, held, met)
    if named:
        rest = overlap(fresh.topic, _without(old, new.gone).topic, weight)
        proper = _proper(old) | (old.days if new.retract else frozenset())
        few = FEW if values.added else 1
        alone = not named.isdigit() and (
            _rare(old, named) or (named in proper and (len(old.topic) <= 2 or holders(named) <= few))
        )
        plain = any(named in sense and _everyday(sense) for sense in old.topic)
        anchored = rest.shared >= ANCHOR or values.shared > 0
        if plain and anchored:  # a word of everyday says little: the subject must be the same as well
            anchored = rest.of_theirs >= FAMILIAR_COVER and min(rest.of_mine, rest.of_theirs) >= 0.2
            anchored |= new.retract and values.shared > 1
        if anchored or alone:
            kind = Kinship.RETRACTS if new.retract and not values.added else Kinship.SUPERSEDES
            return Relation(kind, 0.9 if anchored else 0.75, f"it says that {named} is over")
    if new.retract and topic.count >= 2 and topic.of_theirs >= RETRACT_COVER:
        return Relation(Kinship.RETRACTS, topic.of_theirs, "it says that this no longer holds")
    if new.dates and old.dates and not set(new.dates) & set(old.dates):
        cover = min(_anchored(topic, values))
        if new.update and cover >= TOLD_COVER and topic.count + values.shared > 1:
            return Relation(Kinship.SUPERSEDES, cover, "the date has moved")
        if not values.shared:
            return DISTINCT
    if values.clash:
        return _clashing(new, old, topic, values)
    if (
        new.negative != old.negative
        and topic.of_mine >= SILENT_COVER
        and topic.of_theirs >= SILENT_COVER
        and topic.count > 1
    ):
        kind = Kinship.SUPERSEDES if new.update else Kinship.CONTRADICTS
        return Relation(kind, topic.of_mine, "one affirms what the other denies")
    return _agreeing(new, old, topic, values)


def _clashing(new: Frame, old: Frame, topic: Overlap, values: _Values) -> Relation:
    if not topic.count and not values.shared:
        return DISTINCT
    of_mine, of_theirs = _anchored(topic, values)
    need = (FAMILIAR_COVER if topic.count > 1 else TOLD_COVER) if new.update else SILENT_COVER
    if values.names_only and topic.count + values.shared == 1:
        need = max(need, LONE_COVER)  # what is taken for a name may be a rare word
    coded = bool(
        new.codes - old.codes and old.codes - new.codes
    )  # an identifier is more often the subject than the value
    spare = _across(new, old) and min(_words(new), _words(old)) > topic.count
    if not new.update and (coded or not values.single or spare or min(topic.mine, topic.theirs) > SLIGHT):
        return DISTINCT  # each speaks of something the other does not: a look-alike
    if of_mine >= need * (TOLD_SLACK if new.update else 1) and of_theirs >= need and _common(topic, values) >= 0.5:
        return Relation(Kinship.SUPERSEDES, min(of_mine, of_theirs), "the same subject with another value")
    return DISTINCT


def _common(topic: Overlap, values: _Values) -> float:
    """Weight of what two sentences share, values included."""
    return topic.shared + VALUE_WEIGHT * min(values.shared, 2)


def _anchored(topic: Overlap, values: _Values) -> tuple[float, float]:
    """Share of the newer and of the older sentence that both speak of, shared values included."""
    common = _common(topic, values)
    return common / (common + topic.mine or 1), common / (common + topic.theirs or 1)


def _agreeing(new: Frame, old: Frame, topic: Overlap, values: _Values) -> Relation:
    if new.negative != old.negative and not values.shared:
        return DISTINCT
    smaller = max(topic.of_mine, topic.of_theirs)
    across = _across(new, old)
    partial = values.named == values.shared == 1 and bool(values.added or values.lost)
    cover = VALUE_COVER if not across else FAMILIAR_COVER if partial else ACROSS_COVER
    if values.shared and not (values.added and values.lost):
        slim = min(len(new.topic), len(old.topic)) <= 1 and max(len(new.topic), len(old.topic)) <= 3
        if (
            values.named == values.shared == 1
            and (topic.count < 1 or smaller < SAME_COVER)
            and not (across and (topic.count or slim))
        ):
            return DISTINCT  # a person or a tool has many facts
        if values.shared - values.joined == 1 and not (across and topic.unknown) and _differ_in_one(new, old, topic):
            return DISTINCT
        telling = topic.shared >= 0.3 or (not new.topic or not old.topic) or values.shared > 1
        bridged = across and topic.unknown and slim and values.telling > 0 and new.negative == old.negative
        if bridged or (telling and (smaller >= cover or values.shared > 1)):
            return Relation(Kinship.SAME, smaller, "the same subject with the same value")
        return DISTINCT
    if values.added and values.lost:
        return DISTINCT
    whole = topic.count >= 2 and smaller >= WHOLE_COVER
    met = topic.count >= 3 and min(topic.of_mine, topic.of_theirs) >= VALUE_COVER
    if across and (whole or met) and not new.update:
        return Relation(Kinship.SAME, smaller, "the same words for the same thing")
    if values.added or values.lost:
        one_sided = topic.count >= 2 and (topic.of_mine if values.lost else topic.of_theirs) >= SILENT_COVER
        return Relation(Kinship.SAME, smaller, "one says less than the other") if one_sided else DISTINCT
    if topic.count >= 2 and smaller >= SILENT_COVER and min(topic.of_mine, topic.of_theirs) >= VALUE_COVER:
        return Relation(Kinship.SAME, smaller, "the same words for the same thing")
    if topic.count >= 2 and min(topic.of_mine, topic.of_theirs) >= SAME_COVER:
        return Relation(Kinship.SAME, smaller, "the same words for the same thing")
    return DISTINCT


def _words(frame: Frame) -> int:
    """How many words its topic has; a phrase of the lexicon has several."""
    return sum(max(1, sum(word.startswith("=") for word in sense)) for sense in frame.topic)


def _across(new: Frame, old: Frame) -> bool:
    """Whether they are known to be in two languages."""
    return bool(new.lang and old.lang and new.lang != old.lang)


def _differ_in_one(new: Frame, old: Frame, topic: Overlap) -> bool:
    """Whether each sentence has one word of topic that the other has not: `the bar closes`, `the kitchen closes`."""
    return len(new.topic) - topic.count == len(old.topic) - topic.count == 1


def _telling(frame: Frame, holders: Callable[[str], int]) -> Frame:
    """The frame without names that so many nodes hold that they tell nothing apart (who speaks, who is spoken to)."""
    kept = frozenset(name for name in frame.names if any(holders(word) <= MANY for word in name))
    return frame if len(kept) == len(frame.names) else replace(frame, names=kept)


def _moved_figure(new: Frame, old: Frame) -> Frame:
    """Where a sentence of change holds the old figure beside another of its kind, the old one is over (`18 … 24`)."""
    if not new.update:
        return new
    named = {figure for figure in new.figures if figure.amount in new.gone}
    over = {
        figure.amount
        for figure in new.figures
        if any(_same_figure(figure, held) for held in old.figures)
        and len(of_kind := [other for other in new.figures if other.kind == figure.kind]) == 2
        and named.isdisjoint(of_kind)
    }
    return replace(new, gone=new.gone | over) if len(over) == 1 else new


def _moved_name(new: Frame, old: Frame, weight: Weight) -> Frame:
    """Where a sentence of change speaks of the old subject, its old name and another one, the old name is over."""
    if not new.update or old.gone:  # who told of the change has no value that is over
        return new
    held, said = _values_named(old), _values_named(new)
    met = [name for name in said if any(_same_name(name, other) for other in held)]
    topic = overlap(new.topic, old.topic, weight)
    cover = MOVED_COVER if len(held) == 1 else SAME_COVER
    if len(met) != 1 or len(said) < 2 or topic.shared < SUBJECT or topic.of_theirs < cover:
        return new
    return replace(new, gone=new.gone | set(met[0]))


def _values_named(frame: Frame) -> set[tuple[str, ...]]:
    """Its names and identifiers, those that are over left out."""
    codes = {code for code in frame.codes - frame.gone if "/" not in code}  # a path is where, not what
    return {name for name in frame.names if not set(name) <= frame.gone} | {(code,) for code in codes}


def _without(frame: Frame, words: frozenset[str]) -> Frame:
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


def _reconciled(new: Frame, old: Frame) -> tuple[Frame, Frame, int]:
    """The frames without what one takes for a name and the other for a word, and how often that met."""
    new, old, there = _name_as_word(new, old)
    old, new, here = _name_as_word(old, new)
    return new, old, there + here


def _name_as_word(naming: Frame, speaking: Frame) -> tuple[Frame, Frame, int]:
    met = 0
    for name in sorted(naming.names):
        if any(_same_name(name, other) for other in speaking.names):
            continue
        found = [next((sense for sense in speaking.topic if word in sense), None) for word in name]
        if all(sense is not None for sense in found):
            met += 1
            naming = replace(naming, names=naming.names - {name})
            speaking = replace(speaking, topic=tuple(sense for sense in speaking.topic if sense not in found))
    return naming, speaking, met


def _values(new: Frame, old: Frame, met: int) -> _Values:
    shared, clash, added, lost, names, telling, named = met, 0, 0, 0, 0, 0, 0
    mine_alone = theirs_alone = 0
    units = {figure.kind for figure in new.figures} & {figure.kind for figure in old.figures}
    same_figure = _same_counted if _across(new, old) else _same_figure
    classes: tuple[tuple[set[Any], set[Any], Callable[[Any, Any], bool]], ...] = (
        ({f for f in new.figures if f.kind in units}, {f for f in old.figures if f.kind in units}, same_figure),
        (
            {f for f in new.figures if f.kind not in units},
            {f for f in old.figures if f.kind not in units},
            _same_amount,
        ),
        (set(new.names), set(old.names), _same_name),
        (set(new.codes), set(old.codes), _equal),
        (set(new.days), set(old.days), _equal),
    )
    for mine, theirs, alike in classes:
        here = {a for a in mine if any(alike(a, b) for b in theirs)}
        there = {b for b in theirs if any(alike(a, b) for a in mine)}
        only_mine, only_theirs = len(mine - here), len(theirs - there)
        shared += len(here)
        named += len(here) if alike is _same_name else 0
        telling += len(here) if alike is _same_name else sum(_tells(value) for value in here)
        if only_mine and only_theirs and alike is not _same_amount:
            clash += 1
            names += alike is _same_name
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
    return _Values(shared, clash, added, lost, clash == names, telling, named, single, joined)


def _tells(value: object) -> bool:
    """Whether a value is rare enough to tell one subject from another: not a weekday, not a bare small number."""
    if isinstance(value, Figure):
        return value.measured or len(value.amount) > 2
    return value not in DAYS


def _equal(a: object, b: object) -> bool:
    return a == b


def _same_figure(a: Figure, b: Figure) -> bool:
    """The same amount of the same; bare numbers that stand behind different words are not (`berth 5`, `crane 5`)."""
    return a.amount == b.amount and (a.unit == b.unit or (a.kind == b.kind and "" in (a.unit, b.unit)))


def _same_counted(a: Figure, b: Figure) -> bool:
    """The same amount in two languages, where what a bare number counts has two words (`quai 5`, `berth 5`)."""
    return a.amount == b.amount and a.kind == b.kind


def _same_amount(a: Figure, b: Figure) -> bool:
    """A figure whose unit one of the two left out."""
    return a.amount == b.amount and "" in (a.kind, b.kind)


def _same_name(a: Iterable[str], b: Iterable[str]) -> bool:
    """`Oksana` and `Oksana Petrenko` are one, `Camille Roy` and `Camille Roux` are not."""
    return set(a) <= set(b) or set(b) <= set(a)


def holds_over(new: Frame, old: Frame) -> str:
    """The value of `old` that `new` says is over, or "".

    A name counts as a whole: `no longer Lena Fischer` says nothing of a Lena Fisher.
    """
    names = [name for name in new.names if set(name) <= new.gone]
    loose = new.gone - {word for name in names for word in name}
    met = [name for name in old.names if any(_same_name(name, other) for other in names) and not set(name) <= old.gone]
    if met:
        return min(met)[0]
    units = {figure.amount: figure.kind for figure in new.figures}
    held = {f.amount for f in old.figures if units.get(f.amount, f.kind) in (f.kind, "") or not f.kind}
    held |= old.codes | old.days | {word for name in old.names for word in name}
    held |= {word for sense in old.topic for word in sense if not word.startswith(("#", "="))}
    held -= old.gone  # where both say it is over they agree
    short = {word for word in held for gone in loose if len(gone) > 4 and word.startswith(gone)}
    return min(loose & held | short, default="")


def _rare(frame: Frame, word: str) -> bool:
    """Whether a short sentence speaks of a word that no lexicon knows: a product, most likely."""
    known = any(word in sense and _everyday(sense) for sense in frame.topic)
    return len(frame.topic) <= 2 and not known


def _everyday(sense: Sense) -> bool:
    """Whether a word of either language is in it, so that it names no product."""
    return any(word.startswith(("#", "=")) for word in sense)


def _proper(frame: Frame) -> set[str]:
    """Words of its names, and its identifiers."""
    return {word for name in frame.names for word in name} | frame.codes
