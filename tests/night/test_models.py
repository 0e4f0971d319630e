"""`dream init --models` and the garden's commands, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.night.wire import Script, serving
from tests.surfaces.line import Line


@pytest.fixture
def line(tmp_path: Path) -> Line:
    found = Line(tmp_path)
    found.environ |= {"DREAM_CONSOLIDATION_MODEL": "judge:1b", "DREAM_COUNTERFACTUAL_MODEL": "new:1b"}
    found.environ["DREAM_SANITIZE_MODEL"] = "judge:1b"
    return found


def test_init_fetches_what_is_missing_and_says_so(line: Line) -> None:
    script = Script(remote=("new:1b",))
    with serving(script) as url:
        line.environ["DREAM_OLLAMA_HOST"] = url
        done = line("init", "--no-schedule", "--models", "--json")
        again = line("init", "--no-schedule", "--models", "--json")
    assert done.plain["models"] == {"judge:1b": "there", "new:1b": "fetched"}
    assert again.plain["models"] == {"judge:1b": "there", "new:1b": "there"}


def test_init_against_an_old_server_says_which_version_is_needed(line: Line) -> None:
    """D01: installed and needed version of the server, and the store is ready all the same."""
    line.environ["DREAM_CONSOLIDATION_MODEL"] = "gemma4:12b"
    with serving(Script(version="0.30.3", too_new=("gemma4:12b",))) as url:
        line.environ["DREAM_OLLAMA_HOST"] = url
        done = line("init", "--no-schedule", "--models")
    assert done.code == 1
    assert "0.30.3" in done.err and "0.30.4" in done.err
    assert (line.home / "keys").is_dir()


def test_the_garden_is_listed_grown_and_settled_from_the_command_line(line: Line) -> None:
    line("init", "--no-schedule")
    kept = line("remember", "The export crashed because the temp folder was full.", "--kind", "error", "--json")
    node = kept.plain["node"]["id"] if "node" in kept.plain else kept.plain["id"]
    assert "Nothing grows" in line("garden", "list").out
    grown = line("garden", "grow", node, "--json")
    assert grown.code == 0, grown.err
    assert {branch["foretold"] for branch in grown.plain["branches"]} == {"ceases", "recurs"}
    assert line("garden", "grow", node).code == 1, "once"
    assert "it comes back" in line("garden", "list").out
    assert line("garden", "settle").out.strip() == "Nothing was due."
    assert line("garden", "grow", "f-nothing").code == 1
