"""Cases of meaning, over whole nights: one fact and its look-alikes (E08), a rule seldom read (E10), no such day."""

from __future__ import annotations

import pytest

from dream.api import Dream
from dream.cycle.cycle import run_night
from dream.house import House
from dream.model.graph import Node, NodeStatus, Relation, Tier
from dream.ports import NodeFilter
from tests.cycle.conftest import Client

EVERY = NodeFilter(statuses=tuple(NodeStatus))


def told(house: House, client: Client, *texts: str) -> list[Node]:
    """Each said on a day of its own, a night after each."""
    for day, text in enumerate(texts, 9):
        client.said(f"s{day}", ("user", text), at=f"2026-03-{day:02d}T09:00")
        run_night(house, now=f"2026-03-{day + 1:02d}T01:05:00.000Z")
    return house.store.nodes(EVERY)


def test_e08_one_fact_said_twice_is_one_node(house: House, client: Client) -> None:
    nodes = told(house, client, "Retiens : on déploie le mardi.", "Retiens : le déploiement a lieu le mardi.")
    (node,) = nodes
    assert len(node.notes) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Retiens : le timeout est de 30 s.", "Retiens : le timeout est de 300 s."),
        ("Retiens : le serveur A utilise Redis.", "Retiens : le serveur B utilise Redis."),
    ],
)
def test_e08_look_alikes_with_other_values_stay_two(house: House, client: Client, first: str, second: str) -> None:
    nodes = told(house, client, first, second)
    assert len(nodes) == 2
    assert all(len(node.notes) == 1 for node in nodes)


def test_e08_what_is_over_is_never_made_one_with_what_it_ends(house: House, client: Client) -> None:
    """The old statement ends and says when; the new one is no second copy of it."""
    nodes = told(house, client, "Retiens : on déploie le mardi.", "On ne déploie plus le mardi.")
    old = min(nodes, key=lambda node: node.recorded_at)
    assert old.status is not NodeStatus.CURRENT and old.valid_to is not None
    assert "plus" not in old.text


def test_e10_a_rule_that_nobody_reads_stays_at_hand_and_chatter_of_its_day_does_not(
    house: House, client: Client, dream: Dream
) -> None:
    client.said(
        "s1", ("user", "Il faut toujours répondre en français."), ("user", "On a décidé que Karim vient en mai.")
    )
    run_night(house, now="2026-03-10T01:05:00.000Z")
    run_night(house, now="2026-09-26T01:05:00.000Z")
    by_text = {node.text: node for node in house.store.nodes(NodeFilter())}
    rule = next(node for text, node in by_text.items() if "français" in text)
    assert rule.standing and rule.tier in (Tier.HOT, Tier.ACTIVE)
    run_night(house, now="2028-09-26T01:05:00.000Z")
    later = {node.text: node.tier for node in house.store.nodes(NodeFilter())}
    assert later[rule.text] in (Tier.HOT, Tier.ACTIVE)
    assert [tier for text, tier in later.items() if "Karim" in text] == [Tier.COLD]


@pytest.mark.parametrize(
    "text",
    ["On a décidé que l'audit de Nantes aura lieu le 31 juin.", "We decided that the Nantes audit is on 30 February."],
)
def test_a_day_that_no_calendar_has_is_put_before_a_person_and_is_no_fact_meanwhile(
    house: House, client: Client, text: str
) -> None:
    client.said("s1", ("user", text))
    run_night(house, now="2026-03-10T01:05:00.000Z")
    assert house.store.nodes(NodeFilter()) == []
    (hold,) = house.store.holds()
    assert "calendar" in hold.reason and hold.proposal.dates == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Remember that the depot opens on Sundays.", "Remember that the depot does not open on Sundays."),
        ("Retiens que le four sèche la nuit.", "Retiens que le four ne sèche pas la nuit."),
    ],
)
def test_e08_what_a_person_says_firmly_against_what_is_held_stays_beside_it_tied_by_an_edge(
    house: House, client: Client, first: str, second: str
) -> None:
    """Both are weaker for it, neither is gone, the changelog says so, and the notes are cited."""
    old, new = sorted(told(house, client, first, second), key=lambda node: node.recorded_at)
    (edge,) = house.store.edges(new.id)
    assert (edge.relation, edge.source, edge.target) == (Relation.CONTRADICTS, new.id, old.id)
    assert edge.notes == new.notes and edge.valid_to is None
    assert {old.status, new.status} == {NodeStatus.CURRENT} and Tier.COLD not in (old.tier, new.tier)
    assert "At odds" in (house.home.logs / "2026-03-11.md").read_text("utf-8")


def test_a_passing_remark_against_what_is_held_waits_for_a_person(house: House, client: Client) -> None:
    told(house, client, "The depot opens on Sundays at 9.", "The depot does not open on Sundays at 9.")
    (hold,) = house.store.holds()
    assert "denies what is held" in hold.reason


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Retiens que Redis écoute sur le port 6379.", "Retiens : le portail utilise Redis.", Relation.USES),
        (
            "Remember that the warehouse is 30 m long.",
            "Remember: the crane depends on the warehouse.",
            Relation.DEPENDS_ON,
        ),
        (
            "Retiens : la passerelle tourne sous Express.",
            "Retiens : Karim travaille sur la passerelle.",
            Relation.RELATES_TO,
        ),
    ],
)
def test_a_relation_that_a_sentence_states_becomes_an_edge_that_cites_it(
    house: House, client: Client, first: str, second: str, relation: Relation
) -> None:
    about, says = sorted(told(house, client, first, second), key=lambda node: node.recorded_at)
    (edge,) = house.store.edges(says.id)
    assert (edge.source, edge.relation, edge.target, edge.notes) == (says.id, relation, about.id, says.notes)


def test_a_relation_is_boosted_when_it_is_said_again_and_weakened_when_it_is_contradicted(
    house: House, client: Client
) -> None:
    def tie() -> int:
        return next(
            edge.weight
            for node in house.store.nodes(NodeFilter())
            for edge in house.store.edges(node.id)
            if edge.relation is Relation.DEPENDS_ON
        )

    said = "Remember that the gateway depends on Redis."
    for day, texts in enumerate(
        (
            ("Remember that Redis is in the cellar rack.", said),
            (said,),
            ("Remember that the gateway does not depend on Redis.",),
        ),
        9,
    ):
        client.said(f"s{day}", *(("user", text) for text in texts), at=f"2026-03-{day:02d}T09:00")
        run_night(house, now=f"2026-03-{day + 1:02d}T01:05:00.000Z")
        assert tie() == {9: 100, 10: 120, 11: 100}[day]
