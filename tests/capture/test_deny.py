"""The deny-list knows a text however it is typed, and does not tell what it denies (H20)."""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from pathlib import Path

import pytest

from dream.capture.deny import FILE, DenyList, allowed, deny, deny_digest
from dream.capture.keyed import keyed_sha256

KEY = bytes(range(32))
AT = "2026-11-30T21:00:00.000Z"
TEXT = "Élodie a été opérée du genou à l'hôpital de Nîmes."


@pytest.fixture
def listed(tmp_path: Path) -> DenyList:
    deny(str(tmp_path), TEXT, KEY, AT)
    return DenyList.read(str(tmp_path), KEY)


@pytest.mark.parametrize(
    "typed",
    [
        TEXT + " ",
        unicodedata.normalize("NFD", TEXT),
        TEXT.replace(" ", "\r\n"),
        TEXT.replace(" ", "\u00a0"),
        TEXT.upper(),
        TEXT.replace("'", "’"),
        f"« {TEXT} »",
        "Él\u200bodie" + TEXT[6:],
        f"Je note que {TEXT[:-1]}, et on continue.",
        f"Première ligne.\n{TEXT}\nDernière ligne.",
    ],
)
def test_h20_a_denied_text_is_known_however_it_is_typed(listed: DenyList, typed: str) -> None:
    assert listed.denied(typed)


@pytest.mark.parametrize(
    "other", ["", "Élodie a été opérée.", "Le genou va mieux à Nîmes.", TEXT.replace("Nîmes", "Arles")]
)
def test_another_text_is_not_denied(listed: DenyList, other: str) -> None:
    assert not listed.denied(other)


def test_the_list_holds_no_word_of_what_it_denies(tmp_path: Path) -> None:
    deny(str(tmp_path), TEXT, KEY, AT)
    raw = (tmp_path / FILE).read_text()
    assert set(json.loads(raw)) == {"digest", "words", "first", "at"}
    assert not [word for word in TEXT.split() if len(word) > 3 and word in raw]
    assert not DenyList.read(str(tmp_path), bytes(32)).denied(TEXT), "another home's key reads nothing"


def test_a_text_is_listed_once_and_survives_a_torn_line(tmp_path: Path) -> None:
    assert deny(str(tmp_path), TEXT, KEY, AT)
    assert not deny(str(tmp_path), TEXT.lower(), KEY, AT)
    with (tmp_path / FILE).open("ab") as list_file:
        list_file.write(b'{"digest": "ab')
    assert deny(str(tmp_path), "Une autre phrase", KEY, AT)
    listed = DenyList.read(str(tmp_path), KEY)
    assert listed.bad == 1
    assert listed.denied(TEXT) and listed.denied("une autre phrase")


def test_a_text_without_a_word_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="without a word"):
        deny(str(tmp_path), " … ", KEY, AT)
    assert not DenyList.read(str(tmp_path), KEY)


def test_no_list_denies_nothing(tmp_path: Path) -> None:
    assert not DenyList.read(str(tmp_path), KEY).denied(TEXT)
    assert not DenyList.read(str(tmp_path), None).denied(TEXT)


def test_both_forms_of_a_letter_give_one_digest() -> None:
    for text in ("Ünïcödé ça et là", "Ελλάδα καλημέρα", "Чайковский ёлка", "Tiếng Việt"):
        forms = {deny_digest(unicodedata.normalize(form, text), KEY) for form in ("NFC", "NFD", "NFKC", "NFKD")}
        assert len(forms) == 1, text


@pytest.mark.parametrize("size", [0, 16, 64, 65, 200])
def test_the_keyed_digest_is_the_standard_one(size: int) -> None:
    key, message = bytes(size), b"a message \xff"
    assert keyed_sha256(key, message) == hmac.new(key, message, hashlib.sha256).digest()


def test_h20_sentences_across_which_a_denied_text_stands_go_and_the_others_stay(tmp_path: Path) -> None:
    deny(str(tmp_path), "Odile est malade. Elle est à Nîmes.", KEY, AT)
    listed = DenyList.read(str(tmp_path), KEY)
    said = ["On garde SQLite.", "Odile est malade.", "Elle est à Nîmes.", "Le port est 9464."]
    assert allowed(said, listed.denied) == [True, False, False, True]
    assert allowed(said[1:2], listed.denied) == [True]
    assert allowed([], listed.denied) == []
