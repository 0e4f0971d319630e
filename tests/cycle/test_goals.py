"""G of the vitality: what lies near what its project works on is livelier, in that project and nowhere else."""

from __future__ import annotations

from dream.adapters.snowball import SnowballAnalyser
from dream.cycle.cycle import run_night
from dream.cycle.goals import goals
from dream.house import House
from dream.model.graph import Node, NodeKind
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.ports import NodeFilter
from tests.cycle.conftest import Client

AT = "2026-03-09T09:00:00.000Z"


def note(text: str, project: str) -> Note:
    return Note(make_id("n", text), text, AT, "s", make_id("t", text), 0, Origin.USER, 40, (), project)


def node(text: str, project: str) -> Node:
    return Node(make_id("f", text, project), NodeKind.FACT, text, project, (make_id("n", text),), AT, AT)


def test_what_is_near_to_what_its_project_works_on_is_told_from_what_is_far() -> None:
    near, far = node("The glaze kiln fires at 1240 degrees.", "kiln"), node("The van is parked in Nantes.", "kiln")
    elsewhere, everywhere = node("The glaze kiln fires at 900 degrees.", "shop"), node("The glaze is blue.", "")
    said = [note("Let us look at the glaze of the kiln again.", "kiln"), note("The glaze is too thin.", "kiln")]
    found = goals([near, far, elsewhere, everywhere], said, SnowballAnalyser().terms)
    assert found.keys() == {near.id, far.id}
    assert found[far.id] == 0.5 < found[near.id] <= 1.0


def test_a_night_makes_livelier_what_its_project_works_on(house: House, client: Client) -> None:
    client.said(
        "s1",
        ("user", "We decided that the glaze kiln fires at 1240 degrees."),
        ("user", "We decided that the delivery van is parked in Nantes."),
        at="2026-03-09T09:00",
    )
    run_night(house, now="2026-03-10T02:05:00+01:00")
    client.said("s2", ("user", "The glaze of the kiln came out too thin today."), at="2026-03-10T09:00")
    scores = run_night(house, now="2026-03-11T02:05:00+01:00").plan.vitality
    nodes = {node.id: node.text for node in house.store.nodes(NodeFilter())}
    kiln, van = (next(score for key, score in scores.items() if word in nodes[key]) for word in ("1240", "Nantes"))
    assert kiln > van
