"""The analyser's promises, and that of E14: what is typed finds what was written."""

from __future__ import annotations

import unicodedata

import pytest

import dream.adapters.snowball as module
from dream.adapters.snowball import LONGEST_WORD, SnowballAnalyser

analyser = SnowballAnalyser()


def shares_a_term(query: str, text: str) -> bool:
    return bool(set(analyser.terms(query)) & set(analyser.terms(text)))


@pytest.mark.parametrize("query", ["decide", "DÉCIDÉ", "décidé", "décider", unicodedata.normalize("NFD", "décidé")])
def test_e14_case_accents_and_decomposition_make_no_difference(query: str) -> None:
    assert shares_a_term(query, "Décidé : on garde Postgres")


def test_e14_a_text_and_its_decomposed_form_give_the_same_terms() -> None:
    text = "L’été dernier, le cœur du système a été réécrit à Besançon"
    assert analyser.terms(unicodedata.normalize("NFD", text)) == analyser.terms(text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("pre-commit", "on active pre-commit partout"),
        ("precommit pre commit", "on active pre-commit partout"),
        ("gemma4:12b", "le débat tourne sur gemma4:12b"),
        ("gemma4", "le débat tourne sur gemma4:12b"),
        ("booking.spec.ts", "booking.spec.ts is flaky"),
        ("booking spec", "booking.spec.ts is flaky"),
        ("AN-318", "see an-318 first"),
        ("retry", "MAX_RETRY_COUNT = 3"),
        ("max_retry_count", "MAX_RETRY_COUNT = 3"),
        ("retry count", "maxRetryCount is three"),
        ("maxretrycount", "maxRetryCount is three"),
        ("3.11", "runs on Python 3.11.7"),
        ("2026-01", "tagged on 2026-01-12"),
        ("24.04", "ubuntu 24.04"),
        ("api", "l'API publique"),
        ("API", "l’API publique"),
        ("john", "John's invoice"),
        ("companies", "the company pays"),
        ("déploiements", "le déploiement du jeudi"),
        ("東京", "来月、東京都に行く"),
    ],
)
def test_e14_code_and_words_are_found_whole_and_by_their_parts(query: str, text: str) -> None:
    assert shares_a_term(query, text)


def test_the_whole_identifier_comes_first_so_that_an_exact_match_outweighs_its_parts() -> None:
    assert analyser.terms("booking.spec.ts")[0] == "booking.spec.ts"


@pytest.mark.parametrize("text", ["c'est quoi", "what is it?", "", "   ", "🧠", '"', "*", "''"])
def test_e14_text_without_a_word_gives_no_terms(text: str) -> None:
    assert analyser.terms(text) == []


def test_e14_a_very_long_word_is_cut() -> None:
    assert [len(term) for term in analyser.terms("a" * 10_000)] == [LONGEST_WORD]


def test_an_accent_tells_a_content_word_from_a_stop_word() -> None:
    assert analyser.terms("thé") == ["the"]
    assert analyser.terms("the") == []


def test_a_word_gives_the_same_terms_in_any_sentence() -> None:
    alone = analyser.terms("migrations")
    assert analyser.terms("the migrations") == alone
    assert analyser.terms("les migrations") == alone


def test_a_text_has_the_terms_of_its_pieces_and_no_piece_is_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "l'API\u2028gemma4:12b 東京都 déjà\tpre-commit " + "x" * 90
    whole = analyser.terms(text)
    assert whole == [term for piece in text.split() for term in analyser.terms(piece)]
    monkeypatch.setattr(module, "PIECES", 10)
    for number in range(50):
        analyser.terms(f"piece{number}")
    assert len(module._PIECES) <= 10
    assert analyser.terms(text) == whole
    assert "x" * 90 not in module._PIECES  # a long run is a key or noise
