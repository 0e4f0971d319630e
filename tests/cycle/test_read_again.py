"""The second pass in a night: the notes lose what a scripted model points at; its absence harms nothing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from dream.adapters.ed25519 import Ed25519Verifier
from dream.api import Dream
from dream.cycle.read_later import path_of
from dream.errors import ModelUnavailable
from dream.house import House
from dream.ledger.verify import verify
from dream.model.second_pass import SYSTEM
from dream.ports import Answer, NodeFilter, NoteFilter, Question

NOW = "2026-03-10T02:05:00Z"
LATER = "2026-03-11T02:05:00Z"
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


def night(house: House, model: Scripted | None, now: str = NOW, **how: Any) -> tuple[Dream, Any]:
    def chat(name: str) -> Any:
        if model is None:
            raise ModelUnavailable(f"There is no {name}.", "Start Ollama.")
        return model

    dream = Dream(dataclasses.replace(house, chat=chat))
    return dream, dream.cycle(now=now, judge="rules", trigger="forced", **how)


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


def holding(house: House, text: str) -> list[str]:
    return [p.name for p in house.home.root.rglob("*") if p.is_file() and text.encode() in p.read_bytes()]


def test_what_no_model_read_is_read_by_the_next_night_that_has_one(house: House, said: Any) -> None:
    night(house, None)
    before = {node.id: node.text for node in house.store.nodes(NodeFilter())}
    assert any(ADDRESS in text for text in before.values()) and holding(house, ADDRESS)
    model = Scripted(pointing(ADDRESS))
    _, outcome = night(house, model, LATER)
    assert len(model.asked) == 2
    assert not holding(house, ADDRESS)
    assert "On livre chez Odile au [redacted:address], toujours le mardi." in texts(house)
    after = {node.id: node.text for node in house.store.nodes(NodeFilter())}
    assert after == {each: text.replace(ADDRESS, "[redacted:address]") for each, text in before.items()}
    assert "read 4 notes that had waited for a model, and took out 1 × address." in outcome.report.changelog
    assert verify(house.home, Ed25519Verifier(), [house.store], full=True).ok
    again = Scripted(pointing(ADDRESS))
    night(house, again, "2026-03-12T02:05:00Z")
    assert not again.asked


def test_a_model_that_goes_away_again_is_asked_the_rest_another_night(house: House, said: Any) -> None:
    night(house, None)
    replies = iter([pointing(ADDRESS)])

    def once(text: str) -> str:
        reply = next(replies, None)
        if reply is None:
            raise ModelUnavailable("It went away.", "")
        return reply(text)

    _, outcome = night(house, Scripted(once), LATER)
    assert "; 1 still wait." in outcome.report.changelog
    model = Scripted(pointing(ADDRESS))
    night(house, model, "2026-03-12T02:05:00Z")
    assert len(model.asked) == 1 and "port de la base" in model.asked[0].user


def test_a_name_leaves_what_was_said_with_it_and_stays_elsewhere(house: House, client: Any) -> None:
    told = "Odile Marchand suit un traitement pour le diabète. Odile Marchand vend la maison au bord du lac cet été."
    client.said("s-1", ("user", told + " On garde SQLite pour la base de recette, et le port reste 5433."))
    night(house, None)
    quote = "Odile Marchand suit un traitement pour le diabète"
    reply = json.dumps({"spans": [{"quote": quote, "kind": "health"}]})
    night(house, Scripted(lambda text: reply), LATER)
    assert not holding(house, "diab")
    assert "Odile Marchand vend la maison au bord du lac cet été." in texts(house)


def test_a_forgotten_note_waits_no_more_and_a_dry_night_reads_none(house: House, said: Any) -> None:
    dream, _ = night(house, None)
    gone = next(note for note in house.store.notes(NoteFilter()) if note.session == "s-2")
    dream.forget(gone.id)
    model = Scripted(pointing(ADDRESS))
    night(house, model, LATER, dry_run=True)
    assert not model.asked and holding(house, ADDRESS)
    night(house, model, LATER)
    assert len(model.asked) == 1


def test_a_list_that_is_torn_is_none_and_the_night_goes_on(house: House, said: Any) -> None:
    night(house, None)
    path_of(house.home).write_text('{"notes": [', encoding="utf-8")
    model = Scripted(pointing(ADDRESS))
    night(house, model, LATER)
    assert not model.asked
