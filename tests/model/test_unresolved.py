"""Days that no calendar has are reported in both languages, and nothing else is."""

from __future__ import annotations

import pytest

from dream.model.relative import resolve
from dream.model.unresolved import unresolved


def found(text: str) -> tuple[str, ...]:
    return unresolved(text, resolve(text, "2026-01-10T09:00:00.000Z", "Europe/Paris"))


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("La livraison est prévue le 31 juin.", "31 juin"),
        ("Rendez-vous le 29 février 2026 à Nantes.", "29 février 2026"),
        ("Fermé du 28 au 31 février.", "31 février"),
        ("Le contrat court jusqu'au 31 sept. 2027.", "31 sept. 2027"),
        ("À rendre le 31/02/2026 au plus tard.", "31/02/2026"),
        ("Facture du 31.06.2026.", "31.06.2026"),
        ("The audit is on February 30.", "February 30"),
        ("The audit is on 30 February 2026.", "30 February 2026"),
        ("We close on the 31st of April.", "31st of April"),
        ("Due April 31st, at noon.", "April 31st"),
        ("Open until Feb 29, 2027, then gone.", "Feb 29, 2027"),
        ("2026-02-30 is the deadline.", "2026-02-30"),
        ("Cutover on 2026-13-01.", "2026-13-01"),
        ("Signed on 2/30/2026.", "2/30/2026"),
    ],
)
def test_a_day_that_does_not_exist_is_named(text: str, phrase: str) -> None:
    assert found(text) == (phrase,)


@pytest.mark.parametrize(
    "text",
    [
        "Le loyer est dû le 30 juin.",
        "Né un 29 février.",
        "En avril 31 commandes sont parties.",
        "In June 31 people came.",
        "The other 32 may wait.",
        "The release is 2026.2.30.1 and the order is A-2026-02-31.",
        "`2026-02-30` is what the test feeds the parser.",
        "See https://example.org/2026-02-30 for more.",
        "Signed on 12/31/2026, due 31/12/2026.",
        "We need 31 juniors.",
        "",
    ],
)
def test_what_is_a_day_or_no_date_at_all_is_left_alone(text: str) -> None:
    assert found(text) == ()


def test_several_come_in_the_order_of_the_text() -> None:
    assert found("Moved from 31 June to 31 November.") == ("31 June", "31 November")
