"""A small world for the ledger's tests: values, a clock, an analyser, a home, an open ledger."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import Any

from dream.adapters.ed25519 import Ed25519Signer
from dream.adapters.sqlite import SqliteStore
from dream.ledger import keys
from dream.ledger.ledger import Ledger
from dream.model.graph import Edge, Hold, Node, NodeKind, Relation
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.paths import Home

AT = "2026-01-12T08:18:53.613Z"


class Words:
    """An analyser for tests: folded words."""

    def terms(self, text: str) -> list[str]:
        plain = unicodedata.normalize("NFKD", text.casefold())
        return re.findall(r"\w+", "".join(mark for mark in plain if not unicodedata.combining(mark)))


class Steps:
    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> str:
        self.ticks += 1
        return f"2026-01-12T08:{self.ticks // 60 % 60:02d}:{self.ticks % 60:02d}.000Z"

    def monotonic(self) -> float:
        return float(self.ticks)


def note(number: int, text: str = "On garde SQLite.", **more: Any) -> Note:
    turn = f"turn-{number}"
    told: dict[str, Any] = {"at": AT, "session": "s", "turn": turn, "index": 0, "origin": Origin.USER, "project": "p"}
    return Note(**{"id": make_id("n", turn, "0"), "text": text, "load": 10, "signals": (), **told, **more})


def node(number: int, text: str = "On garde SQLite.", **more: Any) -> Node:
    told: dict[str, Any] = {"kind": NodeKind.DECISION, "project": "p", "notes": (note(number).id,), "recorded_at": AT}
    return Node(**{"id": make_id("f", str(number)), "text": text, "evidence_at": AT, **told, **more})


def edge(one: Node, two: Node) -> Edge:
    return Edge(make_id("e", one.id, two.id), one.id, Relation.USES, two.id, AT)


def hold(number: int, text: str = "On garde Redis ?") -> Hold:
    return Hold(make_id("h", str(number)), node(number, text), 60, "Deux avis.", AT)


def home_at(folder: Path) -> Home:
    home = Home(folder / "home")
    home.root.mkdir()
    return home


def signer(home: Home) -> Ed25519Signer:
    """The home's key; made, with the log, at the first call."""
    if keys.public(home) is None:
        keys.create(home, os.urandom(32))
    made = Ed25519Signer(keys.read_seed(home), "dream")
    Ledger.create(home, made)
    return made


def opened(home: Home, *more: Any, **how: Any) -> Ledger:
    """The home's ledger, its SQLite store first among the projections."""
    store = SqliteStore(home.database, Words())
    return Ledger.open(home, signer(home), Steps(), [store, *more], **how)
