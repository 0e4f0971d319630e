"""A corpus with planted secrets, played through whole nights: none of them is in any file of the store."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.surfaces.line import script

WINDOW = 12
"""Characters of a secret that may not stand anywhere either."""


@pytest.fixture
def stained(shared: Path) -> dict[str, set[str]]:
    """Sessions of the corpus that hold a secret, with what they hold."""
    gold = shared / "corpora" / "consolidation" / "dev" / "gold.json"
    found: dict[str, set[str]] = {}
    for secret in json.loads(gold.read_text(encoding="utf-8"))["secrets"]:
        found.setdefault(secret["session"], set()).add(secret["value"])
    return found


def test_no_file_of_the_store_holds_a_planted_secret_and_the_copies_are_gone(
    shared: Path, stained: dict[str, set[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, corpus, out = shared / "corpora" / "consolidation" / "dev", tmp_path / "dev", tmp_path / "out"
    corpus.mkdir()
    chosen = [path for path in sorted(source.glob("*.jsonl")) if any(s.startswith(path.stem[-8:]) for s in stained)]
    assert len(chosen) == len(stained)
    for path in (*chosen[:6], source / "gold.json"):
        shutil.copy(path, corpus)
    secrets = {
        value for path in chosen[:6] for s, held in stained.items() if s.startswith(path.stem[-8:]) for value in held
    }
    monkeypatch.setattr(sys, "argv", ["play_corpus.py", str(corpus), str(out), "--no-answers", "--json"])
    assert script("play_corpus").main() == 0
    assert not (out / "transcripts").exists()
    needles = {value[at : at + WINDOW] for value in secrets for at in range(max(1, len(value) - WINDOW + 1))}
    files = [path for path in (out / "home").rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        raw = path.read_bytes()
        assert not [needle for needle in needles if needle.encode() in raw], path
    assert (out / "memory.jsonl").stat().st_size
