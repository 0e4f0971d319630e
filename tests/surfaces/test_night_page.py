"""docs/night.md tells a night of the samples: its block is what the ledger's log says of it, in its order."""

from __future__ import annotations

from pathlib import Path

from tests.surfaces.line import Line

PAGE = Path(__file__).resolve().parents[2] / "docs" / "night.md"


def test_the_night_on_the_page_is_the_night_of_the_samples(samples: Line) -> None:
    block = PAGE.read_text(encoding="utf-8").split("<!-- ledger log -->\n```\n")[1].split("\n```")[0].splitlines()
    log = samples("ledger", "log", "-n", "60").out.splitlines()
    shown = [" ".join(line.split()) for line in reversed(log) if " 2026-09-09 " in line]
    assert len(shown) == len(block)
    for line in block:
        assert any(each.endswith(" ".join(line.split())) for each in shown), line
