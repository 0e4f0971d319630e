"""A frame tells the values of a sentence from its topic, and knows what it says is over."""

from __future__ import annotations

import pytest

from dream.capture.salience import grade
from dream.debate.frames import FrameReader
from dream.model.frame import Figure, Frame


def read(reader: FrameReader, text: str) -> Frame:
    return reader.read_said(text, "2026-03-10T09:00:00.000Z", "Europe/Paris", grade(text, "user")[1])


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("the kiln fires at 1240 degrees", Figure("1240", "degree")),
        ("le four monte à 1240 °", Figure("1240", "degree")),
        ("uploads are capped at 35MB", Figure("35", "mb")),
        ("la limite est de 35 Mo", Figure("35", "mb")),
        ("trois essais par client", Figure("3", "")),
        ("we open at 9:05", Figure("09:05", "clock")),
        ("on ouvre à 9 h 05", Figure("09:05", "clock")),
        ("closing is at 6 p.m. sharp", Figure("18:00", "clock")),
        ("la TVA est de 5,5 %", Figure("5.5", "percent")),
        ("a seat costs € 49", Figure("49", "eur")),
    ],
)
def test_a_figure_is_read_with_its_unit_in_either_language(reader: FrameReader, text: str, figure: Figure) -> None:
    assert figure in read(reader, text).figures


@pytest.mark.parametrize(
    "text", ["réunion à 16h", "avant 16h", "on ouvre entre 9h et 16h", "it closes at 16:00", "by 4 pm"]
)
def test_an_hour_of_the_day_is_no_length(reader: FrameReader, text: str) -> None:
    assert Figure("16:00", "clock") in read(reader, text).figures
    assert Figure("2", "hour") in read(reader, "il faut 2h de marge").figures


def test_a_number_of_one_language_may_be_a_word_of_the_other(reader: FrameReader) -> None:
    assert not read(reader, "le four est au premier étage").figures
    assert read(reader, "the four kilns are upstairs").figures


def test_a_date_is_neither_a_figure_nor_a_topic(reader: FrameReader) -> None:
    frame = read(reader, "the glaze workshop moved to 2026-04-14")
    assert frame.dates == ("2026-04-14",)
    assert not frame.figures


def test_names_are_told_by_their_capital_and_kept_whole(reader: FrameReader) -> None:
    assert ("marta", "oliveira") in read(reader, "ask Marta Oliveira for the keys").names
    assert ("jean", "luc") not in read(reader, "The keys are in the drawer").names


def test_a_word_that_opens_a_sentence_is_a_name_only_if_no_language_knows_it(reader: FrameReader) -> None:
    assert read(reader, "Zorblat handles the invoices").names == {("zorblat",)}
    assert not read(reader, "Invoices go out on Mondays").names


@pytest.mark.parametrize("code", ["glaze.spec.ts", "KL-318", "gra7", "my_module", ".nvmrc"])
def test_identifiers_are_values(reader: FrameReader, code: str) -> None:
    assert code.lower() in read(reader, f"it is about {code} again").codes


@pytest.mark.parametrize(
    "text", ["glaze photos are in the bucket studio-raw", "les photos sont dans le bucket studio-raw"]
)
def test_words_tied_by_a_hyphen_are_the_name_of_what_stands_beside_them(reader: FrameReader, text: str) -> None:
    assert "studio-raw" in read(reader, text).codes
    assert "low-fire" not in read(reader, "we sell low-fire clay").codes


def test_the_language_something_is_written_in_is_a_value_in_one_form(reader: FrameReader) -> None:
    assert read(reader, "labels are in English").codes == read(reader, "les étiquettes sont en anglais").codes
    assert not read(reader, "Nadia is English").codes


def test_a_recurring_day_is_a_value_in_one_form(reader: FrameReader) -> None:
    assert (
        read(reader, "deliveries come on Tuesdays").days
        == read(reader, "les livraisons : le mardi").days
        == {"tuesday"}
    )


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("Glazes come from Ferro instead of Mayco.", "mayco"),
        ("we moved the shop from Etsy to Shopify", "etsy"),
        ("Finalement la compta se fait avec Pennylane, Sage c'est terminé", "sage"),
        ("Mayco is out, Ferro is in", "mayco"),
        ("It's no longer Paul for the orders, it's Nadia", "paul"),
        ("La remise passe de 10 à 15 %", "10"),
        ("Oublie Slack : on parle sur Zulip", "slack"),
        ("le mardi c'est fini, on livre le jeudi", "tuesday"),
        ("seats per workshop: 16, it was 14", "14"),
    ],
)
def test_what_is_said_to_be_over_is_known(reader: FrameReader, text: str, over: str) -> None:
    assert over in read(reader, text).gone


def test_a_turned_round_forget_says_nothing_is_over(reader: FrameReader) -> None:
    assert not read(reader, "n'oublie pas que les commandes passent par Nadia").gone


@pytest.mark.parametrize(
    "text", ["It was a lovely market.", "We went to Lyon. It was a long drive", "C'était un bel atelier"]
)
def test_a_tale_ends_nothing(reader: FrameReader, text: str) -> None:
    assert not read(reader, text).gone


@pytest.mark.parametrize(
    "text",
    [
        "we can't fire stoneware on Sundays",
        "the kiln does not take lids",
        "don't stack bowls",
        "je ne mange pas de porc",
    ],
)
def test_a_refusal_ends_nothing(reader: FrameReader, text: str) -> None:
    frame = read(reader, text)
    assert frame.negative and not frame.gone


def test_words_of_two_languages_that_name_one_thing_meet(reader: FrameReader) -> None:
    english, french = read(reader, "the refund delay"), read(reader, "le délai de remboursement")
    assert all(any(sense & other for other in french.topic) for sense in english.topic)


def test_a_phrase_may_hold_words_that_alone_only_steer(reader: FrameReader) -> None:
    english, french = read(reader, "I work from home"), read(reader, "je suis en télétravail")
    assert any(mine & theirs for mine in english.topic for theirs in french.topic)
    assert not read(reader, "it works, we keep going").topic


@pytest.mark.parametrize("text", ["", "…", "🙂", "?!", "[redacted:password]", "«»", "\x00", "a" * 5000])
def test_odd_text_makes_an_odd_frame_and_no_error(reader: FrameReader, text: str) -> None:
    assert isinstance(read(reader, text), Frame)


@pytest.mark.parametrize(
    "text", ["Thanks, Camille!", "Wow Camille, the kiln is gorgeous", "Merci Camille, on cuit demain"]
)
def test_who_is_spoken_to_is_no_value_of_what_is_said(reader: FrameReader, text: str) -> None:
    assert ("camille",) not in read(reader, text).names
    assert ("camille",) in read(reader, "ask Camille for the kiln").names


@pytest.mark.parametrize(
    "text",
    ["N'oublie pas que le four sèche la nuit.", "N’oubliez pas : le four sèche.", "Don't forget that the kiln dries."],
)
def test_what_asks_to_remember_denies_nothing(reader: FrameReader, text: str) -> None:
    assert not reader.read_said(text, "2026-03-02T09:00:00.000Z", "UTC").negative
