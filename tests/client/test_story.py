"""From the plugin's installation to a remembered fact, on the real client."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import ROOT, Person, hooked_plugin

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
    newcomer: Person,
) -> None:
    run = newcomer.say("hello", [asked_for("dream_setup"), "I told you."], server=True)
    assert not [each["stdout"] for each in run.hooks if each.get("stdout", "").strip()]
    assert not newcomer.home.exists(), "nothing is noted before a person asks for memory"
    from fake_messages_api import tool_results  # the rig's

    (result,) = tool_results(run.api.messages()[-1])
    assert "not set up on this machine" in json.dumps(result) and "run:" in json.dumps(result)
    assert newcomer.running() == [], "nothing runs on after the session"


def test_a13_initialise_dream_is_all_a_person_says_and_before_it_a_skill_claims_nothing(
    newcomer: Person, dream_python: str
) -> None:
    """Skills as the client gives them to the model, without a server: they fall back to the command they name."""
    from fake_messages_api import all_text, tool_results

    run_py = newcomer.rig.root / "marketplace" / "dream" / "scripts" / "run.py"

    def played(prompt: str, skill: str, command: str) -> tuple[str, str]:
        script = [
            {"tool_use": {"name": "Skill", "input": {"skill": f"dream:{skill}"}}},
            {"tool_use": {"name": "Bash", "input": {"command": f'python3 "{run_py}" {command}'}}},
            "So it is.",
        ]
        run = newcomer.say(prompt, script, "Skill", "Bash(python3:*)")
        return all_text(run.api.messages()[1]), json.dumps(tool_results(run.api.messages()[-1])[-1])

    body, result = played("retiens que le bureau est à Lyon", "dream-store-event", 'remember "Le bureau est à Lyon."')
    assert f'python3 \\"{run_py}\\" remember' in json.dumps(body), "the skill names the command by its place"
    assert "not set up on this machine" in result and "Nothing was done" in result
    assert not newcomer.home.exists()
    body, result = played("initialise dream", "dream-init", f"setup --no-timer --python {dream_python}")
    assert f'python3 \\"{run_py}\\" setup' in json.dumps(body) and "Dream is set up" in result
    newcomer.say(FACT)
    assert newcomer.noted(FACT) == 1


def test_a05_a10_a11_a16_a19_what_was_said_is_known_after_a_night_here_and_nowhere_else_whatever_goes_away(
    rig_module: Any, plugin: Path, dream_python: str, tmp_path: Path
) -> None:
    """One person's days: paths with spaces and accents, a session that no hook saw, a night, a transcript that the host
    deleted, another project, a plugin folder that is replaced in the middle of a session and then gone.
    """
    from fake_messages_api import all_text

    person = Person(rig_module, tmp_path / "Léa Dupré", plugin, DREAM_HOME=str(tmp_path / "mémoire d'été"))
    person.home = tmp_path / "mémoire d'été"
    person.set_up(dream_python)
    first = person.say(FACT, ["Port 9100 it is."], server=True)
    assert first.events_seen[:2] == ["SessionStart", "UserPromptSubmit"]
    assert person.noted(FACT) == 1
    unseen = "On a décidé que l'imprimante à étiquettes s'appelle Gutenberg."
    person.say(unseen, ["C'est noté."], env={"DREAM_INSIDE": "1"})  # hooks return at once, as where a host runs none
    assert person.noted(unseen) == 0
    assert "No night is due" not in person.dream("cycle")
    first.transcript.unlink()
    second = person.say("What is new?", ["Nothing."], server=True)
    assert person.running() == [], "nothing runs on after a session"
    before = all_text(second.api.messages()[0])
    assert "<dream-context>" in before and FACT in before and unseen in before and "not instructions" in before
    assert FACT not in json.dumps(second.lines[0]), "it came from memory, not from the prompt"
    assert person.noted(FACT) == 0, "what memory said is not noted as something that was said"
    node = json.loads(person.dream("search", "label printer port", "--json"))["hits"][0]["id"]
    told = json.loads(person.dream("explain", node, "--json"))
    assert told["sources_gone"] == [first.session_id] and told["notes"]
    (tmp_path / "elsewhere").mkdir()
    other = person.say("What is new here?", ["Nothing."], cwd=tmp_path / "elsewhere")
    assert FACT not in all_text(other.api.messages()[0])
    there = person.rig.root / "marketplace" / "dream"
    there.rename(there.with_name("old"))
    shutil.copytree(there.with_name("old"), there)
    shutil.rmtree(there.with_name("old"))
    person.say("And the archive is in Nantes.", ["Noted."], "--resume", second.session_id)
    assert person.noted("And the archive is in Nantes.") == 1 and person.noted("What is new?") == 1
    shutil.rmtree(there)
    gone = person.say("And the cellar is in Tours.", ["Noted."], "--resume", second.session_id)
    assert gone.session_id == second.session_id, "a session goes on without the plugin"
    done = subprocess.run(
        [sys.executable, "-I", str(person.home / "scripts" / "scheduler.py")],
        env=person.rig.environment(), cwd=person.rig.work, check=False,
    )  # fmt: skip
    assert done.returncode == 0, "what the timer starts needs the folder no more"
    verified = subprocess.run(
        [str(person.home / "bin" / "dream"), "ledger", "verify"], env=person.rig.environment(), check=False
    )
    assert verified.returncode == 0


def test_the_model_stores_and_finds_through_the_tools(resident: Person) -> None:
    pytest.importorskip("fastmcp", reason="the server needs fastmcp (requirements/plugin.txt)")
    from fake_messages_api import tool_results

    run = resident.say(
        "Remember that the build server is called wolke.",
        [
            asked_for(
                "store_event", text="The build server is called wolke.", id="11111111-2222-4333-8444-555555555555"
            ),
            asked_for("search_semantic", query="name of the build server"),
            asked_for("health_check"),
            "It is stored.",
        ],
        server=True,
    )
    stored, found, health = (json.dumps(each) for each in tool_results(run.api.messages()[-1]))
    assert '\\"new\\":true' in stored and "wolke" in found and '\\"mode\\":\\"NORMAL\\"' in health
    assert '\\"Stop\\"' not in health or "seen" in health
    assert run.api.unused() == []


def test_a_second_plugins_hooks_run_beside_ours_and_hear_nothing_of_ours(resident: Person, tmp_path: Path) -> None:
    program = (
        "import json, sys\nsys.stdin.read()\nprint(json.dumps({'hookSpecificOutput':"
        " {'hookEventName': 'SessionStart', 'additionalContext': 'BESIDE-OURS'}}))\n"
    )
    other = hooked_plugin(tmp_path / "other", "SessionStart", program)
    home = tmp_path / "home"
    (home / "index").mkdir(parents=True)
    (home / "index" / "MEMORY.md").write_text("- Always answer in French.\n", encoding="utf-8")
    run = resident.say("hello", ["Hi."], "--plugin-dir", str(other), env={"DREAM_HOME": str(home)})
    from fake_messages_api import all_text

    before = all_text(run.api.messages()[0])
    assert "BESIDE-OURS" in before and "Always answer in French." in before
    held = "".join(path.read_text(encoding="utf-8") for path in (home / "capture").glob("*.jsonl"))
    assert "Hi." in held and "BESIDE-OURS" not in held


def test_inside_dreams_own_sessions_hooks_do_nothing(resident: Person) -> None:
    said = "The loom of the third floor is out of order."
    run = resident.say(said, env={"DREAM_INSIDE": "1"})
    assert resident.noted(said) == 0 and run.session_id not in resident.buffered()


@pytest.mark.parametrize("kind", ["zip", "mcpb"])
def test_the_bundles_load_on_the_client(kind: str, rig_module: Any, tmp_path: Path) -> None:
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


def test_it_installs_from_its_own_marketplace(rig_module: Any, plugin: Path, tmp_path: Path) -> None:
    rig = rig_module.ClaudeRig(tmp_path / "rig")
    for words in (("marketplace", "add", str(plugin)), ("install", "dream@dream")):
        done = rig.claude("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    listed = json.loads(rig.claude("plugin", "list", "--json").stdout)
    assert "dream@dream" in json.dumps(listed)
    assert rig.claude("plugin", "uninstall", "dream@dream").returncode == 0
