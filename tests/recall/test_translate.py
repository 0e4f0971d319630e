"""Renderings from a small lexicon of our own, and what search does with them."""

from __future__ import annotations

from typing import Any

from dream.adapters.snowball import SnowballAnalyser
from dream.model.hit import Query
from dream.recall.translate import Translations

LINES = ["annuler|annulation\tcancel", "gel du code\tcode freeze", "gel\tfrost", "pain\tbread", "douleur\tpain",
         "facture\tinvoice|bill", "broken line"]  # fmt: skip
ANALYSER = SnowballAnalyser()
SMALL = Translations(ANALYSER, LINES)


def stems(question: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    return dict(SMALL.of(ANALYSER.terms(question)).by_term)


def test_a_word_is_rendered_both_ways() -> None:
    assert stems("who paid the invoice") == {"invoic": (("factur",),)}
    assert stems("les factures")["factur"] == (("invoic",), ("bill",))


def test_a_phrase_is_rendered_as_one_and_its_parts_beside_it() -> None:
    found = stems("the code freeze")
    assert ("gel", "cod") in found["cod"]


def test_a_rendering_that_is_a_word_of_the_same_language_is_left_out() -> None:
    assert "bread" not in stems("who bought bread")


def test_a_question_finds_what_was_said_in_the_other_language(memory: Any) -> None:
    memory.note("La facture part le premier du mois.")
    memory.note("Lunch is at noon.", session="s2")
    hits = memory.search(translations=SMALL).search(Query("when is the invoice sent")).hits
    assert [hit.text for hit in hits] == ["La facture part le premier du mois."]


def test_the_shipped_lexicon_opens() -> None:
    assert Translations.packaged(ANALYSER).of(ANALYSER.terms("the subscription")).words
