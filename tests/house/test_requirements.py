"""What each install needs: every line has a floor, the ten chosen packages are there, torch only in the full one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEN = {
    "fastmcp", "ollama", "lancedb", "networkx", "sentence-transformers",
    "rank-bm25", "cryptography", "prometheus-client", "redis", "pytest",
}  # fmt: skip
BRING_TORCH = {"sentence-transformers", "torch"}


def requirements(path: Path) -> dict[str, str]:
    """Name to floor; no `-r`, which setuptools does not know."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        wanted = line.split("#")[0].strip()
        if wanted:
            match = re.fullmatch(r"([A-Za-z0-9-]+)>=([0-9.]+)", wanted)
            assert match, f"{path.name}: {wanted!r} is not a name and a floor"
            found[match[1]] = match[2]
    return found


@pytest.mark.parametrize("name", ["requirements.txt", *(f"requirements/{n}.txt" for n in ("base", "plugin", "dev"))])
def test_every_requirement_has_a_floor_and_a_why(name: str) -> None:
    assert requirements(ROOT / name)
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        assert line.startswith("#") or re.search(r"\S +# \S", line), f"{name}: no why beside {line!r}"


def test_the_full_install_has_the_ten_chosen_packages() -> None:
    assert requirements(ROOT / "requirements.txt").keys() >= TEN


@pytest.mark.parametrize("name", ["requirements.txt", "requirements/plugin.txt", "requirements/dev.txt"])
def test_every_install_can_play_a_night(name: str) -> None:
    assert requirements(ROOT / name).keys() >= requirements(ROOT / "requirements/base.txt").keys()


def test_two_files_never_name_two_floors() -> None:
    floors: dict[str, str] = {}
    for path in [ROOT / "requirements.txt", *(ROOT / "requirements").glob("*.txt")]:
        for name, floor in requirements(path).items():
            assert floors.setdefault(name, floor) == floor, f"{name}: {floors[name]} and {floor}"


@pytest.mark.parametrize("name", ["base", "plugin", "dev"])
def test_no_torch_outside_the_full_install(name: str) -> None:
    assert not BRING_TORCH & requirements(ROOT / f"requirements/{name}.txt").keys()
