"""pgt.sqlite: notes, nodes, edges, holds and full text as the log tells them; one method writes, `apply`.

A row is the value's JSON (see `sqlite_schema`). Entries are taken in seq order; the watermark moves in the same
transaction, so a crash leaves the state before or after an entry, never between.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dream import effort
from dream.adapters import (
    sqlite_around,
    sqlite_best,
    sqlite_bytes,
    sqlite_rows,
    sqlite_sketch,
    sqlite_tally,
    sqlite_text,
)
from dream.adapters.sqlite_base import BUSY_SECONDS, Database
from dream.errors import Conflict
from dream.model import canonical, codec, fold
from dream.model.branch import Branch
from dream.model.change import (
    ClusterCarried,
    ClusterRefused,
    CycleRecorded,
    DebateRejected,
    Entry,
    NodesMerged,
    NodesUnmerged,
)
from dream.model.graph import Edge, Hold, Node, NodeStatus, Tier
from dream.model.note import Note
from dream.model.rows import Difference, Rows
from dream.operations import Dot, Line, Outline
from dream.ports import Analyser, NodeFilter, NoteFilter

Value = TypeVar("Value")
_TABLES = ("note", "node", "edge", "hold")
_TEXTS = {"note": 0, "node": 1}
_BATCH = 500


class SqliteStore:
    """`Projection`, `GraphReader`, `NoteReader`, `LexicalReader` and `fold.Present` over one database file."""

    def __init__(
        self, path: Path, analyser: Analyser, *, journal: str | None = None, busy: float = BUSY_SECONDS
    ) -> None:
        self._db = Database(path, journal, busy)
        self._analyser = analyser
        self._citing: tuple[int, dict[str, tuple[str, ...]]] | None = None
        self._counted: tuple[tuple[int, int], sqlite_best.Held] = ((0, 0), {})

    @property
    def path(self) -> Path:
        return self._db.path

    @property
    def journal(self) -> str:
        """The journal mode in use since the last statement, `wal` or `delete`."""
        return self._db.journal

    def apply(self, entries: Sequence[Entry]) -> None:
        """Take in entries in their order; those already applied are skipped. All or nothing.

        Raises:
            Conflict: an entry is missing between the watermark and these.
            DreamError: the disk is full, or the file is locked or damaged.
        """
        with self._db.transaction() as connection:
            mark = self.watermark()
            for entry in effort.each("taking entries into pgt.sqlite", entries):
                if entry.seq < mark:
                    continue
                if entry.seq > mark:
                    raise Conflict(f"Entry {entry.seq} came where entry {mark} was due.", "Replay the log.")
                if entry.change is not None:
                    self._take(connection, fold.effects(self, entry.change))
                    self._audit(connection, entry)
                self._run(connection, entry)
                mark += 1
            connection.execute("INSERT OR REPLACE INTO meta VALUES('watermark', ?)", (str(mark),))

    def watermark(self) -> int:
        rows = self._db.rows("SELECT value FROM meta WHERE key = 'watermark'")
        return int(rows[0][0]) if rows else 0

    def digest(self) -> tuple[int, bytes]:
        """(length, digest) over all bytes of the file; the caller holds the writer's lock."""
        return sqlite_bytes.digest(self._db)

    def compare(self, rows: Rows) -> list[Difference]:
        """Rows that are not what a replay of the log gave; the first few."""
        with self._db.told() as connection:
            return sqlite_rows.compare(connection, rows)

    def sound(self) -> list[str]:
        """What SQLite itself finds wrong with the file; takes long."""
        with self._db.told() as connection:
            return sqlite_rows.sound(connection)

    def rebuild(self, rows: Rows, pinned: bool = False) -> None:
        """Put a fresh database made of `rows` in the place of this one, once it is whole.

        Args:
            pinned: it stays at these rows until it is rebuilt (see `pinned`).
        """
        fresh = self._db.path.with_name(f"{self._db.path.name}.new")
        sqlite_rows.build(fresh, self._analyser, rows, pinned)
        self._db.replace(fresh)

    def pinned(self) -> bool:
        """Whether the database was restored to an earlier entry and is to stay there."""
        return bool(self._db.rows("SELECT 1 FROM meta WHERE key = 'pinned'"))

    def purge(self) -> None:
        """Leave no byte of what was dropped: index terms merged away, pages written anew, the journal emptied."""
        with self._db.told() as connection:
            sqlite_rows.purge(connection)

    def quarantine(self) -> list[Path]:
        """Set a damaged database aside, with what lies beside it; an empty one takes its place."""
        return self._db.quarantine()

    def changes_of_others(self) -> tuple[int, int]:
        """Differs from what it was when another connection has changed the database."""
        with self._db.told() as connection:
            (version,) = connection.execute("PRAGMA data_version").fetchone()
            return self._db.opened, int(version)

    def clear(self) -> None:
        """Forget everything; the watermark is 0 again."""
        with self._db.transaction() as connection:
            for table in (*_TABLES, "record", "run", "merge", "meta"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 -- a name from the list above
            for index in ("lex", "tri"):
                connection.execute(f"INSERT INTO {index}({index}) VALUES('delete-all')")

    def close(self) -> None:
        self._db.close()

    def _take(self, connection: sqlite3.Connection, told: Iterable[fold.Effect]) -> None:
        fresh: list[tuple[int, str]] = []
        for sort, key, value in told:
            if sort not in _TABLES:
                self._record(connection, sort, key, value)
                continue
            row = connection.execute(f"SELECT num, json FROM {sort} WHERE id = ?", (key,)).fetchone()  # noqa: S608
            if row is not None and sort in _TEXTS:
                old = json.loads(row[1])["text"]
                if value is None or old != getattr(value, "text", ""):
                    sqlite_text.drop(connection, self._analyser, row[0] * 2 + _TEXTS[sort], old)
                else:
                    old = None
            else:
                old = ""
            if value is None:
                if row is not None:
                    connection.execute(f"DELETE FROM {sort} WHERE num = ?", (row[0],))  # noqa: S608
                continue
            text = canonical.to_text(codec.to_plain(value))
            if row is None:
                done = connection.execute(f"INSERT INTO {sort}(json) VALUES(?)", (text,))
                number = done.lastrowid or 0
            else:
                connection.execute(f"UPDATE {sort} SET json = ? WHERE num = ?", (text, row[0]))  # noqa: S608
                number = row[0]
            if isinstance(value, (Note, Node)) and old is not None:
                fresh.append((number * 2 + _TEXTS[sort], value.text))
        sqlite_text.add(connection, self._analyser, fresh)

    def _record(self, connection: sqlite3.Connection, sort: str, key: str, value: Any) -> None:
        if value is None:
            connection.execute("DELETE FROM record WHERE sort = ? AND id = ?", (sort, key))
            return
        text = canonical.to_text(codec.to_plain(value))
        connection.execute("INSERT OR REPLACE INTO record VALUES(?, ?, ?)", (sort, key, text))

    def _audit(self, connection: sqlite3.Connection, entry: Entry) -> None:
        """The merge audit (as `ledger.replay.audit` keeps it)."""
        change = entry.change
        if isinstance(change, NodesMerged):
            told: dict[str, Any] = {"kept": change.kept.id, "absorbed": change.absorbed.id, "at": entry.at}
            told["night"] = entry.night
            connection.execute("INSERT OR REPLACE INTO merge VALUES(?, ?)", (entry.seq, canonical.to_text(told)))
        elif isinstance(change, NodesUnmerged):
            row = connection.execute("SELECT json FROM merge WHERE seq = ?", (change.merge_seq,)).fetchone()
            told = {**(json.loads(row[0]) if row else {}), "unmerged": entry.seq}
            connection.execute("INSERT OR REPLACE INTO merge VALUES(?, ?)", (change.merge_seq, canonical.to_text(told)))

    def _run(self, connection: sqlite3.Connection, entry: Entry) -> None:
        """Nights as ranges of entries."""
        grown = connection.execute(
            "UPDATE run SET last = ? WHERE last = ? AND night = ? AND first = (SELECT max(first) FROM run)",
            (entry.seq, entry.seq - 1, entry.night),
        )
        if grown.rowcount == 0:
            connection.execute("INSERT INTO run VALUES(?, ?, ?)", (entry.seq, entry.seq, entry.night))

    def node(self, node_id: str) -> Node | None:
        return self._one("node", Node, node_id)

    def edge(self, edge_id: str) -> Edge | None:
        return self._one("edge", Edge, edge_id)

    def note(self, note_id: str) -> Note | None:
        return self._one("note", Note, note_id)

    def hold(self, hold_id: str) -> Hold | None:
        return self._one("hold", Hold, hold_id)

    def _one(self, table: str, kind: type[Value], key: str) -> Value | None:
        rows = self._db.rows(f"SELECT json FROM {table} WHERE id = ?", (key,))  # noqa: S608 -- a name from this file
        return _value(kind, rows[0][0]) if rows else None

    def touching(self, node_id: str) -> list[Edge]:
        rows = self._db.rows("SELECT json FROM edge WHERE source = ? OR target = ? ORDER BY id", (node_id, node_id))
        return [_value(Edge, text) for (text,) in rows]

    def edges(self, node_id: str) -> list[Edge]:
        return self.touching(node_id)

    def nodes(self, which: NodeFilter) -> list[Node]:
        """By id, so that two stores list alike."""
        where, values = _where((("project", which.projects), ("tier", which.tiers), ("kind", which.kinds)))
        statuses = which.statuses
        if which.as_of is not None:
            moment, size = which.as_of, len(which.as_of)
            where.append("substr(began, 1, ?) <= ?")
            where.append("CASE WHEN ended IS NULL THEN status = 'current' ELSE substr(ended, 1, ?) > ? END")
            values += [size, moment, size, moment]
            if statuses is not None and NodeStatus.CURRENT in statuses:
                statuses = (*statuses, NodeStatus.SUPERSEDED)
        more, and_values = _where((("status", statuses),))
        sql = f"SELECT json FROM node{_clause(where + more)} ORDER BY id"  # noqa: S608 -- made of fixed parts
        return [_value(Node, text) for (text,) in self._db.rows(sql, values + and_values)]

    def holds(self) -> list[Hold]:
        """What waits for a person, oldest first."""
        found = [_value(Hold, text) for (text,) in self._db.rows("SELECT json FROM hold")]
        return sorted(found, key=lambda hold: (hold.held_at, hold.id))

    def notes(self, which: NoteFilter) -> list[Note]:
        """Ordered by time, session, turn, index."""
        where, values = _where((("project", which.projects), ("session", which.sessions)))
        for bound, sign in ((which.since, ">="), (which.until, "<")):
            if bound is not None:
                where.append(f"at {sign} ?")
                values.append(bound)
        sql = f"SELECT json FROM note{_clause(where)} ORDER BY at, session, turn, place, id"  # noqa: S608
        return [_value(Note, text) for (text,) in self._db.rows(sql, values)]

    def tally(self) -> dict[str, int]:
        """How many notes, holds and nodes; see `sqlite_tally`."""
        return sqlite_tally.tally(self._db)

    def span(self) -> tuple[str, str]:
        """When the first and the last note were said."""
        return sqlite_tally.span(self._db)

    def sketch(self, wanted: Outline, most: int) -> tuple[list[Dot], list[Line], int]:
        """The graph in outline; see `sqlite_sketch`."""
        return sqlite_sketch.sketch(self._db, wanted, most)

    def among(self, ids: Sequence[str]) -> list[Line]:
        """The edges whose both ends are among these nodes."""
        return sqlite_sketch.among(self._db, ids)

    def standing(self) -> Iterable[tuple[str, Tier, NodeStatus, tuple[str, ...]]]:
        """Id, tier, status and entities of every node."""
        return sqlite_sketch.standing(self._db)

    def ties(self) -> Iterable[Edge]:
        """Every edge."""
        return (_value(Edge, text) for (text,) in self._db.rows("SELECT json FROM edge ORDER BY num"))

    def projects(self) -> list[str]:
        """The keys of all projects that have nodes."""
        return sqlite_sketch.projects(self._db)

    def notes_by_id(self, note_ids: Iterable[str]) -> dict[str, Note]:
        asked = list(dict.fromkeys(note_ids))
        found: dict[str, Note] = {}
        for start in range(0, len(asked), _BATCH):
            some = asked[start : start + _BATCH]
            marks = ",".join("?" * len(some))
            for (text,) in self._db.rows(f"SELECT json FROM note WHERE id IN ({marks})", some):  # noqa: S608
                note = _value(Note, text)
                found[note.id] = note
        return {each: found[each] for each in asked if each in found}

    def nodes_by_id(self, node_ids: Iterable[str]) -> dict[str, Node]:
        """Nodes of these ids, in their order; one that is not there is left out."""
        asked = list(node_ids)
        sql = "SELECT json FROM node WHERE id IN (SELECT value FROM json_each(?))"
        nodes = [_value(Node, text) for (text,) in self._db.rows(sql, (json.dumps(asked),))]
        found = {node.id: node for node in nodes}
        return {each: found[each] for each in asked if each in found}

    def match(self, text: str, k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """Ids of nodes and notes sharing a word with `text`, best first, higher is better."""
        with self._db.told() as connection:
            return sqlite_text.match(connection, self._analyser, text, k, projects, self._held())

    def around(self, note_ids: Iterable[str], reach: int) -> list[Note]:
        """All notes of their turns and of `reach` turns before and after in their sessions, in order."""
        with self._db.told() as connection:
            return sqlite_around.around(connection, note_ids, reach)

    def citing(self, note_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Ids of the nodes that stand on each note; read once for each state of the store."""
        mark = self.watermark()
        if self._citing is None or self._citing[0] != mark:
            with self._db.told() as connection:
                self._citing = (mark, sqlite_around.citing(connection))
        held = self._citing[1]
        return {each: held[each] for each in dict.fromkeys(note_ids) if each in held}

    def frequencies(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        """How many texts are indexed, and how many of them hold each index term."""
        with self._db.told() as connection:
            return sqlite_best.frequencies(connection, terms, self._held())

    def _held(self) -> sqlite_best.Held:
        """How many texts hold the terms that were asked for, until the store moves on."""
        state = (self._db.opened, self.watermark())
        if self._counted[0] != state:
            self._counted = (state, {})
        return self._counted[1]

    def nights(self) -> list[CycleRecorded]:
        """The nights that ended, oldest first."""
        return sorted(self._records("night", CycleRecorded), key=lambda each: (each.started_at, each.night))

    def refused(self) -> dict[str, ClusterRefused]:
        """Clusters that an undo forbids to judge again, by cluster."""
        return {each.cluster: each for each in self._records("refused", ClusterRefused)}

    def rejected(self) -> dict[str, DebateRejected]:
        """Refused debates, by cluster."""
        return {each.cluster: each for each in self._records("rejected", DebateRejected)}

    def carried(self) -> dict[str, ClusterCarried]:
        """Clusters that wait for another night's judge, by cluster."""
        return {each.cluster: each for each in self._records("carried", ClusterCarried)}

    def branches(self) -> list[Branch]:
        """The garden, by id."""
        return self._records("branch", Branch)

    def undone(self) -> frozenset[str]:
        """Nights that were undone."""
        return frozenset(each for (each,) in self._db.rows("SELECT id FROM record WHERE sort = 'undone'"))

    def runs(self) -> list[tuple[int, int, str]]:
        """(first seq, last seq, night) of each unbroken run of entries of one night ("" by day)."""
        return [(first, last, night) for first, last, night in self._db.rows("SELECT * FROM run ORDER BY first")]

    def merges(self) -> dict[int, dict[str, Any]]:
        """The merge audit: seq of the merge to `kept`, `absorbed`, `at`, `night`, and `unmerged` where taken back."""
        return {seq: json.loads(text) for seq, text in self._db.rows("SELECT seq, json FROM merge ORDER BY seq")}

    def _records(self, sort: str, kind: type[Value]) -> list[Value]:
        rows = self._db.rows("SELECT json FROM record WHERE sort = ? ORDER BY id", (sort,))
        return [_value(kind, text) for (text,) in rows]


def _value(kind: type[Value], text: str) -> Value:
    value: Value = codec.from_plain(kind, json.loads(text))
    return value


def _where(wanted: Iterable[tuple[str, tuple[Any, ...] | None]]) -> tuple[list[str], list[Any]]:
    where: list[str] = []
    values: list[Any] = []
    for column, allowed in wanted:
        if allowed is not None:
            where.append(f"{column} IN ({','.join('?' * len(allowed))})")
            values += [str(each) for each in allowed]
    return where, values


def _clause(where: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(where)}" if where else ""
