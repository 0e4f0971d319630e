"""What a session can go through on the real client: clear, compact, interrupt, kill. Each sentence is noted once."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.client.conftest import Person

FACT = "The label printer listens on port 9100."


def stopped_in_the_middle(person: Person, prompt: str, how: signal.Signals) -> int:
    """`claude -p` that gets a signal while the model is answering; returns its exit code."""
    from fake_messages_api import FakeAPI  # the rig's

    with FakeAPI([{"text": "Too late.", "delay": 30}]) as api:
        process = subprocess.Popen(
            [person.rig.claude_bin, "-p"], env=person.rig.environment(api.url), cwd=person.rig.work,
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
def test_a_turn_that_ended_early_is_caught_up_by_the_next_session(
    how: signal.Signals, person: Person, leftovers: Callable[[], list[str]]
) -> None:
    stopped_in_the_middle(person, FACT, how)
    assert person.noted("Too late.") == 0
    until = time.monotonic() + 10
    while leftovers() and time.monotonic() < until:
        time.sleep(0.2)
    assert leftovers() == [], "what the client started ends with it"
    person.say("Something else.")
    assert person.noted(FACT) == 1
    assert person.noted("Something else.") == 1


def test_a_compaction_loses_nothing_and_its_summary_is_not_what_the_user_said(person: Person) -> None:
    run = person.say(FACT, ["Noted, port 9100."])
    summary = {"when": {"any": True}, "text": "<summary>The user spoke of a printer, and of zebras.</summary>"}
    compacted = person.say("/compact", [summary], "--resume", run.session_id)
    assert "PreCompact" in compacted.events_seen
    again = person.say("The archive is in Nantes.", ["Noted."], "--resume", run.session_id)
    assert again.session_id == run.session_id
    assert person.noted(FACT) == 1 and person.noted("The archive is in Nantes.") == 1
    assert "zebras" not in person.buffered()


def test_clear_begins_a_session_that_is_greeted_again_and_the_old_one_is_kept(person: Person) -> None:
    from fake_messages_api import FakeAPI, all_text
    from tui import Tui, events

    person.dream("remember", "Always answer in French.", "--kind", "preference")
    person.dream("cycle", "--force")

    def seen(event: str) -> int:
        return events(person.rig).count(event)

    with FakeAPI(default="D'accord.") as api, Tui(person.rig, api) as tui:
        assert tui.wait_for(lambda: seen("SessionStart") == 1), tui.text()[-800:]
        tui.pump(2)
        tui.line(FACT)
        assert tui.wait_for(lambda: seen("Stop") == 1), tui.text()[-800:]
        tui.line("/clear")
        assert tui.wait_for(lambda: seen("SessionStart") == 2), tui.text()[-800:]
        tui.pump(1)
        tui.line("The archive is in Nantes.")
        assert tui.wait_for(lambda: seen("Stop") == 2), tui.text()[-800:]
        tui.line("/exit")
        assert tui.ended(20) == 0
        turns: list[Any] = api.messages(main_loop=True)
    assert person.noted(FACT) == 1 and person.noted("The archive is in Nantes.") == 1
    assert "Always answer in French." in all_text(turns[0]) and "Always answer in French." in all_text(turns[-1])
    assert FACT not in all_text(turns[-1]), "cleared"


def test_escape_in_the_middle_of_an_answer_keeps_both_what_was_said_and_what_was_made_of_it(person: Person) -> None:
    """The client puts the prompt back into the box; what is sent next hangs below it, so both were said."""
    from fake_messages_api import FakeAPI
    from tui import ESCAPE, Tui, events

    with FakeAPI([{"text": "Too late.", "delay": 20}], default="Noted.") as api, Tui(person.rig, api) as tui:
        assert tui.wait_for(lambda: "SessionStart" in events(person.rig)), tui.text()[-800:]
        tui.pump(2)
        tui.line(FACT)
        assert tui.wait_for(lambda: bool(api.messages())), tui.text()[-800:]
        tui.pump(1)
        tui.send(ESCAPE, 2)
        assert "Stop" not in events(person.rig)
        tui.line(" The archive is in Nantes.")
        assert tui.wait_for(lambda: "Stop" in events(person.rig)), tui.text()[-800:]
        tui.line("/exit")
        tui.ended(20)
    person.say("Next day.")
    assert person.noted(f'"{FACT}"') >= 1
    assert person.noted('"The archive is in Nantes."') == 1
    assert "Too late." not in person.buffered()
