"""What a night may not do, however it came to plan it (decision 5)."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from dream.cycle.night import Gathered, Oriented, Plan
from dream.cycle.plan_gate import FEW, faults
from dream.model.change import Change, NodeAdded, NodeRevised
from dream.model.graph import Node, NodeKind, NodeStatus
from dream.model.ids import make_id
from dream.sources.manifest import Manifest

AT = "2026-03-02T09:00:00.000Z"


def node(number: int) -> Node:
    return Node(make_id("f", str(number)), NodeKind.FACT, f"Berth {number} is dry.", "", ("n-0",), AT, AT)


def closing(number: int) -> Change:
    before = node(number)
    return NodeRevised(before, dataclasses.replace(before, status=NodeStatus.SUPERSEDED))


def plan(folder: Path, changes: list[Change]) -> Plan:
    gathered = Gathered((), Manifest(folder / "manifest.json"))
    return Plan(Oriented("2026-03-02", AT), gathered, (), tuple(changes), "rules")


def test_a_night_that_would_close_most_of_what_stood_is_refused(tmp_path: Path) -> None:
    many = plan(tmp_path, [closing(number) for number in range(FEW + 1)])
    assert faults(many, 12) == ["11 of 12 current nodes would be closed in one night."]
    assert not faults(many, 1000)


def test_what_a_night_learns_and_replaces_itself_does_not_count(tmp_path: Path) -> None:
    """A first night over weeks of sessions: nothing stood before, and much of what was said did not last."""
    numbers = range(3 * FEW)
    changes = [NodeAdded(node(number)) for number in numbers] + [closing(number) for number in numbers]
    assert not faults(plan(tmp_path, changes), 0)


def test_what_must_never_be_is_let_pass_by_nobody(tmp_path: Path) -> None:
    lost = NodeRevised(node(1), dataclasses.replace(node(1), notes=()))
    both = plan(tmp_path, [closing(number) for number in range(FEW + 1)] + [lost])
    doubt, breach = faults(both, 12)
    assert faults(both, 12, accepted={doubt, breach}) == [breach]
