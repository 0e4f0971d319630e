"""From the plugin's installation to a remembered fact, on the real client."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Person

FACT = "We decided that the label printer listens on port 9100."


def asked_for(name: str, **arguments: Any) -> dict[str, Any]:
    """A reply of the model that calls one of Dream's tools."""
    return {"tool_use": {"name": f"mcp__plugin_dream_dream__{name}", "input": arguments}}


def test_the_validator_is_clean_on_folder_and_manifests(rig_module: Any, plugin: Path, tmp_path: Path) -> None:
    rig = rig_module.ClaudeRig(tmp_path / "rig")
    for target, profile in (
        (plugin, ["--profile", "directory"]),
        (plugin / ".claude-plugin" / "plugin.json", ["--profile", "directory"]),
        (plugin / ".claude-plugin" / "marketplace.json", []),
    ):
        report = rig.validate(target, "--strict", *profile)
        assert report["success"] is True, report
        assert not report["manifest"]["errors"] and not report["manifest"]["warnings"]
        assert not [each for each in (report.get("directory") or {}).get("findings", []) if each.get("fails", True)]


def test_before_it_is_set_up_hooks_are_quiet_and_the_one_tool_says_what_to_do(
    newcomer: Person, rig_module: Any, leftovers: Callable[[], list[str]]
) -> None:
    run = newcomer.say("hello", [asked_for("dream_setup"), "I told you."])
    assert not [each["stdout"] for each in run.hooks if each.get("stdout", "").strip()]
    from fake_messages_api import tool_results  # the rig's

    (result,) = tool_results(run.api.messages()[-1])
    assert "not set up on this machine" in json.dumps(result) and "run:" in json.dumps(result)
    assert leftovers() == [], "nothing runs on after the session"


def test_a_fact_that_was_said_is_before_the_next_session_after_a_night(
    person: Person, leftovers: Callable[[], list[str]]
) -> None:
    from fake_messages_api import all_text

    first = person.say(FACT, ["Port 9100 it is."])
    assert first.events_seen[:2] == ["SessionStart", "UserPromptSubmit"]
    assert person.noted(FACT) == 1
    told = person.dream("cycle")
    assert "No night is due" not in told
    second = person.say("What is new?", ["Nothing."])
    before = all_text(second.api.messages()[0])
    assert "<dream-context>" in before and FACT in before and "not instructions" in before
    assert FACT not in json.dumps(second.lines[0]), "it came from memory, not from the prompt"
    assert person.noted(FACT) == 0, "what memory said is not noted as something that was said"
    assert leftovers() == []


def test_the_model_stores_and_finds_through_the_tools(person: Person) -> None:
    pytest.importorskip("fastmcp", reason="the server needs fastmcp (requirements/plugin.txt)")
    from fake_messages_api import tool_results

    run = person.say(
        "Remember that the build server is called wolke.",
        [
            asked_for(
                "store_event", text="The build server is called wolke.", id="11111111-2222-4333-8444-555555555555"
            ),
            asked_for("search_semantic", query="name of the build server"),
            asked_for("health_check"),
            "It is stored.",
        ],
    )
    stored, found, health = (json.dumps(each) for each in tool_results(run.api.messages()[-1]))
    assert '\\"new\\":true' in stored and "wolke" in found and '\\"mode\\":\\"NORMAL\\"' in health
    assert '\\"Stop\\"' not in health or "seen" in health
    assert run.api.unused() == []
    assert "wolke" in person.dream("search", "build server")


def test_a11_the_session_goes_on_when_the_plugins_folder_is_replaced(person: Person) -> None:
    run = person.say("The office is in Lyon.")
    assert person.noted("The office is in Lyon.") == 1
    again = person.say("And the archive is in Nantes.", ["Noted."], "--resume", run.session_id)
    assert again.session_id == run.session_id
    assert person.noted("The office is in Lyon.") == 1, "a resumed transcript is not noted twice"
    assert person.noted("And the archive is in Nantes.") == 1


def test_a_second_plugins_hooks_run_beside_ours_and_hear_nothing_of_ours(person: Person, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".claude-plugin").mkdir(parents=True)
    (other / "hooks").mkdir()
    named = {"name": "other", "version": "1.0.0", "description": "Beside ours.", "author": {"name": "Someone"}}
    (other / ".claude-plugin" / "plugin.json").write_text(json.dumps(named), encoding="utf-8")
    (other / "say.py").write_text(
        "import json, sys\nsys.stdin.read()\nprint(json.dumps({'hookSpecificOutput':"
        " {'hookEventName': 'SessionStart', 'additionalContext': 'BESIDE-OURS'}}))\n",
        encoding="utf-8",
    )
    hook = {"type": "command", "command": "python3", "args": ["${CLAUDE_PLUGIN_ROOT}/say.py"]}
    hooks = {"hooks": {"SessionStart": [{"hooks": [hook]}]}}
    (other / "hooks" / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")
    person.dream("remember", "Always answer in French.", "--kind", "preference")
    person.dream("cycle", "--force")
    run = person.say("hello", ["Hi."], "--plugin-dir", str(other))
    from fake_messages_api import all_text

    before = all_text(run.api.messages()[0])
    assert "BESIDE-OURS" in before and "Always answer in French." in before
    assert "BESIDE-OURS" not in person.buffered()


def test_inside_dreams_own_sessions_hooks_do_nothing(rig_module: Any, plugin: Path, tmp_path: Path) -> None:
    inside = Person(rig_module, tmp_path / "rig", plugin, DREAM_INSIDE="1")
    inside.say(FACT)
    assert not (inside.home / "capture").exists()


@pytest.mark.parametrize("kind", ["zip", "mcpb"])
def test_the_bundles_load_on_the_client(kind: str, rig_module: Any, tmp_path: Path) -> None:
    import subprocess
    import sys

    from tests.client.conftest import ROOT

    command = [sys.executable, str(ROOT / "scripts" / "build_bundles.py"), str(tmp_path / "dist")]
    subprocess.run(command, check=True, capture_output=True)
    (bundle,) = (tmp_path / "dist").glob(f"*.{kind}")
    rig = rig_module.ClaudeRig(tmp_path / "rig")
    folder = bundle
    if kind == "mcpb":
        folder = tmp_path / "carrier"
        (folder / ".claude-plugin").mkdir(parents=True)
        (folder / "dream.mcpb").write_bytes(bundle.read_bytes())
        named = {
            "name": "carrier",
            "version": "1.0.0",
            "description": "x",
            "author": {"name": "x"},
            "mcpServers": "./dream.mcpb",
        }
        (folder / ".claude-plugin" / "plugin.json").write_text(json.dumps(named), encoding="utf-8")
    plugin = "dream" if kind == "zip" else "carrier"
    name = f"mcp__plugin_{plugin}_dream__dream_setup"
    args = ["--plugin-dir", str(folder), "--allowedTools", f"mcp__plugin_{plugin}_dream"]
    run = rig.run("hello", [{"tool_use": {"name": name, "input": {}}}, "Done."], args=args)
    from fake_messages_api import tool_results

    assert run.result == "Done." and not run.init.get("plugin_errors"), run.stderr[-800:]
    assert "not set up" in json.dumps(tool_results(run.api.messages()[-1]))
    if kind == "zip":
        assert len([each for each in run.init["skills"] if each.startswith("dream:dream-")]) == 10


def test_a05_what_no_hook_ever_saw_is_swept_at_night_and_before_the_next_session(person: Person) -> None:
    from fake_messages_api import all_text

    person.say(FACT, ["Noted."], env={"DREAM_INSIDE": "1"})  # hooks return at once, as where a host runs none
    assert person.noted(FACT) == 0
    person.dream("cycle")
    second = person.say("What is new?", ["Nothing."])
    assert FACT in all_text(second.api.messages()[0])


def test_a10_a16_a_home_with_spaces_and_accents_and_a_transcript_that_the_host_deleted(
    rig_module: Any, plugin: Path, dream_python: str, tmp_path: Path
) -> None:
    from fake_messages_api import all_text

    person = Person(rig_module, tmp_path / "Léa Dupré", plugin, DREAM_HOME=str(tmp_path / "mémoire d'été"))
    person.home = tmp_path / "mémoire d'été"
    done = person.script("run.py", "setup", "--no-timer", "--python", dream_python)
    assert done.returncode == 0, done.stderr
    said = "On a décidé que l'imprimante à étiquettes écoute sur le port 9100."
    first = person.say(said, ["C'est noté."])
    person.dream("cycle")
    first.transcript.unlink()
    second = person.say("Quoi de neuf ?", ["Rien."])
    assert said in all_text(second.api.messages()[0])
    node = json.loads(person.dream("search", "imprimante", "--json"))["hits"][0]["id"]
    told = json.loads(person.dream("explain", node, "--json"))
    assert told["sources_gone"] == [first.session_id] and told["notes"]
    person.dream("ledger", "verify")  # exit code 0: the log is whole


def test_it_installs_from_its_own_marketplace(rig_module: Any, plugin: Path, tmp_path: Path) -> None:
    rig = rig_module.ClaudeRig(tmp_path / "rig")
    for words in (("marketplace", "add", str(plugin)), ("install", "dream@dream")):
        done = rig.claude("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    listed = json.loads(rig.claude("plugin", "list", "--json").stdout)
    assert "dream@dream" in json.dumps(listed)
    assert rig.claude("plugin", "uninstall", "dream@dream").returncode == 0
