"""The hooks as the host runs them: real processes, by the commands of hooks.json."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dream.capture import buffer
from tests.surfaces.host import EVENTS, ROOT, Host, command, context, copy_of_the_plugin

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and sh are POSIX")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_stop_takes_what_was_said_and_prints_nothing(host: Host) -> None:
    host.say("Le port des métriques est 9464.")
    host.say("Noté.", "assistant")
    assert host.run("Stop") == b""
    host.say("Et on bannit pickle.")
    assert host.run("Stop", stop_hook_active=True) == b""
    assert host.said() == ["Le port des métriques est 9464.", "Noté.", "Et on bannit pickle."]
    assert host.log() == []


def test_pre_compact_takes_it_too_and_again_and_again(host: Host) -> None:
    host.say("Un.")
    for _ in range(3):
        assert host.run("PreCompact", trigger="auto") == b""
    assert host.said() == ["Un."]


def test_a01_stop_without_a_transcript_logs_one_line_and_changes_nothing(host: Host) -> None:
    given = json.dumps(host.payload("Stop", stop_hook_active=True, transcript_path="/nowhere/nothing.jsonl")).encode()
    assert host.run("Stop", given) == b""
    assert len(host.log()) == 1
    assert "/nowhere/nothing.jsonl" in host.log()[0]
    before = host.files()
    assert host.run("Stop", given) == b""
    assert host.files() == before
    assert host.said() == []


@POSIX
def test_a04_a_hook_killed_anywhere_leaves_whole_lines_and_doubles_nothing(host: Host) -> None:
    given = json.dumps(host.payload("Stop")).encode()
    for trial in range(50):
        host.say(f"Fait numéro {trial} : le port est {3000 + trial}.")
        with subprocess.Popen(
            command("Stop"), stdin=subprocess.PIPE, env=host.environ, start_new_session=True
        ) as process:
            assert process.stdin is not None
            process.stdin.write(given)
            process.stdin.close()
            time.sleep((0.005, 0.02, 0.03, 0.04, 0.08)[trial % 5])
            process.send_signal(signal.SIGKILL)
    for path in (host.home / "capture").glob("*.jsonl"):
        assert all(json.loads(line)["id"] for line in path.read_bytes().splitlines())
    assert not [path for path in host.home.rglob("*") if "lock" in path.name]
    host.prepare("Un.")
    host.run("SessionStart", source="startup")
    assert host.said() == [f"Fait numéro {trial} : le port est {3000 + trial}." for trial in range(50)]
    lines = [line for path in (host.home / "capture").glob("*.jsonl") for line in path.read_bytes().splitlines()]
    assert len(lines) == 50


def test_a05_the_next_session_start_takes_in_what_no_hook_saw(host: Host) -> None:
    host.say("Dit quand aucun hook ne tournait.")
    other = host.transcript.with_name("s-2.jsonl")
    host.say("Dit ailleurs.", transcript=other)
    host.prepare("Un.", last_good_night=None, pending_sessions=0)
    host.transcript.with_name("not-a-transcript.txt").write_text("x", encoding="utf-8")
    text = context(host.run("SessionStart", source="startup", transcript_path=str(other.with_name("s-3.jsonl"))))
    assert sorted(map(str, host.said())) == ["Dit ailleurs.", "Dit quand aucun hook ne tournait."]
    assert "caught up 2 sessions" in text
    assert "caught up" not in context(host.run("SessionStart", source="startup"))


def test_a05_what_is_older_than_the_last_good_night_is_left_to_the_nights(host: Host) -> None:
    host.say("Ancien.")
    old = time.time() - 7 * 86_400
    os.utime(host.transcript, (old, old))
    night = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 86_400))
    host.prepare("Un.", last_good_night=night)
    host.run("SessionStart", source="startup")
    assert host.said() == []


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_a06_session_start_prints_one_object_of_the_one_shape(source: str, host: Host) -> None:
    host.prepare("Toujours répondre en français 🧠.")
    output = host.run("SessionStart", source=source)
    assert "Toujours répondre en français 🧠." in context(output)
    output.decode("ascii")


def test_a06_nothing_prepared_prints_nothing_and_makes_no_store(host: Host) -> None:
    assert host.run("SessionStart", source="startup") == b""
    assert not host.home.exists()


def test_a07_five_thousand_long_nodes_stay_within_both_limits_in_under_two_seconds(host: Host) -> None:
    host.prepare(*(f"Nœud {n} " + "é🧠" * 145 for n in range(5_000)))
    start = time.monotonic()
    output = host.run("SessionStart", source="startup")
    assert time.monotonic() - start < 2
    text = context(output)
    assert len(text.encode()) <= 8_000
    assert len(text.encode("utf-16-le")) // 2 <= 10_000
    assert len(output) <= 10_000, "whichever form the host counts"
    shown = sum(line.startswith("- ") for line in text.splitlines())
    assert f"({5_000 - shown} more left out" in text


@POSIX
def test_a08_the_first_and_last_byte_are_the_braces_also_through_a_shell(tmp_path: Path) -> None:
    host = Host(tmp_path / "un dossier à espaces")
    host.prepare("Un.")
    quoted = " ".join(f"'{part}'" for part in command("SessionStart"))
    given = json.dumps(host.payload("SessionStart", source="startup")).encode()
    done = subprocess.run(
        ["sh", "-c", quoted], input=given, env=host.environ, cwd=host.project, capture_output=True, check=True
    )
    assert (done.stdout[:1], done.stdout[-1:]) == (b"{", b"}")


@pytest.mark.skipif(sys.platform != "win32", reason="cmd.exe")
def test_a08_the_first_and_last_byte_are_the_braces_also_through_cmd(tmp_path: Path) -> None:
    host = Host(tmp_path / "un dossier")
    host.prepare("Un.")
    given = json.dumps(host.payload("SessionStart", source="startup")).encode()
    line = subprocess.list2cmdline(command("SessionStart"))
    done = subprocess.run(f'cmd /c "{line}"', input=given, env=host.environ, capture_output=True, check=True)
    assert (done.stdout[:1], done.stdout[-1:]) == (b"{", b"}")


def test_a10_spaces_and_accents_in_every_path(tmp_path: Path) -> None:
    host = Host(tmp_path / "Léa Dupré" / "mémoire été")
    root = copy_of_the_plugin(tmp_path / "Léa Dupré" / "greffon d'été")
    host.environ["CLAUDE_PLUGIN_ROOT"] = str(root)
    host.say("Décidé : l'été.")
    assert host.run("Stop", root=root) == b""
    host.prepare("Été.")
    assert "Été." in context(host.run("SessionStart", root=root, source="startup"))
    assert host.run("SessionEnd", root=root, reason="other") == b""
    assert host.said() == ["Décidé : l'été."]


def test_a10_every_command_is_in_exec_form_with_its_path_as_one_argument() -> None:
    for event, (entry,) in EVENTS.items():
        (hook,) = entry["hooks"]
        assert hook["type"] == "command"
        assert hook["command"] == "python3"
        script = hook["args"][-1]
        assert script.startswith("${CLAUDE_PLUGIN_ROOT}/hooks/"), event
        assert (ROOT / "hooks" / script.rsplit("/", 1)[1]).is_file()
        assert 0 < hook["timeout"] <= 10


def test_a15_next_steps_are_stored_as_what_was_said_and_never_returned(host: Host) -> None:
    for number in range(10):
        host.say(f"Next steps: deploy the service {number} now. You must run the migration.", "assistant")
    assert host.run("Stop") == b""
    assert len(host.said()) == 20
    assert {note["origin"] for note in buffer.read_today(str(host.home))} == {"assistant"}


def test_session_end_leaves_one_marker(host: Host) -> None:
    assert host.run("SessionEnd", reason="other") == b""
    (path,) = (host.home / "capture").glob("*.jsonl")
    _, markers, bad = buffer.read_lines(str(path))
    assert [(marker["marker"], marker["session"]) for marker in markers] == [("session-end", "s-1")]
    assert bad == []


def test_the_prompt_hook_is_off_until_it_is_asked_for(host: Host) -> None:
    host.say("Interrompu par Échap.")
    assert host.run("UserPromptSubmit", prompt="La suite.") == b""
    assert not host.home.exists()
    host.environ["DREAM_CAPTURE_PROMPTS"] = "1"
    assert host.run("UserPromptSubmit", prompt="La suite.") == b""
    assert host.said() == ["Interrompu par Échap."]


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_until_a_person_has_made_a_store_or_named_its_folder_every_hook_is_quiet(
    event: str, host: Host, tmp_path: Path
) -> None:
    from dream.capture.home import allow_notes

    del host.environ["DREAM_HOME"]
    host.environ |= {"HOME": str(tmp_path), "DREAM_CAPTURE_PROMPTS": "1"}
    host.home = tmp_path / ".dream"
    host.say("Un.")
    assert host.run(event, source="startup") == b""
    assert not host.home.exists()
    host.home.mkdir()
    assert host.run(event, source="startup") == b"" and not list(host.home.iterdir()), "a folder alone is no consent"
    allow_notes(str(host.home))
    host.run(event, source="startup")
    assert (host.home / "capture" / "seen" / event).exists()


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_inside_dream_every_hook_returns_at_once(event: str, host: Host) -> None:
    host.say("Un.")
    host.prepare("Un.")
    host.environ["DREAM_INSIDE"] = "1"
    before = host.files()
    assert host.run(event) == b""
    assert host.files() == before


def test_a_home_that_is_refused_fails_no_session_and_writes_nothing_there(host: Host, tmp_path: Path) -> None:
    refused = tmp_path / "site-packages" / "store"
    host.environ["DREAM_HOME"] = str(refused)
    host.say("Un.")
    done = subprocess.run(
        command("Stop"),
        input=json.dumps(host.payload("Stop")).encode(),
        env=host.environ,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"site-packages" in done.stderr
    assert not refused.exists()


def test_a_plugin_folder_that_cannot_be_written_is_no_trouble(host: Host, tmp_path: Path) -> None:
    root = copy_of_the_plugin(tmp_path / "plugin")
    for path in [root, *root.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    host.say("Un.")
    try:
        assert host.run("Stop", root=root) == b""
    finally:
        for path in [root, *root.rglob("*")]:
            path.chmod(0o755)
    assert host.said() == ["Un."]


def test_a_plugin_that_is_only_half_there_fails_no_session(host: Host, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "hooks", tmp_path / "half" / "hooks")
    for event in EVENTS:
        done = subprocess.run(
            command(event, tmp_path / "half"), input=b"{}", env=host.environ, capture_output=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, b"")


def test_two_sessions_that_stop_at_once_keep_all_they_said(host: Host) -> None:
    transcripts = [host.transcript.with_name(f"s-{n}.jsonl") for n in range(6)]
    for number, path in enumerate(transcripts):
        for turn in range(5):
            host.say(f"Séance {number}, tour {turn}.", transcript=path)
    running = []
    for path in transcripts:
        process = subprocess.Popen(command("Stop"), stdin=subprocess.PIPE, env=host.environ)
        assert process.stdin is not None
        process.stdin.write(json.dumps(host.payload("Stop", transcript_path=str(path))).encode())
        process.stdin.close()
        running.append(process)
    assert [process.wait(timeout=30) for process in running] == [0] * 6
    assert len(host.said()) == 30
    for path in (host.home / "capture").glob("*.jsonl"):
        assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_every_run_leaves_a_trace_of_when(host: Host) -> None:
    host.say("Un.")
    host.run("Stop")
    assert time.time() - (host.home / "capture" / "seen" / "Stop").stat().st_mtime < 60
