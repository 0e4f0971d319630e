"""What a host is given: manifests, icon, bundles, skills, and the README in two languages, each held to its source."""

from __future__ import annotations

import ast
import json
import re
import struct
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from dream.cli import parser
from dream.mcp.tools import TOOLS

ROOT = Path(__file__).resolve().parents[2]
SKILLS = {
    "dream-init", "dream-store-event", "dream-search-pgt", "dream-consolidate", "dream-counterfactual",
    "dream-sanitize", "dream-health", "dream-load-context", "dream-admin", "dream-explain-node",
}  # fmt: skip
FRENCH = re.compile(r"\b(initialise|retiens|qu'est-ce|rêve|et si|nettoie|est-ce que|reprends|répare|pourquoi)\b", re.I)
ENGLISH = re.compile(
    r"\b(set up|remember|what do you know|dream|what if|redact|working|where were we|repair|why)\b", re.I
)


def skill(name: str) -> tuple[str, str]:
    """Description and body of a skill."""
    text = (ROOT / "skills" / name / "SKILL.md").read_text(encoding="utf-8")
    _, head, body = text.split("---\n", 2)
    named, described = head.strip().splitlines()
    assert named == f"name: {name}"
    return json.loads(described.removeprefix("description: ")), body


def test_there_are_the_ten_skills_and_no_more() -> None:
    assert {path.parent.name for path in (ROOT / "skills").glob("*/SKILL.md")} == SKILLS


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_a_skill_says_when_in_two_languages_and_is_short(name: str) -> None:
    described, body = skill(name)
    assert len(body.split()) < 500
    assert "Use " in described and FRENCH.search(described) and ENGLISH.search(described), described
    assert len(described) < 500, "the host lists about 1,500 characters of all skills together with their names"


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_a13_a_skill_says_so_when_neither_tool_nor_command_is_there(name: str) -> None:
    _, body = skill(name)
    if name == "dream-init":
        assert "do not say that it worked" in body
        return
    assert re.search(r"not set up on this machine|Never .* unless a tool said so", body), "it must not pretend"


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_a_skill_names_only_tools_commands_and_skills_that_exist(name: str) -> None:
    _, body = skill(name)
    known = {*TOOLS, "dream_setup"}
    for word in re.findall(r"`([a-z]+_[a-z_]+)`", body):
        assert word in known | {"next_run", "notes_gone", "superseded_by", "as_of"}, f"{name} names {word}"
    for word in set(re.findall(r"dream-[a-z-]+[a-z]", body)) - {"dream-context"}:
        assert word in SKILLS, f"{name} names {word}"
    commands = next(each for each in parser()._actions if each.dest == "command").choices
    assert commands is not None
    for word in re.findall(r"(?:run\.py\"|`R) ([a-z]+)", body):
        assert word in {*commands, "setup", "uninstall"}, f"{name} runs {word}"


def test_the_servers_manifest_names_files_that_are_there() -> None:
    (server,) = json.loads((ROOT / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"].values()
    assert (ROOT / server["args"][-1].removeprefix("${CLAUDE_PLUGIN_ROOT}/")).is_file()


def test_the_marketplace_offers_this_plugin_from_this_folder() -> None:
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
    plugin = json.loads((ROOT / "plugin.json").read_text(encoding="utf-8"))
    (offer,) = market["plugins"]
    assert (offer["name"], offer["source"]) == (plugin["name"], "./")
    for text in (ROOT / "README.md", ROOT / "README.fr.md"):
        assert f"claude plugin install {plugin['name']}@{market['name']}" in text.read_text(encoding="utf-8")


def test_the_icon_is_what_its_program_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "icon.png"
    subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_icon.py"), str(drawn)], check=True, capture_output=True
    )
    kept = (ROOT / "assets" / "icon.png").read_bytes()
    assert struct.unpack(">II", kept[16:24]) == (512, 512)
    assert drawn.read_bytes()[:33] == kept[:33]  # zlib may press pixels differently on another machine


def test_bundles_hold_what_they_need_and_no_more_and_come_out_the_same_twice(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "build_bundles.py"), "--json"]
    for name in ("one", "two"):
        subprocess.run([*command, str(tmp_path / name)], check=True, capture_output=True)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name
        with zipfile.ZipFile(path) as bundle:
            names = set(bundle.namelist())
            assert not [name for name in names if "__pycache__" in name or name.startswith(("tests/", ".git", ".venv"))]
            assert {"scripts/serve.py", "scripts/run.py", "dream/mcp/server.py", "LICENSE", "pyproject.toml"} <= names
            if path.suffix == ".mcpb":
                manifest = json.loads(bundle.read("manifest.json"))
                assert [tool["name"] for tool in manifest["tools"]] == list(TOOLS)
                assert manifest["server"]["entry_point"] in names and manifest["icon"] in names
            else:
                assert {".claude-plugin/plugin.json", "hooks/hooks.json", ".mcp.json", "assets/icon.png"} <= names
        assert path.stat().st_size < 5_000_000


def test_the_wheel_and_the_stable_copy_hold_the_same_scripts() -> None:
    files = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["data-files"]
    tree = ast.parse((ROOT / "scripts" / "installation.py").read_text(encoding="utf-8"))
    tables = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in {"SCRIPTS", "TIMERS"}
    }
    assert {Path(each).name for each in files["share/dream/scripts"]} == set(tables["SCRIPTS"])
    assert {path.name for path in (ROOT / "scripts" / "timers").iterdir()} == set(tables["TIMERS"])
    for name in tables["SCRIPTS"]:
        for node in ast.walk(ast.parse((ROOT / "scripts" / name).read_text(encoding="utf-8"), feature_version=(3, 9))):
            if isinstance(node, ast.ImportFrom) and node.module and (ROOT / "scripts" / f"{node.module}.py").exists():
                assert f"{node.module}.py" in tables["SCRIPTS"], f"{name} imports {node.module}, which is not copied"


def shape(text: str) -> list[str]:
    """What two languages must share: headings' levels, commands, links, table cells that are code."""
    found = []
    for block in re.split(r"^(```.*?^```)$", text, flags=re.MULTILINE | re.DOTALL):
        if block.startswith("```"):
            found += [line.split("#")[0].strip() for line in block.splitlines()]
            continue
        for line in block.splitlines():
            if line.startswith("#"):
                found.append(line.split()[0])
            elif line.startswith("| `DREAM_"):
                found.append(" ".join(re.findall(r"`[^`]*`", line.rsplit("|", 2)[0])))
            elif line.startswith("|"):
                found.append(f"row of {line.count('|')}")
            found += [link for link in re.findall(r"\]\(([^)]+)\)", line) if not link.startswith("README")]
    return found


def test_the_french_readme_is_in_step() -> None:
    english, french = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.fr.md"))
    assert shape(french) == shape(english)


def test_the_first_screen_of_the_readme_is_short() -> None:
    for name in ("README.md", "README.fr.md"):
        opening = (ROOT / name).read_text(encoding="utf-8").split("\n## ")[0]
        assert len(opening.split()) < 160
