"""The command line over one throw-away home, in this process."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from dream.cli import main

ROOT = Path(__file__).resolve().parents[2]
NIGHTS = ("09-08", "09-09", "09-10", "09-12", "09-15", "09-16", "09-19")
GRAINOTHEQUE = "/home/maud/grainotheque"


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def plain(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)


class Line:
    """The command line over one home, in this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.transcripts = folder / "transcripts"
        self.environ = {
            "DREAM_HOME": str(self.home),
            "DREAM_STATE": str(folder / "state"),
            "DREAM_TRANSCRIPTS": str(self.transcripts),
            "DREAM_TZ": "Europe/Paris",
            "DREAM_OLLAMA_HOST": "http://127.0.0.1:9",  # nobody listens there: no test asks a model of this machine
        }

    def __call__(self, *words: str) -> Done:
        kept = {name: value for name, value in os.environ.items() if name.startswith("DREAM_")}
        for name in kept:
            del os.environ[name]
        os.environ.update(self.environ)
        out, err = io.StringIO(), io.StringIO()
        try:
            with redirect_stdout(out), redirect_stderr(err):
                try:
                    code = main(words)
                except SystemExit as stopped:
                    code = int(stopped.code or 0)
        finally:
            for name in self.environ:
                del os.environ[name]
            os.environ.update(kept)
        return Done(code, out.getvalue(), err.getvalue())

    def files(self) -> dict[str, bytes]:
        """Every file of the home, but the locks."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if path.is_file() and "lock" not in path.name
        }

    def kept(self) -> dict[str, bytes]:
        """Those of its files that hold what is remembered: without the figures of health, which any look renews."""
        return {
            name: held for name, held in self.files().items() if not name.startswith(("state.sqlite", "health.json"))
        }


def script(name: str) -> ModuleType:
    """A program of scripts/ as a module."""
    spec = importlib.util.spec_from_file_location(f"script_{name}", ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
