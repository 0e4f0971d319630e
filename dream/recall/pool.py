"""The pool: everything a search looks at, read from the store once, project by project."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dream.model.graph import Node
from dream.model.hit import Query
from dream.model.note import Note
from dream.ports import GraphReader, LexicalReader, NoteReader, Surroundings
from dream.recall import passages as p
from dream.recall.standing import said_by, successor

EVERYWHERE = ""
REACH = 2
"""Turns before and after a leading candidate that are looked at with it."""
LEADING = 60
"""Candidates whose neighbours are looked at; of the others only their own turn."""


class Store(GraphReader, NoteReader, LexicalReader, Surroundings, Protocol):
    """What search reads."""

    def nodes_by_id(self, node_ids: Iterable[str]) -> Mapping[str, Node]:
        """Nodes of these ids, of any status, in their order; one that is not there is left out."""
        ...


@dataclass(slots=True)
class Pool:
    """Candidates of one search.

    Attributes:
        nodes: of any status; `search` decides which to show.
        citing: ids of the pool's nodes by note id.
        cited: the notes of the nodes, by id.
        successors: by id of a superseded node, the current one that replaced it.
    """

    passages: list[p.Passage] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    citing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cited: dict[str, Note] = field(default_factory=dict)
    successors: dict[str, Node] = field(default_factory=dict)


def scope(query: Query) -> tuple[str, ...] | None:
    """Keys of the projects to look in: those asked for and what holds everywhere."""
    return None if query.projects is None else tuple(dict.fromkeys((*query.projects, EVERYWHERE)))


def within(project: str, projects: Collection[str] | None) -> bool:
    return projects is None or project in projects


def gather(store: Store, query: Query, found: Iterable[str], today: Iterable[Note], more: Iterable[str] = ()) -> Pool:
    """Read what stands behind and beside the ids that the signals found.

    Args:
        found: ids of notes and nodes.
        today: notes of the buffer worth looking at; they need not be in the store.
        more: ids of nodes reached through the graph.
    """
    ids = list(dict.fromkeys(found))
    note_ids = [each for each in ids if each.startswith("n-")]
    node_ids = [each for each in ids if each.startswith("f-")] + list(more)
    keys = scope(query)
    pool = Pool()
    leading, others = note_ids[:LEADING], note_ids[LEADING:]
    beside = store.around(leading, REACH) if leading else []
    notes = [*beside, *(store.around(others, 0) if others else ()), *today]
    notes = [note for note in notes if within(note.project, keys) and (not query.as_of or said_by(note, query.as_of))]
    pool.passages = p.group(notes)
    if not query.nodes:
        return pool
    pool.citing = store.citing([note.id for note in notes])
    node_ids.extend(node_id for ids in pool.citing.values() for node_id in ids)
    read = store.nodes_by_id(dict.fromkeys(node_ids))
    pool.nodes = {node_id: node for node_id, node in read.items() if within(node.project, keys)}
    for node in list(pool.nodes.values()):
        follower = successor(node, store.node)
        if follower is not None and within(follower.project, keys):
            pool.successors[node.id] = follower
            pool.nodes[follower.id] = follower
    held = {note.id: note for note in notes}
    cited = list(dict.fromkeys(note_id for node in pool.nodes.values() for note_id in node.notes))
    more_notes = store.notes_by_id(each for each in cited if each not in held)
    pool.cited = {each: note for each in cited if (note := held.get(each) or more_notes.get(each)) is not None}
    return pool


def first_said(node: Node, cited: Mapping[str, Note]) -> str:
    """When the node was first said, or recorded where its notes are gone."""
    return min((cited[each].at for each in node.notes if each in cited), default=node.recorded_at)
