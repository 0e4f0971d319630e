"""The Archivist's draft with its struck-out claims: only what stands in the notes it names is kept.

A model writes facts, dates, entities and relations; each is looked up in the notes. A word of a fact that its notes do
not have, a date that no words of the case resolve to, an entity that nobody named, a relation that no note has in so
many words between its two ends, strikes it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dream.debate.relations import Stated, is_thing, sides
from dream.debate.roles import Case
from dream.model.folding import fold
from dream.model.graph import Relation

_ISO = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Draft:
    """What is left of a draft.

    Attributes:
        facts: in words of their notes, with the ids of these.
        struck: how many facts, entities and relations were struck out.
    """

    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dates: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    relations: tuple[Stated, ...] = ()
    struck: int = 0


def drafted(plain: dict[str, Any], case: Case) -> Draft:
    """Hold a model's draft (of the form `prompts.DRAFT`) against the notes of the case."""
    notes = case.cluster.notes
    everything = " ".join(note.text for note in notes)
    dates = set(_ISO.findall(case.text)) | set(_ISO.findall(everything))
    facts: list[tuple[str, tuple[str, ...]]] = []
    entities: list[str] = []
    resolved: list[str] = []
    struck = 0
    for fact in plain["facts"]:
        cited = [notes[number - 1] for number in fact["notes"] if 1 <= number <= len(notes)]
        if not cited or not _stands(fact["text"], [note.text for note in cited], dates):
            struck += 1
            continue
        facts.append((fact["text"], tuple(note.id for note in cited)))
        named = [each for each in fact.get("entities", ()) if names(each, everything)]
        found = [each for each in fact.get("dates", ()) if each in dates]
        struck += len(fact.get("entities", ())) - len(named) + len(fact.get("dates", ())) - len(found)
        entities += named
        resolved += found
    relations = []
    for told in plain["relations"]:
        relation = Stated(told["source"], Relation(told["relation"]), told["target"])
        if any(_states(note.text, relation) for note in notes):
            relations.append(relation)
        else:
            struck += 1
    return Draft(
        tuple(facts),
        tuple(dict.fromkeys(resolved)),
        tuple(sorted({" ".join(_words(each)) for each in entities})),
        tuple(dict.fromkeys(relations)),
        struck,
    )


def dates_meant(case: Case) -> tuple[str, ...]:
    """The days that the words of the case stand for, in their order."""
    return tuple(dict.fromkeys(_ISO.findall(case.text)))


def names(entity: str, said: str) -> bool:
    """Whether the words of an entity stand together in what was said."""
    wanted = _plain(entity)
    return bool(wanted) and f" {wanted} " in f" {_plain(said)} "


def _states(said: str, told: Stated) -> bool:
    """Whether a note has the relation in so many words: a phrase for it, its ends on either side, both things."""
    if _plain(told.source) == _plain(told.target) or not (is_thing(told.source) and is_thing(told.target)):
        return False
    return any(names(told.source, one) and names(told.target, other) for one, other in sides(said, told.relation))


def _stands(text: str, said: Sequence[str], dates: set[str]) -> bool:
    """Whether each word of `text` is one of the notes', and each date one they resolve to."""
    if not set(_ISO.findall(text)) <= dates:
        return False
    words = set(_words(_ISO.sub(" ", text)))
    return bool(words) and words <= {word for each in said for word in _words(each)}


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).plain)


@functools.lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    return " ".join(_words(text))
