"""What a page shows that no verb tells: the graph in outline, a node through time, the votes of a night."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from dream.cycle import ballots
from dream.health.host import Host, look_at_host
from dream.health.port import Port, store_tag, who_has
from dream.house import House
from dream.ledger.mention import mentioning
from dream.model.branch import Branch
from dream.model.change import Entry
from dream.model.graph import Edge, Node
from dream.model.note import Note
from dream.model.time import days_between, format_instant, to_datetime
from dream.model.vitality import Vitality, contradicting, vitality
from dream.operations import Dot, Line, Outline

POINTS = 60
AHEAD_DAYS = 180


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and the edges among them; `fits` counts the nodes that were asked for, drawn or not."""

    dots: Sequence[Dot]
    lines: Sequence[Line]
    fits: int


@dataclass(frozen=True, slots=True)
class Course:
    """How alive a node is: now with its parts, and (instant, value) points from its first word to half a year ahead."""

    now: Vitality
    at: str
    points: tuple[tuple[str, float], ...]


class Views:
    """Over one opened house; nothing here alters anything."""

    def __init__(self, house: House) -> None:
        self._house = house

    @property
    def zone(self) -> str:
        """IANA name of the zone in which a person reads times."""
        return self._house.zone

    def host(self, environ: dict[str, str]) -> Host:
        """What surrounds the store: hooks, timer, next night."""
        return look_at_host(self._house.home, environ, self._house.zone, self._house.clock.now())

    def port(self) -> tuple[Port, str]:
        """Who serves the metrics, and the tag of this store."""
        return who_has(self._house.settings.metrics_port), store_tag(self._house.home.root)

    def sketch(self, wanted: Outline, most: int) -> Drawing:
        """The best connected nodes of an outline."""
        return Drawing(*self._house.store.sketch(wanted, most))

    def around(self, node_id: str, reach: int, most: int) -> Drawing:
        """A node and what lies up to `reach` edges away, nearest first."""
        store = self._house.store
        found: dict[str, Node] = {}
        edge_of: list[str] = [node_id]
        for _ in range(reach + 1):
            fresh: dict[str, None] = {}
            for each in edge_of:
                node = store.node(each) if each not in found and len(found) < most else None
                if node is None:
                    continue
                found[each] = node
                for edge in store.edges(each):
                    fresh[edge.target if edge.source == each else edge.source] = None
            edge_of = list(fresh)
        lines = store.among(list(found))
        degrees = {key: sum(key in (line.source, line.target) for line in lines) for key in found}
        dots = [
            Dot(n.id, str(n.kind), str(n.tier), str(n.status), n.project, n.text, degrees[n.id]) for n in found.values()
        ]
        return Drawing(dots, lines, len(dots))

    def projects(self) -> list[str]:
        """The keys of all projects that have nodes."""
        return self._house.store.projects()

    def history(self, node_id: str) -> list[Entry]:
        """The entries that name a node, oldest first."""
        ledger = self._house.ledger
        return list(mentioning(self._house.home.ledger, ledger.log_id, node_id))

    def neighbours(self, node_id: str) -> list[tuple[Edge, Node]]:
        """Each edge of a node with the node at its other end."""
        store, found = self._house.store, []
        for edge in store.edges(node_id):
            other = store.node(edge.target if edge.source == node_id else edge.source)
            if other is not None:
                found.append((edge, other))
        return found

    def notes_of(self, node: Node) -> tuple[list[Note], list[str]]:
        """The notes a node stands on, and the ids of those whose text is gone."""
        held = self._house.store.notes_by_id(node.notes)
        return [held[key] for key in node.notes if key in held], [key for key in node.notes if key not in held]

    def course(self, node: Node, notes: Sequence[Note]) -> Course:
        """The node's vitality through time, by what had been said and used until then."""
        house, now = self._house, self._house.clock.now()
        doubts = contradicting(node.id, house.store.edges(node.id))
        said = sorted(note.at for note in notes) or [node.evidence_at]
        uses = [*said[1:], *house.operations.state.uses_of(node.id)]

        def value(at: str) -> Vitality:
            known = [moment for moment in said if moment <= at] or said[:1]
            then = dataclasses.replace(node, evidence_at=known[-1])
            against = [edge.confidence for edge in doubts if edge.recorded_at <= at]
            return vitality(then, at, [use for use in uses if use <= at], contradictions=against)

        begun, ended = said[0], format_instant(to_datetime(now) + timedelta(days=AHEAD_DAYS))
        span = max(1.0, days_between(begun, ended))
        stops = [format_instant(to_datetime(begun) + timedelta(days=span * n / POINTS)) for n in range(POINTS + 1)]
        return Course(value(now), now, tuple((at, value(at).value) for at in sorted({*stops, now})))

    def debates(self, night: str) -> list[dict[str, Any]]:
        """The clusters of a night with the four ballots of each; empty where they were not kept."""
        return ballots.read(self._house.home, night)

    def root_of(self, branch: Branch) -> Node | None:
        """The node a branch grows from, None where it was forgotten."""
        return self._house.store.node(branch.root)

    def branches(self) -> list[Branch]:
        """The counterfactual garden, by id."""
        return self._house.store.branches()
