"""One fact, a new version of it, or two facts: precision before recall."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.adapters.snowball import SnowballAnalyser
from dream.capture.salience import grade
from dream.debate.frames import FrameReader
from dream.debate.lexicon import Lexicon
from dream.model.frame import Figure, Frame
from dream.model.identity import Kinship, relate

SAID = "2026-03-10T09:00:00.000Z"


@pytest.fixture(scope="module")
def kinship() -> object:
    analyser = SnowballAnalyser()

    def stem(word: str) -> str:
        terms = analyser.terms(word)
        return terms[0] if terms else ""

    reader = FrameReader(stem, Lexicon.packaged(stem))

    def of(new: str, old: str) -> Kinship:
        frames = [reader.read_said(text, SAID, "Europe/Paris", grade(text, "user")[1]) for text in (new, old)]
        return relate(frames[0], frames[1], lambda sense: 0.8).kinship

    return of


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("the kiln room is on the second floor", "The kiln room is on the second floor."),
        ("Deposits are 30 % of the price.", "30 % deposit on the price, as agreed"),
        ("le délai de remboursement : 6 jours", "the refund delay is 6 days"),
        ("for the glazes, ask Marta Oliveira", "Marta Oliveira looks after the glazes."),
        ("Marta handles the glazes", "Marta Oliveira handles the glazes."),
        ("Les tasses sont emballées avec Papyro.", "Mugs are packed with Papyro."),
        ("Orders are entered in Kilnbook.", "Les commandes sont saisies dans Kilnbook."),
        ("Le stock de cônes commence à 40 boîtes", "the cone stock starts at 40 boxes"),
        ("the studio in Geneva closes at 18:00", "l'atelier de Genève ferme à 18 h"),
        ("gestion des envois = Colibro", "On a troqué Postalo contre Colibro pour la gestion des envois."),
    ],
)
def test_the_same_fact_in_other_words_is_one(kinship: object, new: str, old: str) -> None:
    assert kinship(new, old) is Kinship.SAME  # type: ignore[operator]


def test_a_short_sentence_that_the_longer_one_says_in_the_other_language_is_part_of_it(kinship: object) -> None:
    english = "wiki screenshots in the light theme, the dark one prints badly"
    assert kinship("les captures d'écran : thème clair", english) is Kinship.SAME  # type: ignore[operator]


def test_a_list_of_numbers_is_one_list_in_two_languages(kinship: object) -> None:
    english = "on Friday the frost in the annex cracked shelves 11 and 12"
    french = "note le gel de l'annexe dans le cahier : étagères 11 et 12 fendues"
    assert kinship(french, english) is Kinship.SAME  # type: ignore[operator]


def test_two_that_say_that_the_same_person_is_out_and_who_is_in_tell_one_change(kinship: object) -> None:
    french = "Bruno nous quitte ; dès lundi prochain la responsable des commandes sera Nadia Haddad, au bureau du fond"
    english = "Nadia is the lead of orders now, loop her in rather than Bruno when a customer is angry"
    assert kinship(english, french) is Kinship.SAME  # type: ignore[operator]


def test_three_words_that_meet_across_languages_make_one_fact(kinship: object) -> None:
    english = "the booking calendar is unstable, it reads the system clock"
    french = "le calendrier des réservations est encore instable, c'est l'horloge du système"
    assert kinship(french, english) is Kinship.SAME  # type: ignore[operator]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("the upload limit = 35 MB", "20 MB for the upload limit"),
        ("35 Mo désormais pour la limite d'envoi, et non plus 20 Mo", "the upload limit is 20 MB"),
        ("Glazes come from Ferro instead of Mayco.", "Mayco is where the glazes come from."),
        ("La remise fidélité passe de 10 à 15 %", "la remise fidélité est de 10 %"),
        ("Finalement la compta se fait avec Pennylane, Sage c'est terminé", "On fait la compta avec Sage."),
        ("deliveries are on Thursdays now", "deliveries: Tuesdays"),
        ("expect 27 shelves, not 24", "the studio has 24 shelves"),
        ("Paul Haddad handed the order book over to Nadia Roy", "Paul Haddad owns the order book"),
        (
            "je suis partie de Dropbox, les photos des assiettes sont sur Tresorit",
            "the photos of the plates are on Dropbox",
        ),
        (
            "Kilnlink loses its connection, so we use Firewatch for all the temperature charts now",
            "the temperature charts are in Kilnlink, charts/kiln.csv",
        ),
        ("The workshop in Lille is moved to 2026-04-21", "The workshop in Lille is on 2026-04-14"),
        ("NordGlaze lost out to Ferro for the celadon glaze", "the celadon glaze comes from NordGlaze"),
        ("We swapped Kilnlink for Firewatch on the kiln charts", "the kiln charts are drawn with Kilnlink"),
        ("Ferro has taken the place of Mayco for the red glaze", "Mayco is what we use for the red glaze"),
        ("La cuisson longue n'est plus 9 heures, on est à 7 heures", "la cuisson longue dure 9 heures"),
        ("oups, 20 minutes pour le séchage était faux, c'est 35 minutes", "le séchage prend 20 minutes"),
        ("Ferro beat Mayco in the trial, so the red glaze follows", "Mayco is what we use for the red glaze"),
        ("the drying time reads 35 minutes where it read 20 minutes", "the drying time is 20 minutes"),
        ("The low stock alert fires at 12 boxes, no longer at 8", "The low stock alert fires when 8 boxes are left."),
    ],
)
def test_the_same_subject_with_another_value_is_a_new_version(kinship: object, new: str, old: str) -> None:
    assert kinship(new, old) is Kinship.SUPERSEDES  # type: ignore[operator]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Annule la règle des gants obligatoires, plus besoin", "Les gants sont obligatoires, c'est la règle."),
        (
            "bonne nouvelle, Nadia arrête le bilan du vendredi, plus de compte rendu, on se verra directement",
            "Nadia veut un compte rendu chaque vendredi, une demi-page",
        ),
    ],
)
def test_what_is_taken_back_without_a_successor_is_retracted(kinship: object, new: str, old: str) -> None:
    assert kinship(new, old) is Kinship.RETRACTS  # type: ignore[operator]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Low-priority queue: 4 workers.", "High-priority queue: 12 workers."),
        ("VAT for Belgium is 21 %", "VAT for France is 20 %"),
        ("Camille Roux is in finance", "Camille Roy is the designer"),
        ("the purge job runs at 03:20", "the export job runs at 02:30"),
        ("KL-381 is about the broken kiln", "KL-318 is about the broken door"),
        ("For emails it's five retries", "Payment calls: three retries"),
        ("The archive is in bucket kl-archive-2", "Customer photos are in bucket kl-media-1"),
        ("It's no longer Lena Fischer for the glazes, it's Marius Pop.", "Lena Fisher looks after the bank"),
        ("We decided that berth 4 takes crane 9.", "We decided that berth 3 takes crane 7."),
        (
            "The celadon glaze comes from Celadon Works in Sèvres",
            "The cobalt glaze comes from Cobalt Works in Limoges",
        ),
        ("never fire the kiln on Sundays", "the shop opens on Saturdays"),
        ("oh yes, we went to the beach, and now it is not awesome any more", "That must have been awesome."),
        ("the kitchen closes at 22:00", "le magasin ferme à 22h00"),
        ("backups of the website run at 3:00", "les sauvegardes de la compta tournent à 3h00"),
        ("Marta reviews the English pages", "Marta révise les pages françaises"),
        ("the kitchen closes at 22:00", "the shop closes at 22:00"),
        ("les commandes sont gardées 30 jours", "les photos sont gardées 30 jours"),
        ("admission for children is 5 euros", "admission for students is 5 euros"),
        ("the shop runs on Postgres 16", "the library runs on Postgres 16"),
        ("La base de test écoute sur le port 5474", "The staging database listens on port 5441"),
        ("the spare key hangs behind the kiln", "the fuse box hangs behind the kiln"),
        ("Test firings are named after rivers.", "The sold plates are named after rivers."),
        ("On Saturdays Nora opens the shop.", "Nora tient la caisse le samedi."),
        ("La chorale répète à la crypte.", "The choir rehearses in the gymnasium."),
        ("stick with Ferro for the glazes, no new supplier", "stick with Colibro for the parcels, no new supplier"),
        (
            "the shop hours are 9 to 5 instead of 10 to 6 from 2026-04-20 on",
            "the shop closed on 2026-03-02 because the lock was broken",
        ),
        (
            "the photos live on Tresorit now, how do I invite Nadia to the folder again",
            "le dossier de subvention ferme demain, il manque le CV de Nadia",
        ),
    ],
)
def test_look_alikes_stay_two(kinship: object, new: str, old: str) -> None:
    assert kinship(new, old) is Kinship.DISTINCT  # type: ignore[operator]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Nadia demande pourquoi", "great news: Nadia signed, she is our new glazer, she starts next month"),
        ("avec Nadia en plus ça coinçait : une seule cuisson suffit, on enlève la règle des deux", "Nadia asks why"),
    ],
)
def test_a_person_has_many_facts_in_two_languages_too(kinship: object, new: str, old: str) -> None:
    assert kinship(new, old) is Kinship.DISTINCT  # type: ignore[operator]


def test_who_told_of_a_change_is_not_made_old_by_a_repeat_that_names_somebody_else(kinship: object) -> None:
    told = "je suis partie de Dropbox, les photos sont rangées sur Tresorit"
    again = "the photos live on Tresorit now, how do I invite Nadia to the folder again"
    assert kinship(again, told) is not Kinship.SUPERSEDES  # type: ignore[operator]


def test_what_repeats_the_new_figure_beside_the_old_one_does_not_end_the_new_one(kinship: object) -> None:
    found = kinship("count per room: expect 27 shelves, not 24", "there are 27 shelves")  # type: ignore[operator]
    assert found is not Kinship.SUPERSEDES


def test_a_longer_list_is_no_change(kinship: object) -> None:
    old = "the glazes come from Ferro"
    assert kinship("the glazes come from Ferro and Mayco", old) is not Kinship.SUPERSEDES  # type: ignore[operator]


def test_where_a_thing_is_now_is_not_what_is_over(kinship: object) -> None:
    old = "the warehouse is in Lyon since Monday"
    assert kinship("the warehouse is in Lyon now, so take Valence off the labels", old) is not Kinship.SUPERSEDES  # type: ignore[operator]


def test_what_names_something_else_as_over_takes_nothing_back(kinship: object) -> None:
    new = "Driver names no longer need masking, that column was removed"
    assert kinship(new, "Column names are in English.") is Kinship.DISTINCT  # type: ignore[operator]


def test_an_affirmation_and_its_denial_never_become_one(kinship: object) -> None:
    found = kinship("the studio never sells second-choice plates", "the studio sells second-choice plates")  # type: ignore[operator]
    assert found is Kinship.CONTRADICTS


senses = st.sets(st.sampled_from(["kiln", "glaze", "seat", "price", "room", "queue"]), max_size=4)
figures = st.sets(
    st.builds(Figure, st.sampled_from(["3", "5", "20", "1240"]), st.sampled_from(["", "eur", "mb"])), max_size=2
)
frames = st.builds(
    Frame,
    topic=senses.map(lambda words: tuple(frozenset({word, f"#{word}"}) for word in sorted(words))),
    figures=figures.map(frozenset),
    names=st.sets(st.sampled_from([("marta",), ("marta", "oliveira"), ("ferro",)]), max_size=2).map(frozenset),
    codes=st.sets(st.sampled_from(["kl-318", "gra7"]), max_size=1).map(frozenset),
    days=st.sets(st.sampled_from(["monday", "friday"]), max_size=1).map(frozenset),
    gone=st.sets(st.sampled_from(["20", "ferro", "kiln"]), max_size=1).map(frozenset),
    negative=st.booleans(),
    update=st.booleans(),
    retract=st.booleans(),
    dates=st.sampled_from([(), ("2026-03-10",), ("2026-03-11",)]),
    size=st.integers(1, 20),
    lang=st.sampled_from(["", "fr", "en"]),
)


@given(frames, frames)
def test_two_become_one_only_where_no_value_clashes(new: Frame, old: Frame) -> None:
    """Decision 2, whatever the words are."""
    if relate(new, old, lambda sense: 0.8).kinship is Kinship.SAME:
        units = {figure.unit for figure in new.figures} & {figure.unit for figure in old.figures}
        mine = {f for f in new.figures if f.unit in units and f.amount not in new.gone}
        theirs = {f for f in old.figures if f.unit in units and f.amount not in old.gone}
        assert mine <= theirs or theirs <= mine
        for here, there in ((new.codes, old.codes), (new.days, old.days)):
            assert not (here - there and there - here)


@given(frames)
def test_a_sentence_that_ends_nothing_never_replaces_itself(frame: Frame) -> None:
    plain = replace(frame, gone=frozenset(), retract=False)
    assert relate(plain, plain, lambda sense: 0.8).kinship in (Kinship.SAME, Kinship.DISTINCT)
