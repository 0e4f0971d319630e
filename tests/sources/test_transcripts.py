"""The sweep finds what hooks missed (cases A05, A16, A17, A18)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from dream.sources.manifest import Manifest
from dream.sources.report import SweepReport
from dream.sources.transcripts import notes, sweep, waiting

from .conftest import NIGHT, START, Write, line, only, result, take


def test_a05_a_session_that_no_hook_saw_is_caught_up(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "On garde SQLite."), line(1, "C'est noté.", "assistant"))
    swept = only(tmp_path / "projects", manifest)
    assert [turn["uuid"] for turn in swept.turns] == ["u0", "u1"]
    assert (swept.session, swept.cwd) == ("s1", "/home/nobody-here/outil")
    assert swept.project.startswith("outil-")
    found = list(notes(swept))
    assert [note["text"] for note in found] == ["On garde SQLite.", "C'est noté."]
    assert {note["project"] for note in found} == {swept.project}


def test_what_was_marked_is_not_read_again(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."))
    report = SweepReport()
    assert take(tmp_path / "projects", manifest) == {"s1.jsonl": ["u0"]}
    assert take(tmp_path / "projects", manifest, report=report) == {}
    assert report.unchanged == 1


def test_what_was_not_marked_comes_again(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."))
    for _ in range(2):
        assert [turn["uuid"] for turn in only(tmp_path / "projects", manifest).turns] == ["u0"]


def test_a18_growth_gives_the_new_turns_alone_and_a_resumed_copy_the_same_ids(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    first = [line(n, f"Sentence {n}.") for n in range(4)]
    root = tmp_path / "projects"
    write(*first)
    assert take(root, manifest) == {"s1.jsonl": ["u0", "u1", "u2", "u3"]}
    write(*first, line(4, "Sentence 4."), at=START + timedelta(hours=2))
    swept = only(root, manifest)
    assert [turn["uuid"] for turn in swept.turns] == ["u4"]
    assert swept.mark.line == 5
    manifest.record(swept.path, swept.mark)
    write(*first, line(5, "Sentence 5.", parent=3, session="s2"), name="p/s2.jsonl")
    swept = only(root, manifest)
    assert [turn["uuid"] for turn in swept.turns] == ["u0", "u1", "u2", "u3", "u5"]
    assert swept.session == "s2"


def test_a18_inputs_of_the_case_give_five_turns_in_all(shared: Path, tmp_path: Path, manifest: Manifest) -> None:
    root = tmp_path / "projects"
    root.mkdir()
    taken: set[str] = set()
    for name in ("a18_session.jsonl", "a18_session_resumed.jsonl"):
        shutil.copy(shared / "cases" / "inputs" / name, root / name)
        for uuids in take(root, manifest).values():
            taken.update(uuids)
    assert len(taken) == 5


def test_a18_a_truncated_transcript_is_read_anew_with_the_same_ids(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    lines = [line(n, f"Sentence {n}.") for n in range(6)]
    root = tmp_path / "projects"
    write(*lines)
    take(root, manifest)
    write(*lines[:2], line(9, "After."), at=START + timedelta(hours=2))
    assert take(root, manifest) == {"s1.jsonl": ["u0", "u1", "u9"]}


@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_transcript_replaced_by_another_of_the_same_length_or_more_is_read_anew(
    write: Write, tmp_path: Path, manifest: Manifest, where: int
) -> None:
    lines = [line(n, f"Sentence {n}.") for n in range(3)]
    root, report = tmp_path / "projects", SweepReport()
    write(*lines)
    take(root, manifest)
    lines[where] = line(where, f"Sentence {where + 7}.")
    write(*lines, line(3, "More."), at=START + timedelta(hours=2))
    assert take(root, manifest, report=report) == {"s1.jsonl": ["u0", "u1", "u2", "u3"]}
    assert report.replaced == 1


def test_a_file_that_was_only_touched_gives_nothing_new(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."))
    take(tmp_path / "projects", manifest)
    write(line(0, "One."), at=START + timedelta(hours=2))
    assert take(tmp_path / "projects", manifest) == {"s1.jsonl": []}


def test_a_session_active_in_the_last_half_hour_is_left(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."))
    report = SweepReport()
    assert take(tmp_path / "projects", manifest, "2026-11-29T21:29:59.000Z", report) == {}
    assert report.active == 1
    assert waiting(tmp_path / "projects", manifest, "2026-11-29T21:29:59.000Z") == (0, 1)
    assert waiting(tmp_path / "projects", manifest, "2026-11-29T21:30:00.000Z") == (1, 1)
    assert take(tmp_path / "projects", manifest, "2026-11-29T21:30:00.000Z") == {"s1.jsonl": ["u0"]}


def test_activity_is_what_the_lines_say_not_the_file_s_time(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."), b'{"type":"cost-state"}\n', at=datetime.fromisoformat("2030-01-01T00:00:00+00:00"))
    assert take(tmp_path / "projects", manifest) == {"s1.jsonl": ["u0"]}


def test_activity_is_found_before_a_last_line_longer_than_the_tail(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    big = json.dumps({"type": "api-request-blob", "blob": "x" * 300_000}).encode() + b"\n"
    write(line(0, "One."), big, at=datetime.fromisoformat("2030-01-01T00:00:00+00:00"))
    assert take(tmp_path / "projects", manifest) == {"s1.jsonl": ["u0"]}


def test_a_file_without_times_goes_by_its_own(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One.", timestamp=None), at=START)
    assert take(tmp_path / "projects", manifest, "2026-11-29T21:10:00.000Z") == {}
    swept = only(tmp_path / "projects", manifest)
    assert [turn["at"] for turn in swept.turns] == ["2026-11-29T21:00:00.000Z"]


def test_a17_a_damaged_transcript_gives_what_is_whole_and_one_warning(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    cut = line(9, "Cut off here.")
    good = [
        line(0, "On garde SQLite."),
        b'{"type":"user","uuid":\n',
        b"\0\0\0\n",
        line(1, "Thinking aside.", "assistant"),
        result(2, 1, "x" * 200_000),
        line(3, "A subagent.", "assistant", isSidechain=True),
        line(4, "Meta.", isMeta=True),
        b'{"type":"brand-new-kind","payload":1}\n',
        line(5, "Non, 02:05."),
    ]
    write(*good, cut[:60])
    root, report = tmp_path / "projects", SweepReport()
    assert take(root, manifest, report=report) == {"s1.jsonl": ["u0", "u1", "u5"]}
    (warning,) = report.warnings(manifest)
    assert "brand-new-kind (1)" in warning
    assert "malformed" in warning
    write(*good, cut, at=START + timedelta(hours=2))
    report = SweepReport()
    assert take(root, manifest, report=report) == {"s1.jsonl": ["u9"]}, "the cut tail comes when it is whole"
    assert report.warnings(manifest) == []


def test_a17_input_of_the_case(shared: Path, tmp_path: Path, manifest: Manifest) -> None:
    root, report = tmp_path / "projects", SweepReport()
    root.mkdir()
    shutil.copy(shared / "cases" / "inputs" / "a17_transcript_damaged.jsonl", root)
    (swept,) = sweep(root, manifest, "2027-06-01T00:00:00.000Z", report=report)
    assert [turn["role"] for turn in swept.turns] == ["user", "assistant", "user"]
    assert len(report.warnings(manifest)) == 1
    assert swept.mark.offset < swept.mark.size


def test_a_last_line_that_lacks_only_its_line_end_is_read(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."), line(1, "Two.").rstrip(b"\n"))
    root = tmp_path / "projects"
    assert take(root, manifest) == {"s1.jsonl": ["u0", "u1"]}
    assert take(root, manifest) == {}
    write(line(0, "One."), line(1, "Two."), line(2, "Three."), at=START + timedelta(hours=2))
    assert take(root, manifest) == {"s1.jsonl": ["u1", "u2"]}


def test_an_unknown_kind_is_named_once_and_not_every_night(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    root, new = tmp_path / "projects", b'{"type":"brand-new-kind"}\n'
    said = []
    for hour in range(1, 4):
        report = SweepReport()
        write(line(0, "One."), *[new] * hour, at=START + timedelta(hours=hour))
        take(root, manifest, report=report)
        said.append(report.warnings(manifest))
        manifest.save()
        manifest = Manifest(tmp_path / "home" / "processed" / "manifest.json")
    assert [len(each) for each in said] == [1, 0, 0]
    assert "format may have changed" in said[0][0]


def test_turns_can_be_read_again_and_are_counted_once(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."), line(1, "Two."))
    report = SweepReport()
    (swept,) = sweep(tmp_path / "projects", manifest, NIGHT, report=report)
    assert list(swept.turns) == list(swept.turns)
    assert report.lines["turns"] == 2


def test_reading_stops_where_it_began_though_the_session_goes_on(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    path = write(line(0, "One."))
    for swept in sweep(tmp_path / "projects", manifest, NIGHT):
        with path.open("ab") as file:
            file.write(line(1, "Two."))
        assert [turn["uuid"] for turn in swept.turns] == ["u0"]
        manifest.record(swept.path, swept.mark)
    assert take(tmp_path / "projects", manifest) == {"s1.jsonl": ["u1"]}


def test_subagents_tool_results_and_loops_are_not_walked(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."))
    for name in ("p/s1/subagents/agent-1.jsonl", "p/s1/tool-results/x.jsonl", "p/agent-2.jsonl", "p/memory/m.jsonl"):
        write(line(0, "Not this."), name=name)
    if os.name != "nt":
        (tmp_path / "projects" / "p" / "loop").symlink_to(tmp_path / "projects")
        (tmp_path / "projects" / "again.jsonl").symlink_to(tmp_path / "projects" / "p" / "s1.jsonl")
    report = SweepReport()
    assert sum(len(uuids) for uuids in take(tmp_path / "projects", manifest, report=report).values()) == 1
    assert report.seen == 1


def test_several_roots_nested_or_missing_give_each_transcript_once(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    write(line(0, "One."))
    roots = [tmp_path / "projects", tmp_path / "projects" / "p", tmp_path / "nowhere"]
    assert len(list(sweep(roots, manifest, NIGHT))) == 1


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions hold back")
def test_a_transcript_that_may_not_be_read_costs_only_itself(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(0, "One."), name="p/a.jsonl").chmod(0)
    write(line(1, "Two."), name="p/b.jsonl")
    report = SweepReport()
    assert take(tmp_path / "projects", manifest, report=report) == {"b.jsonl": ["u1"]}
    assert "1 transcript could not be read" in report.warnings(manifest)[0]


def test_a_transcript_gone_between_listing_and_reading_costs_only_itself(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    write(line(0, "One."), name="p/a.jsonl")
    second = write(line(1, "Two."), name="p/b.jsonl")
    report, taken = SweepReport(), []
    for swept in sweep(tmp_path / "projects", manifest, NIGHT, report=report):
        taken.append(Path(swept.path).name)
        second.unlink(missing_ok=True)
    assert taken == ["a.jsonl"]
    assert len(report.failed) == 1


def test_a16_the_mark_of_a_transcript_the_client_deleted_stays(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    path = write(line(0, "One."))
    take(tmp_path / "projects", manifest)
    path.unlink()
    assert take(tmp_path / "projects", manifest) == {}
    assert manifest.get(str(path)) is not None


def test_oldest_activity_comes_first(write: Write, tmp_path: Path, manifest: Manifest) -> None:
    write(line(5, "Later."), name="p/a.jsonl")
    write(line(1, "Earlier."), name="p/b.jsonl")
    assert list(take(tmp_path / "projects", manifest)) == ["b.jsonl", "a.jsonl"]


def test_a_folder_that_is_gone_keeps_the_key_of_its_repository(
    write: Write, tmp_path: Path, manifest: Manifest
) -> None:
    repository = tmp_path / "clone"
    (repository / ".git").mkdir(parents=True)
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (repository / ".git" / "config").write_text('[remote "origin"]\n\turl = git@example.org:lea/outil.git\n')
    write(line(0, "One.", cwd=str(repository)))
    before = only(tmp_path / "projects", manifest)
    manifest.record(before.path, before.mark)
    shutil.rmtree(repository)
    write(line(1, "Two.", cwd=str(repository)), name="p/s2.jsonl")
    assert only(tmp_path / "projects", manifest).project == before.project


Branch = Callable[[], list[bytes]]


def test_real_transcripts_of_the_client(shared: Path, tmp_path: Path, manifest: Manifest) -> None:
    root = tmp_path / "projects"
    root.mkdir()
    for name in ("interactive", "auto-compact", "print-mode-2.1.197", "print-mode-with-tools", "print-mode-subagent"):
        shutil.copy(shared / "samples" / "claude" / "transcripts" / f"{name}.jsonl", root)
    report = SweepReport()
    found = {
        Path(s.path).stem: (s, list(s.turns)) for s in sweep(root, manifest, "2028-01-01T00:00:00.000Z", report=report)
    }
    assert len(found["interactive"][0].dead) == 1
    (dead,) = (turn for turn in found["interactive"][1] if turn["uuid"] in found["interactive"][0].dead)
    assert dead["text"] == "interrupt me"
    assert all(not swept.dead for name, (swept, _) in found.items() if name != "interactive")
    assert found["print-mode-subagent"][1] == []
    assert report.warnings(manifest) == []
