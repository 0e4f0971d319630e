"""A fault that is denied is none: only what went wrong is cast as an error, and only that grows in the garden."""

from __future__ import annotations

import pytest

from dream.cycle.casting import kind_of
from dream.debate.cluster import single
from dream.debate.faults import tells_a_fault
from dream.debate.frames import FrameReader
from dream.model.graph import NodeKind
from tests.debate.conftest import Say


@pytest.mark.parametrize(
    "text",
    [
        "La bascule vers le nouveau routeur s'est faite sans casse.",
        "The move to the new router went through without a single error.",
        "L'import n'a pas planté depuis lundi.",
        "The importer never fails on Mondays.",
        "Le script ne plante plus sur les accents.",
        "The importer no longer crashes on umlauts.",
        "Aucune panne depuis le mois de mai.",
        "Zero errors in March.",
        "The whole run of March was error-free.",
        "La mise à jour est passée sans la moindre erreur.",
    ],
)
def test_a_fault_that_is_denied_is_no_error(text: str, say: Say, reader: FrameReader) -> None:
    note = say(text)
    assert not tells_a_fault(text)
    assert kind_of(single(note), reader.read_said(note.text, note.at, "UTC", note.signals)) is not NodeKind.ERROR


@pytest.mark.parametrize(
    "text",
    [
        "Sans le VPN, le script plante.",
        "Sans VPN le script plante.",
        "Without the cache the build fails.",
        "The export crashed because the temp folder was full.",
        "Ce n'est pas le cache, c'est une fuite de mémoire.",
        "The build not only fails, it hangs.",
        "The build fails without the flag.",
        "On a eu une panne sans prévenir personne.",
        "The parser never worked and crashes on quotes.",
        "The bug was not caused by the driver.",
    ],
)
def test_a_fault_beside_a_denial_of_something_else_stays_one(text: str) -> None:
    assert tells_a_fault(text)


def test_what_went_wrong_is_still_cast_as_an_error(say: Say, reader: FrameReader) -> None:
    note = say("The export crashed on Friday because the temp folder was full.")
    told = kind_of(single(note), reader.read_said(note.text, note.at, "UTC", note.signals))
    assert told is NodeKind.ERROR
