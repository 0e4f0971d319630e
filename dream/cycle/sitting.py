"""A night's clusters before the court: what is put to it, what it decided, what waits for another night.

1. Clusters that waited come first, so that none waits for ever; one that has waited three nights is judged by rules.
2. A case is what consolidation would see if the rules' verdicts held; it is put together by a first pass over a copy
   of what is held, and the second pass takes the court's verdicts.
3. What rules judged while the model was away is judged again: its node takes the model's verdict, or is taken back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dream.cycle.consolidate import Consolidation
from dream.cycle.judges import Bench
from dream.cycle.under_mode import BY_HAND
from dream.debate.cluster import Cluster, clusters
from dream.debate.court import Sitting
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.model import change as c
from dream.model.debate import Decision, Verdict
from dream.model.graph import Node, NodeStatus
from dream.model.note import Note
from dream.ports import NoteFilter, NoteReader

CARRIES = 3
"""Nights a cluster may wait before the rules judge it."""

Judge = Callable[[Case], Verdict]


@dataclass(slots=True)
class Docket:
    """What stands before the court tonight.

    Attributes:
        fresh: clusters of this night; waited: those carried over, by cluster id.
    """

    fresh: list[Cluster]
    waited: dict[str, Cluster] = field(default_factory=dict)
    carried: Mapping[str, c.ClusterCarried] = field(default_factory=dict)

    @property
    def ordered(self) -> list[Cluster]:
        """Those that waited, then the others, each in the order they were said."""
        return [*sorted(self.waited.values(), key=_said), *sorted(self.fresh, key=_said)]


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of it.

    Attributes:
        judge: from a case to its verdict, for consolidation.
        clusters: what is consolidated tonight, in the order it was said.
        changes: carried clusters and nodes judged again, to be committed before what consolidation says.
        revised: nodes judged again, as they are now.
        sentences: for the changelog, of what waits; told: of what was judged.
    """

    judge: Judge | None
    clusters: tuple[Cluster, ...]
    changes: tuple[c.Change, ...] = ()
    revised: Mapping[str, Node] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    sitting: Sitting | None = None


def docket(fresh: Iterable[Cluster], carried: Mapping[str, c.ClusterCarried], store: NoteReader) -> Docket:
    """The night's clusters with those that wait; one whose notes were forgotten waits no longer."""
    fresh = list(fresh)
    ids = {cluster.id for cluster in fresh}
    waiting = {key: each for key, each in carried.items() if key not in ids}
    notes = store.notes_by_id(note for each in waiting.values() for note in each.notes)
    found: dict[str, Cluster] = {}
    for session in sorted({note.session for note in notes.values()}):
        whole: Sequence[Note] = store.notes(NoteFilter(sessions=(session,)))
        found.update({each.id: each for each in clusters(whole) if each.id in waiting})
    return Docket(fresh, found, carried)


def hear(
    bench: Bench,
    docket: Docket,
    consolidation: Callable[[Judge], Consolidation],
    standing: Callable[[Iterable[str]], Node | None],
    quorum: int,
    step: Callable[[int], None] = lambda done: None,
) -> Heard:
    """Put the docket before the bench.

    Args:
        consolidation: a consolidation over its own copy of what is held.
        standing: the current node that stands on one of these notes.
    """
    gone = _settled(docket.carried[key] for key in docket.carried.keys() - docket.waited.keys() - _ids(docket.fresh))
    if bench.court is None:
        return _by_rules(bench, docket, gone)
    put = [cluster for cluster in docket.ordered if not _unasked(cluster)]
    cases: list[Case] = []
    heard = [cluster for cluster in docket.ordered if _unasked(cluster)]

    def note_down(case: Case) -> Verdict:
        cases.append(case)
        return judge_by_rules(case, quorum)

    first = consolidation(note_down)
    for cluster in sorted(put, key=_said):
        first.consolidate(cluster)
    place = {cluster.id: number for number, cluster in enumerate(put)}
    asked = {case.cluster.id for case in cases}
    heard += [cluster for cluster in put if cluster.id not in asked]
    put = [cluster for cluster in put if cluster.id in asked]
    sitting = bench.court.judge(sorted(cases, key=lambda case: place[case.cluster.id]), step)
    changes = list(gone)
    revised: dict[str, Node] = {}
    for cluster in put:
        before = docket.carried.get(cluster.id)
        verdict = sitting.verdicts.get(cluster.id)
        times = before.times if before is not None else 0
        if verdict is None and (before is None or not before.judged) and times < CARRIES:
            changes.append(_carry(cluster, sitting.carried[cluster.id], times))
            continue
        if verdict is None and before is not None and before.judged:
            continue  # the rules' verdict stands until the model has time for it
        if before is not None:
            changes += _settled([before])
        node = standing(before.notes) if before is not None and before.judged else None
        if node is None or verdict is None:
            heard.append(cluster)
        elif node.id not in revised:
            after = _judged_again(node, verdict)
            changes.append(c.NodeRevised(node, after))
            revised[node.id] = after
    return Heard(
        judge=lambda case: sitting.verdicts.get(case.cluster.id) or judge_by_rules(case, quorum),
        clusters=tuple(sorted(heard, key=_said)),
        changes=tuple(changes),
        revised=revised,
        sentences=_waiting(changes),
        told=(_pace(sitting, bench.judge),),
        sitting=sitting,
    )


def _by_rules(bench: Bench, docket: Docket, gone: list[c.Change]) -> Heard:
    """The rules judge all that no one has judged; where they stand in for a model, it will judge again."""
    open_ = [each for key, each in docket.waited.items() if not docket.carried[key].judged]
    heard = sorted([*open_, *docket.fresh], key=_said)
    changes = list(gone)
    for cluster in heard:
        before = docket.carried.get(cluster.id)
        if bench.stands_in and not _unasked(cluster):
            times = before.times if before is not None else 0
            why = f"rules judged it while {bench.stands_in} was away"
            changes.append(_carry(cluster, why, times, judged=True))
        elif before is not None:
            changes += _settled([before])
    return Heard(None, tuple(heard), tuple(changes), told=bench.sentences)


def _unasked(cluster: Cluster) -> bool:
    """Whether no court is asked: what a person gave by hand, and what only reminds of something held."""
    return cluster.mention or cluster.notes[0].session == BY_HAND


def _carry(cluster: Cluster, why: str, times: int, judged: bool = False) -> c.ClusterCarried:
    notes = tuple(note.id for note in cluster.notes)
    return c.ClusterCarried(cluster.id, notes, times + 1, why, before=times, judged=judged)


def _settled(carried: Iterable[c.ClusterCarried]) -> list[c.Change]:
    return [dataclasses.replace(each, times=0, before=each.times, settled=True) for each in carried]


def _judged_again(node: Node, verdict: Verdict) -> Node:
    """The node with the model's verdict; one it refuses is taken back, its notes stay."""
    after = dataclasses.replace(node, consensus=verdict.consensus, judge=verdict.judge)
    if verdict.decision is not Decision.REJECT:
        return after
    return dataclasses.replace(after, status=NodeStatus.RETRACTED, valid_to=node.valid_from)


def _waiting(changes: Sequence[c.Change]) -> tuple[str, ...]:
    """What waits, by the reason."""
    waits: dict[str, list[int]] = {}
    for change in changes:
        if isinstance(change, c.ClusterCarried) and not change.settled:
            waits.setdefault(change.why, []).append(change.times)
    return tuple(
        f"{len(times)} statements wait for another night: {why} (carried {max(times)} of {CARRIES} times)."
        for why, times in waits.items()
    )


def _pace(sitting: Sitting, judge: str) -> str:
    number = len(sitting.verdicts)
    each = f", {sitting.seconds / number:.1f} s each" if number else ""
    spent = sitting.spent
    lost = f", {spent.lost} answers lost" if spent.lost else ""
    lost += f", {len(sitting.twins)} found said before" if sitting.twins else ""
    return f"{judge} judged {number} statements{each} with {spent.tokens} tokens{lost}; {len(sitting.carried)} wait."


def _ids(some: Iterable[Cluster]) -> set[str]:
    return {cluster.id for cluster in some}


def _said(cluster: Cluster) -> tuple[str, str]:
    return (cluster.said_at, cluster.id)
