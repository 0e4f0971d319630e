"""The files that start Dream at night, read with each system's own tools where they are, else by their rules."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from dream.capture.home import resolve_home
from dream.cycle.gates import Due, Facts, Trigger, due
from tests.install.conftest import SCRIPTS

HOMES = [Path("/home/lea/.dream"), Path('/home/léa & co/100% "dream"/it\'s $HOME'), Path("/a/b\\c")]
TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"


def arguments(home: Path) -> list[str]:
    return ["-I", str(home / "scripts" / "scheduler.py"), "--set", f"DREAM_HOME={home}"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("home", HOMES, ids=["plain", "odd", "backslash"])
def test_systemd_itself_accepts_service_and_timer(home: Path, tmp_path: Path) -> None:
    import setup_linux

    for path, content in setup_linux.Systemd().files(home, Path(sys.executable), arguments(home)).items():
        (tmp_path / path.name).write_bytes(content)
    run = tmp_path / "run"
    run.mkdir(mode=0o700)
    command = ["systemd-analyze", "verify", "--user", "--man=no"]
    command += [str(tmp_path / f"dream.{kind}") for kind in ("timer", "service")]
    seen = {**os.environ, "XDG_RUNTIME_DIR": str(run), "HOME": str(tmp_path)}
    done = subprocess.run(command, env=seen, capture_output=True, text=True, check=False)
    said = [line for line in (done.stdout + done.stderr).splitlines() if "dream." in line]
    assert done.returncode == 0 and not said, said


def test_g02_the_systemd_timer_makes_up_a_missed_night_once_and_the_service_ends() -> None:
    timer = (SCRIPTS / "timers" / "dream.timer.in").read_text(encoding="utf-8")
    service = (SCRIPTS / "timers" / "dream.service.in").read_text(encoding="utf-8")
    assert "Persistent=true" in timer and "OnCalendar=*-*-* 02:05:00" in timer
    assert "Type=oneshot" in service and "Restart=" not in service and "TimeoutStartSec=3h" in service
    last, boot = "2026-11-28T01:05:10.000Z", "2026-11-30T08:00:00.000Z"
    assert isinstance(due(Trigger.NIGHTLY, Facts(boot, 3, 3, last, "Europe/Paris")), Due)
    assert not isinstance(due(Trigger.NIGHTLY, Facts("2026-11-30T08:10:00.000Z", 3, 3, boot, "Europe/Paris")), Due)


def elapses(expression: str, since: str, zone: str, number: int) -> list[datetime]:
    """When systemd would start it, in UTC."""
    done = subprocess.run(
        ["systemd-analyze", "calendar", f"--base-time={since}", f"--iterations={number}", expression],
        env={**os.environ, "TZ": zone, "LANG": "C"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = [line.split("): ")[1] for line in done.stdout.splitlines() if "(in UTC)" in line]
    return [datetime.strptime(each, "%a %Y-%m-%d %H:%M:%S UTC").replace(tzinfo=ZoneInfo("UTC")) for each in found]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("night", ["2027-03-28", "2026-10-25", "2027-10-31", "2026-12-01"])
def test_g01_systemds_own_firings_through_clock_changes_play_each_night_once(night: str) -> None:
    """02:05 is missing on 2027-03-28 (systemd leaves it out: hence the firing at 03:05) and comes twice in October."""
    zone = "Europe/Paris"
    lines = (SCRIPTS / "timers" / "dream.timer.in").read_text(encoding="utf-8").splitlines()
    calendars = [line.split("=", 1)[1] for line in lines if line.startswith("OnCalendar=")]
    eve = datetime.fromisoformat(f"{night}T12:00:00").replace(tzinfo=ZoneInfo(zone))
    before = f"{datetime.fromordinal(eve.toordinal() - 1).date()} 12:00:00"
    firings = sorted(at for each in calendars for at in elapses(each, before, zone, 4) if at < eve)
    last, played = "2026-01-01T01:05:00.000Z", 0
    for at in firings:
        now = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if isinstance(due(Trigger.NIGHTLY, Facts(now, 1, 1, last, zone)), Due):
            last, played = now, played + 1
    assert played == 1, firings


@pytest.mark.parametrize("home", HOMES, ids=["plain", "odd", "backslash"])
def test_g08_the_launchd_agent_is_a_plist_without_keepalive_that_runs_at_load(home: Path) -> None:
    import setup_macos

    (content,) = setup_macos.Launchd().files(home, Path("/py/bin/python"), arguments(home)).values()
    plist = plistlib.loads(content)
    assert "KeepAlive" not in plist and plist["RunAtLoad"] is True
    assert plist["Label"] == "dev.dream.nightly"
    assert plist["ProgramArguments"] == ["/py/bin/python", *arguments(home)]
    assert {"Hour": 2, "Minute": 5} in plist["StartCalendarInterval"]
    if shutil.which("plutil"):
        subprocess.run(["plutil", "-lint", "-"], input=content, check=True)


@pytest.mark.parametrize("home", HOMES, ids=["plain", "odd", "backslash"])
def test_g03_the_windows_task_runs_on_batteries_catches_up_and_never_twice_at_once(home: Path) -> None:
    import setup_windows

    (content,) = setup_windows.TaskScheduler().files(home, Path("C:/py/pythonw.exe"), arguments(home)).values()
    assert content[:2] in {b"\xff\xfe", b"\xfe\xff"}, "UTF-16 with its mark"
    task = ElementTree.fromstring(content)  # noqa: S314 - our own file
    settings = {each.tag.removeprefix(TASK): each.text for each in task.find(f"{TASK}Settings") or ()}
    assert settings["StartWhenAvailable"] == "true"
    assert settings["DisallowStartIfOnBatteries"] == settings["StopIfGoingOnBatteries"] == "false"
    assert settings["MultipleInstancesPolicy"] == "IgnoreNew" and settings["ExecutionTimeLimit"] == "PT3H"
    action = task.find(f"{TASK}Actions/{TASK}Exec")
    assert action is not None
    parts = {each.tag.removeprefix(TASK): each.text for each in action}
    assert parts["Command"].endswith("pythonw.exe"), "F07: no console window"
    assert parts["Arguments"] == subprocess.list2cmdline(arguments(home))
    order = [each.tag.removeprefix(TASK) for each in task]
    assert order == ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"], "the schema's sequence"


def test_f07_what_the_scheduler_starts_opens_no_window_and_writes_to_a_file() -> None:
    text = (SCRIPTS / "scheduler.py").read_text(encoding="utf-8")
    assert "creationflags=NO_WINDOW" in text and "CREATE_NO_WINDOW" in text and "print(" not in text


def test_a_night_that_hangs_is_ended_and_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import scheduler

    home = tmp_path / "home"
    home.mkdir()
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\necho begun\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    (home / "install.json").write_text(json.dumps({"python": str(slow)}), encoding="utf-8")
    monkeypatch.setattr(os, "nice", lambda _by: 0)
    assert scheduler.play(home, 0.5) == 1
    assert "was ended after" in (home / "logs" / "scheduler.log").read_text(encoding="utf-8")


def test_a_scheduler_without_an_installation_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import scheduler

    monkeypatch.setattr(os, "nice", lambda _by: 0)
    assert scheduler.play(tmp_path) == 1
    assert "dream-init" in (tmp_path / "logs" / "scheduler.log").read_text(encoding="utf-8")


def test_the_scripts_and_the_package_agree_on_the_mark_that_lets_hooks_note() -> None:
    import removal

    from dream.capture.home import ASKED

    assert str(removal.ALLOWED) == ASKED


@pytest.mark.parametrize("named", ["", "  ", "~", "~/deep/er", "relative", "/abs/../olute", "/tmp/x/"])
def test_the_scripts_and_the_package_agree_on_where_the_store_lies(
    named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import dream_home

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DREAM_HOME", named)
    assert str(dream_home.dream_home()) == resolve_home(dict(os.environ))


def test_the_scripts_and_the_package_agree_on_where_the_last_checkpoint_is_copied(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import removal
    from platformdirs import user_state_path

    for name in ("DREAM_STATE", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert removal.state_folder() == user_state_path("dream", appauthor=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert removal.state_folder() == user_state_path("dream", appauthor=False)
