"""Canary queries guard every night (decision 5): what is held and matters is answered, or the night does not pass.

The faults are put in by hand: a consolidation that closes a fact by something that says nothing of it.
"""

from __future__ import annotations

import dataclasses
import json

import pytest

from dream.cycle import judging
from dream.cycle.canaries import MANY
from dream.cycle.consolidate import Consolidated, Consolidation
from dream.cycle.cycle import run_night
from dream.cycle.guard import Guard
from dream.debate.cluster import Cluster
from dream.errors import CycleFailed, UsageError
from dream.house import House
from dream.model.change import NodeAdded, NodeRevised
from dream.model.graph import NodeStatus
from dream.ports import NodeFilter
from tests.cycle.conftest import Client

NIGHT = "2026-03-10T01:05:00.000Z"
NEXT = "2026-03-11T01:05:00.000Z"
FACT = "We always fire stoneware at 1240 degrees."
OTHER = "We decided that Marta keeps the keys of the storeroom."


class Careless(Consolidation):
    """Takes whatever is said for the successor of the fact, unless it is told to wait."""

    heeds = True

    def consolidate(self, cluster: Cluster) -> Consolidated:
        done = super().consolidate(cluster)
        fact = next((node for node in self._known._nodes.values() if node.text == FACT), None)
        if fact is None or done.node is None or done.node.id == fact.id or (self.heeds and cluster.id in self._waits):
            return done
        self._known.drop(fact.id)  # the next one no longer meets it
        gone = dataclasses.replace(fact, status=NodeStatus.SUPERSEDED, superseded_by=done.node.id)
        return dataclasses.replace(done, changes=(NodeAdded(done.node), NodeRevised(fact, gone)), closed=(fact,))


class Reckless(Careless):
    """Does so even then."""

    heeds = False


@pytest.fixture
def told(house: House, client: Client) -> House:
    """A house that holds the fact, and a day on which something else was said."""
    client.said("s1", ("user", FACT), at="2026-03-09T09:00")
    run_night(house, now=NIGHT)
    client.said("s2", ("user", OTHER), at="2026-03-10T09:00")
    return house


def current(house: House) -> list[str]:
    return sorted(node.text for node in house.store.nodes(NodeFilter()))


def test_an_ordinary_night_passes(told: House) -> None:
    run_night(told, now=NEXT)
    assert current(told) == sorted([FACT, OTHER])


def test_a_fact_that_is_replaced_by_its_successor_or_taken_back_passes(house: House, client: Client) -> None:
    client.said("s1", ("user", FACT), ("user", "On livre les assiettes le mardi."), at="2026-03-09T09:00")
    run_night(house, now=NIGHT)
    client.said(
        "s2",
        ("user", "From now on we fire stoneware at 1220 degrees."),
        ("user", "On ne livre plus les assiettes le mardi."),
        at="2026-03-10T09:00",
    )
    run_night(house, now=NEXT)
    assert FACT not in current(house) and any("1220" in text for text in current(house))


def test_who_would_silence_a_fact_waits_for_a_person(told: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "Consolidation", Careless)
    run_night(told, now=NEXT)
    assert current(told) == [FACT]
    (hold,) = told.store.holds()
    assert hold.proposal.text == OTHER and FACT in hold.reason


def test_where_one_waits_another_does_not_silence_the_fact_in_its_place(
    told: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.said("s3", ("user", "We decided that Ivo feeds the cat."), at="2026-03-10T10:00")
    monkeypatch.setattr(judging, "Consolidation", Careless)
    run_night(told, now=NEXT)
    assert current(told) == [FACT] and len(told.store.holds()) == 2


def test_a_night_that_breaks_a_canary_all_the_same_is_refused(told: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "Consolidation", Reckless)
    size = told.ledger.size
    with pytest.raises(CycleFailed, match=r"1240 degrees.*not be answered.*Marta"):
        run_night(told, now=NEXT)
    assert told.ledger.size == size and current(told) == [FACT]
    kept = json.loads((told.home.archive / "plans" / "2026-03-11.json").read_text("utf-8"))
    assert FACT in kept["faults"][0]


def test_a_person_lets_pass_what_the_refused_plan_said_and_nothing_else(
    told: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way out of a night that would be refused for ever (decision 5)."""
    with pytest.raises(UsageError, match="No night's plan was refused"):
        run_night(told, now=NEXT, accept_plan=True)
    monkeypatch.setattr(judging, "Consolidation", Reckless)
    plans = told.home.archive / "plans"
    with pytest.raises(CycleFailed) as refused:
        run_night(told, now=NEXT)
    assert "--accept-plan" in refused.value.hint
    (kept,) = plans.glob("*.json")
    other = json.dumps({"faults": ["Something else."], "changes": []})
    seen = kept.read_text("utf-8")
    kept.write_text(other, encoding="utf-8")
    with pytest.raises(CycleFailed):
        run_night(told, now=NEXT, accept_plan=True)
    assert current(told) == [FACT] and kept.read_text("utf-8") == seen
    report = run_night(told, now=NEXT, accept_plan=True)
    assert FACT not in current(told) and any(FACT in each for each in report.warnings)
    assert FACT in report.changelog and [each.name for each in plans.iterdir()] == ["2026-03-11.accepted.json"]


def test_the_most_important_facts_are_asked_and_few_of_them(house: House, client: Client) -> None:
    client.said(
        "s1",
        ("user", FACT),
        *(("user", f"We decided that shelf {n}{n}{n} holds the {what} glazes.") for n, what in enumerate(
            ("green", "blue", "white", "black", "amber", "matt", "raku", "celadon"), 1
        )),
    )  # fmt: skip
    run_night(house, now=NIGHT)
    held = house.store.nodes(NodeFilter())
    asked = Guard(house, held, []).asked
    assert len(held) > MANY == len(asked)
    assert asked[0].node.standing
