"""A sentence a person asks to keep: judged by that person, compared with what is held like any other.

It is said again where it is known, supersedes what it corrects, and enters as a node where it is new.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dream.api_saying import SAVED, Said, keep_for_a_night
from dream.cycle.consolidate import Consolidation
from dream.cycle.under_mode import BY_HAND
from dream.debate.cluster import LONGEST, Cluster
from dream.debate.known import Known, statements
from dream.debate.roles import Case
from dream.errors import Conflict, UsageError
from dream.house import House
from dream.model import change as c
from dream.model.debate import Decision, Verdict
from dream.model.graph import Node, NodeKind
from dream.model.ids import make_id
from dream.model.note import Note
from dream.ports import NodeFilter


@dataclass(frozen=True, slots=True)
class Remembered:
    """What `remember` did.

    Attributes:
        new: the sentence was not told before under this id.
        closed: nodes whose place it took.
        redacted: what was taken out first, by kind.
        waits: why it is in the buffer and not in the graph yet; `node` is then what it will be, under its id to be.
    """

    node: Node
    new: bool
    closed: tuple[Node, ...]
    redacted: Mapping[str, int]
    waits: str = ""


def keep(house: House, notes: Sequence[Note], kind: NodeKind | None, redacted: Mapping[str, int]) -> Remembered:
    """Commit notes of one sentence or two, and what follows from them.

    Raises:
        UsageError: more than a node holds.
        Conflict: their id was used for another text.
    """
    text = " ".join(note.text for note in notes)
    if len(text.encode()) > LONGEST:
        sentence = f"That is {len(text.encode())} bytes; a node holds {LONGEST}."
        raise UsageError(sentence, "Say it in fewer words, or in two goes.")
    before = house.store.note(notes[0].id)
    if before is not None:
        return Remembered(_told_before(house, before, notes[0]), False, (), redacted)
    cluster = Cluster(
        id=make_id("c", *(note.id for note in notes)),
        notes=tuple(notes),
        text=text,
        said_at=notes[0].at,
        project=notes[0].project,
        origin=notes[0].origin,
        signals=frozenset(signal for note in notes for signal in note.signals) - {"question"},
        load=max(note.load for note in notes),
        lang=notes[0].lang,
    )
    consolidation = Consolidation(house.frames, _known(house, cluster.project), house.zone, notes[0].at, _by_person)
    done = consolidation.consolidate(cluster)
    changes = [_of_kind(change, kind) for change in done.changes]
    house.ledger.commit([c.NotesAdded(BY_HAND, tuple(notes)), *changes])
    node = done.node or done.closed[0]
    return Remembered(house.store.node(node.id) or node, True, done.closed, redacted)


def wait(house: House, said: Said, kind: NodeKind | None, why: str) -> Remembered:
    """Keep a sentence for a night, and say what it will be.

    Raises:
        OSError: the disk does not take it.
    """
    plain = keep_for_a_night(house.home, said)
    text = " ".join(str(note["text"]) for note in plain)
    at, ids = str(plain[0]["at"]), tuple(str(note["id"]) for note in plain)
    node = Node(
        make_id("f", *ids),
        kind or NodeKind.FACT,
        text,
        str(plain[0]["project"]),
        ids,
        at,
        at,
        judge="person",
        load=SAVED,
    )
    return Remembered(node, True, (), said.redacted, why)


def _told_before(house: House, before: Note, note: Note) -> Node:
    if before.text == note.text:
        for node_id in house.store.citing([note.id]).get(note.id, ()):
            node = house.store.node(node_id)
            if node is not None:
                return node
    raise Conflict("That id was used for another text.", "Take a new id for a new sentence.")


def _known(house: House, project: str) -> Known:
    near = house.store.nodes(NodeFilter(projects=tuple(dict.fromkeys((project, "")))))
    notes = house.store.notes_by_id(note for node in near for note in node.notes)
    known = Known()
    for node in near:
        cited = [notes[note] for note in node.notes if note in notes]
        known.put(node, statements(node, cited, house.frames, house.zone))
    return known


def _by_person(case: Case) -> Verdict:
    return Verdict(Decision.ACCEPT, 100, (), "person", "a person asked to keep it")


def _of_kind(change: c.Change, kind: NodeKind | None) -> c.Change:
    if kind is None or not isinstance(change, c.NodeAdded):
        return change
    return c.NodeAdded(dataclasses.replace(change.node, kind=kind))
