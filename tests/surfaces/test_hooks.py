"""The hooks as the host runs them: real processes, by the commands of hooks.json."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from dream.capture import buffer

ROOT = Path(__file__).resolve().parents[2]
EVENTS = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and sh are POSIX")


def command(event: str, root: Path = ROOT) -> list[str]:
    args = EVENTS[event][0]["hooks"][0]["args"]
    return [sys.executable, *(part.replace("${CLAUDE_PLUGIN_ROOT}", str(root)) for part in args)]


class Host:
    """What the client does: a project, a transcript that grows, hooks with a payload on standard input."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir(parents=True)
        self.transcript = folder / "transcripts" / "s-1.jsonl"
        self.transcript.parent.mkdir()
        self.environ = {**os.environ, "DREAM_HOME": str(self.home)}
        for name in ("DREAM_INSIDE", "DREAM_CAPTURE_PROMPTS", "CLAUDE_PLUGIN_ROOT"):
            self.environ.pop(name, None)
        self._lines = 0

    def say(self, text: str, role: str = "user", transcript: Path | None = None) -> None:
        self._lines += 1
        place = {"uuid": f"u-{self._lines}", "sessionId": "s-1", "cwd": str(self.project)}
        record = {"type": role, **place, "timestamp": "2026-11-30T10:00:00.000Z", "message": {"content": text}}
        with (transcript or self.transcript).open("ab") as file:
            file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def payload(self, event: str, **more: object) -> dict[str, object]:
        common = {"session_id": "s-1", "transcript_path": str(self.transcript), "cwd": str(self.project)}
        return {**common, "hook_event_name": event, **more}

    def run(self, event: str, given: bytes | None = None, root: Path = ROOT, **more: object) -> bytes:
        """Run one hook; it ends with 0 and says nothing on standard error. Returns its standard output."""
        raw = json.dumps(self.payload(event, **more)).encode() if given is None else given
        done = subprocess.run(
            command(event, root), input=raw, env=self.environ, capture_output=True, check=False, timeout=30
        )
        assert done.returncode == 0
        assert done.stderr == b""
        return done.stdout

    def prepare(self, *lines: str, **status: object) -> None:
        index = self.home / "index"
        index.mkdir(parents=True, exist_ok=True)
        (index / "MEMORY.md").write_text("".join(f"- {line}\n" for line in lines), encoding="utf-8")
        (index / "status.json").write_text(json.dumps(status), encoding="utf-8")

    def said(self) -> list[object]:
        return [note["text"] for note in buffer.read_today(str(self.home))]

    def log(self) -> list[str]:
        path = self.home / "logs" / "hooks.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def files(self) -> dict[str, bytes]:
        """The store without what only says when a hook ran."""
        found = {str(p.relative_to(self.home)): p.read_bytes() for p in self.home.rglob("*") if p.is_file()}
        return {name: raw for name, raw in found.items() if "seen" not in name and not name.startswith("logs")}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def context(output: bytes) -> str:
    answer: dict[str, Any] = json.loads(output)
    assert set(answer) == {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    text = answer["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    return text


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


BROKEN = [
    b"",
    b"{",
    b"null",
    b'\xef\xbb\xbf{"hook_event_name":"Stop"}',
    b"[]",
    b'{"hook_event_name":"Stop","session_id":null}',
    b'{"cwd":"C:\\\\Users\\\\L\xe9a"}',
    b"\x00" * 100,
    b"[" * 100_000,
    b'{"transcript_path": "\\ud800", "session_id": "\\ud800"}',
    b'{"transcript_path": "a\\u0000b", "session_id": "s"}',
]


@pytest.mark.parametrize("given", BROKEN, ids=range(len(BROKEN)))
@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionEnd", "SessionStart"])
def test_a02_broken_input_ends_well_with_its_cause_logged_and_nothing_invented(
    event: str, given: bytes, host: Host
) -> None:
    start = time.monotonic()
    assert host.run(event, given) == b""
    assert time.monotonic() - start < 2
    assert host.said() == []
    if event in ("Stop", "PreCompact"):
        assert len(host.log()) == 1
        assert event in host.log()[0]


def test_a02_the_inputs_of_the_case(host: Host, shared: Path) -> None:
    cases = json.loads((shared / "cases" / "inputs" / "a02_hook_stdin_cases.json").read_text(encoding="utf-8"))
    for number, given in enumerate(cases["cases_b64"], 1):
        assert host.run("Stop", b64decode(given)) == b""
        assert len(host.log()) == number
    assert host.said() == []


def test_a02_input_that_never_ends_is_not_waited_for(host: Host) -> None:
    start = time.monotonic()
    with subprocess.Popen(command("Stop"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=host.environ) as process:
        assert process.wait(timeout=10) == 0
        assert time.monotonic() - start < 2
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert "not closed" in host.log()[0]


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


def copy_of_the_plugin(folder: Path) -> Path:
    for part in ("hooks", "dream/capture"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "dream" / "__init__.py", folder / "dream" / "__init__.py")
    return folder


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


@pytest.mark.parametrize(
    "locale",
    [{"PYTHONIOENCODING": "cp1252", "LANG": "C", "LC_ALL": "C"}, {"PYTHONUTF8": "0", "LC_ALL": "POSIX"}, {}],
)
def test_a14_text_is_kept_byte_for_byte_whatever_the_streams_are(locale: dict[str, str], host: Host) -> None:
    said = "Décidé : l'émoji 🧠 et « l'œuvre » restent, coût 3 €, flèche →"
    host.environ.update(locale)
    host.say(said)
    given = json.dumps(host.payload("Stop", cwd="C:\\Users\\Léa Dupré\\projet été"), ensure_ascii=False).encode()
    assert host.run("Stop", given) == b""
    assert host.said() == [said]
    assert said.encode() in next((host.home / "capture").glob("*.jsonl")).read_bytes()
    host.prepare(said)
    assert said in context(host.run("SessionStart", source="startup"))


def test_a14_a_transcript_whose_name_has_accents_under_an_ascii_locale(host: Host) -> None:
    host.environ.update({"LC_ALL": "C", "LANG": "C"})
    host.transcript = host.transcript.with_name("séance été.jsonl")
    host.say("Un.")
    given = json.dumps(host.payload("Stop"), ensure_ascii=False).encode()
    assert host.run("Stop", given) == b""
    assert host.said() == ["Un."]


def test_a14_the_input_of_the_case(host: Host, shared: Path) -> None:
    given = (shared / "cases" / "inputs" / "a14_hook_stdin_utf8.json").read_bytes()
    host.environ.update({"PYTHONIOENCODING": "cp1252", "LANG": "C"})
    for event in EVENTS:
        assert host.run(event, given) == b""


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
