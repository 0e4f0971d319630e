"""A real small model behind the wire: constraints, counts and chances hold; its judgement is nothing, and it shows.

SmolLM2-135M (Apache-2.0) out of a wheel of the package registry, through llama.cpp. Skipped where either is missing.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator

import pytest

from dream.adapters.ollama import OllamaChat
from dream.debate.asking import Asker
from dream.debate.court import readings_on
from dream.debate.exam import TRIALS
from dream.debate.prompts import BENCH, drafting
from dream.errors import ReplyLost
from dream.model.calibration import best_reading, calibrate
from dream.model.debate import Ballot, Role
from dream.model.reply import misfit
from dream.ports import Question
from tests.night.engine import Engine, fetch
from tests.night.wire import Script, serving

NOTHING = Ballot(Role.ARCHIVIST, 50, "none")
NAME = "smollm2-135m"


@pytest.fixture(scope="module")
def model() -> Iterator[OllamaChat]:
    pytest.importorskip("ollama", reason="needs the package ollama (requirements/dev.txt)")
    try:
        engine = Engine(fetch(NAME))
    except (OSError, ImportError, subprocess.SubprocessError) as error:
        pytest.skip(f"SmolLM2 or llama.cpp cannot be fetched from the package registry: {error}")
    try:
        with serving(Script(reply=engine.reply, models={NAME: ["completion"]})) as url:
            chat = OllamaChat(NAME, url)
            chat.prepare()
            yield chat
    finally:
        engine.close()


def test_every_ballot_fits_its_form_and_carries_chances(model: OllamaChat) -> None:
    asker = Asker(model, time.monotonic)
    for seat, trial in zip(BENCH, TRIALS[::9], strict=False):
        told = asker.ask(seat.question(trial.case, NOTHING, trial.case.cluster.notes))
        assert told.plain["vote"] in {"accept", "reject", "unsure"}
        assert all(0 <= chance <= 1.0001 for chance in told.chances.values())
        assert set(told.chances) <= {"accept", "reject", "unsure"}
    assert asker.spent.read > 100 and asker.spent.written > 10


def test_a_draft_fits_its_form(model: OllamaChat) -> None:
    asked = drafting(TRIALS[0].case.cluster.notes)
    try:
        told = Asker(model, time.monotonic).ask(asked)
    except ReplyLost:
        return  # it may well ramble beyond its tokens; then the draft is lost and the node stays
    assert misfit(told.plain, asked.schema) == ""


def test_an_answer_cut_by_its_tokens_is_unfinished(model: OllamaChat) -> None:
    schema = {"type": "object", "required": ["why"], "properties": {"why": {"type": "string", "minLength": 400}}}
    with pytest.raises(ReplyLost) as lost:
        Asker(model, time.monotonic).ask(Question("Explain at length.", "Why is the sky blue?", schema, tokens=5))
    assert lost.value.unfinished


def test_what_it_says_moves_nothing(model: OllamaChat) -> None:
    some = [trial for role in Role for trial in [each for each in TRIALS if each.role is role][:2]]
    readings, _ = readings_on(some, model, time.monotonic)
    best = best_reading(readings.values())
    worth = [calibrate(best, kinds[best]) for kinds in readings.values()]
    assert all(each.moved(90, 0.05) >= 70 for each in worth), "not even a lucky role takes a good claim away"
