"""What a question says beside its words."""

from __future__ import annotations

from typing import Any

import pytest

from dream.model.note import Origin
from dream.recall.cues import label, read, voices

NOW = "2026-03-27T20:00:00.000Z"


@pytest.mark.parametrize(
    ("question", "origin"),
    [("What did you suggest for the cache?", Origin.ASSISTANT), ("Qu'as-tu proposé ?", Origin.ASSISTANT),
     ("What did I say about the cache?", Origin.USER), ("Which cache do we use?", None)],
)  # fmt: skip
def test_who_is_asked_for(question: str, origin: Origin | None) -> None:
    assert read(question, NOW, "UTC").origin is origin


def test_a_label_that_the_question_names_is_the_speaker(memory: Any) -> None:
    ana, ben = memory.note("Ana: I painted the fence."), memory.note("Ben: Ana, that is lovely.")
    cues = read("What did Ana paint?", NOW, "UTC")
    assert (cues.speaker([ana], {"Ana", "Ben"}), cues.speaker([ben], {"Ana", "Ben"})) == (1.0, 0.0)


def test_what_heads_one_sentence_is_nobody_who_speaks(memory: Any) -> None:
    heads = memory.note("Public API: a hundred requests a minute.")
    assert voices(["Ana", "Public API", "Ana", "", ""]) == {"Ana"}
    assert read("What is the limit of the API?", NOW, "UTC").speaker([heads], voices([label([heads])])) == 0.0


def test_a_date_in_the_question_draws_what_was_said_around_it() -> None:
    cues = read("What broke last week?", NOW, "Europe/Paris")
    assert cues.time("2026-03-18T09:00:00.000Z") == 1.0
    assert 0 < cues.time("2026-03-26T09:00:00.000Z") < 1
    assert cues.time("2026-01-01T09:00:00.000Z") < 0.01
    assert cues.time("2026-01-01T09:00:00.000Z", ("2026-03-17",)) == 1.0


@pytest.mark.parametrize("question", ["What do we use today?", "Sur quoi tourne-t-on aujourd'hui ?", "Which cache?"])
def test_today_in_a_question_means_at_present(question: str) -> None:
    assert read(question, NOW, "UTC").spans == ()


def test_without_an_instant_of_asking_there_are_no_dates() -> None:
    assert read("last week", None, "UTC").spans == ()


def test_the_sort_of_answer_asked_for() -> None:
    when, count, plain = (read(text, NOW, "UTC") for text in ("Quand a lieu l'audit ?", "How many retries?", "Who?"))
    assert (when.answers("The audit is on Monday."), when.answers("The audit is long.")) == (1.0, 0.0)
    assert (count.answers("We retry 3 times."), count.answers("We retry.")) == (1.0, 0.0)
    assert plain.answers("On Monday, 3 times.") == 0.0
