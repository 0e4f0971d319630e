"""The docs are held to the code: settings, commands, words, decisions and links."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest

from dream import settings
from dream.capture import salience
from dream.cli import parser
from dream.cycle.night import PHASES
from dream.model import change
from dream.model.debate import Decision, Role
from dream.model.graph import NodeKind, NodeStatus, Relation, Tier
from dream.model.note import Origin

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
TOP = [ROOT / name for name in ("README.md", "README.fr.md", "CHANGELOG.md")]
PAGES = sorted([*TOP, *(ROOT / "docs").rglob("*.md"), *(ROOT / "samples").glob("*.md")])
VARIABLE = re.compile(r"\bDREAM_[A-Z_]+\b")


def commands(top: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, each in action.choices.items():
                deeper = list(commands(each, f"{before}{name} "))
                yield from deeper or [(f"{before}{name}", each)]


COMMANDS = dict(commands(parser()))


@pytest.mark.parametrize("variable", settings.variables())
def test_every_setting_stands_in_the_readme_with_its_default(variable: str) -> None:
    rows = [line for line in README.splitlines() if line.startswith(f"| `{variable}` |")]
    assert len(rows) == 1, f"README needs one row for {variable}"
    default = next(
        f.metadata["default"]
        for f in settings.Settings.__dataclass_fields__.values()
        if f.metadata["variable"] == variable
    )
    assert f"| {f'`{default}`' if default else ''} |".replace("|  |", "| |") in rows[0].replace("|  |", "| |")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_names_a_variable_that_does_not_exist(path: Path) -> None:
    known = {*settings.variables(), *settings.MARKS}
    assert set(VARIABLE.findall(path.read_text(encoding="utf-8"))) <= known


def test_no_code_reads_a_variable_that_is_not_in_the_table() -> None:
    known = {*settings.variables(), *settings.MARKS}
    for top in ("dream", "hooks", "scripts"):
        for path in (ROOT / top).rglob("*.py"):
            found = set(VARIABLE.findall(path.read_text(encoding="utf-8"))) - {"DREAM_"}
            assert found <= known, f"{path.relative_to(ROOT)} names {found - known}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_operations_and_takes_json(name: str) -> None:
    assert any(re.match(rf"\| `{name}[ `]", line) for line in OPERATIONS.splitlines()), (
        f"operations.md needs a row for {name}"
    )
    assert "--json" in COMMANDS[name].format_help()


def test_operations_names_no_command_that_does_not_exist() -> None:
    section = OPERATIONS.split("## Commands")[1].split("\n## ")[0]
    for words in re.findall(r"^\| `([a-z]+(?: [a-z]+)?)", section, re.MULTILINE):
        assert words in COMMANDS or words.split()[0] in COMMANDS, f"no command {words!r}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_shows_a_command_that_does_not_exist(path: Path) -> None:
    tops = {name.split()[0] for name in COMMANDS}
    for shown in re.findall(r"(?:`|^)dream ([a-z]+)", path.read_text(encoding="utf-8"), re.MULTILINE):
        assert shown in tops, f"{path.name} shows `dream {shown}`"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_of_a_command_is_explained(name: str) -> None:
    for action in COMMANDS[name]._actions:
        assert action.help, f"{name} {action.dest} has no help"


@pytest.mark.parametrize(
    "words", [NodeKind, NodeStatus, Relation, Tier, Origin, Decision, Role], ids=lambda w: w.__name__
)
def test_the_closed_lists_stand_in_the_glossary(words: type[StrEnum]) -> None:
    for word in words:
        assert re.search(rf"[`*]{word.replace('_', '[_ ]')}[`*]", GLOSSARY), f"{word} is not in the glossary"


@pytest.mark.parametrize("kind", [each.__name__ for each in get_args(change.Change)])
def test_every_change_stands_in_the_glossary(kind: str) -> None:
    assert f"`{kind}`" in GLOSSARY


def test_every_signal_and_phase_stands_in_the_glossary() -> None:
    for signal in salience._WEIGHT:
        assert f"`{signal}`" in GLOSSARY, f"{signal} is not in the glossary"
    for phase in PHASES:
        assert f"*{phase}*" in GLOSSARY


def test_every_decision_is_listed_and_says_what_it_costs() -> None:
    listed = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs" / "adr").glob("0*.md")):
        text = path.read_text(encoding="utf-8")
        assert f"({path.name})" in listed
        assert text.startswith(f"# {int(path.name[:4])}. ")
        assert len(text.split("## What it costs")[1].split()) >= 8


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_to_files_that_are_there(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"
