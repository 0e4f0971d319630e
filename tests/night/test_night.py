"""A whole night with a model on the wire: who judges, what waits, what is judged again, what a person teaches."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dream.api import Dream
from dream.capture import buffer
from dream.compose import open_house, verify_store
from dream.cycle.judges import learned_of, teach
from dream.cycle.status import read_status
from dream.debate.exam import TRIALS
from dream.debate.twin_trials import PAIRS
from dream.errors import NightDeferred
from dream.house import House
from dream.model.graph import NodeStatus, Relation
from dream.ports import NodeFilter, NoteFilter
from dream.settings import Loaded
from tests.cycle.conftest import Client
from tests.night.test_court import votes
from tests.night.wire import Reply, Request, Script, serving

NIGHTS = [f"2026-03-{day}T01:05:00.000Z" for day in range(10, 20)]
GLAZE = "We decided that glazes come from Ferro."
BILLS = "Remember that invoices go out on the 5th of each month."
STOCK = "Priya is in charge of the stock of oak boards."
KILN = "From now on we always fire stoneware at 1240 degrees."
CLOSED = "http://127.0.0.1:9"


def knowing(refuses: tuple[str, ...] = (), pairs: bool = False) -> Script:
    """A model that passes its exam, accepts what it is asked at night, and refuses claims with one of the words.

    Args:
        pairs: it knows which known pairs are one, and finds all it is asked at night to be.
    """

    def reply(request: Request) -> Reply:
        if "relations" in request["format"]["properties"]:
            return {"content": json.dumps({"facts": [], "relations": []})}
        user = request["messages"][1]["content"]
        if user.startswith("First: "):
            other = any(not pair.same and pair.one in user and pair.other in user for pair in PAIRS)
            return {"content": json.dumps({"vote": "same" if pairs and not other else "other"})}
        claim = user.split("Claim: <said>")[1].split("</said>")[0]
        known = [trial.keep for trial in TRIALS if trial.claim == claim and trial.said in user]
        keep = known[0] if known else not any(word in claim for word in refuses)
        return {"content": votes("accept" if keep else "reject")}

    return Script(reply=reply)


@contextmanager
def living(loaded: Loaded, url: str, **more: object) -> Iterator[House]:
    settings = dataclasses.replace(
        loaded.settings,
        ollama_host=url,
        consolidation_model="judge:1b",
        **more,  # type: ignore[arg-type]
    )
    with open_house(Loaded(settings, loaded.rows), create=True) as house:
        yield house


def sound(home: Path) -> bool:
    """Whether log and store verify in full."""
    return verify_store({"DREAM_HOME": str(home), "DREAM_STATE": str(home.parent / "state")}, True).ok


def texts(house: House) -> list[str]:
    return sorted(node.text for node in house.store.nodes(NodeFilter()))


def test_a_model_that_is_there_and_passes_judges_and_the_night_says_so(loaded: Loaded, client: Client) -> None:
    client.said("s1", ("user", GLAZE))
    script = knowing()
    with serving(script) as url, living(loaded, url) as house:
        report = Dream(house).cycle(now=NIGHTS[0]).report
        assert report is not None and report.plan.judge == "judge:1b"
        (node,) = house.store.nodes(NodeFilter())
        assert (node.judge, node.text) == ("judge:1b", GLAZE)
        assert "judge:1b judged 1 statements" in report.changelog
        asked = len(script.asked)
        assert asked == len(TRIALS) + len(PAIRS) + 4 + 1
        client.said("s2", ("user", KILN), at="2026-03-10T09:00")
        Dream(house).cycle(now=NIGHTS[1])
        assert len(script.asked) == asked + 5, "the exam is not sat twice"
    assert script.loaded == {}, "the model's memory is given back"


@pytest.mark.parametrize("knows", [True, False])
def test_what_the_rules_leave_unsure_is_one_only_by_a_model_that_tells_known_pairs_apart(
    loaded: Loaded, client: Client, knows: bool
) -> None:
    """A repeat with nothing but a name in common; without a say the model changes nothing."""
    client.said("s1", ("user", "Remember that Ondine runs the press."))
    script = knowing(pairs=knows)
    with serving(script) as url, living(loaded, url) as house:
        Dream(house).cycle(now=NIGHTS[0])
        client.said("s2", ("user", "Remember that Ondine has the printing floor under her."), at="2026-03-10T09:00")
        client.said("s2", ("user", "Retiens que Ondine a 3 chats."), at="2026-03-10T09:00")
        report = Dream(house).cycle(now=NIGHTS[1]).report
        held = house.store.nodes(NodeFilter())
    assert report is not None
    assert len(held) == (2 if knows else 3)
    assert ("1 found said before" in report.changelog) is knows
    assert any("3 chats" in node.text and len(node.notes) == 1 for node in held), "a figure that only one of them has"


def test_without_any_model_the_first_night_is_judged_by_rules(loaded: Loaded, client: Client) -> None:
    """Decision 4: the first command on a fresh machine is real."""
    client.said("s1", ("user", GLAZE))
    with living(loaded, CLOSED) as house:
        report = Dream(house).cycle(now=NIGHTS[0]).report
        assert report is not None and report.plan.judge == "rules" and texts(house) == [GLAZE]


def test_a_model_that_cannot_judge_is_told_and_the_rules_judge_alone(loaded: Loaded, client: Client) -> None:
    client.said("s1", ("user", GLAZE))
    with serving(Script(reply=lambda request: {"content": votes()})) as url, living(loaded, url) as house:
        report = Dream(house).cycle(now=NIGHTS[0], judge="judge:1b").report
    assert report is not None and report.plan.judge == "rules"
    assert "no better than chance" in report.changelog


def test_a_model_that_is_away_defers_three_nights_then_rules_judge_and_it_judges_again(
    loaded: Loaded, client: Client
) -> None:
    """D16, decision 4: nothing is read, the buffer is kept; what rules judged meanwhile is judged again later."""
    home = loaded.settings.home
    client.said("s1", ("user", GLAZE), ("user", KILN))
    with living(loaded, CLOSED) as house:
        for night in NIGHTS[:3]:
            with pytest.raises(NightDeferred, match="buffer is kept") as deferred:
                Dream(house).cycle(now=night, judge="judge:1b")
            assert deferred.value.exit_code == 3
            assert read_status(house.home).outcome == "deferred"
            assert house.store.notes(NoteFilter()) == []
        report = Dream(house).cycle(now=NIGHTS[3], judge="judge:1b").report
        assert report is not None and report.plan.judge == "rules" and texts(house) == sorted([GLAZE, KILN])
        assert len(house.store.carried()) == 2
    with serving(knowing(refuses=("glazes",))) as url, living(loaded, url) as house:
        client.said("s2", ("user", "Please rename the button."), at="2026-03-14T09:00")
        Dream(house).cycle(now=NIGHTS[5], judge="judge:1b")
        assert house.store.carried() == {}
        assert texts(house) == [KILN] or {node.judge for node in house.store.nodes(NodeFilter())} == {"judge:1b"}
    assert sound(home)
    assert buffer.read_today(str(home)) == []


def test_two_calls_in_one_night_count_as_one_night_away(loaded: Loaded, client: Client) -> None:
    client.said("s1", ("user", GLAZE))
    with living(loaded, CLOSED) as house:
        for _ in range(5):
            with pytest.raises(NightDeferred, match="1 of 3 nights"):
                Dream(house).cycle(now=NIGHTS[0], judge="judge:1b")


def test_what_time_did_not_allow_waits_comes_first_and_is_judged_by_rules_after_three_nights(
    loaded: Loaded, client: Client
) -> None:
    client.said("s1", ("user", GLAZE), ("user", KILN), ("user", BILLS), ("user", STOCK))
    with serving(knowing()) as url, living(loaded, url, judge_tokens=1) as house:
        judged = []
        for number, night in enumerate(NIGHTS[:6]):
            client.said(f"t{number}", ("user", "hello"), at=f"2026-03-{9 + number:02d}T10:00")
            report = Dream(house).cycle(now=night).report
            assert report is not None
            judged.append((len(texts(house)), len(house.store.carried())))
            if house.store.carried():
                assert "wait for another night" in report.changelog
    assert judged[0][1] > 0, "something waited"
    assert judged[-1] == (4, 0), "after three nights nothing waits"
    with living(loaded, CLOSED) as house:
        judges = {node.judge for node in house.store.nodes(NodeFilter())}
        assert "rules" in judges
    assert sound(loaded.settings.home)


def test_a_persons_decision_is_a_ledger_entry_and_teaches_the_calibration(loaded: Loaded, client: Client) -> None:
    client.said("s1", ("user", KILN))
    with serving(knowing(refuses=("stoneware",))) as url, living(loaded, url) as house:
        dream = Dream(house)
        dream.cycle(now=NIGHTS[0])
        assert texts(house) == [], "four firm refusals take it to a person"
        (hold,) = house.store.holds()
        before = learned_of(house.home)["judge:1b"]
        entries = house.ledger.size
        dream.accept(hold.id)
        assert house.ledger.size > entries
        after = learned_of(house.home)["judge:1b"]
        assert {role: worth.n for role, worth in after.items()} == {role: worth.n + 1 for role, worth in before.items()}
        assert all(after[role].auc < before[role].auc for role in after), "it was wrong, so it ranks lower"
        assert not teach(house.home, hold.id, True), "once only"


def test_relations_that_are_stated_become_edges_and_end_with_their_node(loaded: Loaded, client: Client) -> None:
    client.said("s1", ("user", "We decided that Postgres runs version 16."), at="2026-03-09T09:00")
    client.said("s2", ("user", "Remember: the booking page depends on Postgres."), at="2026-03-10T09:00")
    with living(loaded, CLOSED) as house:
        dream = Dream(house)
        dream.cycle(now=NIGHTS[0], judge="rules")
        dream.cycle(now=NIGHTS[1], judge="rules")
        edges = {edge.id: edge for node in house.store.nodes(NodeFilter()) for edge in house.store.edges(node.id)}
        assert [edge.relation for edge in edges.values()] == [Relation.DEPENDS_ON]
        (edge,) = edges.values()
        assert "booking page" in (house.store.node(edge.source) or 0).text  # type: ignore[union-attr]


def test_an_error_grows_branches_and_the_window_settles_them(loaded: Loaded, client: Client) -> None:
    """The garden, night by night: grown, silent in search, settled, promoted."""
    client.said(
        "s1",
        ("user", "The export crashed again because the temp folder was full."),
        ("user", "From now on we always empty the temp folder before the export."),
    )
    with living(loaded, CLOSED) as house:
        dream = Dream(house)
        report = dream.cycle(now=NIGHTS[0], judge="rules").report
        grown = house.store.branches()
        assert 2 <= len(grown) <= 3, [node.kind for node in house.store.nodes(NodeFilter())]
        assert report is not None and "In the garden" in report.changelog
        hits = dream.recall("Had nothing been done about the export", k=10).hits
        assert not any("Had " in hit.text for hit in hits), "a branch is never recalled"
        client.said("s2", ("user", "The invoices moved to the blue binder."), at="2026-03-20T09:00")
        dream.cycle(now="2026-03-25T01:05:00.000Z", judge="rules")
        status = {branch.foretold.value: branch.status.value for branch in house.store.branches()}
        assert status == {"ceases": "right", "recurs": "wrong"}
        promoted = [branch.promoted for branch in house.store.branches() if branch.promoted]
        node = house.store.node(promoted[0])
        assert node is not None and node.kind == "process" and node.status is NodeStatus.CURRENT
        assert Relation.FIXES in [edge.relation for edge in house.store.edges(node.id)]
        client.said("s3", ("user", "The invoices moved to the red binder."), at="2026-04-12T09:00")
        dream.cycle(now="2026-04-13T01:05:00.000Z", judge="rules")
        assert [branch.status.value for branch in house.store.branches()] == ["right"]
    assert sound(loaded.settings.home)


def test_the_night_survives_a_damaged_court_file(loaded: Loaded, client: Client, tmp_path: Path) -> None:
    client.said("s1", ("user", GLAZE))
    with serving(knowing()) as url, living(loaded, url) as house:
        (house.home.root / "court.json").write_text('{"models": {"judge:1b": 3}, "away": [], "taught": {}}')
        report = Dream(house).cycle(now=NIGHTS[0]).report
        assert report is not None and report.plan.judge == "judge:1b"


def test_a_garden_model_names_other_ways_and_its_own_words_wait_for_a_person(loaded: Loaded, client: Client) -> None:
    told = {
        "branches": [
            {"otherwise": "Had the disk been watched each evening", "foretold": "ceases", "statement": ""},
            {
                "otherwise": "Had the export been run by hand",
                "foretold": "said",
                "statement": "The export runs by hand.",
            },
            {"otherwise": "Had it been left alone", "foretold": "recurs", "statement": ""},
        ]
    }
    judge = knowing()

    def reply(request: Request) -> Reply:
        growing = "branches" in request["format"]["properties"]
        return {"content": json.dumps(told)} if growing else judge.reply(request)

    client.said("s1", ("user", "The export crashed again because the temp folder was full."))
    with serving(Script(reply=reply)) as url, living(loaded, url, counterfactual_model="judge:1b") as house:
        dream = Dream(house)
        dream.cycle(now=NIGHTS[0])
        assert {branch.judge for branch in house.store.branches()} == {"judge:1b"}
        assert len(house.store.branches()) == 3
        client.said("s2", ("user", "The invoices moved to the blue binder."), at="2026-03-20T09:00")
        dream.cycle(now="2026-03-25T01:05:00.000Z")
        assert [hold.proposal.text for hold in house.store.holds()] == ["Had the disk been watched each evening"]
        assert all("watched each evening" not in node.text for node in house.store.nodes(NodeFilter()))
