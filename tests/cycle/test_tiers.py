"""A node moves between cache, graph, index and archive as it fades, and comes back; pins and rules never go."""

from __future__ import annotations

from dream.api import Dream
from dream.cycle.cycle import run_night
from dream.house import House
from dream.model.graph import Node, Tier
from dream.ports import NodeFilter
from tests.cycle.conftest import Client

PRINTER = "The label printer listens on port 9100."
KILN = "The kiln fires at 1240 degrees."
YEARS_ON = "2031-03-10T01:05:00.000Z"


def node(house: House, figure: str) -> Node:
    return next(each for each in house.store.nodes(NodeFilter()) if figure in each.text)


def index(house: House) -> str:
    return "".join(path.read_text("utf-8") for path in house.home.index.rglob("*.md"))


def test_what_faded_leaves_the_index_is_still_found_and_comes_back_when_it_is_said_again(
    house: House, client: Client, dream: Dream
) -> None:
    client.said("s1", ("user", PRINTER), at="2026-03-09T09:00")
    run_night(house, now="2026-03-10T01:05:00.000Z")
    assert node(house, "9100").tier in (Tier.HOT, Tier.ACTIVE) and "9100" in index(house)
    run_night(house, now=YEARS_ON)
    assert node(house, "9100").tier is Tier.COLD and "9100" not in index(house)
    assert "9100" in next((house.home.archive / "cold").glob("*.jsonl")).read_text("utf-8")
    assert "9100" in dream.recall("label printer port").hits[0].text
    client.said("s2", ("user", PRINTER), at="2031-03-10T09:00")
    run_night(house, now="2031-03-11T01:05:00.000Z")
    assert node(house, "9100").tier in (Tier.HOT, Tier.ACTIVE) and "9100" in index(house)


def test_a_pin_brings_a_cold_node_back_and_holds_it(house: House, client: Client, dream: Dream) -> None:
    client.said("s1", ("user", PRINTER), ("user", KILN), at="2026-03-09T09:00")
    run_night(house, now="2026-03-10T01:05:00.000Z")
    run_night(house, now=YEARS_ON)
    assert {node(house, "9100").tier, node(house, "1240").tier} == {Tier.COLD}
    dream.pin(node(house, "9100").id)
    run_night(house, now="2031-03-11T01:05:00.000Z")
    run_night(house, now="2041-03-11T01:05:00.000Z")
    assert node(house, "9100").tier is Tier.ACTIVE and node(house, "1240").tier is Tier.COLD
