"""Where the store lies (case B22)."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from dream.capture import home


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}


@pytest.mark.parametrize(
    ("named", "found"),
    [("~/x", "x"), ("./x", "x"), ("a/b/c", "a/b/c"), ("", ".dream"), ("   ", ".dream"), ("~", ""), ("~/a/../b", "b")],
)
def test_b22_every_form_of_path_is_absolute_and_starts_at_the_users_home(
    named: str, found: str, environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")  # the timer's folder is not the hook's: neither may matter
    path = home.resolve_home({**environ, "DREAM_HOME": named})
    assert Path(path) == tmp_path / found
    home.ensure_folder(path)
    assert Path(path).is_dir()


def test_b22_an_absolute_path_is_taken_as_it_is(environ: dict[str, str], tmp_path: Path) -> None:
    assert home.resolve_home({**environ, "DREAM_HOME": str(tmp_path / "s t ô")}) == str(tmp_path / "s t ô")


def test_b22_unset_is_dot_dream_in_the_users_home(environ: dict[str, str], tmp_path: Path) -> None:
    assert home.resolve_home(environ) == str(tmp_path / ".dream")


@pytest.mark.parametrize(
    "inside",
    [
        "lib/python3.11/site-packages/dream/store",
        "usr/lib/python3/dist-packages/store",
        ".claude/plugins/cache/m/dream/0.1/store",
        ".claude/plugins/marketplaces/m/store",
    ],
)
def test_b22_a_folder_that_an_update_deletes_is_refused(inside: str, environ: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(home.HomeRefused, match="update"):
        home.resolve_home({**environ, "DREAM_HOME": str(tmp_path / inside)})


def test_b22_the_plugins_own_folder_is_refused_also_through_a_link(environ: dict[str, str], tmp_path: Path) -> None:
    plugin = tmp_path / "plugin"
    plugin.mkdir()
    (tmp_path / "link").symlink_to(plugin, target_is_directory=True)
    for named in (plugin, plugin / "store", tmp_path / "link" / "store"):
        with pytest.raises(home.HomeRefused):
            home.resolve_home({**environ, "DREAM_HOME": str(named), "CLAUDE_PLUGIN_ROOT": str(plugin)})


def test_b22_the_plugins_data_folder_and_a_neighbour_are_welcome(environ: dict[str, str], tmp_path: Path) -> None:
    data = tmp_path / ".claude" / "plugins" / "data" / "dream-inline"
    assert home.resolve_home({**environ, "DREAM_HOME": str(data)}) == str(data)
    neighbour = tmp_path / "plugin-store"
    given = {**environ, "DREAM_HOME": str(neighbour), "CLAUDE_PLUGIN_ROOT": str(tmp_path / "plugin")}
    assert home.resolve_home(given) == str(neighbour)


def test_the_package_folder_is_refused(environ: dict[str, str]) -> None:
    package = Path(home.__file__).resolve().parents[1]
    with pytest.raises(home.HomeRefused):
        home.resolve_home({**environ, "DREAM_HOME": str(package / "store")})


def test_transcripts_are_the_clients_own_unless_named(environ: dict[str, str], tmp_path: Path) -> None:
    assert home.resolve_transcripts(environ) == str(tmp_path / ".claude" / "projects")
    assert home.resolve_transcripts({**environ, "CLAUDE_CONFIG_DIR": "~/c"}) == str(tmp_path / "c" / "projects")
    assert home.resolve_transcripts({**environ, "DREAM_TRANSCRIPTS": "t"}) == str(tmp_path / "t")


def test_the_key_of_the_tags_is_made_once_and_is_the_users_alone(tmp_path: Path) -> None:
    key = home.redact_key(str(tmp_path))
    assert key is not None
    assert len(key) == home.KEY_BYTES
    assert home.redact_key(str(tmp_path)) == key
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(tmp_path / "keys" / "redact.key").st_mode) == 0o600
        assert stat.S_IMODE(os.stat(tmp_path / "keys").st_mode) == 0o700


def test_a_damaged_key_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "redact.key").write_bytes(b"short")
    assert home.redact_key(str(tmp_path)) is None


def test_every_folder_that_is_made_is_for_the_user_alone(tmp_path: Path) -> None:
    """Whoever comes first makes the home: a hook does, before anybody ran `dream init`."""
    if sys.platform == "win32":
        pytest.skip("Windows has no mode bits")
    before = os.umask(0o022)
    try:
        home.ensure_folder(str(tmp_path / "home" / "capture" / "sealed"))
    finally:
        os.umask(before)
    for folder in ("home", "home/capture", "home/capture/sealed"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700, folder
