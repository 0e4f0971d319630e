"""The inverse of one entry, and whether a later entry built on an earlier one; pure functions.

A later entry builds on an earlier one where what it was judged against would have been different without it: it needs
what that made, or alters what that altered. Two that only lay evidence on one node (said again: notes, and what follows
from them) do not build on each other, nor does what alters the node build on evidence that was laid on it before: an
inverse takes out what its own entry put in, and leaves what came since.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, assert_never

from dream.model import change as c
from dream.model.branch import BranchStatus, pruned
from dream.model.branch import is_stub as is_stub_branch
from dream.model.fold import Present, is_stub
from dream.model.graph import Edge, Node
from dream.model.ids import make_id

Ids = frozenset[str]
_NONE: Ids = frozenset()


@dataclass(frozen=True, slots=True)
class Touched:
    """What an entry did, by id.

    Attributes:
        made: what it brought into being; changed: what it altered or took away; needed: what must be there for it.
        grown: nodes that it only laid evidence on; whole: what it took as it was, evidence and all.
    """

    made: Ids = _NONE
    changed: Ids = _NONE
    needed: Ids = _NONE
    grown: Ids = _NONE
    whole: Ids = _NONE


@dataclass(slots=True)
class Touch:
    """What a set of entries did."""

    made: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    grown: set[str] = field(default_factory=set)

    def take(self, entry: c.Entry) -> None:
        """Add an entry to the set."""
        told = touch(entry)
        self.made |= told.made
        self.changed |= told.changed
        self.grown |= told.grown

    def why(self, later: Touched) -> str | None:
        """The id by which a later entry depends on the set; None where it does not."""
        done = later.made | later.changed | later.grown
        shared = (later.needed & self.made) | (done & (self.made | self.changed)) | (later.whole & self.grown)
        return min(shared) if shared else None


def touch(entry: c.Entry) -> Touched:
    """What an entry made, changed and needs."""
    change = entry.change
    match change:
        case c.NodeAdded(node=node):
            return Touched(frozenset({node.id}), needed=_ids(node.superseded_by) | _proposed(node))
        case c.NodeWithdrawn(node=node):
            return Touched(changed=frozenset({node.id}))
        case c.NodeRevised(before=before, after=after):
            if is_stub(before) and not is_stub(after) and not entry.night:
                return Touched()  # its text was cleaned by day: that stands in no way, whatever is undone
            if _grew(before, after):
                return Touched(grown=frozenset({after.id}))
            return Touched(changed=frozenset({after.id}), needed=_ids(after.superseded_by))
        case c.EdgeAdded(edge=edge):
            return Touched(frozenset({edge.id}), needed=_ends(edge))
        case c.EdgeWithdrawn(edge=edge):
            return Touched(changed=frozenset({edge.id}))
        case c.EdgeRevised(after=after_edge):
            return Touched(changed=frozenset({after_edge.id}))
        case c.NodesMerged(kept=kept, absorbed=absorbed, edges=edges):
            pair = frozenset({kept.id, absorbed.id})
            return Touched(changed=pair | _edges(edges), whole=pair)
        case c.NodesUnmerged(kept=kept, absorbed=absorbed, edges=edges):
            pair = frozenset({kept.id, absorbed.id})
            return Touched(frozenset({absorbed.id}), frozenset({kept.id}) | _edges(edges), whole=pair)
        case c.NodeForgotten() | c.HoldResolved(by="forget"):
            return Touched()  # stands in no way: what was forgotten stays so, whatever is undone
        case c.NoteHeld(hold=hold):
            needed = frozenset((*hold.supersedes, *hold.contradicts))
            if not entry.night:
                return Touched(needed=needed)  # cleaned by day: the same hold, said again without a secret
            return Touched(frozenset({hold.id}) | _proposed(hold.proposal), needed=needed)
        case c.HoldResolved(hold=hold) | c.HoldReopened(hold=hold):
            return Touched(changed=frozenset({hold.id}))
        case c.NotesAdded() | c.TierChanged() | c.DebateRejected() | c.ClusterRefused() | c.CycleRecorded():
            return Touched()
        case c.ClusterCarried():
            return Touched()
        case c.BranchGrown(branch=branch):
            return Touched(frozenset({branch.id}), needed=_ids(branch.root))
        case c.BranchSettled(after=grown):
            return Touched(changed=frozenset({grown.id}), needed=_ids(grown.promoted))
        case c.NightUndone() | c.ModelChanged() | None:
            return Touched()
    assert_never(change)


def _ids(name: str | None) -> Ids:
    return frozenset({name}) if name else _NONE


def _proposed(node: Node) -> Ids:
    """What a hold makes besides itself: the node that accepting it adds."""
    return frozenset({f"{node.id} as proposed"})


def _ends(edge: Edge) -> Ids:
    return frozenset({edge.source, edge.target})


def _edges(pairs: tuple[tuple[Edge, Edge | None], ...]) -> Ids:
    return frozenset(edge.id for pair in pairs for edge in pair if edge is not None)


def invert(entry: c.Entry, present: Present) -> list[c.Change] | str:
    """The changes that take an entry back, given the state as it is; a sentence where it stays."""
    change = entry.change
    match change:
        case None | c.NotesAdded() | c.CycleRecorded() | c.NightUndone() | c.DebateRejected():
            return []
        case c.NodeAdded(node=node):
            there = present.node(node.id)
            if there is None:
                return f"node {node.id} was forgotten, and stays so."
            return [c.NodeWithdrawn(there)]  # what altered it is taken back by now, or left of a night that was undone
        case c.NodeWithdrawn(node=node):
            return [c.NodeAdded(node)]
        case c.NodeRevised(before=before, after=after):
            there = present.node(after.id)
            if there is None:
                return f"node {after.id} was forgotten, and stays so."
            if is_stub(before) or is_stub(after):
                return f"node {after.id} was cleaned, and stays so."
            if _same(there, after):
                tier = before.tier if there.tier == after.tier else there.tier
                return [c.NodeRevised(there, dataclasses.replace(before, tier=tier))]
            left = _without(there, before, after, present)
            return [] if left == there else [c.NodeRevised(there, left)]
        case c.EdgeAdded(edge=edge):
            return [c.EdgeWithdrawn(edge)] if _there(present, edge) else []
        case c.EdgeWithdrawn(edge=edge):
            if present.node(edge.source) is None or present.node(edge.target) is None:
                return f"edge {edge.id} left with a node that was forgotten."
            return [c.EdgeAdded(edge)]
        case c.EdgeRevised(before=before_edge, after=after_edge):
            return [c.EdgeRevised(after_edge, before_edge)] if _there(present, before_edge) else []
        case c.NodesMerged():
            return _unmerge(entry.seq, change, present)
        case c.NodesUnmerged(kept=kept, absorbed=absorbed, after=after, edges=edges):
            if is_stub(kept) or is_stub(absorbed):
                return f"node {kept.id} was forgotten, and stays so."
            return [c.NodesMerged(_as_it_is(kept, present), _as_it_is(absorbed, present), after, edges)]
        case c.TierChanged(node=node_id, before=tier):
            there = present.node(node_id)
            if there is None or there.tier != change.after:
                return []
            return [c.TierChanged(node_id, there.tier, tier)]
        case c.NodeForgotten(node=node_id):
            return f"{node_id or 'what'} was forgotten, and stays so."
        case c.NoteHeld(hold=hold):
            open_hold = present.hold(hold.id)
            if open_hold is None:
                return f"hold {hold.id} was decided since." if not is_stub(hold) else f"hold {hold.id} was forgotten."
            return [c.HoldReopened(open_hold if is_stub(hold) else hold, withdrawn=True)]
        case c.HoldResolved(hold=hold):
            return f"hold {hold.id} was forgotten." if is_stub(hold) else [c.HoldReopened(hold)]
        case c.HoldReopened(hold=hold, withdrawn=withdrawn):
            return [c.NoteHeld(hold) if withdrawn else c.HoldResolved(hold, accepted=False, by="undo")]
        case c.ClusterRefused(cluster=cluster, notes=notes, night=night, lifted=lifted):
            return [c.ClusterRefused(cluster, notes, night, not lifted)]
        case c.ClusterCarried(cluster=cluster, notes=notes, times=times, why=why, before=earlier, judged=judged):
            return [c.ClusterCarried(cluster, notes, earlier, why, times, judged, settled=not earlier)]
        case c.BranchGrown(branch=branch):
            return [] if is_stub_branch(branch) else [c.BranchSettled(branch, pruned(branch))]
        case c.BranchSettled(before=before_branch, after=grown):
            if is_stub_branch(before_branch):
                return f"branch {grown.id} was forgotten, and stays so."
            back = grown.status is BranchStatus.PRUNED
            return [c.BranchGrown(before_branch) if back else c.BranchSettled(grown, before_branch)]
        case c.ModelChanged():
            return "vectors stay as they are; they follow the model in use."
    assert_never(change)


def _unmerge(seq: int, change: c.NodesMerged, present: Present) -> list[c.Change] | str:
    there = present.node(change.after.id)
    if there is None or is_stub(change.after) or is_stub(change.absorbed):
        return f"node {change.after.id} was forgotten, and stays so."
    after = there if _same(there, change.after) else change.after
    return [c.NodesUnmerged(seq, change.kept, change.absorbed, after, change.edges)]


def _there(present: Present, edge: Edge) -> bool:
    """Whether the edge is there still; one that left with a forgotten node stays gone."""
    return present.edge(edge.id) is not None


def _grew(before: Node, after: Node) -> bool:
    """Whether a revision only laid evidence on a node: the same but for notes at the end and what follows from them."""
    laid = dataclasses.replace(
        before, notes=after.notes, evidence_at=after.evidence_at, load=after.load, tier=after.tier
    )
    return laid == after and after.notes[: len(before.notes)] == before.notes


def _without(there: Node, before: Node, after: Node, present: Present) -> Node:
    """The node as it is, without what a revision made of it; what came since stays."""
    back: dict[str, Any] = {}
    for name in (each.name for each in dataclasses.fields(Node) if each.name != "tier"):
        was, became, now = (getattr(node, name) for node in (before, after, there))
        if was == became:
            continue
        if isinstance(was, tuple):
            left = tuple(each for each in now if each in was or each not in became)
            back[name] = (*left, *(each for each in was if each not in became and each not in left))
        elif now == became:
            back[name] = was
    if "notes" in back:
        back |= _said(there, back["notes"], present)
    return dataclasses.replace(there, **back)


def _said(there: Node, left: tuple[str, ...], present: Present) -> dict[str, Any]:
    """When a node that keeps only these notes was last said, and its load: by its notes, where it went by them."""
    notes = {each: note for each in {*there.notes, *left} if (note := present.note(each)) is not None}
    if not left or any(each not in notes for each in left):
        return {}
    said: dict[str, Any] = {}
    if there.evidence_at == max(note.at for note in notes.values()):
        said["evidence_at"] = max(notes[each].at for each in left)
    if there.load == max(note.load for note in notes.values()):
        said["load"] = max(notes[each].load for each in left)
    return said


def _same(one: Node, other: Node) -> bool:
    """Whether two nodes are one but for the tier, which every night derives anew."""
    return dataclasses.replace(one, tier=other.tier) == other


def _as_it_is(node: Node, present: Present) -> Node:
    """The node with the tier that it has by now, where nothing else of it is other."""
    there = present.node(node.id)
    return there if there is not None and _same(there, node) else node


def refusals(entry: c.Entry) -> list[c.ClusterRefused]:
    """What the next nights shall not do again once the entry is undone: what it made of which notes."""
    change = entry.change
    notes: tuple[str, ...] = ()
    match change:
        case c.NodeAdded(node=node):
            notes = node.notes
        case c.NodeRevised(before=before, after=after):
            notes = tuple(each for each in after.notes if each not in before.notes)
        case c.NoteHeld(hold=hold):
            notes = hold.proposal.notes
        case _:
            return []
    if not notes or not entry.night:
        return []
    return [c.ClusterRefused(make_id("c", *notes), notes, entry.night)]
