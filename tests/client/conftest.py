"""The real client, offline, with the plugin as it is shipped: needs ../shared/rig/claude and a client from npm.

The client talks to a scripted API on 127.0.0.1 alone, in a home of its own; nothing of this machine's own client is
read. Skipped with a reason where the rig or the client is missing; `.ci/run` fetches the client.

Starting the client costs seconds, so tests share one person where each says sentences of its own, and the server, which
costs three more, is there only where a test asks for it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RIG = ROOT.parent / "shared" / "rig" / "claude"


@pytest.fixture(scope="session")
def rig_module() -> Any:
    """The rig's module, or a skip that says what is missing."""
    if not RIG.is_dir():
        pytest.skip("needs ../shared/rig/claude, which is not beside this checkout")
    if not sys.platform.startswith("linux"):
        pytest.skip("the rig runs on Linux alone")
    if str(RIG) not in sys.path:
        sys.path.append(str(RIG))
    import run_claude

    try:
        run_claude.find_claude()
    except SystemExit:
        pytest.skip("needs Claude Code from npm: see the rig's README, or set CLAUDE_BIN")
    return run_claude


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin's folder, unpacked from the zip that is shipped."""
    folder = tmp_path_factory.mktemp("plugin")
    built = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "build_bundles.py"), str(folder / "dist"), "--json"],
        capture_output=True, check=True,
    )  # fmt: skip
    assert built.stdout
    with zipfile.ZipFile(next((folder / "dist").glob("*.zip"))) as bundle:
        bundle.extractall(folder / "dream")
    return folder / "dream"


NO_SERVER = {"DREAM_PYTHON": "false"}
"""Starts no MCP server: `.mcp.json` names its interpreter by this variable."""


class Person:
    """Someone with a fresh home, the client and Dream's plugin."""

    def __init__(self, module: Any, folder: Path, plugin: Path, **environ: str) -> None:
        self.rig = module.ClaudeRig(folder, env={"DREAM_TZ": "Europe/Paris", "DREAM_QUIET_MINUTES": "0", **environ})
        self.plugin = plugin
        self.allow = ["--allowedTools", *module.plugin_tools(plugin)]
        self.id = self.rig.install(plugin)
        self.home = self.rig.home / ".dream"

    def script(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        """A script of the installed plugin, as this person."""
        return subprocess.run(
            [sys.executable, str(self.plugin / "scripts" / name), *words], env=self.rig.environment(),
            cwd=self.rig.work, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    def dream(self, *words: str) -> str:
        """A command of `dream`, which must succeed."""
        done = self.script("run.py", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def set_up(self, python: str) -> Person:
        """Run the setup, with a Python that has Dream already."""
        done = self.script("run.py", "setup", "--no-timer", "--python", python)
        assert done.returncode == 0, done.stderr
        return self

    def say(
        self, prompt: str | None, script: Any = ("Noted.",), *more: str, server: bool = False,
        env: dict[str, str] | None = None, **named: Any,
    ) -> Any:  # fmt: skip
        """One `claude -p`; nothing of Dream's may have failed in it."""
        seen = {**({} if server else NO_SERVER), **(env or {})}
        run = self.rig.run(prompt, list(script), args=[*self.allow, *more], env=seen, **named)
        failed = [each for each in run.hooks if each.get("outcome") != "success"]
        assert run.returncode == 0 and not failed, (run.stderr[-1500:], failed)
        return run

    def buffered(self) -> str:
        """What the hooks have noted today."""
        return "\n".join(path.read_text(encoding="utf-8") for path in sorted((self.home / "capture").glob("*.jsonl")))

    def noted(self, sentence: str) -> int:
        """How often a sentence is in the day's buffer."""
        return len(re.findall(re.escape(sentence), self.buffered()))

    def notes(self) -> list[dict[str, Any]]:
        """The notes of today's buffer; every line of it must be whole."""
        found = [json.loads(line) for line in self.buffered().splitlines() if line]
        return [each for each in found if "text" in each]

    def log(self) -> list[str]:
        """The hooks' own log."""
        path = self.home / "logs" / "hooks.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def running(self) -> list[str]:
        """Command lines of processes that belong to this person's home and still run."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    environ = (entry / "environ").read_bytes()
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                except OSError:
                    continue
                if str(self.rig.root).encode() in environ and command:
                    found.append(command)
        return found


def hooked_plugin(folder: Path, event: str, program: str) -> Path:
    """Another plugin, whose one hook runs a Python program at `event`."""
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / "hooks").mkdir()
    named = {"name": folder.name, "version": "1.0.0", "description": "A neighbour.", "author": {"name": "Someone"}}
    (folder / ".claude-plugin" / "plugin.json").write_text(json.dumps(named), encoding="utf-8")
    (folder / "hook.py").write_text(program, encoding="utf-8")
    hook = {"type": "command", "command": "python3", "args": ["${CLAUDE_PLUGIN_ROOT}/hook.py"]}
    hooks = {"hooks": {event: [{"hooks": [hook]}]}}
    (folder / "hooks" / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")
    return folder


def ours(run: Any, event: str) -> list[str]:
    """What our hook of an event printed, run by run; the rig's own hook prints nothing."""
    return [each.get("stdout", "") for each in run.hooks if each["hook_event"] == event]


@pytest.fixture(scope="session")
def dream_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has this checkout's packages and Dream itself, as after an install."""
    folder = tmp_path_factory.mktemp("python")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    places = [str(ROOT), *(each for each in sys.path if each.endswith(("site-packages", "dist-packages")))]
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "checkout.pth").write_text("\n".join(places) + "\n", encoding="utf-8")
    return str(folder / "bin" / "python")


@pytest.fixture
def newcomer(rig_module: Any, plugin: Path, tmp_path: Path) -> Person:
    """A person who installed the plugin and has not set Dream up."""
    return Person(rig_module, tmp_path / "rig", plugin)


@pytest.fixture(scope="session")
def resident(rig_module: Any, plugin: Path, dream_python: str, tmp_path_factory: pytest.TempPathFactory) -> Person:
    """A person who has set Dream up, shared by tests that say sentences of their own; paths have spaces and accents."""
    return Person(rig_module, tmp_path_factory.mktemp("rig") / "Léa Dupré", plugin).set_up(dream_python)
