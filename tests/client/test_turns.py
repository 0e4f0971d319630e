"""What a session can go through on the real client: clear, compact, interrupt, kill. Each sentence is noted once."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from dream.capture.buffer import read
from dream.sources.reading import outline
from tests.client.conftest import NO_SERVER, Person

FACT = "The label printer listens on port 9100."


def stopped_in_the_middle(person: Person, prompt: str, how: signal.Signals, env: dict[str, str]) -> int:
    """`claude -p` that gets a signal while the model is answering; returns its exit code."""
    from fake_messages_api import FakeAPI  # the rig's

    with FakeAPI([{"text": "Too late.", "delay": 30}]) as api:
        process = subprocess.Popen(
            [person.rig.claude_bin, "-p"], env=person.rig.environment(api.url, env), cwd=person.rig.work,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdin
        process.stdin.write(prompt.encode())
        process.stdin.close()
        until = time.monotonic() + 60
        while not api.messages() and time.monotonic() < until:
            time.sleep(0.1)
        assert api.messages(), "the client never asked the model"
        time.sleep(0.5)
        process.send_signal(how)
        return process.wait(30)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_turn_that_ended_early_is_caught_up_by_the_next_session(how: signal.Signals, resident: Person) -> None:
    said = f"The gate of the yard is shut by {how.name}."
    stopped_in_the_middle(resident, said, how, {} if how is signal.SIGKILL else NO_SERVER)
    assert resident.noted("Too late.") == 0
    until = time.monotonic() + 30
    while resident.running() and time.monotonic() < until:
        time.sleep(0.1)
    assert resident.running() == [], "what the client started ends with it, the server too"
    resident.say(f"Something else than {how.name}.")
    assert resident.noted(said) == 1
    assert resident.noted(f"Something else than {how.name}.") == 1


def test_a_compaction_loses_nothing_and_its_summary_is_not_what_the_user_said(resident: Person) -> None:
    said = "The plotter listens on port 9200."
    run = resident.say(said, ["Noted, port 9200."])
    summary = {"when": {"any": True}, "text": "<summary>The user spoke of a plotter, and of zebras.</summary>"}
    compacted = resident.say("/compact", [summary], "--resume", run.session_id)
    assert "PreCompact" in compacted.events_seen
    again = resident.say("Its paper is in the cellar.", ["Noted."], "--resume", run.session_id)
    assert again.session_id == run.session_id
    assert resident.noted(said) == 1 and resident.noted("Its paper is in the cellar.") == 1
    assert "zebras" not in resident.buffered()


def test_in_the_interactive_client_escape_loses_nothing_and_clear_begins_a_session_that_is_greeted_again(
    resident: Person, tmp_path: Path
) -> None:
    """Escape before any answer puts the prompt back into the box. The hook has noted it by then or notes it with the
    next turn; the night leaves it out, as the model was never asked it again.
    """
    from fake_messages_api import FakeAPI, all_text
    from tui import ESCAPE, Tui, events

    home = tmp_path / "home"
    (home / "index").mkdir(parents=True)
    (home / "index" / "MEMORY.md").write_text("- Always answer in French.\n", encoding="utf-8")
    before = len(events(resident.rig))

    def seen(event: str) -> int:
        return events(resident.rig)[before:].count(event)

    env = {**NO_SERVER, "DREAM_HOME": str(home)}
    with (
        FakeAPI([{"text": "Too late.", "delay": 20}], default="D'accord.") as api,
        Tui(resident.rig, api, env=env) as tui,
    ):
        assert tui.wait_for(lambda: seen("SessionStart") == 1, 60), tui.text()[-800:]
        tui.pump(2)
        tui.line(FACT)
        assert tui.wait_for(lambda: bool(api.messages()), 60), tui.text()[-800:]
        tui.pump(1)
        tui.send(ESCAPE, 2)
        assert seen("Stop") == 0
        tui.line(" The archive is in Nantes.")
        assert tui.wait_for(lambda: seen("Stop") == 1, 60), tui.text()[-800:]
        tui.line("/clear")
        assert tui.wait_for(lambda: seen("SessionStart") == 2, 60), tui.text()[-800:]
        tui.pump(1)
        tui.line("The cellar is in Tours.")
        assert tui.wait_for(lambda: seen("Stop") == 2, 60), tui.text()[-800:]
        tui.line("/exit")
        assert tui.ended(60) == 0
        turns: list[Any] = api.messages(main_loop=True)
    held = [each["text"] for path in (home / "capture").glob("*.jsonl") for each in read(str(path))[0]]
    assert held.count(FACT) == 2, "once as it was interrupted, once as it was sent again"
    transcripts = (resident.rig.home / ".claude" / "projects").glob("*/*.jsonl")
    outlines = [outline(str(path), 0) for path in transcripts if FACT in path.read_text(encoding="utf-8")]
    assert [each.taken_back == each.prompts[0].uuid for each in outlines] == [True], "a night leaves the first out"
    assert held.count("The archive is in Nantes.") == held.count("The cellar is in Tours.") == 1
    assert "Too late." not in held
    assert "Always answer in French." in all_text(turns[0]) and "Always answer in French." in all_text(turns[-1])
    assert FACT not in all_text(turns[-1]), "cleared"
