"""What the best turns have in common finds the others about the same matter, without a word of the question."""

from __future__ import annotations

from typing import Any

from dream.model.hit import Query
from dream.recall.echo import echo
from dream.recall.scoring import Candidate


def turn(key: str, *terms: str) -> Candidate:
    return Candidate(key, None, [], frozenset(terms))


def test_a_turn_that_tells_the_rest_of_the_matter_is_heard_and_a_stranger_is_not() -> None:
    turns = {
        "one": turn("one", "ferri", "island", "ticket"),
        "two": turn("two", "ferri", "island", "storm"),
        "rest": turn("rest", "island", "lodg", "rain"),
        "other": turn("other", "kiln", "glaze", "blue"),
    }
    heard = echo(turns, {"one": 0.9, "two": 0.8, "rest": 0.1, "other": 0.1}, {"ferri"})
    assert heard["rest"] > 0.5 > heard["other"] == 0.0


def test_the_words_of_the_question_and_those_of_one_turn_alone_are_no_echo() -> None:
    turns = {"one": turn("one", "ferri", "ticket"), "two": turn("two", "ferri", "storm")}
    assert set(echo(turns, {"one": 0.9, "two": 0.8}, {"ferri"}).values()) == {0.0}


def test_a_long_turn_holds_more_words_and_is_worth_no_more() -> None:
    turns = {f"t{n}": turn(f"t{n}", "ferri", "island", "ticket") for n in range(2)}
    turns["short"] = turn("short", "island", "ticket")
    turns["long"] = turn("long", "island", "ticket", *(f"w{n}" for n in range(200)))
    heard = echo(turns, {"t0": 0.9, "t1": 0.9, "short": 0.1, "long": 0.1}, {"ferri"})
    assert heard["short"] > 2 * heard["long"]


def test_search_says_what_a_hit_owes_to_the_echo(memory: Any) -> None:
    memory.note("We take the ferry on Friday, cabin Lindholm.", session="a")
    memory.note("The ferry ticket names the cabin Lindholm.", session="b")
    rest = memory.note("Lindholm has no power socket.", session="c")
    stranger = memory.note("The oven has no power socket.", session="d")
    hits = memory.search().search(Query("ferry and power socket")).hits
    owed = {hit.id: dict(hit.signals).get("echo", 0.0) for hit in hits}
    assert owed[rest.id] > 0.0 == owed[stranger.id]
