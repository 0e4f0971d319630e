"""What must come first: the very sentence, the turn that was meant, names written like code."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from dream.model.hit import Query
from dream.model.note import Origin
from dream.recall.cues import read

CODING = (
    ("The build fails with ModuleNotFoundError: No module named 'psycopg2' on the runner.", "psycopg2"),
    ("Le découpage se fait dans src/billing/invoice_splitter.py, pas ailleurs.", "invoice_splitter.py"),
    ("Run pytest -k retry --maxfail=1 before you push.", "pytest --maxfail=1"),
    ("parseUserConfig reads the file twice, that is the slow part.", "parseUserConfig"),
    ("J'ai épinglé node:22.4.1 dans le Dockerfile.", "node:22.4.1"),
    ("部署在星期四进行。", "星期四"),
    ("ビルドは失敗しました。", "失敗"),
)


def test_the_very_sentence_wins(memory: Any) -> None:
    said = memory.note("Aïcha Benali coordonne les prêts.", session="s2")
    for number in range(6):
        memory.note(f"Aïcha Benali a parlé des prêts de la semaine {number}, Aïcha suit les prêts.")
        memory.note("Les prêts, Aïcha Benali les a présentés : prêts, retours, Aïcha Benali, prêts.")
    for asked in ("Aïcha Benali coordonne les prêts", "aicha benali COORDONNE les prets !"):
        assert memory.search().search(Query(asked)).hits[0].sources[0].id == said.id


def test_the_very_sentence_wins_over_a_node_that_says_more_of_it(memory: Any) -> None:
    said = memory.note("Aïcha Benali coordonne les prêts.", session="s2")
    memory.node("Aïcha Benali s'occupe des prêts et des retours, Aïcha Benali coordonne tout.")
    assert memory.search().search(Query("Aïcha Benali coordonne les prêts")).hits[0].id == said.id


def test_two_words_are_no_sentence_to_be_found_again(memory: Any) -> None:
    memory.note("The gateway port.")
    hits = memory.search().search(Query("gateway port")).hits
    assert hits and not any(name == "verbatim" for hit in hits for name, _ in hit.signals)


@pytest.mark.parametrize(("sentence", "asked"), CODING)
def test_what_a_long_coding_chat_names_is_found_by_its_name(memory: Any, sentence: str, asked: str) -> None:
    for text, _ in CODING:
        memory.note(text, session=f"s-{text[:6]}")
    for number in range(20):
        memory.note(f"We looked at step {number} of the build and the file again.", session=f"o{number % 4}")
    assert memory.search().search(Query(asked)).hits[0].text == sentence


def test_a_turn_whose_best_sentence_was_said_before_is_shown_by_another(memory: Any) -> None:
    memory.note("Thanks, Ana!", turn="t1", session="s1")
    memory.note("The kiln is hot.", turn="t1", session="s1")
    memory.note("Thanks, Ana!", turn="t2", session="s2")
    memory.note("The wheel is broken.", turn="t2", session="s2")
    hits = memory.search().search(Query("thanks ana")).hits
    assert len(hits) == 2 and len({hit.text for hit in hits}) == 2


def test_a_node_is_no_better_than_the_best_turn_it_stands_on(memory: Any) -> None:
    """Two turns that a night took for one fact must not add up to more than a turn that says it all."""
    one = memory.note("The kiln broke in spring.", session="s1")
    other = memory.note("The glaze was blue and thick.", session="s2")
    memory.node("The kiln broke in spring.", one, other)
    whole = memory.note("The kiln and the blue glaze broke.", session="s3")
    assert memory.search().search(Query("kiln blue glaze broke")).hits[0].id == whole.id


def test_turns_of_a_node_that_fit_worse_are_ranked_by_themselves(memory: Any) -> None:
    notes = [memory.note(f"Kiln number {number} is fired on Monday.", session=f"k{number}") for number in range(12)]
    stray = memory.note("Lovely, thanks.", session="z")
    node = memory.node("Kiln number 3 is fired on Monday.", notes[3], stray)
    hit = next(
        each for each in memory.search().search(Query("which kiln is fired on Monday")).hits if each.id == node.id
    )
    assert [note.id for note in hit.sources] == [notes[3].id]


def test_a_turn_of_many_sentences_is_not_as_many_hits(memory: Any) -> None:
    """It lends its worth once, to the node on its best sentence; a turn that tells less still comes before its rest."""
    said = ("The harbour rota is on the wall.", "Lunch is at noon.", "Boots stay outside.", "Ivo has the van.")
    for text in said:
        memory.node(text, memory.note(text, turn="t1", session="s1"))
    other = memory.note("The rota of the harbour changes in May.", session="s2")
    hits = memory.search().search(Query("where is the harbour rota?", k=2)).hits
    assert {hit.text for hit in hits} == {said[0], other.text}


def test_asking_for_advice_is_not_asking_what_was_said() -> None:
    assert read("Can you recommend a book?", None, "UTC").origin is None
    assert read("Which book have you recommended?", None, "UTC").origin is Origin.ASSISTANT


def test_what_is_yet_to_come_was_not_said_then() -> None:
    cues = read("What is due next week?", "2026-03-25T10:00:00.000Z", "UTC")
    assert cues.spans and cues.time("2026-03-25T09:00:00.000Z") == 0.0
    assert cues.time("2026-03-25T09:00:00.000Z", ("2026-04-01",)) == 1.0


def test_a_request_for_advice_looks_for_what_the_asker_told_of_themselves(memory: Any) -> None:
    mine = memory.note("Rhubarb grows in my allotment.", session="s1")
    theirs = memory.note("Rhubarb grows in many gardens.", session="s2")
    for asked in ("Can you suggest a dinner?", "Que me conseilles-tu pour le dîner ?"):
        cues = read(asked, None, "UTC")
        assert cues.advice
        by_them = dataclasses.replace(theirs, origin=Origin.ASSISTANT)
        assert (cues.speaker([mine], ()), cues.speaker([by_them], ())) == (1.0, 0.0)
    assert not read("What did you suggest for dinner?", None, "UTC").advice
