"""Dead branches: a prompt taken back and said anew, and what is none."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from dream.sources.manifest import Manifest
from dream.sources.report import SweepReport
from dream.sources.transcripts import notes

from .conftest import START, Write, line, only, result, take


def test_a_prompt_taken_back_and_said_anew_is_a_dead_branch(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(
        line(0, "Start."),
        line(1, "Yes.", "assistant"),
        line(2, "Use Redis.", parent=1),
        line(3, "Redis it is.", "assistant"),
        line(4, "Use SQLite.", parent=1),
        line(5, "SQLite it is.", "assistant"),
    )
    swept = only(tmp_path / "projects", manifest)
    assert swept.dead == {"u2", "u3"}
    assert [note["text"] for note in notes(swept)] == ["Start.", "Yes.", "Use SQLite.", "SQLite it is."]


def test_a_first_prompt_that_escape_put_back_into_the_box_is_dead_and_one_that_was_stopped_is_not(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    """As the client writes it: the next prompt hangs below the first, and a line sets the conversation's leaf anew."""
    anew = b'{"type":"last-prompt","leafUuid":"00000000-0000-0000-0000-000000000000","explicit":true}\n'
    kept = b'{"type":"last-prompt","lastPrompt":"The port is 9100.","leafUuid":"u0"}\n'
    first, second = line(0, "The port is 9100."), line(1, "The port is 9200.")
    write(first, kept, second, anew, line(2, "Noted.", "assistant"), line(3, "Go on."), name="p/back.jsonl")
    swept = only(tmp_path / "projects", manifest)
    assert swept.dead == {"u0"}
    assert [note["text"] for note in notes(swept)] == ["The port is 9200.", "Noted.", "Go on."]
    stopped = [line(1, "No response requested.", "assistant"), line(2, "The port is 9200.")]
    write(first, kept, second, kept, line(2, "Noted.", "assistant"), name="q/queued.jsonl")
    write(first, kept, *stopped, anew, line(3, "Noted.", "assistant"), name="r/stopped.jsonl")
    for folder in ("q", "r"):
        assert only(tmp_path / "projects" / folder, manifest).dead == frozenset()


def test_a_branch_that_dies_later_names_turns_read_in_an_earlier_night(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    start = [line(0, "Start."), line(1, "Yes.", "assistant"), line(2, "Use Redis.", parent=1)]
    root = tmp_path / "projects"
    write(*start)
    assert take(root, manifest) == {"s1.jsonl": ["u0", "u1", "u2"]}
    write(*start, line(3, "Use SQLite.", parent=1), at=START + timedelta(hours=2))
    swept = only(root, manifest)
    assert [turn["uuid"] for turn in swept.turns] == ["u3"]
    assert swept.dead == {"u2"}


def test_a_dead_branch_stays_known_while_its_transcript_is_not_read_again(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    write(line(0, "Start."), line(1, "Use Redis.", parent=0), line(2, "Use SQLite.", parent=0))
    root = tmp_path / "projects"
    take(root, manifest)
    for known in (manifest, Manifest(tmp_path / "home" / "processed" / "manifest.json")):
        report = SweepReport()
        assert take(root, known, report=report) == {}
        assert report.dead_turns() == {"u1"}


def test_parallel_tool_results_and_meta_lines_are_no_branches(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(
        line(0, "Start."),
        line(1, "Looking.", "assistant"),
        result(2, 1),
        result(3, 1),
        line(4, "Meta.", parent=1, isMeta=True),
        line(5, "Done.", "assistant", parent=3),
        line(6, "Thanks.", parent=5),
    )
    assert only(tmp_path / "projects", manifest).dead == frozenset()


def test_a_compaction_is_no_dead_branch(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "logicalParentUuid": "u1"}
    write(
        line(0, "Start.", parent=None),
        line(1, "Yes.", "assistant"),
        line(2, "", parent=None, **boundary),
        line(3, "A summary.", parent=2, isCompactSummary=True),
        line(4, "Go on.", parent=3),
        line(5, "A prompt at the root.", parent=None),
    )
    assert only(tmp_path / "projects", manifest).dead == frozenset()


def test_a_session_open_twice_has_no_dead_branch_where_both_go_on(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    write(
        line(0, "Start."),
        line(1, "Left one.", parent=0),
        line(2, "Right one.", parent=0),
        line(3, "Left two.", parent=1),
        line(4, "Right two.", parent=2),
    )
    assert only(tmp_path / "projects", manifest).dead == frozenset()


def test_a_branch_that_comes_back_to_life_is_read_again(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    start = [line(0, "Start."), line(1, "Left one.", parent=0), line(2, "Right one.", parent=0)]
    root = tmp_path / "projects"
    write(*start)
    assert take(root, manifest) == {"s1.jsonl": ["u0", "u2"]}
    write(*start, line(3, "Left two.", parent=1), at=START + timedelta(hours=2))
    assert "u1" in take(root, manifest)["s1.jsonl"]


def test_branches_within_a_dead_branch_are_dead_too(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(
        line(0, "Start."),
        line(1, "First try.", parent=0),
        line(2, "More.", parent=1),
        line(3, "More, said anew.", parent=1),
        line(4, "Second try.", parent=0),
        line(5, "Third try.", parent=0),
        line(6, "Good.", "assistant", parent=5),
    )
    assert only(tmp_path / "projects", manifest).dead == {"u1", "u2", "u3", "u4"}
