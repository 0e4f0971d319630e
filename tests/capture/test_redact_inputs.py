"""The inputs of group H as they were handed out; skipped where they are not beside the project."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from dream.capture.redact import redact


@pytest.fixture
def given(shared: Path) -> Any:
    """`given(name)`: a case's input."""
    return lambda name: json.loads((shared / "cases" / "inputs" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def lines(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "corpora" / "secrets" / "dev.jsonl.gz", "rt", encoding="utf-8") as raw:
        return [json.loads(line) for line in raw]


def clean(text: str) -> str:
    return redact(text)[0]


def test_h01_a_token_beside_any_mark(given: Any) -> None:
    for case in given("h01_terminators"):
        out = clean(case["text"])
        assert case["secret"] not in out and case["secret"][20:40] not in out
        around = re.sub(r"\x1b\[\d*m|\\n|\s", "", case["text"].replace(case["secret"], ""))
        assert all(mark in out for mark in around), case["text"]


def test_h02_younger_formats(given: Any) -> None:
    for case in given("h02_new_formats"):
        token = max(case["text"].split(), key=len)
        out = re.sub(r"\[redacted:[a-z-]+\]", "⌧", clean(case["text"]))
        assert out == case["text"].replace(token, "⌧"), case["kind"]


def test_h03_colours(lines: list[dict[str, Any]]) -> None:
    painted = [line for line in lines if line.get("wrap") == "ansi"]
    assert painted
    for line in painted:
        assert not [True for start, end, _ in line["spans"] if line["text"][start:end] in clean(line["text"])]


def test_h04_private_keys_in_every_shape(given: Any) -> None:
    for case in given("h04_pem_shapes"):
        assert not re.search(r"[A-Za-z0-9+/=]{20,}", clean(case["text"])), case["shape"]


@pytest.mark.parametrize("name", ["h08_iban_shapes", "h10_addresses"])
def test_h08_h10_ibans_and_addresses_as_flagged(given: Any, name: str) -> None:
    for case in given(name):
        assert ("[redacted:" in clean(case["text"])) == case["redact"], case["text"]


@pytest.mark.parametrize(
    ("case", "kind"), [("h09", "PHONE_FR"), ("h11", "EMAIL"), ("h17", "FR_NIR"), ("h17", "FR_SIRET")]
)
def test_h09_h11_h17_telephones_mail_and_french_identifiers(lines: list[dict[str, Any]], case: str, kind: str) -> None:
    found = 0
    for line in lines:
        for start, end, name in line["spans"]:
            if name == kind:
                found += 1
                assert line["text"][start:end] not in clean(line["text"]), case
    assert found


def test_h13_private_blocks(given: Any) -> None:
    for text in given("h13_private"):
        out = clean(text)
        talk = "`<private>`" in text or text == "x </private> y"
        assert out == text if talk else "[redacted:private]" in out
        assert not {"4821", "Lanterne", "majuscules", "échappé"} & set(re.findall(r"\w+", out))


def test_h15_what_must_survive(given: Any) -> None:
    for text in given("h15_must_survive"):
        assert clean(text) == text


def test_h16_passwords_in_prose(given: Any) -> None:
    for case in given("h16_prose_passwords"):
        assert case["secret"] not in clean(case["text"]), case["text"]
    assert clean("le mot de passe est trop court") == "le mot de passe est trop court"


def test_h18_credentials_in_addresses(given: Any) -> None:
    *secret, one, two = [case["text"] for case in given("h18_urls")]
    for text in secret:
        out = clean(text)
        assert "[redacted:" in out, text
    assert clean(one) == one and clean(two) == two
