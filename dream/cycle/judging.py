"""The consolidation phase of a night: the docket before the bench, then every verdict's changes, in order of saying."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dream.cycle.canaries import Silenced
from dream.cycle.consolidate import Consolidated, Consolidation
from dream.cycle.gardening import garden
from dream.cycle.guard import Guard, doubted
from dream.cycle.judges import Bench, gardener, remember_readings
from dream.cycle.night import Gathered, Oriented
from dream.cycle.sitting import Docket, Heard, docket, hear
from dream.cycle.ties import ties
from dream.cycle.under_mode import under
from dream.debate.cluster import Cluster, clusters, mentions
from dream.debate.known import Known, statements
from dream.house import House
from dream.model.change import Change, NodeAdded, NodeRevised, NoteHeld
from dream.model.frame import Frame
from dream.model.graph import Node, NodeStatus
from dream.model.mode import ALLOWS, Mode

Basis = list[tuple[Node, list[Frame]]]
"""What is held, with the frames of all that was said for it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the phase found.

    Attributes:
        ties: edges that statements say; garden: what grew and what settled.
        silenced: what is held now and would not be found any more.
    """

    heard: Heard
    consolidated: tuple[Consolidated, ...]
    ties: tuple[Change, ...] = ()
    garden: tuple[Change, ...] = ()
    silenced: tuple[str, ...] = ()


def judge_night(
    house: House,
    oriented: Oriented,
    gathered: Gathered,
    before: list[Node],
    now: str,
    bench: Bench,
    mode: Mode,
    phase: Callable[[int], Callable[[int], None]],
) -> Judged:
    """Judge what was gathered and what waited.

    Args:
        before: current nodes; phase: begins the phase of so many steps, and is told each.
    """
    waiting: list[Cluster] = []
    for session in gathered.sessions:
        found = clusters(session)
        waiting += [*found, *mentions(session, found)]
    waiting = [each for each in waiting if not any(note.id in oriented.refused for note in each.notes)]
    put = docket(waiting, house.store.carried(), house.store)
    heard: Heard = Heard(None, (), told=bench.sentences)
    done: tuple[Consolidated, ...] = ()
    silent: list[Silenced] = []
    if put.ordered or put.carried:
        heard, done, silent = _consolidate(house, before, put, now, bench, mode, phase)
    after = _After(house, before, heard, done)
    drafts = heard.sitting.drafts if heard.sitting is not None else {}
    fresh = [note for session in gathered.sessions for note in session]
    grown = garden(
        house, done, fresh, after.current, after.node, now,
        grow=ALLOWS[mode].garden, asker=lambda: gardener(house, bench),
    )  # fmt: skip
    tied = ties(done, after.stood, house.store.edges, drafts, now)
    return Judged(heard, done, tuple(tied), tuple(grown), tuple(map(str, silent)))


def _consolidate(
    house: House,
    before: list[Node],
    put: Docket,
    now: str,
    bench: Bench,
    mode: Mode,
    phase: Callable[[int], Callable[[int], None]],
) -> tuple[Heard, tuple[Consolidated, ...], list[Silenced]]:
    """What was heard, what follows of it, and what that would silence for all that was held back."""
    basis = put_before(house, before, put.ordered)
    step = phase(len(put.ordered))
    heard = hear(
        bench,
        put,
        lambda judge: Consolidation(house.frames, known_of(basis), house.zone, now, judge, compares=True),
        lambda notes: _standing(house, notes),
        ALLOWS[mode].quorum,
        step,
    )
    drafts = heard.sitting.drafts if heard.sitting is not None else {}
    entities = {key: draft.entities for key, draft in drafts.items()}
    twins = heard.sitting.twins if heard.sitting is not None else {}

    def follow(waits: Mapping[str, str], told: Callable[[int], None]) -> tuple[Consolidated, ...]:
        known, judge = known_of(basis, heard.revised), under(mode, heard.judge)
        consolidation = Consolidation(house.frames, known, house.zone, now, judge, entities, waits, twins)
        done: list[Consolidated] = []
        for number, cluster in enumerate(heard.clusters, 1):
            said = consolidation.remind(cluster) if cluster.mention else consolidation.consolidate(cluster)
            done += [said] if said is not None else []
            told(number)
        return tuple(done)

    done = follow({}, step if bench.court is None else lambda number: None)
    guard = Guard(house, before, heard.changes)
    silent = guard.silenced(done)
    waits: dict[str, str] = {}
    while more := {key: why for key, why in doubted(silent, done).items() if key not in waits}:
        waits |= more  # where one waits, another may do the same in its place
        done = follow(waits, lambda number: None)
        silent = guard.silenced(done)
    return heard, done, silent


def put_before(house: House, before: Sequence[Node], waiting: Iterable[Cluster]) -> Basis:
    """What is held in the projects that the night speaks of, with all that was said for it."""
    projects = {cluster.project for cluster in waiting} | {""}
    near = [node for node in before if node.project in projects]
    notes = house.store.notes_by_id(note for node in near for note in node.notes)
    found = []
    for node in near:
        cited = [notes[note] for note in node.notes if note in notes]
        found.append((node, statements(node, cited, house.frames, house.zone)))
    return found


def known_of(basis: Basis, revised: Mapping[str, Node] | None = None) -> Known:
    """What is held, ready to be compared with; nodes judged again as they are now."""
    known = Known()
    for node, frames in basis:
        now = (revised or {}).get(node.id, node)
        if now.status is NodeStatus.CURRENT:
            known.put(now, frames)
    return known


def keep_readings(house: House, judged: Judged, judge: str) -> None:
    """What a model read of what waits for a person is kept: the decision will teach."""
    sitting = judged.heard.sitting
    if sitting is None:
        return
    for each in judged.consolidated:
        readings = sitting.readings.get(each.cluster.id)
        for change in each.changes:
            if isinstance(change, NoteHeld) and readings:
                remember_readings(house.home, change.hold.id, judge, readings)


def _standing(house: House, notes: Iterable[str]) -> Node | None:
    """The current node that stands on one of these notes."""
    ids = [each for nodes in house.store.citing(notes).values() for each in nodes]
    found = (house.store.node(each) for each in dict.fromkeys(ids))
    return next((node for node in found if node is not None and node.status is NodeStatus.CURRENT), None)


class _After:
    """Nodes as the phase leaves them."""

    def __init__(self, house: House, before: Sequence[Node], heard: Heard, done: Sequence[Consolidated]) -> None:
        self._store = house.store
        self._changed: dict[str, Node] = dict(heard.revised)
        self.stood = [node for node in (heard.revised.get(each.id, each) for each in before) if _current(node)]
        for each in done:
            for change in each.changes:
                if isinstance(change, NodeAdded):
                    self._changed[change.node.id] = change.node
                elif isinstance(change, NodeRevised):
                    self._changed[change.after.id] = change.after

    def node(self, node_id: str) -> Node | None:
        return self._changed.get(node_id) or self._store.node(node_id)

    @property
    def current(self) -> list[Node]:
        found = {node.id: node for node in self.stood} | self._changed
        return [node for node in found.values() if _current(node)]


def _current(node: Node) -> bool:
    return node.status is NodeStatus.CURRENT
