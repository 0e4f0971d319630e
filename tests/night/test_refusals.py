"""A night whose court refuses noise is no fault of Dream's: the mode stays. A night of doubts is one."""

from __future__ import annotations

import pytest

from dream.api import Dream
from dream.health.mode import Mode
from dream.model.mode import CLUSTERS, CONSENSUS_BELOW
from dream.settings import Loaded
from tests.cycle.conftest import Client
from tests.night.test_night import BILLS, GLAZE, NIGHTS, knowing, living
from tests.night.wire import serving

NOISE = ("oak", "ash", "elm", "pine", "larch", "maple", "walnut", "cherry", "alder", "birch", "beech", "willow")
REFUSED = [f"Remember: apparently someone said the {tree} is leaving." for tree in NOISE]


def test_a_night_whose_court_refuses_noise_leaves_the_mode_normal(loaded: Loaded, client: Client) -> None:
    client.said("s1", *(("user", text) for text in (*REFUSED, GLAZE, BILLS)))
    with serving(knowing(refuses=("apparently",))) as url, living(loaded, url) as house:
        dream = Dream(house)
        counts = dict(dream.cycle(now=NIGHTS[0]).counts)
        assert counts["rejected"] >= CLUSTERS and counts["rejected"] > counts["added"] > 0, counts
        standing = dream.probe()
        assert standing.mode is Mode.NORMAL and not standing.faults
        assert standing.readings["consensus"] > CONSENSUS_BELOW, "what was refused is not in the mean"
        assert dream.probe().mode is Mode.NORMAL


@pytest.mark.parametrize("doubts", [CLUSTERS - 2, CLUSTERS + 2])
def test_a_night_of_doubts_is_a_fault_where_it_had_enough_to_judge(loaded: Loaded, client: Client, doubts: int) -> None:
    client.said("s1", *(("user", text) for text in REFUSED[:doubts]))
    with living(loaded, "http://127.0.0.1:9", judge="rules") as house:
        dream = Dream(house)
        counts = dict(dream.cycle(now=NIGHTS[0]).counts)
        assert counts["held"] == doubts, counts
        assert dream.probe().mode is (Mode.CONSERVATIVE if doubts >= CLUSTERS else Mode.NORMAL)
