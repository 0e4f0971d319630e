"""A number goes when the sentence says what it is, whether or not its check fits; the same number unnamed stays."""

from __future__ import annotations

import time

import pytest
from redact_recipes import cook

from dream.capture.redact import UNTAGGED, redact
from dream.capture.redact_named import NAMED

WRONG = {
    "nir": ("1 81 07 69 {d3} {d3} 37", "2 79 11 33 {d3} {d3} 99"),
    "sin": ("046 {d3} {d3}", "130-{d3}-{d3}"),
    "account": ("CA-815-{d5}-{d4}-{d7}", "30004 00812 {d11} 55"),
    "passport": ("{d2}XK{d5}", "X{d7}"),
    "card": ("4970 {d4} {d4} {d4}", "4970{d12}"),
}
SAID = {
    "nir": [
        "mon numéro de sécu … c'est {}",
        "mon n° de sécurité sociale : {}, pour la mutuelle",
        "{} c'est mon numéro de sécu",
        "carte vitale {}",
    ],
    "sin": ["mon NAS est le {}", "my SIN is {}, keep it", "numéro d'assurance sociale : {}", "{} is my SIN"],
    "account": [
        "coordonnées bancaires de la SCI : {}",
        "voici mon RIB, {}",
        "mon compte bancaire, c'est le {} à la caisse",
        "bank details: account {}",
    ],
    "passport": ["mon passeport, numéro {}, expire en juin", "passport number {}", "carte d'identité n° {}"],
    "card": ["ma carte bleue : {}", "card number {} exp 09/29", "ma CB c'est {}"],
}


@pytest.mark.parametrize(("kind", "frame"), [(kind, frame) for kind, frames in SAID.items() for frame in frames])
def test_a_number_beside_its_name_goes_whatever_its_check_says(kind: str, frame: str) -> None:
    for recipe in WRONG[kind]:
        for seed in range(6):
            number = cook(recipe, seed)[0]
            out = redact(frame.replace("{}", number))[0]
            head, _, tail = frame.partition("{}")
            assert out.startswith(f"{head}[redacted:") and out.endswith(f"]{tail}"), out


@pytest.mark.parametrize("kind", sorted(WRONG))
def test_the_same_number_without_its_name_stays(kind: str) -> None:
    if kind == "card":
        pytest.skip("a card's number may pass its check by chance")
    for recipe in WRONG[kind]:
        for seed in range(6):
            number = cook(recipe, seed)[0]
            for frame in ("le lot {} est arrivé", "rangée {} du tableau", "réf. {}"):
                text = frame.replace("{}", number)
                assert redact(text)[0] == text


@pytest.mark.parametrize(
    "text",
    [
        "le numéro de licence est 2026-51873-SCI",
        "numéro de dossier 2026-51873",
        "ma licence, numéro 2026-51873-SCI, expire en mars",
        "numéro de contrat 2026 518 733",
        "la sécurité sociale a remboursé 1 204 500 000 euros",
        "mon NAS est passé en version 7.2.1-69057",
        "le NAS a 4 disques de 8000 Go",
        "SIN(046454286) et COS",
        "compte AWS 123456789012",
        "account number of followers: 1200000",
        "bank account table has 1048576 rows",
        "un IBAN français fait 27 caractères",
        "passport.js v0.7.0 et 120000 téléchargements",
        "permis de construire PC 031 555 25 A0044",
        "the CVV check was added in 2019",
        '{"card": null, "cvc": "123"}',
        "numéro de sécurité sociale : champ de 15 caractères",
        "un faux numéro de sécu : 1 81 07 69 123 456 37",
        "routing table has 1200000 entries",
        "numéro de commande 4417093328",
    ],
)
def test_h15_numbers_of_other_things_stay(text: str) -> None:
    assert redact(text)[0] == text


def test_a_named_number_gets_no_tag_since_it_could_be_guessed_back() -> None:
    assert {rule.name for rule in NAMED} <= UNTAGGED


TOKEN = "gh" + "p_" + "aB3dE6gH9j" * 3 + "kL5mN8"


@pytest.mark.parametrize("after", ["fini", "fini\nsuite", "ok\nok\nok", "licence MIT\nfin", "done\n\n- un"])
def test_the_lines_after_a_whole_token_stay(after: str) -> None:
    assert redact(f"export TOKEN={TOKEN}\n{after}")[0] == f"export TOKEN=[redacted:github-token]\n{after}"


def test_a_token_folded_once_takes_no_line_of_prose_with_it() -> None:
    out = redact(f"voici {TOKEN[:20]}\n{TOKEN[20:]}\nfini\nsuite")[0]
    assert out == "voici [redacted:github-token]\nfini\nsuite"


@pytest.mark.parametrize(
    "unit",
    ["sécu 1 23 ", "NAS 123 ", "SIN 123-", "rib 1 ", "iban AB12 ", "carte bancaire 4 ", "passeport A1", "account 1"],
)
def test_named_numbers_take_time_in_step_with_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = 9e9
        for _ in range(3):
            begin = time.process_time()
            redact(text)
            best = min(best, time.process_time() - begin)
        return best

    assert seconds(16_000) < 0.03 + 20 * seconds(2_000)
