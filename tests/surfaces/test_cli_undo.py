"""Looking at history and taking it back: diff, undo, merge, unmerge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.surfaces.line import Line


def graph(dream: Line, folder: Path) -> Any:
    folder.mkdir(exist_ok=True)
    assert dream("export", str(folder)).code == 0
    return json.loads((folder / "graph.json").read_text(encoding="utf-8"))


def texts(found: Any, status: str = "current") -> set[str]:
    return {node["text"] for node in found["nodes"] if node["status"] == status}


def test_diff_tells_every_entry_of_the_night(samples: Line) -> None:
    night = samples("nights", "last", "--json").plain
    entries = samples("diff", "last", "--json").plain["entries"]
    assert [entry["seq"] for entry in entries] == list(range(night["first"], night["last"] + 1))
    assert {"NodeAdded", "EdgeAdded", "CycleRecorded"} <= {entry["change"]["kind"] for entry in entries}


def test_undo_of_the_last_night_brings_back_what_held_before(copied: Line, tmp_path: Path) -> None:
    assert any("Nour" in text for text in texts(graph(copied, tmp_path / "a")))
    planned = copied("undo", "last", "--dry-run", "--json").plain
    done = copied("undo", "last", "--json").plain
    assert [c["kind"] for c in done["changes"]] == [c["kind"] for c in planned["changes"]]
    now = graph(copied, tmp_path / "b")
    assert not any("Nour" in text for text in texts(now))
    assert "C'est Tobias qui administre le serveur tournesol." in texts(now)
    assert copied("nights", "--json").plain["nights"][-1]["undone"]
    assert copied("ledger", "verify", "--full").code == 0


def test_after_an_undo_the_index_no_longer_shows_what_was_taken_back(copied: Line) -> None:
    copied("undo", "last")
    shown = "".join(path.read_text(encoding="utf-8") for path in (copied.home / "index" / "projects").glob("*.md"))
    assert "Nour" not in shown
    assert "jamais de migration le vendredi" in shown


def test_undoing_twice_is_refused(copied: Line) -> None:
    assert copied("undo", "2026-09-19").code == 0
    done = copied("undo", "2026-09-19")
    assert done.code == 1
    assert "already" in done.err


def test_a_night_on_which_others_built_is_not_undone_alone(copied: Line) -> None:
    size = copied("ledger", "log", "--json").plain["size"]
    done = copied("undo", "2026-09-08")
    assert done.code == 1
    assert "--cascade" in done.err
    assert copied("ledger", "log", "--json").plain["size"] == size


def test_two_nodes_become_one_and_two_again(ready: Line) -> None:
    first = ready("remember", "The harbour office opens at eight.", "--json").plain["id"]
    second = ready("remember", "Crane number 7 needs oil every spring.", "--json").plain["id"]
    one = ready("merge", first, second, "--json").plain["node"]
    assert len(one["notes"]) == 2
    assert ready("explain", second).code == 1
    two = ready("unmerge", first, "--json").plain["nodes"]
    assert {node["id"] for node in two} == {first, second}
    assert ready("ledger", "verify", "--full").code == 0


def test_a_node_is_not_merged_with_itself_or_with_nothing(ready: Line) -> None:
    only = ready("remember", "The harbour office opens at eight.", "--json").plain["id"]
    assert ready("merge", only, only).code == 2
    assert ready("merge", only, "f-000000000000000000000000").code == 1
    assert ready("unmerge", only).code == 1


def test_what_is_forgotten_is_in_no_file_and_is_not_learnt_again(copied: Line) -> None:
    asked = ("search", "Aïcha Benali coordonne les prêts", "--json")
    node = next(hit["id"] for hit in copied(*asked).plain["hits"] if "Benali" in hit["text"])
    done = copied("forget", node, "--json").plain
    assert done["forgotten"] and done["nodes"] and done["notes"]
    assert done["transcripts"], "the receipt names the host's own transcript"
    said = "Aïcha Benali coordonne les prêts"
    for name, content in copied.files().items():
        for form in (said, said.encode("ascii", "backslashreplace").decode()):
            assert form.encode() not in content, f"{name} still holds it"
    assert copied("ledger", "verify", "--full").code == 0
    (copied.home / "processed" / "manifest.json").unlink()  # the sweep reads every transcript again
    assert copied("cycle", "--force", "--now", "2026-10-01T02:05:00+02:00").code == 0
    assert not [hit for hit in copied(*asked).plain["hits"] if "Benali" in hit["text"]]
    assert copied("remember", said + ".").code == 2


def test_forgetting_nothing_says_so(ready: Line) -> None:
    assert ready("forget", "f-000000000000000000000000").code == 1


def test_the_receipt_of_a_forgetting_names_every_file_of_the_host_that_still_holds_the_words(
    ready: Line, tmp_path: Path
) -> None:
    said = "The harbour office's door code is painted in blue."
    ready.environ["DREAM_COWORK"] = str(tmp_path / "app")
    session = ready.transcripts / "-home-maud" / "5f0c1a52-0000-4000-8000-000000000001"
    held = [
        session.with_suffix(".jsonl"),
        session / "subagents" / "agent-1.jsonl",
        session / "tool-results" / "one.txt",
        ready.transcripts.parent / "history.jsonl",
        tmp_path / "app" / "org" / "local_1" / ".claude" / "projects" / "-sessions-x" / "s.jsonl",
    ]
    other = ready.transcripts / "-home-maud" / "other.jsonl"
    for path in [*held, other]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"text": said if path != other else "nothing of it"}) + "\n", encoding="utf-8")
    node = ready("remember", said, "--json").plain["id"]
    done = ready("forget", node, "--json").plain
    assert sorted(done["transcripts"]) == sorted(map(str, held))
    assert all(f"still in transcript {path}" in done["note"] for path in held)
