"""A home of its own, a Python that has Dream, and the setup run as a person would run it."""

from __future__ import annotations

import hashlib
import os
import site
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
if str(SCRIPTS) not in sys.path:
    sys.path.append(str(SCRIPTS))  # the scripts import one another by name


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The home folder of a user who has nothing yet."""
    folder = tmp_path / "user"
    folder.mkdir()
    return folder


@pytest.fixture
def environ(user: Path, tmp_path: Path) -> dict[str, str]:
    """What that user's processes see: no setting of this machine, no user manager of this machine."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DREAM_", "CLAUDE", "XDG_", "PYTHON", "DBUS_", "PIP_CACHE"))
    }
    return {**kept, "HOME": str(user), "PIP_CACHE_DIR": str(tmp_path / "pip"), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="session")
def dream_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python in an environment of its own in which this checkout is installed, as far as `-I` can tell."""
    folder = tmp_path_factory.mktemp("install") / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    places = [str(ROOT), *(each for each in sys.path if each.endswith(("site-packages", "dist-packages")))]
    places += [each for each in site.getsitepackages() if each not in places]
    packages = next(folder.glob("lib/python*/site-packages"), folder / "Lib" / "site-packages")
    (packages / "checkout.pth").write_text("\n".join(places) + "\n", encoding="utf-8")
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(environ: dict[str, str], tmp_path: Path) -> Run:
    """`run(script, *words, **variables)`: a script of the checkout (or any absolute path) as a process."""

    def started(script: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = Path(script) if Path(script).is_absolute() else SCRIPTS / script
        return subprocess.run(
            [sys.executable, str(path), *words], env={**environ, **variables}, cwd=tmp_path,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False,
        )  # fmt: skip

    return started


def snapshot(folder: Path) -> dict[str, str]:
    """Every file, link and empty folder below, with what it holds."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            found[name] = "folder"
    return found
