"""A consolidation corpus for programs that measure: a home of its own, its nights before any court, its own scorer."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from play_corpus import by_day, night_after

from dream.compose import open_house
from dream.cycle.cycle import run_night
from dream.cycle.judges import Bench
from dream.debate.court import Court
from dream.model.time import parse_instant
from dream.settings import Loaded, load


def loaded_in(out: Path, zone: str) -> Loaded:
    """Settings of an empty home under `out`."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "transcripts" / "corpus").mkdir(parents=True)
    told = {"DREAM_HOME": "home", "DREAM_TRANSCRIPTS": "transcripts", "DREAM_STATE": "state"}
    return load({**os.environ, **{key: str((out / name).resolve()) for key, name in told.items()}, "DREAM_TZ": zone})


def nights_of(corpus: Path, loaded: Loaded, zone: str, court: Court) -> None:
    """Play all days before `court`."""
    with open_house(loaded, create=True):
        pass
    days = by_day(corpus)
    for day in sorted(days):
        for path in days[day]:
            shutil.copy(path, Path(loaded.settings.transcripts) / "corpus" / (path.stem.split("_")[-1] + ".jsonl"))
        with open_house(loaded) as house:
            run_night(house, now=parse_instant(night_after(day, zone)), bench=Bench(court=court))


def scored(corpus: Path, held: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the corpus's own program says of a memory; empty where none lies beside it."""
    module = scorer_of(corpus)
    if module is None:
        return {}
    found: dict[str, Any] = module.score(json.loads((corpus / "gold.json").read_text("utf-8")), list(held))
    return found


def scorer_of(corpus: Path) -> Any:
    """The corpus's own program, afresh; None where none lies beside it or beside what it is a slice of."""
    for scorer in (corpus.parent / "score.py", corpus / "score.py"):
        spec = importlib.util.spec_from_file_location("corpus_score", scorer) if scorer.is_file() else None
        if spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    return None
