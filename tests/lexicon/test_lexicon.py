"""The word lists hold their format: who reads them may split, compare and trust them without checking again."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

from dream.adapters.snowball import SnowballAnalyser, stemmed
from dream.debate.lexicon import Lexicon, fold

LISTS = ("fr_en.tsv", "common_en.txt", "common_fr.txt", "task_verbs_en.txt", "task_verbs_fr.txt")
AT_LEAST = {
    "fr_en.tsv": 9000,
    "common_en.txt": 15000,
    "common_fr.txt": 35000,
    "task_verbs_en.txt": 250,
    "task_verbs_fr.txt": 250,
}
WORD = re.compile(r"[a-zà-öø-ÿœ]+(?:[-'][a-zà-öø-ÿœ]+)*")
TERM = re.compile(r"[a-zà-öø-ÿœ0-9²]+(?:(?:[-' ]|' )[a-zà-öø-ÿœ0-9²]+)*'?")
LASTING = {"use", "keep", "prefer", "remember", "avoid", "call"}
DURABLE = {"utiliser", "prendre", "garder", "éviter", "appeler", "préférer", "retenir"}
GIVEN_NAMES = {"pierre", "marie", "claire", "paul", "lucas", "emma", "mark", "john", "james", "grace", "mason"}
PLACES = {"france", "allemagne", "germany", "paris", "london", "londres", "europe", "suisse", "vienne"}


def read(name: str) -> str:
    return files("dream.lexicon").joinpath(name).read_text(encoding="utf-8")


def lines(name: str) -> list[str]:
    return read(name).splitlines()


def pairs() -> list[tuple[list[str], list[str]]]:
    return [(left.split("|"), right.split("|")) for left, right in (line.split("\t") for line in lines("fr_en.tsv"))]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_sorted_unique_and_long_enough(name: str) -> None:
    rows = lines(name)
    assert rows == sorted(set(rows))
    assert len(rows) >= AT_LEAST[name]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_no_blank_no_capital_and_ends_with_one_newline(name: str) -> None:
    text = read(name)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert "\ufeff" not in text
    assert "’" not in text
    assert text == text.lower()
    assert all(row and row == row.strip() for row in text.splitlines())


def test_every_line_of_the_lexicon_pairs_french_terms_with_english_terms() -> None:
    for row in lines("fr_en.tsv"):
        assert row.count("\t") == 1, row
    for french, english in pairs():
        for side in (french, english):
            assert len(side) == len(set(side)), side
            assert all(TERM.fullmatch(term) for term in side), side


def test_no_term_is_spread_over_more_than_four_lines() -> None:
    for side in (0, 1):
        spread = Counter(term for pair in pairs() for term in pair[side])
        assert {term: n for term, n in spread.items() if n > 4} == {}


def test_words_that_carry_no_meaning_of_their_own_pair_with_nothing() -> None:
    french = {term for pair in pairs() for term in pair[0]}
    english = {term for pair in pairs() for term in pair[1]}
    assert not french & {"le", "de", "et", "à", "être", "avoir", "faire", "est", "un", "son", "pas", "plus", "avec"}
    assert not english & {"the", "of", "and", "to", "be", "have", "it", "us", "a", "with", "is", "from", "not", "all"}


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("déploiement", "deployment"),
        ("passerelle", "gateway"),
        ("remboursement", "refund"),
        ("relance", "reminder"),
        ("sauvegarde", "backup"),
        ("seuil", "threshold"),
        ("octet", "byte"),
        ("chaque semaine", "weekly"),
        ("cacahuète", "peanut"),
        ("œuf", "egg"),
        ("oeuf", "egg"),
        ("allemagne", "germany"),
        ("jeudi", "thursday"),
        ("capture d'écran", "screenshot"),
        ("cœliaque", "coeliac"),
        ("resto", "restaurant"),
        ("rgpd", "gdpr"),
    ],
)
def test_a_french_term_meets_its_english_term(french: str, english: str) -> None:
    assert any(french in left and english in right for left, right in pairs())


def test_a_term_with_an_elided_word_is_found_as_sentences_write_it() -> None:
    def stem(word: str) -> str:
        return (SnowballAnalyser().terms(word) or [""])[0]

    lexicon = Lexicon(stem, ["capture d'écran\tscreenshot", "s'abonner\tsubscribe"], [])
    found = lexicon.phrase((stem("captures"), stem("ecran")))
    assert found is not None
    assert "#0" in found[1]
    assert "#1" in lexicon.senses(stem("abonner"))


@pytest.mark.parametrize(("french", "english"), [("commande", "queue"), ("bibliothèque", "bookshop"), ("mars", "may")])
def test_false_friends_are_not_paired(french: str, english: str) -> None:
    assert not any(french in left and english in right for left, right in pairs())


@pytest.mark.parametrize("name", ["common_en.txt", "common_fr.txt"])
def test_common_forms_are_words_and_no_names(name: str) -> None:
    forms = set(lines(name))
    assert all(WORD.fullmatch(form) for form in forms)
    assert not forms & (GIVEN_NAMES | PLACES)


def test_common_forms_hold_inflections_of_both_languages() -> None:
    assert {"the", "goes", "went", "going", "children", "cheaper", "don't", "quickly"} <= set(lines("common_en.txt"))
    assert {"les", "allons", "faites", "nouvelle", "journaux", "peut-être", "achète", "aujourd'hui"} <= set(
        lines("common_fr.txt")
    )


def test_task_verbs_leave_out_the_verbs_of_lasting_instructions() -> None:
    english = set(lines("task_verbs_en.txt"))
    assert not english & LASTING
    assert {"add", "fix", "refactor", "rename", "explain", "run", "draft", "summarise", "translate", "book"} <= english


def test_french_task_verbs_carry_both_imperatives() -> None:
    rows = [row.split("\t") for row in lines("task_verbs_fr.txt")]
    for row in rows:
        assert len(row) == 3, row
        infinitive, familiar, polite = row
        assert WORD.fullmatch(infinitive)
        assert infinitive.endswith(("er", "ir", "re"))
        assert WORD.fullmatch(familiar)
        assert polite.endswith(("ez", "tes"))
    assert len({row[0] for row in rows}) == len(rows)
    assert not {row[0] for row in rows} & DURABLE
    assert ["ouvrir", "ouvre", "ouvrez"] in rows
    assert ["faire", "fais", "faites"] in rows


def test_the_stems_made_beforehand_are_those_the_stemmers_make() -> None:
    folder = files("dream.lexicon")
    lines = folder.joinpath("stems.tsv").read_text("utf-8").splitlines()
    assert lines == sorted(lines)
    table = dict(line.split("\t") for line in lines)
    assert {word: stem for word, stem in table.items() if stemmed(word) != stem} == {}
    words = set(re.split(r"\W+|_", fold(folder.joinpath("fr_en.tsv").read_text("utf-8"))))
    assert {word for word in words if len(word) > 2 and word.isalpha()} <= table.keys()
