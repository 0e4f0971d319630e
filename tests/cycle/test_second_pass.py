"""The model of the second pass is asked piece by piece; away, slow or senseless, it does no harm."""

from __future__ import annotations

import json

import pytest

from dream.cycle.second_pass import second_pass
from dream.errors import DreamError, ModelUnavailable
from dream.ports import Answer, ChatModel, Question


class Scripted:
    """A model that gives the replies it was written."""

    name = "scripted"

    def __init__(self, *replies: str | Exception) -> None:
        self.replies = list(replies)
        self.asked: list[Question] = []

    def prepare(self) -> str:
        return ""

    def complete(self, question: Question) -> Answer:
        self.asked.append(question)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return Answer(reply)

    def release(self) -> None:
        return None


def pointing(quote: str) -> str:
    return json.dumps({"spans": [{"quote": quote, "kind": "address"}]})


TEXT = "On livre chez Odile, 4 impasse du Moulin, et le port reste 9464."


def test_what_the_model_points_at_is_taken_out() -> None:
    model: ChatModel = Scripted(pointing("4 impasse du Moulin"))
    done = second_pass(TEXT, model)
    assert done.text == "On livre chez Odile, [redacted:address], et le port reste 9464."
    assert done.counts == {"address": 1} and not done.skipped


def test_a_long_text_is_asked_piece_by_piece() -> None:
    line = "une ligne sans rien de privé dedans\n"
    text = line * 200 + TEXT
    model = Scripted('{"spans": []}', pointing("4 impasse du Moulin"), '{"spans": []}')
    done = second_pass(text, model)
    assert len(model.asked) >= 2
    assert done.text == text.replace("4 impasse du Moulin", "[redacted:address]")


@pytest.mark.parametrize(
    "failure", [ModelUnavailable("away"), DreamError("odd"), TimeoutError("slow"), ConnectionError()]
)
def test_a_model_that_is_away_changes_nothing(failure: Exception) -> None:
    done = second_pass(TEXT, Scripted(failure))
    assert done.text == TEXT and done.skipped


def test_no_model_changes_nothing_and_says_so() -> None:
    assert second_pass(TEXT, None).text == TEXT
    assert second_pass(TEXT, None).skipped == ("no model is configured",)


@pytest.mark.parametrize("reply", ["", "J'ai tout réécrit : rien à voir.", pointing(TEXT * 3), '{"spans": [1]}'])
def test_nonsense_changes_nothing(reply: str) -> None:
    assert second_pass(TEXT, Scripted(reply)).text == TEXT
