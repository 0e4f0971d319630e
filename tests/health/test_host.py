"""What surrounds the store: a timer that is registered is not yet one that runs."""

from __future__ import annotations

import json
from pathlib import Path

from dream.health.host import look_at_host
from dream.paths import Home

NOW = "2026-11-30T20:00:00.000Z"


def test_a_systemd_timer_without_a_user_manager_is_no_next_night_and_says_when_there_will_be_one(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path / "home")
    home.root.mkdir()
    record = {"timer": {"kind": "systemd", "files": []}}
    (home.root / "install.json").write_text(json.dumps(record), encoding="utf-8")
    environ = {"XDG_RUNTIME_DIR": str(tmp_path / "run"), "HOME": str(tmp_path)}
    found = look_at_host(home, environ, "Europe/Paris", NOW)
    assert (found.timer, found.next_run) == ("systemd", "")
    assert any("next login" in warning and "enable-linger" in warning for warning in found.warnings)
    (tmp_path / "run" / "systemd").mkdir(parents=True)
    (tmp_path / "run" / "systemd" / "private").touch()
    found = look_at_host(home, environ, "Europe/Paris", NOW)
    assert found.next_run == "2026-12-01T01:05:00.000Z"
    assert not any("next login" in warning for warning in found.warnings)
