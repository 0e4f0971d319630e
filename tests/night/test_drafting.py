"""What the Archivist is asked for when it drafts: a whole example, and the days that the notes' words mean."""

from __future__ import annotations

import json

import pytest

from dream.debate.cluster import single
from dream.debate.drafts import dates_meant, drafted
from dream.debate.exam import TRIALS
from dream.debate.prompts import drafting
from dream.debate.roles import Case
from dream.model.reply import Unreadable, read
from tests.debate.conftest import Say, say

__all__ = ["say"]


def test_the_example_of_a_draft_is_itself_a_draft_of_the_form() -> None:
    """A form with dots in it was copied, dots and all, by a small model: 17 drafts of 20."""
    asked = drafting(TRIALS[0].case.cluster.notes)
    example = asked.system[asked.system.index('{"facts"') :]
    assert "..." not in example
    assert read(example, asked.schema) == json.loads(example)


def test_the_days_that_words_mean_are_told_and_stand_in_the_draft() -> None:
    trial = next(each for each in TRIALS if "(2026-02-16)" in each.claim)
    case = trial.case
    assert dates_meant(case) == ("2026-02-16",)
    asked = drafting(case.cluster.notes, dates_meant(case))
    assert "Dates meant: 2026-02-16." in asked.user
    fact = {"text": "The audit is next Monday", "dates": ["2026-02-16"], "entities": ["audit"], "notes": [1]}
    left = drafted({"facts": [fact], "relations": []}, case)
    assert left.dates == ("2026-02-16",) and left.entities == ("audit",) and not left.struck
    other = drafted({"facts": [{**fact, "dates": ["2026-03-16"]}], "relations": []}, case)
    assert other.dates == () and other.struck == 1


def test_a_draft_can_neither_contradict_nor_replace() -> None:
    """A small model drafted `commits contradicts CI`, both of which stood in the note."""
    asked = drafting(TRIALS[0].case.cluster.notes)
    for relation in ("contradicts", "supersedes"):
        told = {"facts": [], "relations": [{"source": "commits", "relation": relation, "target": "CI"}]}
        with pytest.raises(Unreadable):
            read(json.dumps(told), asked.schema)


@pytest.mark.parametrize(
    ("said", "relation", "left"),
    [
        ("La passerelle tourne sous Express.", ("La passerelle", "uses", "Express"), 1),
        ("Pour l'accès base on passe par Prisma partout.", ("Prisma", "uses", "base on"), 0),
        ("I show the calendar on Thursday, freeze the seed data.", ("calendar", "depends_on", "seed data"), 0),
        ("Chez nous le traçage passe par Jaeger.", ("Chez nous", "uses", "Jaeger"), 0),
        ("The gateway does not depend on Redis.", ("gateway", "depends_on", "Redis"), 0),
        ("The outage was caused by a full disk.", ("full disk", "causes", "outage"), 1),
        ("The outage was caused by a full disk.", ("outage", "causes", "full disk"), 0),
    ],
)
def test_a_drafted_relation_stays_only_where_a_note_has_it_in_so_many_words(
    say: Say, said: str, relation: tuple[str, str, str], left: int
) -> None:
    """Ends that stand in the note were enough once: of seven relations of a small model one was right."""
    told = dict(zip(("source", "relation", "target"), relation, strict=True))
    note = say(said)
    case = Case(single(note), note.text, 1, 3)
    draft = drafted({"facts": [], "relations": [told]}, case)
    assert (len(draft.relations), draft.struck) == (left, 1 - left)


def test_without_days_none_are_told() -> None:
    case = TRIALS[0].case
    assert "Dates meant" not in drafting(case.cluster.notes, dates_meant(case)).user
