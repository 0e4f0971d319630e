"""Two manifests, one truth: the hand-edited one and the copy where the client looks."""

from __future__ import annotations

import json
from pathlib import Path

import dream

ROOT = Path(__file__).resolve().parents[2]


def test_the_manifests_are_byte_equal() -> None:
    assert (ROOT / "plugin.json").read_bytes() == (ROOT / ".claude-plugin" / "plugin.json").read_bytes()


def test_the_manifest_agrees_with_the_package_version() -> None:
    assert json.loads((ROOT / "plugin.json").read_text(encoding="utf-8"))["version"] == dream.__version__


def test_the_changelog_has_an_entry_for_the_version() -> None:
    assert f"## [{dream.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_imports_nothing_at_its_root() -> None:
    lines = (ROOT / "dream" / "__init__.py").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.startswith(("import ", "from ")) and "__future__" not in line]
