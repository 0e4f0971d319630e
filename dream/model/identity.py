"""Are two sentences one fact, an old and a new version of it, or two facts? Precision before recall (decision 2).

Two facts become one only when every value agrees. The same topic with another value is a supersession where the
newer one says so or nothing else sets them apart; otherwise they stay two. Unsure stays two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from dream.model.alignment import one_replaced
from dream.model.frame import Frame, Overlap, Sense, Weight, overlap
from dream.model.values import Values, across, reconciled, same_figure, same_name, values_of, without


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


def relate(new: Frame, old: Frame, weight: Weight, holders: Callable[[str], int] = lambda word: FEW + 1) -> Relation:
    """What `new`, said later, is to `old`.

    Args:
        weight: how telling a sense is; pass the inverse frequency over the nodes compared with.
        holders: how many of the nodes compared with hold a word.
    """
    new, old = _telling(new, holders), _telling(old, holders)
    new = _moved_name(_moved_figure(new, old, weight), old, weight)
    named = holds_over(new, old)
    fresh, held, met = reconciled(without(new, new.gone), without(old, old.gone))
    met += bool(set(new.dates) & set(old.dates)) + bool(_proper(new) & _proper(old) & new.gone & old.gone)
    topic = overlap(fresh.topic, held.topic, weight)
    values = values_of(fresh, held, met)
    if values.clash and across(new, old) and values.shared and _untranslated(fresh, held):
        fresh, held = _without_loose(fresh), _without_loose(held)  # words that the lexicon lacks in both languages
        values = values_of(fresh, held, met)
    if named:
        rest = overlap(fresh.topic, without(old, new.gone).topic, weight)
        proper = _proper(old) | (old.days if new.retract else frozenset())
        few = FEW if values.added else 1
        alone = not named.isdigit() and (
            _rare(old, named) or (named in proper and (len(old.topic) <= 2 or holders(named) <= few))
        )
        plain = any(named in sense and _everyday(sense) for sense in old.topic)
        anchored = rest.shared >= ANCHOR or values.shared > 0
        if plain and anchored:  # a word of everyday says little: the subject must be the same as well
            anchored = rest.of_theirs >= FAMILIAR_COVER and min(rest.of_mine, rest.of_theirs) >= 0.2
            anchored &= rest.count > 1 or bool(values.added or values.shared)
            anchored |= new.retract and values.shared > 1
        if anchored or alone:
            kind = Kinship.RETRACTS if new.retract and not values.added else Kinship.SUPERSEDES
            return Relation(kind, 0.9 if anchored else 0.75, f"it says that {named} is over")
    elsewhere = bool(new.gone) and not named and not across(new, old)  # it names what is over, and that is not here
    if new.retract and topic.count >= 2 and topic.of_theirs >= RETRACT_COVER and not elsewhere:
        return Relation(Kinship.RETRACTS, topic.of_theirs, "it says that this no longer holds")
    if new.dates and old.dates and not set(new.dates) & set(old.dates):
        cover = min(_anchored(topic, values))
        told = any(word[0].isdigit() for word in new.gone) and not named  # another value has moved
        if new.update and cover >= TOLD_COVER and topic.count + values.shared > 1 and not told:
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
    if _placed_alike(fresh, held):  # what is done there says little beside the place: `stored in`, `kept in`
        new, old = _still(new), _still(old)
        fresh, held = _still(fresh), _still(held)
        topic = overlap(fresh.topic, held.topic, weight)
    if not across(new, old) and one_replaced(fresh.topic, held.topic):
        return DISTINCT  # word for word the same of another thing
    halves = not (values.added or values.lost) and min(topic.of_mine, topic.of_theirs) >= TOLD_COVER
    if values.shared == 1 and topic.count < 2 and not halves and set(new.dates) & set(old.dates):
        return DISTINCT  # much happens on a day
    return _agreeing(new, old, topic, values)


def _clashing(new: Frame, old: Frame, topic: Overlap, values: Values) -> Relation:
    if not topic.count and not values.shared:
        return DISTINCT
    if values.names_only and not new.update and across(new, old) and _untranslated(new, old):
        return DISTINCT  # words that the lexicon lacks in both languages may well be one
    of_mine, of_theirs = _anchored(topic, values)
    need = (FAMILIAR_COVER if topic.count > 1 else TOLD_COVER) if new.update else SILENT_COVER
    if values.names_only and topic.count == 1 and not values.shared and across(new, old):
        return DISTINCT  # one word in translation is no subject
    if values.names_only and topic.count + values.shared == 1:
        need = max(need, LONE_COVER)  # what is taken for a name may be a rare word
    coded = bool(
        new.codes - old.codes and old.codes - new.codes
    )  # an identifier is more often the subject than the value
    spare = across(new, old) and min(_words(new), _words(old)) > topic.count
    if not new.update and (coded or not values.single or spare or min(topic.mine, topic.theirs) > SLIGHT):
        return DISTINCT  # each speaks of something the other does not: a look-alike
    if of_mine >= need * (TOLD_SLACK if new.update else 1) and of_theirs >= need and _common(topic, values) >= 0.5:
        return Relation(Kinship.SUPERSEDES, min(of_mine, of_theirs), "the same subject with another value")
    return DISTINCT


def _untranslated(new: Frame, old: Frame) -> bool:
    """Whether what each sentence names alone is a word written small that neither language knows."""
    mine = {name for name in new.names if not any(same_name(name, other) for other in old.names)}
    theirs = {name for name in old.names if not any(same_name(name, other) for other in new.names)}
    return bool(mine and theirs) and all(set(name) <= new.loose | old.loose for name in mine | theirs)


def _without_loose(frame: Frame) -> Frame:
    return replace(frame, names=frozenset(name for name in frame.names if not set(name) <= frame.loose))


def _common(topic: Overlap, values: Values) -> float:
    """Weight of what two sentences share, values included."""
    return topic.shared + VALUE_WEIGHT * min(values.shared, 2)


def _anchored(topic: Overlap, values: Values) -> tuple[float, float]:
    """Share of the newer and of the older sentence that both speak of, shared values included."""
    common = _common(topic, values)
    return common / (common + topic.mine or 1), common / (common + topic.theirs or 1)


def _agreeing(new: Frame, old: Frame, topic: Overlap, values: Values) -> Relation:
    if new.negative != old.negative and not values.shared:
        return DISTINCT
    smaller = max(topic.of_mine, topic.of_theirs)
    two_languages = across(new, old)
    partial = values.named == values.shared == 1 and bool(values.added or values.lost)
    cover = VALUE_COVER if not two_languages else FAMILIAR_COVER if partial else ACROSS_COVER
    if values.shared and not (values.added and values.lost):
        slim = min(len(new.topic), len(old.topic)) <= 1 and max(len(new.topic), len(old.topic)) <= 3
        if (
            values.named == values.shared == 1
            and (topic.count < 1 or smaller < SAME_COVER)
            and not (two_languages and (topic.count or slim))
        ):
            return DISTINCT  # a person or a tool has many facts
        if (
            values.shared - values.joined == 1
            and not (two_languages and topic.unknown)
            and _differ_in_one(new, old, topic)
        ):
            return DISTINCT
        of_a_day = not topic.count and values.telling < 2 and bool(new.days & old.days)  # a person has many Saturdays
        several = values.shared > 1 and not of_a_day
        telling = topic.shared >= 0.3 or (not new.topic or not old.topic) or several
        bridged = two_languages and topic.unknown and slim and values.telling > 0 and new.negative == old.negative
        if bridged or (telling and (smaller >= cover or several)):
            return Relation(Kinship.SAME, smaller, "the same subject with the same value")
        return DISTINCT
    if values.added and values.lost:
        return DISTINCT
    whole = topic.count >= 2 and smaller >= WHOLE_COVER
    met = topic.count >= 3 and min(topic.of_mine, topic.of_theirs) >= VALUE_COVER
    if two_languages and (whole or met) and not new.update:
        return Relation(Kinship.SAME, smaller, "the same words for the same thing")
    if values.added or values.lost:
        one_sided = topic.count >= 2 and (topic.of_mine if values.lost else topic.of_theirs) >= SILENT_COVER
        return Relation(Kinship.SAME, smaller, "one says less than the other") if one_sided else DISTINCT
    if topic.count >= 2 and smaller >= SILENT_COVER and min(topic.of_mine, topic.of_theirs) >= VALUE_COVER:
        return Relation(Kinship.SAME, smaller, "the same words for the same thing")
    if topic.count >= 2 and min(topic.of_mine, topic.of_theirs) >= SAME_COVER:
        return Relation(Kinship.SAME, smaller, "the same words for the same thing")
    return DISTINCT


def _placed_alike(new: Frame, old: Frame) -> bool:
    """Whether both sentences say of one name or language that something is done in it or with it."""
    both = new.placed & old.placed
    named = any(same_name(a, b) for a in new.names for b in old.names if set(a) & both and set(b) & both)
    return named or bool(new.codes & old.codes & both)


def _still(frame: Frame) -> Frame:
    """The frame without verbs in its topic."""
    return replace(frame, topic=tuple(sense for sense in frame.topic if sense not in frame.verbs))


def _words(frame: Frame) -> int:
    """How many words its topic has; a phrase of the lexicon has several."""
    return sum(max(1, sum(word.startswith("=") for word in sense)) for sense in frame.topic)


def _differ_in_one(new: Frame, old: Frame, topic: Overlap) -> bool:
    """Whether each sentence has one word of topic that the other has not: `the bar closes`, `the kitchen closes`."""
    return len(new.topic) - topic.count == len(old.topic) - topic.count == 1


def _telling(frame: Frame, holders: Callable[[str], int]) -> Frame:
    """The frame without names that so many nodes hold that they tell nothing apart (who speaks, who is spoken to)."""
    kept = frozenset(name for name in frame.names if any(holders(word) <= MANY for word in name))
    return frame if len(kept) == len(frame.names) else replace(frame, names=kept)


def _silent(new: Frame, old: Frame, weight: Weight) -> bool:
    """Whether a sentence without a word of change speaks of the old one's subject, so that two values tell a change."""
    topic = overlap(_still(new).topic, _still(old).topic, weight)
    return topic.count > 0 and topic.of_theirs >= SAME_COVER


def _moved_figure(new: Frame, old: Frame, weight: Weight) -> Frame:
    """Where a sentence of change holds the old figure beside another of its kind, the old one is over (`18 … 24`)."""
    if not new.update and not _silent(new, old, weight):
        return new
    named = {figure for figure in new.figures if figure.amount in new.gone}
    over = {
        figure.amount
        for figure in new.figures
        if any(same_figure(figure, held) for held in old.figures)
        and (new.update or figure.amount not in new.listed)
        and len(of_kind := [other for other in new.figures if other.kind == figure.kind]) == 2
        and named.isdisjoint(of_kind)
    }
    told = {word for word in new.gone if word in new.codes or any(word in name for name in new.names)}
    return replace(new, gone=frozenset(over | told)) if len(over) == 1 else new


def _moved_name(new: Frame, old: Frame, weight: Weight) -> Frame:
    """Where a sentence of change speaks of the old subject, its old name and another one, the old name is over."""
    if old.gone or not (new.update or _silent(new, old, weight)):
        return new  # who told of the change has no value that is over
    held, said = _values_named(old), _values_named(new)
    met = [name for name in said if any(same_name(name, other) for other in held)]
    if len(met) == 1 and _stands(met[0], new) and not any(_stands(name, new) for name in said if name not in met):
        return new  # `the warehouse is ClickHouse now, so drop the Snowflake connector`
    topic = overlap(new.topic, old.topic, weight)
    cover = MOVED_COVER if len(held) == 1 else SAME_COVER
    subject = topic.shared >= SUBJECT or topic.count > 1
    if len(met) != 1 or len(said) < 2 or not subject or topic.of_theirs < cover:
        return new
    sure = [name for name in held if not set(name) <= old.loose]
    if not new.update and (len(sure) != 1 or set(met[0]) <= new.loose or not new.listed.isdisjoint(met[0])):
        return new
    return replace(new, gone=new.gone | set(met[0]))


def _stands(name: tuple[str, ...], frame: Frame) -> bool:
    """Whether a name is where the sentence says that something is."""
    return set(name) <= frame.placed


def _values_named(frame: Frame) -> set[tuple[str, ...]]:
    """Its names and identifiers, those that are over left out."""
    codes = {code for code in frame.codes - frame.gone if "/" not in code}  # a path is where, not what
    return {name for name in frame.names if not set(name) <= frame.gone} | {(code,) for code in codes}


def holds_over(new: Frame, old: Frame) -> str:
    """The value of `old` that `new` says is over, or "".

    A name counts as a whole: `no longer Lena Fischer` says nothing of a Lena Fisher.
    """
    names = [name for name in new.names if set(name) <= new.gone]
    loose = new.gone - {word for name in names for word in name}
    met = [name for name in old.names if any(same_name(name, other) for other in names) and not set(name) <= old.gone]
    if met:
        return min(met)[0]
    units = {figure.amount: figure.kind for figure in new.figures}
    held = {f.amount for f in old.figures if units.get(f.amount, f.kind) in (f.kind, "") or not f.kind}
    held |= old.codes | old.days | {word for name in old.names for word in name}
    held |= {word for sense in old.topic for word in sense if not word.startswith(("#", "=", "~"))}
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
