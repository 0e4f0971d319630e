"""What a sentence says is over."""

from __future__ import annotations

import pytest

from dream.capture.salience import grade
from dream.debate.frames import FrameReader


def gone(reader: FrameReader, text: str) -> set[str]:
    return set(reader.read_said(text, "2026-03-10T09:00:00.000Z", "Europe/Paris", grade(text, "user")[1]).gone)


@pytest.mark.parametrize(
    ("text", "over", "stands"),
    [
        ("we swapped Mayco for Ferro", "mayco", "ferro"),
        ("the studio left Sage for Pennylane", "sage", "pennylane"),
        ("on a troqué Sage contre Pennylane", "sage", "pennylane"),
        ("les envois migrent de Postalo vers Colibro", "postalo", "colibro"),
        ("Nadia took the order book over from Bruno", "bruno", "nadia"),
        ("Mayco lost out to Ferro", "mayco", "ferro"),
        ("le mardi et le jeudi, le lundi est rayé", "monday", "thursday"),
        ("we use the wiki, the notebook has been deleted", "notebook", "wiki"),
        ("the ramp goes from 90 to 120 minutes", "90", "120"),
    ],
)
def test_the_old_is_over_and_the_new_stands(reader: FrameReader, text: str, over: str, stands: str) -> None:
    assert over in gone(reader, text)
    assert stands not in gone(reader, text)


@pytest.mark.parametrize(
    "text",
    [
        "8 boxes are left",
        "there are 3 days left",
        "the glaze room is off limits",
        "the shop is closed on Mondays",
        "orders have gone to 40 a week",
        "la panne, c'était la carte du four",
        "24 heures et plus",
        "keep no more than 20 plates",
    ],
)
def test_words_of_an_end_that_go_on_to_say_something_else_end_nothing(reader: FrameReader, text: str) -> None:
    assert not gone(reader, text)


def test_to_is_a_word_of_english_and_a_unit_only_with_a_capital(reader: FrameReader) -> None:
    figures = {figure.unit for figure in reader.read("the limit goes up from 60 to 75 euros").figures}
    assert "tb" not in figures
    assert {figure.unit for figure in reader.read("le disque fait 60 To").figures} == {"tb"}


def test_a_place_has_one_name_in_two_languages(reader: FrameReader) -> None:
    assert reader.read("l'atelier de Genève ferme").names == reader.read("the studio in Geneva closes").names
