"""The verbs that every surface shares: recall, remember, pin, explain, context, the holds, the ledger.

Promises: what comes in is redacted before it goes anywhere; every alteration passes the ledger; the same call with
the same id alters nothing twice. The night's verbs are in `dream.api_night`.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from dream.api_clean import Cleaning
from dream.api_health import Vigil
from dream.api_history import History
from dream.api_ingest import Ingesting
from dream.api_night import Nights
from dream.api_saying import WAITS_HINT, project_of, saying
from dream.api_views import Views
from dream.errors import Locked, NodeNotFound, UsageError
from dream.model import change as c
from dream.model.change import Entry
from dream.model.graph import Edge, Hold, Node, NodeKind, NodeStatus, Relation
from dream.model.hit import Answer, Query
from dream.model.ids import is_id, make_id
from dream.model.note import Note
from dream.model.time import parse_moment
from dream.paths import Home
from dream.recall.context import Bundle, bundle
from dream.sources.roots import gone

if TYPE_CHECKING:
    from dream.api_remember import Remembered

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a node, or a bare note (`node` is None), is there.

    Attributes:
        gone: ids of cited notes whose text is no longer held.
        beside: each edge with the node at its other end.
        standing: for a note, the nodes that stand on it.
        history: the entries that touched it, oldest first.
    """

    id: str
    node: Node | None
    notes: tuple[Note, ...]
    gone: tuple[str, ...] = ()
    beside: tuple[tuple[Edge, Node], ...] = ()
    history: tuple[Entry, ...] = ()
    standing: tuple[Node, ...] = ()


class Dream(Nights, History, Cleaning, Ingesting, Vigil, Views):
    """All verbs over one opened house."""

    @property
    def home(self) -> Home:
        return self._house.home

    @property
    def ledger_size(self) -> int:
        """Entries in the ledger."""
        return self._house.ledger.size

    def recall(
        self,
        text: str,
        *,
        k: int = 5,
        as_of: str | None = None,
        history: bool = False,
        folder: str | None = None,
        kinds: Sequence[str] | None = None,
        rerank: bool = True,
    ) -> Answer:
        """Hits for a question, best first.

        Args:
            as_of: a moment; what was true and had been said then.
            history: superseded and retracted facts too.
            folder: a folder of the project to look in, besides what holds everywhere; None looks in all.

        Raises:
            UsageError: an empty question, a date or a kind that does not exist, k below 1.
        """
        if not text.strip():
            raise UsageError("There is nothing to look for.", "Ask in your own words.")
        if k < 1:
            raise UsageError(f"{k} hits cannot be shown.", "Ask for 1 or more.")
        house = self._house
        query = Query(
            text=text,
            k=k,
            projects=None if folder is None else (project_of(folder), ""),
            kinds=tuple(_kind(kind) for kind in kinds) if kinds else None,
            as_of=None if as_of is None else parse_moment(as_of),
            history=history,
            asked_at=house.clock.now(),
            zone=house.zone,
            rerank=rerank,
        )
        search, started = house.searching(), house.clock.monotonic()
        answer = search.search(query)
        nodes = [hit.id for hit in answer.hits if hit.kind is not None]
        self.meter.searched((house.clock.monotonic() - started) * 1000, nodes, house.clock.now())
        return answer

    def remember(
        self, text: str, kind: str | None = None, request: str | None = None, folder: str | None = None
    ) -> Remembered:
        """Keep a sentence now, as a person's own word; it supersedes what it corrects.

        In a mode that only reads it waits in the buffer for a night, and `waits` says so.

        Args:
            kind: kind of node; None leaves it to the words.
            request: id of the request; the same one again finds what it made the first time.
            folder: a folder of the project it holds in; None holds everywhere.

        Raises:
            UsageError: an empty or long text, an unknown kind.
            Conflict: the id was used for another text.
            Locked: another process writes for too long; the sentence waits in the buffer for a night.
        """
        from dream.api_remember import keep, wait
        from dream.model.note import as_note

        house = self._house
        of_kind = None if kind is None else _kind(kind)
        started = house.clock.monotonic()
        said = saying(house.home, house.redact_key, text, house.clock.now(), request, folder)
        self.meter.observe("dream_sanitize_latency_ms", (house.clock.monotonic() - started) * 1000)
        notes = [as_note(dict(plain)) for plain in said.notes]
        standing = self.standing()
        if not standing.allows.writes and house.store.note(notes[0].id) is None:
            self.meter.count("dream_writes_waiting_total")
            return wait(house, said, of_kind, f"Dream is in mode {standing.mode}, which only reads")
        try:
            kept = keep(house, notes, of_kind, said.redacted)
        except Locked as error:
            wait(house, said, of_kind, error.sentence)
            self.meter.held_up(house.clock.now())
            raise Locked(error.sentence, WAITS_HINT) from error
        if kept.new:
            self.meter.count("dream_capture_events_total", len(notes))
            self.meter.redacted(said.redacted)
        return kept

    def pin(self, node_id: str, pinned: bool = True) -> Node:
        """Keep a node at hand whatever its age, or let it age again.

        Raises:
            NodeNotFound: there is no such node.
            ModeForbids: the mode only reads.
        """
        self.require_writes("pin a node")
        before = self._node(node_id)
        after = dataclasses.replace(before, pinned=pinned)
        if after != before:
            self._house.ledger.commit([c.NodeRevised(before, after)])
        return after

    def explain(self, some_id: str) -> Explanation:
        """The sources, neighbours and history of a node, or what stands on a note.

        Raises:
            NodeNotFound: neither a node nor a note has this id.
        """
        store = self._house.store
        if some_id.startswith("n-"):
            note = _there(store.note(some_id), "note", some_id)
            citing = store.citing([some_id]).get(some_id, ())
            nodes = tuple(node for each in citing if (node := store.node(each)) is not None)
            return Explanation(some_id, None, (note,), standing=nodes)
        node = self._node(some_id)
        notes = store.notes_by_id(node.notes)
        beside = []
        for edge in store.edges(some_id):
            other = store.node(edge.target if edge.source == some_id else edge.source)
            if other is not None:
                beside.append((edge, other))
        history = tuple(entry for entry in self._house.ledger.entries() if _touches(entry, some_id))
        held = tuple(notes[each] for each in node.notes if each in notes)
        gone = tuple(each for each in node.notes if each not in notes)
        return Explanation(some_id, node, held, gone, tuple(beside), history)

    def sessions_gone(self, notes: Iterable[Note]) -> frozenset[str]:
        """Sessions of these notes whose transcript is no longer on this machine (what was said by hand has none)."""

        from dream.cycle.under_mode import BY_HAND

        return gone(self._house.roots, {note.session for note in notes} - {BY_HAND})

    def context(self, folder: str, budget: int | None = None) -> Bundle:
        """What a session that starts in `folder` should know, fenced as data."""
        house = self._house
        if budget is not None and budget < 1:
            raise UsageError(f"{budget} tokens hold nothing.", "Give a budget of 50 tokens or more.")
        return bundle(
            house.store,
            house.analyser,
            project_of(folder),
            budget=budget or house.settings.context_tokens,
            tree=Path(folder).absolute(),
        )

    def holds(self) -> list[Hold]:
        """What waits for a person, oldest first."""
        return self._house.store.holds()

    def hold(self, hold_id: str) -> tuple[Hold, list[Note], list[Node]]:
        """A hold, the notes it stands on, and the nodes that accepting would close or that it contradicts."""
        store = self._house.store
        hold = _there(store.hold(hold_id), "open hold", hold_id)
        notes = store.notes_by_id(hold.proposal.notes)
        touched = [store.node(each) for each in (*hold.supersedes, *hold.contradicts)]
        return hold, [notes[n] for n in hold.proposal.notes if n in notes], [n for n in touched if n is not None]

    def accept(self, hold_id: str) -> Node:
        """Let a held node in; it supersedes what the hold says it does.

        Raises:
            NodeNotFound: no open hold has this id.
            Conflict: what it would touch has changed since; nothing was written.
        """
        hold, _, touched = self.hold(hold_id)
        now = self._house.clock.now()
        node = dataclasses.replace(hold.proposal, recorded_at=now)
        changes: list[c.Change] = [c.HoldResolved(hold, accepted=True), c.NodeAdded(node)]
        for old in touched:
            closes = old.id in hold.supersedes
            relation = Relation.SUPERSEDES if closes else Relation.CONTRADICTS
            if closes and old.status is NodeStatus.CURRENT:
                ended = max(filter(None, (node.valid_from, old.valid_from)), default=None)
                closed = dataclasses.replace(old, status=NodeStatus.SUPERSEDED, valid_to=ended, superseded_by=node.id)
                changes.append(c.NodeRevised(old, closed))
            edge = make_id("e", node.id, relation.value, old.id)
            changes.append(c.EdgeAdded(Edge(edge, node.id, relation, old.id, now, notes=node.notes[-1:])))
        self._house.ledger.commit(changes)
        self._teach(hold_id, accepted=True)
        return node

    def reject(self, hold_id: str) -> None:
        """Refuse a held node; its notes stay.

        Raises:
            NodeNotFound: no open hold has this id.
        """
        hold, _, _ = self.hold(hold_id)
        self._house.ledger.commit([c.HoldResolved(hold, accepted=False)])
        self._teach(hold_id, accepted=False)

    def _teach(self, hold_id: str, accepted: bool) -> None:
        """What a person decides teaches how far the model that judged is to be trusted."""
        from dream.cycle.judges import teach

        teach(self._house.home, hold_id, accepted)

    def log(self, last: int) -> list[Entry]:
        """The last entries of the ledger, newest first.

        Raises:
            UsageError: less than one entry is asked for.
        """
        if last < 1:
            raise UsageError(f"{last} entries cannot be shown.", "Ask for 1 or more.")
        return list(deque(self._house.ledger.entries(max(0, self._house.ledger.size - last)), maxlen=last))[::-1]

    def _node(self, node_id: str) -> Node:
        return _there(self._house.store.node(node_id), "node", node_id)


def _there(found: Found | None, sort: str, wanted: str) -> Found:
    if found is None:
        hint = "`dream search` finds ids." if sort != "open hold" else "`dream hitl list` has the open ones."
        shape = "" if is_id(wanted) else ", which does not look like an id"
        raise NodeNotFound(f"There is no {sort} {wanted!r}{shape}.", hint)
    return found


def _kind(name: str) -> NodeKind:
    try:
        return NodeKind(name)
    except ValueError as error:
        raise UsageError(f"{name!r} is no kind of node.", f"Kinds: {', '.join(NodeKind)}.") from error


def _touches(entry: Entry, node_id: str) -> bool:
    change = entry.change
    for name in ("node", "before", "after", "kept", "absorbed"):
        part = getattr(change, name, None)
        if part == node_id or getattr(part, "id", None) == node_id:
            return True
    edge = getattr(change, "edge", None)
    return edge is not None and node_id in (edge.source, edge.target)
