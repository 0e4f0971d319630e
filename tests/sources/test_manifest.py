"""The manifest survives what happens to files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dream.sources.manifest import Manifest, Mark


def mark(n: int, project: str = "outil-00000000", cwd: str = "/x") -> Mark:
    return Mark(size=n, mtime=n, offset=n, line=n, head=f"{n:064x}", session=f"s{n}", cwd=cwd, project=project)


def test_each_mark_is_on_the_disk_before_the_next_transcript(tmp_path: Path) -> None:
    path = tmp_path / "processed" / "manifest.json"
    first = Manifest(path)
    for n in range(3):
        first.record(f"/t/{n}.jsonl", mark(n))
        assert Manifest(path).get(f"/t/{n}.jsonl") == mark(n), "no save, no close"
    first.record("/t/1.jsonl", mark(9))
    first.save()
    again = Manifest(path)
    assert [again.get(f"/t/{n}.jsonl") for n in range(3)] == [mark(0), mark(9), mark(2)]
    assert not path.with_name("manifest.journal").exists()
    assert json.loads(path.read_bytes())["version"] == 1


def test_a_torn_line_of_the_journal_costs_that_line_alone(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    manifest = Manifest(path)
    manifest.record("/t/0.jsonl", mark(0))
    with path.with_name("manifest.journal").open("ab") as file:
        file.write(b'\n[1,"/t/1.jsonl",{"si')
    manifest = Manifest(path)
    manifest.record("/t/2.jsonl", mark(2))
    again = Manifest(path)
    assert [again.get(f"/t/{n}.jsonl") for n in range(3)] == [mark(0), None, mark(2)]
    assert again.warnings == []


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"\0" * 50, b"[]", b'{"version": 1}', b'{"version": 1, "transcripts": {"a": {"size": -1}}}', b'"x"'],
)
def test_a_damaged_manifest_is_put_aside_with_one_warning_and_built_anew(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "manifest.json"
    path.write_bytes(damage)
    manifest = Manifest(path)
    assert len(manifest) == 0
    assert len(manifest.warnings) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["manifest.json"], "reading moves nothing"
    manifest.record("/t/0.jsonl", mark(0))
    assert (tmp_path / "manifest.json.damaged-1").read_bytes() == damage
    manifest.save()
    assert Manifest(path).warnings == []
    path.write_bytes(damage)
    Manifest(path).save()
    assert (tmp_path / "manifest.json.damaged-2").exists()


def test_a_manifest_of_another_version_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text('{"version": 99, "transcripts": {}}')
    (warning,) = Manifest(path).warnings
    assert "99" in warning


def test_the_key_of_a_folder_is_remembered(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path / "manifest.json")
    manifest.record("/t/0.jsonl", mark(0, "a-00000000", "/a"))
    assert manifest.project_of("/a") == "a-00000000"
    assert Manifest(tmp_path / "manifest.json").project_of("/a") == "a-00000000"
    assert manifest.project_of("/b") is None


def test_names_that_are_no_unicode_survive(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path / "manifest.json")
    manifest.record("/t/\udce9.jsonl", mark(0))
    manifest.save()
    assert Manifest(tmp_path / "manifest.json").get("/t/\udce9.jsonl") == mark(0)
