"""Replay: the log's entries folded into rows, as fast as their bytes can be read.

The entries that make up almost all of a log (notes, nodes, their revisions) put the bytes of their parts in place
unread; all others are decoded and go through `fold.effects`, like in a store. The result equals `fold.fold`.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from dream.ledger import body
from dream.ledger.segment import Raw
from dream.model import canonical, codec, fold
from dream.model.branch import Branch, is_stub
from dream.model.change import Change, NodesMerged, NodesUnmerged
from dream.model.graph import Edge, Hold, Node
from dream.model.note import Note
from dream.model.rows import Rows

Kind = TypeVar("Kind")


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the cyclic garbage collector: a replay makes a million objects and no cycle (a fifth of its time)."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Replay:
    """Rows that grow entry by entry; answers as `fold.Present`."""

    def __init__(self, log: str) -> None:
        self._log = log
        self.rows = Rows()
        self._ends: dict[str, set[str]] = {}
        self._redacted = False

    def take_all(self, raws: Iterable[Raw], stop: int | None = None, until: str = "") -> Rows:
        """Take entries in their order, up to seq `stop` (excluded) and instant `until` (included)."""
        for raw in raws:
            told = canonical.read(raw.header)
            if (stop is not None and told["seq"] >= stop) or (until and told["at"] > until):
                break
            self.take(told, raw)
        return self.ended()

    def take(self, told: dict[str, Any], raw: Raw) -> None:
        """Take one entry: its parsed header and its lines."""
        seq, rows, parts = told["seq"], self.rows, raw.parts
        frame = told["change"]
        kind = frame["kind"]
        whole = body.GONE not in parts
        self._redacted = self._redacted or not whole
        if kind == "NotesAdded":
            for (key, _), line in zip(told["parts"], parts, strict=True):
                if line != body.GONE:
                    rows.notes[key] = line[body.BEFORE_VALUE : -1].decode()
                    rows.seqs[key] = seq
        elif whole and kind in ("NodeAdded", "NodeRevised"):
            place = frame["node" if kind == "NodeAdded" else "after"]
            key = told["parts"][place][0]
            rows.nodes[key] = parts[place][body.BEFORE_VALUE : -1].decode()
            rows.seqs[key] = seq
        else:
            self._decoded(told, raw)
        night = told.get("night", "")
        if rows.runs and rows.runs[-1][2] == night:
            rows.runs[-1] = (rows.runs[-1][0], seq, night)
        else:
            rows.runs.append((seq, seq, night))
        rows.mark = seq + 1

    def _decoded(self, told: dict[str, Any], raw: Raw) -> None:
        values = [body.part_value(line) for line in raw.parts]
        change = body.join(told["change"], [key for key, _ in told["parts"]], values)
        self._put(fold.effects(self, change), told["seq"])
        audit(self.rows.merges, told["seq"], told["at"], told.get("night", ""), change)

    def _put(self, effects: Iterable[fold.Effect], seq: int) -> None:
        rows = self.rows
        tables: dict[str, dict[str, str]] = {
            "note": rows.notes,
            "node": rows.nodes,
            "edge": rows.edges,
            "hold": rows.holds,
        }
        for sort, key, value in effects:
            if sort == "edge":
                self._tie(key, value if isinstance(value, Edge) else None)
            if value is None:
                if sort in tables:
                    tables[sort].pop(key, None)
                else:
                    rows.records.pop((sort, key), None)
                rows.seqs.pop(key, None)
                continue
            text = canonical.to_text(codec.to_plain(value))
            if sort in tables:
                tables[sort][key] = text
            else:
                rows.records[sort, key] = text
            rows.seqs[key] = seq

    def _tie(self, key: str, edge: Edge | None) -> None:
        """Keep which edges touch which node."""
        old = self.edge(key)
        if old is not None:
            for end in (old.source, old.target):
                self._ends.get(end, set()).discard(key)
        if edge is not None:
            for end in (edge.source, edge.target):
                self._ends.setdefault(end, set()).add(key)

    def ended(self) -> Rows:
        """The rows, without the stubs of what was redacted."""
        if self._redacted:
            rows = self.rows
            for key in [key for key, text in rows.nodes.items() if '"text":""' in text]:
                node = self.node(key)
                if node is not None and fold.is_stub(node):
                    self._put(fold.dropped(self, key), rows.mark)
            for key in [key for key in rows.holds if (hold := self.hold(key)) is not None and fold.is_stub(hold)]:
                self._put([("hold", key, None)], rows.mark)
            for sort, key in [place for place, text in rows.records.items() if place[0] == "rejected"]:
                if '"digest":""' in rows.records[sort, key]:
                    del rows.records[sort, key]
            for place in [place for place in rows.records if place[0] == "branch"]:
                branch = _value(Branch, rows.records[place])
                if branch is not None and is_stub(branch):
                    del rows.records[place]
            for sort, key in [place for place in rows.records if place[0] == "branch"]:
                if '"settles_at":""' in rows.records[sort, key]:
                    del rows.records[sort, key]
        return self.rows

    def node(self, node_id: str) -> Node | None:
        return _value(Node, self.rows.nodes.get(node_id))

    def edge(self, edge_id: str) -> Edge | None:
        return _value(Edge, self.rows.edges.get(edge_id))

    def note(self, note_id: str) -> Note | None:
        return _value(Note, self.rows.notes.get(note_id))

    def hold(self, hold_id: str) -> Hold | None:
        return _value(Hold, self.rows.holds.get(hold_id))

    def touching(self, node_id: str) -> list[Edge]:
        found = (self.edge(key) for key in sorted(self._ends.get(node_id, ())))
        return [edge for edge in found if edge is not None]


def audit(merges: dict[int, str], seq: int, at: str, night: str, change: Change) -> None:
    """Keep the merge audit: who was merged into whom, in which entry, and which entry took it back."""
    if isinstance(change, NodesMerged):
        told = {"kept": change.kept.id, "absorbed": change.absorbed.id, "at": at, "night": night}
        merges[seq] = canonical.to_text(told)
    elif isinstance(change, NodesUnmerged):
        before = json.loads(merges.get(change.merge_seq, "{}"))
        merges[change.merge_seq] = canonical.to_text({**before, "unmerged": seq})


def _value(kind: type[Kind], text: str | None) -> Kind | None:
    if text is None:
        return None
    value: Kind = codec.from_plain(kind, json.loads(text))
    return value
