"""Tiers after a night: from the formula, for current nodes, over what the night plans; nothing is written."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dream.adapters.memory import MemoryStore
from dream.adapters.snowball import SnowballAnalyser
from dream.cycle.consolidate import Consolidated, Outcome
from dream.cycle.prune import archive_text, plan, prune
from dream.debate.cluster import Cluster
from dream.model.change import Entry, NodeAdded, NodeRevised, TierChanged
from dream.model.debate import Decision, Verdict
from dream.model.graph import Edge, Node, NodeKind, NodeStatus, Relation, Tier
from dream.model.note import Note, Origin
from dream.model.time import format_instant

NOW = "2026-06-01T02:05:00.000Z"


def ago(days: float) -> str:
    return format_instant(datetime(2026, 6, 1, 2, 5, tzinfo=UTC) - timedelta(days=days))


def node(number: int, days_old: float = 0.0, tier: Tier = Tier.ACTIVE) -> Node:
    at = ago(days_old)
    return Node(f"f-{number:024x}", NodeKind.FACT, f"Fact {number}.", "p", (f"n-{number:024x}",), at, at, tier=tier)


def contradiction(a: Node, b: Node, confidence: int = 100) -> Edge:
    return Edge(f"e-{a.id[2:]}", a.id, Relation.CONTRADICTS, b.id, NOW, confidence=confidence)


def test_each_node_goes_to_the_tier_of_its_score_and_only_moves_are_told() -> None:
    fresh, fading, gone = node(1), node(2, 200), node(3, 500)
    used = [NOW] * 6
    pruned = plan([fresh, fading, gone, node(4)], [], {fresh.id: used}, None, NOW)
    assert pruned.changes == (
        TierChanged(fresh.id, Tier.ACTIVE, Tier.HOT),
        TierChanged(fading.id, Tier.ACTIVE, Tier.DARK),
        TierChanged(gone.id, Tier.ACTIVE, Tier.COLD),
    )
    assert pruned.cold == (gone,)
    assert pruned.moves == ((Tier.ACTIVE, Tier.HOT, 1), (Tier.ACTIVE, Tier.DARK, 1), (Tier.ACTIVE, Tier.COLD, 1))
    assert set(pruned.vitality) == {fresh.id, fading.id, gone.id, node(4).id}


def test_a_second_plan_over_what_the_first_left_moves_nothing() -> None:
    nodes = [node(1), node(2, 200), node(3, 500)]
    first = plan(nodes, [], {}, None, NOW)
    after = {change.node: change.after for change in first.changes}
    settled = [dataclasses.replace(each, tier=after.get(each.id, each.tier)) for each in nodes]
    assert plan(settled, [], {}, None, NOW).changes == ()


def test_a_contradiction_weighs_on_both_while_both_stand() -> None:
    a, b = node(1), node(2)
    both = plan([a, b], [contradiction(a, b)], {}, None, NOW)
    assert {change.node for change in both.changes} == {a.id, b.id}
    old = dataclasses.replace(b, status=NodeStatus.SUPERSEDED)
    assert plan([a, old], [contradiction(a, old)], {}, None, NOW).changes == ()


def test_a_superseded_node_keeps_its_tier() -> None:
    old = dataclasses.replace(node(1, 900), status=NodeStatus.SUPERSEDED)
    pruned = plan([old], [], {}, None, NOW)
    assert pruned.changes == ()
    assert pruned.vitality == {}


def test_the_goal_of_the_project_lifts_what_serves_it() -> None:
    near, far = node(1, 150), node(2, 150)
    scores = plan([near, far], [], {}, {near.id: 1.0, far.id: 0.0}, NOW).vitality
    assert scores[near.id] - scores[far.id] > 0.29


def test_e11_a_node_dated_2031_is_flagged() -> None:
    late = dataclasses.replace(node(1), evidence_at="2031-01-01T00:00:00.000Z")
    assert plan([late, node(2)], [], {}, None, NOW).future == (late.id,)


def test_e11_a_clock_set_back_a_day_moves_at_most_what_stands_on_a_border() -> None:
    nodes = [node(number, number / 2) for number in range(1000)]
    settled_tiers = {change.node: change.after for change in plan(nodes, [], {}, None, NOW).changes}
    settled = [dataclasses.replace(each, tier=settled_tiers.get(each.id, each.tier)) for each in nodes]
    assert len(plan(settled, [], {}, None, ago(1)).changes) <= 8


def test_cold_nodes_are_exported_one_a_line() -> None:
    lines = archive_text([node(1), node(2)]).splitlines()
    assert len(lines) == 2
    assert '"Fact 1."' in lines[0]


@given(st.lists(st.floats(0, 3000), max_size=12), st.randoms(use_true_random=False))
def test_the_plan_does_not_depend_on_the_order_it_is_given(ages: list[float], random: object) -> None:
    nodes = [node(number, age) for number, age in enumerate(ages)]
    shuffled = list(nodes)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert plan(nodes, [], {}, None, NOW) == plan(shuffled, [], {}, None, NOW)


def test_the_night_is_scored_as_its_plan_will_leave_the_memory() -> None:
    """A node said again tonight counts as said tonight, one superseded tonight is not scored, a new one is."""
    kept, old, new = node(1, 300), node(2), node(3)
    note = Note("n-" + "9" * 24, "Fact 1.", NOW, "s", "t", 0, Origin.USER, 50, (), "p")
    again = dataclasses.replace(kept, evidence_at=NOW, notes=(*kept.notes, note.id))
    closed = dataclasses.replace(old, status=NodeStatus.SUPERSEDED, superseded_by=new.id)
    cluster = Cluster("c-" + "1" * 24, (note,), note.text, NOW, "p", Origin.USER, frozenset(), 50, "en")
    verdict = Verdict(Decision.ACCEPT, 90, (), "rules", "")
    changes = (NodeRevised(kept, again), NodeAdded(new), NodeRevised(old, closed))
    night = Consolidated(cluster, verdict, Outcome.SUPERSEDED, changes, new, (old,))
    store = MemoryStore(SnowballAnalyser())
    store.apply([Entry(seq, "log", NOW, "", NodeAdded(each)) for seq, each in enumerate((kept, old))])
    pruned = prune(store, [night], NOW)
    assert set(pruned.vitality) == {kept.id, new.id}
    assert pruned.scores[kept.id].decay == 1.0
    assert pruned.scores[kept.id].use > 0.0
    assert store.node(kept.id) == kept, "nothing is written"
    assert prune(store, [], NOW).scores[kept.id].decay < 0.4
