"""The adapter against a server that speaks Ollama's wire format and does what real servers do wrong (group D)."""

from __future__ import annotations

import json
import math
import socket
import time
from typing import Any

import pytest

from dream.adapters.ollama import OllamaChat, loopback, sampling_of
from dream.debate.asking import Asker
from dream.errors import ModelUnavailable, PromptCut, ReplyLost, SettingsError
from dream.ports import Question
from tests.night.wire import Reply, Script, serving

VOTE = {
    "type": "object",
    "required": ["vote"],
    "properties": {"vote": {"type": "number", "minimum": 0, "maximum": 1}},
}
GOOD = '{"vote": 0.8, "reason": "it is in the notes"}'


def question(**more: Any) -> Question:
    return Question("You judge.", "Is it so?", VOTE, **more)


def chat(url: str, model: str = "judge:1b", **more: Any) -> OllamaChat:
    return OllamaChat(model, url, **more)


def scripted(*replies: Reply) -> Script:
    """A server that gives these replies in turn; the last for good."""
    left = list(replies)
    return Script(reply=lambda request: left.pop(0) if len(left) > 1 else left[0])


def test_an_answer_is_streamed_with_window_sampling_schema_and_no_thinking() -> None:
    script = scripted({"content": GOOD, "prompt_eval_count": 9, "eval_count": 12})
    with serving(script) as url:
        model = chat(url, num_ctx=2048)
        assert model.prepare() == "judge:1b-digest"
        answer = model.complete(question(tokens=90))
    (asked,) = script.asked
    assert (answer.text, answer.read, answer.written, answer.whole) == (GOOD, 9, 12, True)
    assert asked["options"] == {
        "num_ctx": 2048,
        "num_predict": 90,
        "seed": 7,
        "temperature": 0,
        "top_p": 1,
        "top_k": 40,
    }
    assert (asked["stream"], asked["think"], asked["format"], asked["keep_alive"]) == (True, False, VOTE, "15m")
    assert script.loads == 1


def test_gemma_is_sampled_as_decided_and_thinks_by_the_mark_in_its_system_prompt() -> None:
    assert sampling_of("gemma4:e4b").options == {"temperature": 1.0, "top_p": 0.95, "top_k": 64}
    script = scripted({"content": GOOD, "thinking": "let me see"})
    script.models = {"gemma4:12b": ["completion", "thinking"]}
    with serving(script) as url:
        model = chat(url, "gemma4:12b")
        model.prepare()
        thoughtful = model.complete(question(thinking=True))
        model.complete(question())
    first, second = script.asked
    assert thoughtful.thought == "let me see"
    assert first["think"] and first["messages"][0]["content"].startswith("<|think|>")
    assert second["think"] is False and not second["messages"][0]["content"].startswith("<|think|>")


def test_a_server_too_old_is_told_with_both_versions_before_anything_is_asked() -> None:
    """D01: gemma4:12b needs a server of 0.30.4; the one of 0.30.3 is asked for its version and left alone."""
    script = Script(version="0.30.3", models={"gemma4:12b": ["completion"]}, too_new=("gemma4:12b",))
    with serving(script) as url, pytest.raises(ModelUnavailable) as refused:
        chat(url, "gemma4:12b").prepare()
    assert "0.30.3" in refused.value.sentence and "0.30.4" in refused.value.sentence
    assert script.paths == ["/api/version"]


def test_the_412_inside_a_pull_is_told_as_a_server_too_old() -> None:
    """D01: the pull's own words, for a model whose need is not known beforehand."""
    script = Script(version="0.30.3", too_new=("next:1b",))
    with serving(script) as url, pytest.raises(ModelUnavailable, match=r"0\.30\.3, too old for next:1b") as refused:
        chat(url, "next:1b").pull()
    assert "server" in refused.value.hint
    assert script.paths.count("/api/pull") == 1


def test_a_pull_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    script = Script(remote=("new:1b",))
    with serving(script) as url:
        model = chat(url, "new:1b")
        assert not model.there()
        model.pull(lambda *step: told.append(step))
        assert model.there()
    assert ("pulling 0123456789ab", 50, 100) in told and told[-1][0] == "success"


def test_a_model_that_is_not_there_is_told_with_the_command_that_gets_it() -> None:
    with serving(Script()) as url, pytest.raises(ModelUnavailable, match="no model other:1b") as refused:
        chat(url, "other:1b").prepare()
    assert "dream init --models" in refused.value.hint


READ_AS = [0.8, 0.8, 0.8, None, None, None, None, None, 0.8, None, None, 0.8, None, None, None, 0.8]
BAD_VOTES: list[Reply] = [
    {"content": f"```json\n{GOOD}\n```"},
    {"content": f"Here is my vote: {GOOD} Thank you!"},
    {"content": "", "thinking": GOOD},
    {"content": '{"vote": "0,8"}'},
    {"content": '{"vote": 85}'},
    {"content": '{"vote": NaN}'},
    {"content": '{"vote": true}'},
    {"content": '{"vote": -0.1}'},
    {"content": f"[{GOOD}]"},
    {"content": "{'vote': 0.8}"},
    {"content": '{"vote": 0.8'},
    {"content": f"<|think|>hm</think>{GOOD}"},
    {"content": "I will not."},
    {"content": '{"vote": 0.8, "vote": 0.1}'},
    {"content": '{"votes": 0.8}'},
    {"content": '{"vote": 0.8, "reason": "\\ud83d"}'},
]


@pytest.mark.parametrize(("reply", "vote"), list(zip(BAD_VOTES, READ_AS, strict=True)), ids=range(16))
def test_a_vote_is_read_or_asked_for_once_more_and_never_guessed(reply: Reply, vote: float | None) -> None:
    """D02: fences, prose, thoughts are taken off; what is no vote is repaired once, then lost."""
    script = scripted(reply)
    with serving(script) as url:
        asker = Asker(chat(url), time.monotonic)
        if vote is None:
            with pytest.raises(ReplyLost) as lost:
                asker.ask(question())
            assert not lost.value.unfinished
        else:
            told = asker.ask(question())
            assert told.plain["vote"] == vote
            json.dumps(told.plain, ensure_ascii=False).encode()
    assert len(script.asked) == (2 if vote is None else 1)
    assert asker.spent.lost == (vote is None)


def test_a_repair_tells_the_model_what_was_wrong() -> None:
    script = scripted({"content": '{"vote": 85}'}, {"content": GOOD})
    with serving(script) as url:
        assert Asker(chat(url), time.monotonic).ask(question()).plain["vote"] == 0.8
    assert "vote is not between 0 and 1" in script.asked[1]["messages"][-1]["content"]


def test_an_answer_that_thinking_ate_is_asked_for_again_without_thinking_and_with_more_room() -> None:
    """D04: empty content, done_reason length."""
    script = scripted({"content": "", "thinking": "well …", "done_reason": "length"}, {"content": GOOD})
    script.models = {"gemma4:e4b": ["completion", "thinking"]}
    with serving(script) as url:
        model = chat(url, "gemma4:e4b")
        model.prepare()
        assert Asker(model, time.monotonic).ask(question(thinking=True, tokens=100)).plain["vote"] == 0.8
    first, second = script.asked
    assert (first["think"], second["think"]) == (True, False)
    assert second["options"]["num_predict"] == 300


def test_an_answer_that_never_ends_is_lost_as_unfinished() -> None:
    """D04: it is not a vote against anything."""
    script = scripted({"content": '{"vote": 0.', "done_reason": "length"})
    with serving(script) as url, pytest.raises(ReplyLost) as lost:
        Asker(chat(url), time.monotonic).ask(question())
    assert lost.value.unfinished


def test_a_question_that_the_server_cut_is_no_question() -> None:
    """D05: the window is sent, and a read count far under the estimate is a failure, whatever the answer says."""
    script = scripted({"content": GOOD, "prompt_eval_count": 1026})
    long = Question("You judge.", "word " * 2400, VOTE)
    with serving(script) as url:
        with pytest.raises(PromptCut, match="it cut the question"):
            chat(url, num_ctx=4096).complete(long)
        with pytest.raises(ReplyLost) as lost:
            Asker(chat(url, num_ctx=4096), time.monotonic).ask(long)
    assert lost.value.unfinished
    assert script.asked[0]["options"]["num_ctx"] == 4096


def test_a_question_longer_than_the_window_is_not_sent() -> None:
    """D05: the rules at its front would be the first to go."""
    script = Script()
    with serving(script) as url, pytest.raises(PromptCut, match="more than the window"):
        chat(url, num_ctx=2048).complete(Question("You judge.", "word " * 2400, VOTE))
    assert script.asked == []


def test_a_slow_load_is_waited_for_once_by_a_call_of_its_own() -> None:
    """D06: loading takes longer than an answer may; it is waited for, and not done twice."""
    script = scripted({"content": GOOD})
    script.load_s = 0.8
    with serving(script) as url:
        model = chat(url, load_seconds=5.0, answer_seconds=0.4)
        model.prepare()
        model.complete(question())
    assert script.loads == 1


def test_a_load_that_never_ends_is_given_up_with_a_sentence() -> None:
    """D06: the night is deferred; the load is not begun anew."""
    script = Script(load_s=1.2)
    with serving(script) as url, pytest.raises(ModelUnavailable, match="did not answer in time"):
        chat(url, load_seconds=0.2).prepare()
    assert script.paths.count("/api/chat") == 1


def test_an_answer_that_stops_coming_is_the_server_gone() -> None:
    script = scripted({"content": "{", "error": "an error was encountered while running the model", "late": True})
    with serving(script) as url, pytest.raises(ModelUnavailable, match="error was encountered"):
        chat(url).complete(question())


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ({"error": "model runner has unexpectedly stopped", "status": 500}, "unexpectedly stopped"),
        ({"error": "server busy, please try again. maximum pending requests exceeded", "status": 503}, "server busy"),
    ],
)
def test_an_error_before_the_first_byte_is_told_in_the_servers_words(reply: Reply, sentence: str) -> None:
    with serving(scripted(reply)) as url, pytest.raises(ModelUnavailable, match=sentence):
        chat(url).complete(question())


FACTS = {
    "type": "object",
    "required": ["facts"],
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
}


@pytest.mark.parametrize(
    ("reply", "facts"),
    [
        ({"content": 'Here you go:\n{"facts": ["the port is 9464"]}'}, ["the port is 9464"]),
        ({"content": '{"facts": ["coffee \\ud83d"]}'}, ["coffee \ufffd"]),
        ({"content": '{"facts": ["a", ]}'}, None),
        ({"content": "{\"facts\" : ['port 9464']}"}, None),
        ({"content": "", "done_reason": "length"}, None),
    ],
)
def test_facts_are_read_or_counted_as_lost(reply: Reply, facts: list[str] | None) -> None:
    """D08: never lost in silence."""
    with serving(scripted(reply)) as url:
        asker = Asker(chat(url), time.monotonic)
        ask = Question("You draft.", "What is so?", FACTS)
        if facts is None:
            with pytest.raises(ReplyLost):
                asker.ask(ask)
        else:
            assert asker.ask(ask).plain == {"facts": facts}
    assert asker.spent.lost == (facts is None)


def test_no_server_is_told_at_once() -> None:
    """D16: a closed port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="does not answer"):
        chat(f"http://127.0.0.1:{port}").prepare()
    assert time.monotonic() - began < 3


def test_only_this_machine_is_spoken_to() -> None:
    assert loopback("localhost:11434") == "http://127.0.0.1:11434"
    assert loopback("http://[::1]") == "http://[::1]:11434"
    for away in ("http://192.168.1.4:11434", "https://ollama.com", "http://127.0.0.1.example.org"):
        with pytest.raises(SettingsError, match="not on this machine"):
            loopback(away)


def test_the_chances_of_the_first_vote_are_read_from_the_servers_logprobs() -> None:
    def token(text: str, **others: float) -> dict[str, Any]:
        top = [{"token": name, "logprob": math.log(p)} for name, p in others.items()]
        return {"token": text, "logprob": -0.1, "top_logprobs": top}

    vote = token("acc", acc=0.6, rej=0.2, un=0.1)
    said = [token('{"'), token("vote"), token('":'), token(' "'), vote, token("ept"), token('"}')]
    with serving(scripted({"content": '{"vote": "accept"}', "logprobs": said})) as url:
        answer = chat(url).complete(question(watch=("accept", "reject")))
    assert answer.text == '{"vote": "accept"}'
    assert answer.chances == pytest.approx({"accept": 0.6, "reject": 0.2})
