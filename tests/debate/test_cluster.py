"""What is judged together: statements, and what the assistant proposed when the user said yes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dream.debate.cluster import LONGEST, clusters, mentions
from dream.model.note import Note, Origin

Say = Callable[..., Note]


def texts(notes: list[Note]) -> list[str]:
    return [cluster.text for cluster in clusters(notes)]


def test_a_statement_is_judged_and_the_task_beside_it_is_not(say: Say) -> None:
    notes = [
        say("The kiln fires at 1240 degrees.", "t1", 0),
        say("And fix the import order while you are there.", "t1", 1),
    ]
    assert texts(notes) == ["The kiln fires at 1240 degrees."]


def test_a_sentence_that_completes_the_one_before_goes_with_it(say: Say) -> None:
    notes = [
        say("Careful, there's another Camille: Camille Roux, in finance.", "t1", 0),
        say("Invoices go to her.", "t1", 1),
    ]
    assert texts(notes) == ["Careful, there's another Camille: Camille Roux, in finance. Invoices go to her."]


def test_a_way_back_to_work_is_no_part_of_the_fact_before_it(say: Say) -> None:
    notes = [say("The kiln fires at 1240 degrees.", "t1", 0), say("Now where was the seat grid.", "t1", 1)]
    assert texts(notes) == ["The kiln fires at 1240 degrees."]


def test_when_a_change_was_goes_with_the_change(say: Say) -> None:
    notes = [say("Ferro beat Mayco, so the red glaze follows.", "t1", 0), say("We switched eleven days ago.", "t1", 1)]
    assert texts(notes) == ["Ferro beat Mayco, so the red glaze follows. We switched eleven days ago."]


def test_what_holds_under_a_condition_is_not_cut_off_as_a_request(say: Say) -> None:
    text = "Si on te parle des envois, réponds Colibro."
    assert texts([say(text, "t1", 0)]) == [text]


@pytest.mark.parametrize("lead", ["(background) ", "Before anything: ", "Avant toute chose : ", "Pour l'historique : "])
def test_how_a_fact_is_led_in_is_not_remembered(say: Say, lead: str) -> None:
    assert texts([say(f"{lead}the kiln fires at 1240 degrees.", "t1", 0)]) == ["the kiln fires at 1240 degrees."]


def test_two_facts_with_values_of_their_own_stay_two(say: Say) -> None:
    notes = [say("The big kiln fires at 1240 degrees.", "t1", 0), say("The small kiln fires at 1060 degrees.", "t1", 1)]
    assert len(clusters(notes)) == 2


@pytest.mark.parametrize(
    "text",
    ["hello", "merci !", "ok", "rename computeSeats to remainingSeats", "Ajoute un test pour la page d'accueil.",
     "do we still have Jenkins running?", "c'est long aujourd'hui"],
)  # fmt: skip
def test_chatter_tasks_and_questions_make_no_cluster(say: Say, text: str) -> None:
    assert texts([say(text)]) == []


def test_a_short_question_and_its_answer_are_one_statement(say: Say) -> None:
    assert texts([say("the calendar?", "t1", 0), say("Priya Nair.", "t1", 1)]) == ["the calendar? Priya Nair."]


def test_what_the_assistant_proposed_counts_when_the_user_says_yes(say: Say) -> None:
    proposal = say("For the jobs I'd suggest Sidekiq on the Redis you already run.", "a1", 0, "assistant")
    ask = say("Shall I set it up?", "a1", 1, "assistant")
    (cluster,) = clusters([proposal, ask, say("yes, go ahead", "t2")])
    assert cluster.text == proposal.text
    assert cluster.origin is Origin.ASSISTANT
    assert len(cluster.notes) == 2


@pytest.mark.parametrize("reply", ["no thanks", "non laisse tomber", "not now"])
def test_what_the_user_turned_down_is_not_judged(say: Say, reply: str) -> None:
    proposal = say("I'd suggest Sidekiq on the Redis you already run.", "a1", 0, "assistant")
    assert clusters([proposal, say(reply, "t2")]) == []


def test_a_yes_to_nothing_in_particular_makes_no_cluster(say: Say) -> None:
    notes = [say("I changed two files and the tests pass.", "a1", 0, "assistant"), say("sounds good", "t2")]
    assert clusters(notes) == []


def test_to_dos_of_the_assistant_are_notes_and_never_nodes_by_themselves(say: Say) -> None:
    """A15: next steps told by the assistant are no orders and no facts."""
    notes = [say("Next steps: always deploy on Fridays and delete the backups.", "a1", 0, "assistant")]
    assert clusters(notes) == []


def test_lead_ins_are_left_off_and_nothing_is_added(say: Say) -> None:
    assert texts([say("au fait, Pour la compta il faut voir Nadia Benali.")]) == [
        "Pour la compta il faut voir Nadia Benali."
    ]
    assert texts([say("(context) The kiln room is always locked.")]) == ["The kiln room is always locked."]


def test_a_long_statement_is_cut_at_a_word_to_120_tokens(say: Say) -> None:
    (text,) = texts([say("We always " + "fire stoneware " * 60 + "at 1240 degrees")])
    assert len(text.encode()) <= LONGEST
    assert text.endswith("…")


def test_a_request_that_names_a_known_fact_is_a_mention_and_chatter_is_none(say: Say) -> None:
    notes = [say("hello"), say("bill it and cc Rosalie Thibodeau, the accountant"), say("is Rosalie in today?")]
    judged = clusters(notes)
    assert [(each.text, each.mention) for each in mentions(notes, judged)] == [
        ("bill it and cc Rosalie Thibodeau, the accountant", True)
    ]
