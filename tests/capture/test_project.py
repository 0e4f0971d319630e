"""One project is one key, two are two (case A19)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dream.capture.project import normal_remote, project_key, project_name

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=Léa", "-c", "user.email=lea@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, remote: str = "") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", "start")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.mark.parametrize(
    "spellings",
    [
        ("C:\\TA\\outil", "C:/TA/outil", "c:\\ta\\outil\\", "\\\\?\\C:\\TA\\outil"),
        ("/home/nobody-here/outil", "/home/nobody-here/outil/", "/home/nobody-here//x/../outil/."),
        (
            "/home/nobody-here/outil",
            "/home/nobody-here/outil/.worktrees/f1",
            "/home/nobody-here/outil/.claude/worktrees/f2/src",
        ),
        ("\\\\Serveur\\Partage\\outil", "//?/UNC/serveur/partage/outil".replace("/", "\\")),
    ],
)
def test_a19_spellings_of_one_folder_are_one_key(spellings: tuple[str, ...]) -> None:
    assert len({project_key(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/home/nobody-here/a-b", "/home/nobody-here/a/b"),
        ("/home/nobody-here/outil", "/home/nobody-here/outil2"),
        ("/home/nobody-here/Outil", "/home/nobody-here/outil"),
        ("C:\\TA\\outil", "D:\\TA\\outil"),
    ],
)
def test_a19_different_folders_are_two_keys(one: str, other: str) -> None:
    assert project_key(one) != project_key(other)


def test_a19_inputs_of_the_case(shared: Path) -> None:
    import json

    case = json.loads((shared / "cases" / "inputs" / "a19_project_keys.json").read_text("utf-8"))
    for spellings in case["same_project"]:
        assert len({project_key(spelling) for spelling in spellings}) == 1
    for pair in case["different_projects"]:
        assert len({project_key(spelling) for spelling in pair}) == 2


@needs_git
def test_a19_worktrees_and_subfolders_are_the_repository(tmp_path: Path) -> None:
    main = repository(tmp_path / "outil")
    (main / "src").mkdir()
    git(main, "worktree", "add", str(tmp_path / "elsewhere" / "f1"))
    git(main, "worktree", "add", str(main / ".worktrees" / "f2"))
    keys = {
        project_key(str(f)) for f in (main, main / "src", tmp_path / "elsewhere" / "f1", main / ".worktrees" / "f2")
    }
    assert len(keys) == 1
    assert project_name(str(tmp_path / "elsewhere" / "f1")) == "outil"


@needs_git
def test_a_worktree_that_was_removed_is_still_the_repository(tmp_path: Path) -> None:
    main = repository(tmp_path / "outil")
    git(main, "worktree", "add", str(main / ".worktrees" / "f2"))
    before = project_key(str(main / ".worktrees" / "f2"))
    shutil.rmtree(main / ".worktrees")
    assert project_key(str(main / ".worktrees" / "f2")) == before == project_key(str(main))


@needs_git
def test_clones_of_one_remote_are_one_project_and_forks_are_two(tmp_path: Path) -> None:
    ssh = repository(tmp_path / "a", "git@github.com:lea/outil.git")
    https = repository(tmp_path / "b", "https://token:x@GitHub.com/Lea/outil/")
    fork = repository(tmp_path / "c", "https://github.com/tom/outil")
    assert project_key(str(ssh)) == project_key(str(https)) != project_key(str(fork))
    assert project_name(str(ssh)) == "outil"


@needs_git
def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    part = repository(tmp_path / "part")
    main = repository(tmp_path / "outil")
    git(main, "-c", "protocol.file.allow=always", "submodule", "add", str(part), "part")
    assert project_key(str(main)) != project_key(str(main / "part"))
    assert project_key(str(main / "part")) != project_key(str(tmp_path / "other"))


@needs_git
def test_settings_kept_in_a_repository_at_home_do_not_swallow_projects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = repository(tmp_path / "home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("a", "b"):
        (home / name).mkdir()
    assert len({project_key(str(f)) for f in (home, home / "a", home / "b")}) == 3


@pytest.mark.skipif(os.name == "nt", reason="symlinks need a right on Windows")
def test_a_symlink_to_a_folder_is_the_folder(tmp_path: Path) -> None:
    (tmp_path / "outil").mkdir()
    (tmp_path / "lien").symlink_to(tmp_path / "outil")
    assert project_key(str(tmp_path / "lien")) == project_key(str(tmp_path / "outil"))


def test_a_folder_keeps_its_key_when_it_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "Projet d'été"
    folder.mkdir()
    before = project_key(str(folder))
    folder.rmdir()
    assert project_key(str(folder)) == before


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:lea/outil.git",
        "ssh://git@github.com/lea/outil",
        "ssh://git@github.com:22/lea/outil.git",
        "https://github.com/lea/outil.git",
        "https://lea:secret@GITHUB.com:443//Lea/Outil/",
        "git://github.com/lea/outil",
        "github.com:lea/outil",
    ],
)
def test_spellings_of_one_remote(url: str) -> None:
    assert normal_remote(url) == "github.com/lea/outil"


@pytest.mark.parametrize("url", ["/srv/git/outil.git", "../outil", "C:\\git\\outil", "file:///srv/outil", ""])
def test_a_local_path_is_no_host(url: str) -> None:
    assert normal_remote(url) == ""


def test_no_password_of_a_remote_reaches_the_identity() -> None:
    assert "secret" not in normal_remote("https://lea:secret@example.org/x/y.git")


@pytest.mark.parametrize(
    "cwd", ["/", "C:\\", "/tmp/été", "/a/\0/b", "/home/x/con", "relative", "/x/" + "long" * 200, "/\udce9"]
)
def test_the_key_is_safe_as_a_file_name_whatever_the_folder(cwd: str) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,24}-[0-9a-f]{8}", project_key(cwd))


def test_no_folder_is_everywhere() -> None:
    assert project_key("") == "" == project_key("  ")
