"""The tables of pgt.sqlite, numbered; a later version adds a script, and databases of an older one are made again.

A row holds a value's JSON, the same text as in the log; every other column is computed from it, so no column can say
something else than the value. Full text is contentless: the terms can always be made again from the value.
"""

from __future__ import annotations

V1 = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE note(
    num INTEGER PRIMARY KEY,
    json TEXT NOT NULL,
    id TEXT AS (json_extract(json, '$.id')) VIRTUAL,
    at TEXT AS (json_extract(json, '$.at')) VIRTUAL,
    session TEXT AS (json_extract(json, '$.session')) VIRTUAL,
    turn TEXT AS (json_extract(json, '$.turn')) VIRTUAL,
    place INTEGER AS (json_extract(json, '$.index')) VIRTUAL,
    project TEXT AS (json_extract(json, '$.project')) VIRTUAL
);
CREATE UNIQUE INDEX note_id ON note(id);
CREATE INDEX note_at ON note(at);
CREATE INDEX note_session ON note(session);

CREATE TABLE node(
    num INTEGER PRIMARY KEY,
    json TEXT NOT NULL,
    id TEXT AS (json_extract(json, '$.id')) VIRTUAL,
    kind TEXT AS (json_extract(json, '$.kind')) VIRTUAL,
    project TEXT AS (json_extract(json, '$.project')) VIRTUAL,
    status TEXT AS (coalesce(json_extract(json, '$.status'), 'current')) VIRTUAL,
    tier TEXT AS (coalesce(json_extract(json, '$.tier'), 'active')) VIRTUAL,
    began TEXT AS (coalesce(json_extract(json, '$.valid_from'), json_extract(json, '$.recorded_at'))) VIRTUAL,
    ended TEXT AS (json_extract(json, '$.valid_to')) VIRTUAL
);
CREATE UNIQUE INDEX node_id ON node(id);
CREATE INDEX node_project ON node(project, status, tier);

CREATE TABLE edge(
    num INTEGER PRIMARY KEY,
    json TEXT NOT NULL,
    id TEXT AS (json_extract(json, '$.id')) VIRTUAL,
    source TEXT AS (json_extract(json, '$.source')) VIRTUAL,
    target TEXT AS (json_extract(json, '$.target')) VIRTUAL
);
CREATE UNIQUE INDEX edge_id ON edge(id);
CREATE INDEX edge_source ON edge(source);
CREATE INDEX edge_target ON edge(target);

CREATE TABLE hold(
    num INTEGER PRIMARY KEY,
    json TEXT NOT NULL,
    id TEXT AS (json_extract(json, '$.id')) VIRTUAL
);
CREATE UNIQUE INDEX hold_id ON hold(id);

CREATE TABLE record(sort TEXT, id TEXT, json TEXT NOT NULL, PRIMARY KEY(sort, id)) WITHOUT ROWID;
CREATE TABLE run(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, night TEXT NOT NULL);
CREATE TABLE merge(seq INTEGER PRIMARY KEY, json TEXT NOT NULL);

CREATE VIRTUAL TABLE lex USING fts5(terms, content='', tokenize="unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE tri USING fts5(names, content='', tokenize="trigram");
"""

SCRIPTS = (V1,)
