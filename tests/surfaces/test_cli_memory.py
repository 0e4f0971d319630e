"""Telling memory something by hand: remember, pin, holds; and the sanitiser."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from tests.surfaces.line import Line


def test_what_is_remembered_is_found_at_once(ready: Line) -> None:
    kept = ready("remember", "The greenhouse key hangs behind the blue door.", "--json").plain
    assert kept["new"] and kept["node"]["judge"] == "person"
    hits = ready("search", "where is the greenhouse key", "--json").plain["hits"]
    assert hits[0]["id"] == kept["id"]


def test_the_same_id_again_changes_nothing(ready: Line) -> None:
    first = ready("remember", "Loans last 90 days.", "--id", "11111111-2222-4333-8444-555555555555", "--json").plain
    again = ready("remember", "Loans last 90 days.", "--id", "11111111-2222-4333-8444-555555555555", "--json").plain
    assert first["id"] == again["id"]
    assert (first["new"], again["new"]) == (True, False)
    assert ready("ledger", "log", "--json").plain["size"] == 2


def test_the_same_id_for_another_text_is_refused(ready: Line) -> None:
    ready("remember", "Loans last 90 days.", "--id", "11111111-2222-4333-8444-555555555555")
    done = ready("remember", "Loans last 30 days.", "--id", "11111111-2222-4333-8444-555555555555")
    assert done.code == 1
    assert "new id" in done.err


def test_a_secret_is_taken_out_before_it_is_kept(ready: Line) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    kept = ready("remember", f"The publishing token is {secret}.", "--json").plain
    assert secret not in json.dumps(kept) and kept["redacted"]
    assert all(secret.encode() not in content for content in ready.files().values())


def test_remember_can_keep_to_one_project(ready: Line) -> None:
    ready("remember", "The harbour crane is number 7.", "--project", "/srv/harbour")
    assert ready("search", "harbour crane", "--project", "/srv/harbour", "--json").plain["hits"]
    assert not ready("search", "harbour crane", "--project", "/srv/airport", "--json").plain["hits"]


def test_what_is_remembered_supersedes_what_it_corrects(ready: Line) -> None:
    old = ready("remember", "A loan lasts 60 days.", "--json").plain["id"]
    new = ready("remember", "Correction: a loan lasts 90 days, not 60.", "--json").plain
    assert [node["id"] for node in new["closed"]] == [old]
    assert ready("explain", old, "--json").plain["node"]["status"] == "superseded"


def test_what_is_known_already_gets_another_witness(ready: Line) -> None:
    first = ready("remember", "The label printer listens on port 9100.", "--json").plain
    again = ready("remember", "The label printer listens on port 9100.", "--json").plain
    assert again["id"] == first["id"]
    assert len(again["node"]["notes"]) == 2


def test_a_pinned_node_stays_pinned_until_it_is_not(ready: Line) -> None:
    node = ready("remember", "The archive closes at noon.", "--json").plain["id"]
    assert ready("pin", node, "--json").plain["node"]["pinned"]
    assert ready("explain", node, "--json").plain["node"]["pinned"]
    assert not ready("pin", node, "--off", "--json").plain["node"]["pinned"]


def sanitize(dream: Line, monkeypatch: pytest.MonkeyPatch, raw: bytes, *words: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    return dream("sanitize", *words)


def test_sanitize_reads_standard_input_and_needs_no_store(dream: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    done = sanitize(dream, monkeypatch, f"Le jeton est {secret}.\nVoilà, c'est fini.\n".encode())
    assert secret not in done.out and done.out.endswith("\nVoilà, c'est fini.\n")
    assert not dream.home.exists()


def test_sanitize_lines_answers_each_line_with_spans_in_code_points(
    dream: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    texts = {"a": f"🌱 clé {secret} ok", "b": "rien du tout"}
    raw = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items()).encode()
    done = sanitize(dream, monkeypatch, raw, "--lines")
    first, second = (json.loads(line) for line in done.out.splitlines())
    start, end, _ = first["spans"][0]
    assert texts["a"][start:end] == secret
    assert (second["id"], second["text"], second["spans"]) == ("b", "rien du tout", [])


def test_a_line_that_is_no_object_is_named(dream: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    done = sanitize(dream, monkeypatch, b'{"id":"a","text":"x"}\n[1]\n', "--lines")
    assert done.code == 2
    assert "Line 2" in done.err
