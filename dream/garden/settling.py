"""Branches settle: at the end of its window, what was said is held against what each foretold.

A branch that was right about a remedy makes that remedy a process; one whose words are a model's own waits for a person
instead. A wrong one fades in the garden until it is pruned.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dream.debate.frames import FrameReader
from dream.model import change as c
from dream.model.branch import Branch, BranchStatus, Foretold, Seen, pruned, settle
from dream.model.graph import Edge, Hold, Node, NodeKind, NodeStatus, Relation
from dream.model.identity import Kinship, relate
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.ports import GraphReader, NodeFilter, NoteFilter, NoteReader


class Ground(GraphReader, NoteReader, Protocol):
    """What settling reads of the store."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What settling says: changes in their order, and the branches as they are now."""

    changes: tuple[c.Change, ...]
    branches: tuple[Branch, ...]


def settle_all(
    branches: Sequence[Branch],
    store: Ground,
    fresh: Sequence[Note],
    node_now: Callable[[str], Node | None],
    reader: FrameReader,
    zone: str,
    now: str,
) -> Settled:
    """Settle what is due as of `now`.

    Args:
        fresh: notes of this night that the store does not hold yet.
        node_now: a node as the night's plan leaves it.
    """
    changes: list[c.Change] = []
    after_all: list[Branch] = []
    touched: set[str] = set()
    for branch in branches:
        root = node_now(branch.root)
        if root is None:
            changes.append(c.BranchSettled(branch, pruned(branch)))
            continue
        due = branch.status is BranchStatus.GROWING and now >= branch.settles_at
        after = settle(branch, _seen(branch, root, store, fresh, reader, zone) if due else Seen(), now)
        if after is branch:
            continue
        if after.status is BranchStatus.RIGHT:
            more, promoted = _promoted(after, root, node_now, store, now, touched)
            changes += more
            after = dataclasses.replace(after, promoted=promoted)
        changes.append(c.BranchSettled(branch, after))
        after_all.append(after)
    return Settled(tuple(changes), tuple(after_all))


def _seen(branch: Branch, root: Node, store: Ground, fresh: Sequence[Note], reader: FrameReader, zone: str) -> Seen:
    """What was said in the window."""
    window = NoteFilter(projects=(branch.project,), since=branch.grown_at, until=branch.settles_at)
    inside = [
        note for note in fresh if note.project == branch.project and branch.grown_at <= note.at < branch.settles_at
    ]
    notes = {note.id: note for note in (*store.notes(window), *inside) if note.origin is Origin.USER}
    again = tuple(note for note in root.notes if note in notes and note not in branch.notes)
    said: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    if branch.foretold is Foretold.SAID:
        said, denied = _stated(branch, notes.values(), reader, zone)
    return Seen(again, said, denied, alive=bool(notes))


def _stated(
    branch: Branch, notes: Iterable[Note], reader: FrameReader, zone: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notes that say what was foretold, and notes that say otherwise."""
    foretold = reader.read_said(branch.statement, branch.grown_at, zone)
    said, denied = [], []
    for note in notes:
        if note.id in branch.notes or {"question", "hypothetical", "chatter"} & set(note.signals):
            continue
        frame = reader.read_said(note.text, note.at, zone, note.signals)
        if not frame.topic and not frame.values:
            continue
        kinship = relate(frame, foretold, lambda sense: 1.0).kinship
        if kinship is Kinship.SAME:
            said.append(note.id)
        elif kinship is not Kinship.DISTINCT:
            denied.append(note.id)
    return tuple(said), tuple(denied)


def _promoted(
    branch: Branch, root: Node, node_now: Callable[[str], Node | None], store: Ground, now: str, touched: set[str]
) -> tuple[list[c.Change], str]:
    """What a right prediction makes: a process node out of the remedy, or a hold where the words are a model's."""
    if branch.foretold is Foretold.RECURS:
        return [], ""
    remedy = node_now(branch.remedy) if branch.remedy else _node_on(branch.evidence, store, node_now)
    if remedy is not None and remedy.status is NodeStatus.CURRENT and remedy.id not in touched:
        touched.add(remedy.id)
        notes = tuple(dict.fromkeys((*remedy.notes, *root.notes)))
        after = dataclasses.replace(remedy, kind=NodeKind.PROCESS, notes=notes)
        changes: list[c.Change] = [] if after == remedy else [c.NodeRevised(remedy, after)]
        edge = Edge(
            make_id("e", remedy.id, Relation.FIXES.value, root.id), remedy.id, Relation.FIXES, root.id, now,
            notes=remedy.notes[-1:],
        )  # fmt: skip
        if remedy.id != root.id and all(each.id != edge.id for each in store.edges(remedy.id)):
            changes.append(c.EdgeAdded(edge))
        return changes, remedy.id
    if branch.judge == "rules" or remedy is not None:
        return [], remedy.id if remedy is not None else ""
    proposal = Node(
        id=make_id("f", branch.id),
        kind=NodeKind.PROCESS,
        text=branch.premise,
        project=branch.project,
        notes=root.notes,
        recorded_at=now,
        evidence_at=root.evidence_at,
        origin=Origin.ASSISTANT,
        judge=branch.judge,
        consensus=50,
    )
    reason = "a branch of the garden was right, but its words are a model's: is this how it is done?"
    hold = Hold(make_id("h", branch.id), proposal, 50, reason, now, judge=branch.judge)
    return ([] if any(each.id == hold.id for each in store.holds()) else [c.NoteHeld(hold)]), ""


def _node_on(notes: Sequence[str], store: Ground, node_now: Callable[[str], Node | None]) -> Node | None:
    """A current node that stands on one of the notes."""
    wanted = set(notes)
    held = [node for node in store.nodes(NodeFilter()) if wanted.intersection(node.notes)] if wanted else []
    return node_now(held[0].id) if held else None
