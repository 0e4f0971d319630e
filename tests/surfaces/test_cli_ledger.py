"""`dream ledger prove` and `check`: a proof is JSON that holds without the store, and says why where it does not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.line import Line


def kept(line: Line, words: tuple[str, ...], path: Path) -> Path:
    """What `prove` prints for people, in a file."""
    done = line("ledger", "prove", *words)
    assert done.code == 0, done.err
    path.write_text(done.out, encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [("3",), ("--consistency", "5")])
def test_a_printed_proof_holds_where_there_is_no_store(samples: Line, tmp_path: Path, words: tuple[str, ...]) -> None:
    proof = kept(samples, words, tmp_path / "proof.json")
    assert json.loads(samples("ledger", "prove", *words, "--json").out) == json.loads(proof.read_text(encoding="utf-8"))
    key = samples.home / "ledger" / "key.pub"
    elsewhere = Line(tmp_path)
    assert samples("ledger", "check", str(proof), "--json").plain["key_from"] == "store"
    for trust in ((), ("--key", str(key)), ("--key", key.read_text(encoding="ascii").strip())):
        done = elsewhere("ledger", "check", str(proof), *trust, "--json")
        assert (done.code, done.plain["ok"], done.plain["key_from"]) == (0, True, "given" if trust else "proof")
    assert "compare it with one you trust" in elsewhere("ledger", "check", str(proof)).out
    assert not elsewhere.home.exists(), "checking makes no store"


def changed(proof: dict[str, Any], **what: Any) -> dict[str, Any]:
    return {**proof, **what}


def test_a_proof_that_does_not_hold_says_why(samples: Line, tmp_path: Path) -> None:
    good = samples("ledger", "prove", "3", "--json").plain
    older = samples("ledger", "prove", "--consistency", "5", "--json").plain
    path = tmp_path / "bad.json"
    for bad, why in (
        (changed(good, leaf=good["leaf"].replace("2026", "2025")), "does not lead from this entry 3"),
        (changed(good, seq=4), "does not lead from this entry 4"),
        (changed(good, seq=10**6), "no entry 1000000"),
        (changed(good, path=good["path"][:-1]), "does not lead"),
        (
            changed(good, checkpoint=good["checkpoint"].replace("dream/", "dream/0", 1)),
            "is not signed by the key dream+",
        ),
        (changed(good, kind="absence"), "no proof of kind 'absence'"),
        (changed(older, root="00" * 32), "is not the start of the signed one"),
        (changed(older, size=4), "is not the start of the signed one"),
        ({}, "not a proof of Dream's ledger: it has no 'checkpoint'"),
        ([1], "not a proof of Dream's ledger"),
    ):
        path.write_text(json.dumps(bad), encoding="utf-8")
        done = samples("ledger", "check", str(path))
        assert done.code == 1, bad
        assert why in done.out, (why, done.out)
    path.write_text("{", encoding="utf-8")
    assert "is no JSON" in samples("ledger", "check", str(path)).err
    assert "There is no entry 100000" in samples("ledger", "prove", "100000").err
    assert "it never had 100000" in samples("ledger", "prove", "--consistency", "100000").err


def test_a_checkpoint_kept_elsewhere_shows_that_the_log_only_grew(copied: Line, tmp_path: Path) -> None:
    checkpoint = tmp_path / "kept"
    shutil.copy(copied.home / "ledger" / "checkpoint", checkpoint)
    size = copied("ledger", "verify", "--json").plain["size"]
    assert copied("remember", "Le grand four reste à Lyon.").code == 0
    entry = kept(copied, ("0",), tmp_path / "entry.json")
    done = copied("ledger", "check", str(entry), "--checkpoint", str(checkpoint))
    assert done.code == 1
    assert f"dream ledger prove --consistency {size}" in done.out
    grown = kept(copied, ("--consistency", str(size)), tmp_path / "grown.json")
    done = copied("ledger", "check", str(grown), "--checkpoint", str(checkpoint))
    assert done.code == 0, done.out
    assert f"of the checkpoint of {size} entries that was kept" in done.out
    checkpoint.write_text(checkpoint.read_text(encoding="utf-8").replace("\n\n", "\n\n\n"), encoding="utf-8")
    assert "not signed" in copied("ledger", "check", str(grown), "--checkpoint", str(checkpoint)).out


def test_a_proof_by_another_key_is_refused(samples: Line, tmp_path: Path) -> None:
    stranger = Line(tmp_path)
    assert stranger("init", "--no-schedule").code == 0
    assert stranger("remember", "Le port est 9464.").code == 0
    proof = kept(stranger, ("0",), tmp_path / "proof.json")
    done = samples("ledger", "check", str(proof))
    assert done.code == 1
    assert "is not signed by the key" in done.out
    assert "--key" in done.out
    assert samples("ledger", "check", str(proof), "--key", str(stranger.home / "ledger" / "key.pub")).code == 0
    assert "no verifier line" in samples("ledger", "check", str(proof), "--key", "nonsense").out
