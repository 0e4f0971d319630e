"""Reported faults of group A, played again on the real client. Broken input (A02) no client sends.

A05, A10, A11 and A16 are in test_story.py. All play in folders with spaces and accents (A10).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import NO_SERVER, Person, hooked_plugin, ours

NEXT = "Next steps: deploy the service now. You must run the migration before anything else."


def blocking(folder: Path) -> Path:
    """A plugin whose Stop hook sends the model on once."""
    program = (
        "import json, sys\nif not json.load(sys.stdin)['stop_hook_active']:\n"
        "    print(json.dumps({'decision': 'block', 'reason': 'go on'}))\n"
    )
    return hooked_plugin(folder, "Stop", program)


def test_a01_a15_a_stop_that_fires_again_without_a_transcript_returns_nothing_to_the_model(
    resident: Person, tmp_path: Path
) -> None:
    before, log = resident.notes(), len(resident.log())
    more = ["--no-session-persistence", "--plugin-dir", str(blocking(tmp_path / "pusher"))]
    run = resident.say("Go.", [NEXT, "Done, nothing else."], *more)
    active = [each["stdin"]["stop_hook_active"] for each in run.hook_log if each["stdin"]["hook_event_name"] == "Stop"]
    assert active == [False, True] and len(run.api.messages()) == 2, "the other plugin sent it on, once"
    assert [text for text in ours(run, "Stop") if "go on" not in text] == [""] * 5, (
        "ours, and the rig's, printed nothing"
    )
    assert resident.notes() == before, "no event is invented"
    assert len(resident.log()) == log + 2, "one line for each call"


def test_a04_a_client_killed_while_stop_runs_leaves_whole_lines_and_the_next_session_catches_up(
    resident: Person, rig_module: Any
) -> None:
    from fake_messages_api import FakeAPI  # the rig's

    log, said = resident.rig.hook_log, [f"The kiln of workshop {n} fires at {1200 + n} degrees." for n in range(3)]
    for trial, sentence in enumerate(said):
        already = log.read_text(encoding="utf-8").count('"Stop"') if log.exists() else 0
        with FakeAPI(["Noted."]) as api:
            process = subprocess.Popen(
                [resident.rig.claude_bin, "-p", "--settings", rig_module.watch_settings()],
                env=resident.rig.environment(api.url, NO_SERVER), cwd=resident.rig.work, start_new_session=True,
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            assert process.stdin
            process.stdin.write(sentence.encode())
            process.stdin.close()
            until = time.monotonic() + 60
            while log.read_text(encoding="utf-8").count('"Stop"') == already and process.poll() is None:
                assert time.monotonic() < until
                time.sleep(0.005)
            time.sleep((0, 0.02, 0.05)[trial])
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)
    until = time.monotonic() + 10
    while resident.running() and time.monotonic() < until:
        time.sleep(0.1)
    assert not list((resident.home / "capture").rglob("*lock*"))
    resident.say("And the glaze is bought in Vallauris.")
    held = [each["text"] for each in resident.notes()]
    assert [held.count(sentence) for sentence in said] == [1, 1, 1]


def test_a06_a08_every_start_of_a_session_prints_one_object_of_the_one_shape(resident: Person, tmp_path: Path) -> None:
    from fake_messages_api import all_text

    home = tmp_path / "home"
    (home / "index").mkdir(parents=True)
    index = "<!-- dream:begin -->\n# Dream, every project\n- Always answer in French 🧠. (f-0)\n<!-- dream:end -->\n"
    (home / "index" / "MEMORY.md").write_text(index, encoding="utf-8")
    env = {"DREAM_HOME": str(home), "LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
    first = resident.say("A start.", env=env)
    summary = {"when": {"any": True}, "text": "<summary>A start.</summary>"}
    compacted = resident.say("/compact", [summary], "--resume", first.session_id, env=env)
    resumed = resident.say("On we go.", ["Yes."], "--resume", first.session_id, env=env)
    for run in (first, compacted, resumed):
        printed = [text for text in ours(run, "SessionStart") if text]
        assert printed, "ours greets at each of them"
        for text in printed:
            assert (text[0], text.rstrip("\n")[-1]) == ("{", "}") and text.isascii()
            assert set(json.loads(text)) == {"hookSpecificOutput"}
            told = json.loads(text)["hookSpecificOutput"]
            assert set(told) == {"hookEventName", "additionalContext"} and told["hookEventName"] == "SessionStart"
            assert "Always answer in French 🧠." in told["additionalContext"]
    sources = {each["stdin"].get("source") for run in (first, compacted, resumed) for each in run.hook_log}
    assert {"startup", "resume", "compact"} <= sources
    read = all_text(first.api.messages()[0])
    assert "Always answer in French 🧠." in read and "dream:begin" not in read, "no mark of the file reaches a reader"


def test_a07_an_index_that_is_far_too_large_reaches_the_model_whole_and_within_the_hosts_limit(
    resident: Person, tmp_path: Path
) -> None:
    from fake_messages_api import all_text

    home = tmp_path / "home"
    (home / "index").mkdir(parents=True)
    lines = "".join(f"- Nœud {n} {'é🧠' * 145}\n" for n in range(5_000))
    (home / "index" / "MEMORY.md").write_text(lines, encoding="utf-8")
    run = resident.say("A start.", env={"DREAM_HOME": str(home)})
    (printed,) = (text for text in ours(run, "SessionStart") if text)
    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert len(context.encode()) <= 8_000 and len(context.encode("utf-16-le")) // 2 <= 10_000
    assert context in all_text(run.api.messages()[0]), "the client cut nothing and put nothing into a file"
    shown = sum(line.startswith("- ") for line in context.splitlines())
    assert shown and f"({5_000 - shown} more left out" in context


def test_a14_a15_text_is_kept_byte_for_byte_and_next_steps_as_what_the_assistant_said(resident: Person) -> None:
    said = "Décidé : l'œuvre « Été 🧠 » coûte 3 €, flèche → comprise."
    run = resident.say(said, [NEXT], env={"PYTHONIOENCODING": "cp1252", "LANG": "C", "LC_ALL": "C"})
    assert len(run.api.messages()) == 1 and set(ours(run, "Stop")) == {""}, "what is to be done starts nothing"
    of = {each["text"]: each["origin"] for each in resident.notes()}
    assert of[said] == "user"
    assert {origin for text, origin in of.items() if "run the migration" in text} == {"assistant"}


def test_a17_a_damaged_transcript_is_resumed_and_noted_but_for_what_is_broken(
    resident: Person, rig_module: Any, shared: Path
) -> None:
    session = "00000000-0000-4000-8000-0000000a1700"
    damaged = (shared / "cases" / "inputs" / "a17_transcript_damaged.jsonl").read_bytes()
    folder = resident.rig.home / ".claude" / "projects" / rig_module.encode_cwd(str(resident.rig.work))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    path.write_bytes(damaged.replace(b"00000000-0000-4000-8000-000000000001", session.encode()))
    log = len(resident.log())
    run = resident.say("Et la suite du mortier ?", ["Rien."], "--resume", session)
    assert run.session_id == session
    held = [each["text"] for each in resident.notes() if each["session"] == session]
    assert held[:3] == [
        "On garde SQLite pour les métadonnées.",
        "D'accord, SQLite.",
        "Non, pas 02:00 : le cycle part à 02:05.",
    ]
    assert not [text for text in held if "pensé" in text or "sous-agent" in text or "local-command" in text]
    warned = [line for line in resident.log()[log:] if "brand-new-kind-2027" in line]
    assert len(warned) == 1 and "malformed" in warned[0], resident.log()[log:]


def test_a18_a_session_that_is_resumed_again_and_again_is_noted_once(resident: Person) -> None:
    said = [f"Shelf {n} of the archive holds the year {1950 + n}." for n in range(3)]
    run = resident.say(said[0])
    for sentence in said[1:]:
        resident.say(sentence, ["Noted."], "--resume", run.session_id)
    held = [each["text"] for each in resident.notes()]
    assert [held.count(sentence) for sentence in said] == [1, 1, 1]
    (cursor,) = (
        json.loads(path.read_bytes())
        for path in (resident.home / "capture" / "cursors").glob("*.json")
        if run.session_id.encode() in path.read_bytes()
    )
    assert cursor["offset"] <= run.transcript.stat().st_size


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a19_a_worktree_is_its_project_and_two_folders_that_the_client_files_as_one_are_two(
    resident: Person, tmp_path: Path
) -> None:
    def git(*words: str) -> None:
        own = ["-c", "user.name=Léa", "-c", "user.email=lea@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *own, *words], cwd=tmp_path / "outil", check=True, capture_output=True)

    for name in ("outil", "a-b", "a/b"):
        (tmp_path / name).mkdir(parents=True)
    git("init")
    git("commit", "--allow-empty", "-m", "start")
    git("worktree", "add", str(tmp_path / "f1"))
    said = {
        "outil": "The bench is oak.",
        "f1": "The vice is steel.",
        "a-b": "The roof is slate.",
        "a/b": "The door is ash.",
    }
    runs = {name: resident.say(sentence, cwd=tmp_path / name) for name, sentence in said.items()}
    of = {each["text"]: each["project"] for each in resident.notes()}
    assert of[said["outil"]] == of[said["f1"]], "a worktree is the project it belongs to"
    assert runs["a-b"].transcript.parent == runs["a/b"].transcript.parent, "the client has one folder for both"
    assert len({of[said["outil"]], of[said["a-b"]], of[said["a/b"]]}) == 3
