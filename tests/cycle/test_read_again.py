"""The second pass in a night: the notes lose what a scripted model points at; its absence harms nothing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from dream.api import Dream
from dream.errors import ModelUnavailable
from dream.house import House
from dream.model.second_pass import SYSTEM
from dream.ports import Answer, NoteFilter, Question

NOW = "2026-03-10T02:05:00Z"
ADDRESS = "4 impasse du Moulin"


class Scripted:
    """Answers by what it is asked; counts what it was told to do."""

    name = "gemma4:e4b"

    def __init__(self, reply: Callable[[str], str]) -> None:
        self.reply = reply
        self.asked: list[Question] = []
        self.done: list[str] = []

    def prepare(self) -> str:
        self.done.append("prepare")
        return "digest"

    def complete(self, question: Question) -> Answer:
        self.asked.append(question)
        return Answer(self.reply(question.user))

    def release(self) -> None:
        self.done.append("release")


def pointing(*quotes: str) -> Callable[[str], str]:
    return lambda text: json.dumps({"spans": [{"quote": q, "kind": "address"} for q in quotes if q in text]})


def night(house: House, model: Scripted | None, **how: Any) -> tuple[Dream, Any]:
    def chat(name: str) -> Any:
        if model is None:
            raise ModelUnavailable(f"There is no {name}.", "Start Ollama.")
        return model

    dream = Dream(dataclasses.replace(house, chat=chat))
    return dream, dream.cycle(now=NOW, judge="rules", **how)


@pytest.fixture
def said(client: Any) -> Any:
    client.said(
        "s-1",
        ("user", f"On livre chez Odile au {ADDRESS}, toujours le mardi. On garde SQLite pour la base de recette."),
        ("assistant", "C'est noté pour la base SQLite."),
    )
    client.said("s-2", ("user", "Le port de la base de recette est 5433, pas le port habituel."))
    return client


def texts(house: House) -> list[str]:
    return [note.text for note in house.store.notes(NoteFilter())]


def test_what_the_model_points_at_is_in_no_note_and_the_rest_stays(house: House, said: Any) -> None:
    model = Scripted(pointing(ADDRESS))
    _, outcome = night(house, model)
    held = texts(house)
    assert "On livre chez Odile au [redacted:address], toujours le mardi." in held
    assert "On garde SQLite pour la base de recette." in held
    assert not [path for path in house.home.root.rglob("*") if path.is_file() and ADDRESS.encode() in path.read_bytes()]
    assert len(model.asked) == 2 and all(each.system == SYSTEM for each in model.asked)
    assert model.done == ["prepare", "release"]
    assert "gemma4:e4b read the notes again and took out 1 × address." in outcome.report.changelog.replace("\\", "")


@pytest.mark.parametrize("reply", ["", "J'ai tout réécrit.", '{"spans": "tout"}', '{"spans": [{"quote": "Zoé"}]}'])
def test_nonsense_leaves_the_notes_as_the_patterns_left_them(house: House, said: Any, reply: str) -> None:
    night(house, Scripted(lambda _: reply))
    assert any(ADDRESS in text for text in texts(house))


def test_a_model_that_is_not_there_costs_nothing_and_the_night_says_so(house: House, said: Any) -> None:
    _, outcome = night(house, None)
    assert any(ADDRESS in text for text in texts(house))
    assert "No model read the notes again" in outcome.report.changelog


def test_a_model_that_goes_away_is_not_asked_again(house: House, said: Any) -> None:
    def away(_: str) -> str:
        raise ModelUnavailable("It went away.", "")

    model = Scripted(away)
    _, outcome = night(house, model)
    assert len(model.asked) == 1
    assert "went away" in outcome.report.changelog
    assert len(texts(house)) == 4


def test_a_reply_that_points_at_everything_is_set_aside_and_the_next_page_is_read(house: House, client: Any) -> None:
    long = "On garde SQLite pour la base de recette parce que le serveur est petit et que personne ne veut en changer."
    client.said("s-1", ("user", long))
    client.said("s-2", ("user", f"On livre chez Odile au {ADDRESS}, toujours le mardi."), at="2026-03-09T10:00")
    model = Scripted(lambda text: pointing(long, ADDRESS)(text))
    _, outcome = night(house, model)
    assert len(model.asked) == 2
    assert long in texts(house) and not any(ADDRESS in text for text in texts(house))
    assert "1 of its replies made no sense" in outcome.report.changelog


def test_without_a_name_no_model_is_looked_for(house: House, said: Any) -> None:
    bare = dataclasses.replace(house, settings=dataclasses.replace(house.settings, sanitize_model=""))
    model = Scripted(pointing(ADDRESS))
    _, outcome = night(bare, model)
    assert not model.asked and not model.done
    assert "read the notes again" not in outcome.report.changelog


def test_a_quotation_over_two_sentences_is_taken_out_of_both(house: House, client: Any) -> None:
    client.said(
        "s-3", ("user", "Odile habite au bout du chemin. Sa porte est la verte. On garde SQLite pour les notes.")
    )
    night(house, Scripted(pointing("bout du chemin.\nSa porte est la verte")))
    held = texts(house)
    assert "Odile habite au [redacted:address]" in held and "[redacted:address]." in held
    assert "On garde SQLite pour les notes." in held
