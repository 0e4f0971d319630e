"""The graph in outline, for drawing and for walking: a few columns of many rows; no node is decoded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from dream.adapters.sqlite_base import Database
from dream.model.graph import NodeStatus, Tier
from dream.operations import Dot, Line, Outline


def sketch(database: Database, wanted: Outline, most: int) -> tuple[list[Dot], list[Line], int]:
    """At most `most` nodes with the edges among them, and how many nodes there are that `wanted` fits."""
    where, values = _where(wanted)
    ((fits,),) = database.rows(f"SELECT count(*) FROM node{where}", values)  # noqa: S608 -- made of fixed parts
    degree = "(SELECT count(*) FROM edge WHERE source = node.id) + (SELECT count(*) FROM edge WHERE target = node.id)"
    rows = database.rows(
        f"SELECT id, kind, tier, status, project, json_extract(json, '$.text'), {degree} AS degree "  # noqa: S608
        f"FROM node{where} ORDER BY degree DESC, began DESC, id LIMIT ?",
        [*values, most],
    )
    dots = [Dot(*row) for row in rows]
    return dots, among(database, [dot.id for dot in dots]), int(fits)


def standing(database: Database) -> Iterator[tuple[str, Tier, NodeStatus, tuple[str, ...]]]:
    """Id, tier, status and entities of every node."""
    tiers, statuses = {str(each): each for each in Tier}, {str(each): each for each in NodeStatus}
    for key, tier, status, entities in database.rows(
        "SELECT id, tier, status, json_extract(json, '$.entities') FROM node ORDER BY num"
    ):
        yield key, tiers[tier], statuses[status], tuple(json.loads(entities)) if entities else ()


def among(database: Database, ids: Sequence[str]) -> list[Line]:
    """The edges whose both ends are among these nodes."""
    chosen = set(ids)
    found: dict[str, Line] = {}
    for start in range(0, len(ids), 500):
        some = list(ids[start : start + 500])
        marks = ",".join("?" * len(some))
        rows = database.rows(
            "SELECT id, source, target, json_extract(json, '$.relation'), json_extract(json, '$.valid_to') IS NULL "  # noqa: S608
            f"FROM edge WHERE source IN ({marks})",
            some,
        )
        found.update({key: Line(a, b, relation, bool(live)) for key, a, b, relation, live in rows if b in chosen})
    return list(found.values())


def projects(database: Database) -> list[str]:
    """The keys of all projects that have nodes, "" (everywhere) included where it has."""
    return [project for (project,) in database.rows("SELECT DISTINCT project FROM node ORDER BY project")]


def _where(wanted: Outline) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    for column, value in (("kind", wanted.kind), ("tier", wanted.tier)):
        if value:
            parts.append(f"{column} = ?")
            values.append(value)
    if wanted.project is not None:
        parts.append("project = ?")
        values.append(wanted.project)
    if wanted.as_of:
        size = len(wanted.as_of)
        parts.append("substr(began, 1, ?) <= ? AND (ended IS NULL OR substr(ended, 1, ?) > ?)")
        values += [size, wanted.as_of, size, wanted.as_of]
    return (" WHERE " + " AND ".join(parts) if parts else ""), values
