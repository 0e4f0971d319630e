"""One suite for every store: SQLite and the reference in memory answer alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ledger_world import AT, Words, edge, hold, node, note

from dream.adapters.memory import MemoryStore
from dream.adapters.snowball import SnowballAnalyser
from dream.adapters.sqlite import SqliteStore
from dream.errors import Conflict
from dream.model import change as c
from dream.model.change import Change, Entry
from dream.model.graph import NodeKind, NodeStatus, Tier
from dream.ports import NodeFilter, NoteFilter

QUERIES = """pre-commit|gemma4:12b|c'est quoi|config.yaml|C:\\Users\\Léa|AND|OR NOT|NEAR(|décidé ?|"|*|02:05||
   |col:val|(a|ubuntu 24.04|GB/s|100%_|'; DROP TABLE nodes;--|🧠|a\0b|\ud83d|lex MATCH|terms:x|^on|-sqlite""".split("|")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return MemoryStore(Words()) if request.param == "memory" else SqliteStore(tmp_path / "pgt.sqlite", Words())


@pytest.fixture
def tell(store: Any) -> Callable[..., None]:
    def told(*changes: Change, night: str = "") -> None:
        first = store.watermark()
        store.apply([Entry(first + place, "log", AT, night, change) for place, change in enumerate(changes)])

    return told


def test_what_was_told_is_there(store: Any, tell: Callable[..., None]) -> None:
    tell(c.NotesAdded("s", (note(1), note(2))), c.NodeAdded(node(1)), c.NodeAdded(node(2)))
    tell(c.EdgeAdded(edge(node(1), node(2))), c.NoteHeld(hold(3)))
    assert store.watermark() == 5
    assert store.node(node(1).id) == node(1)
    assert store.edge(edge(node(1), node(2)).id) == edge(node(1), node(2))
    assert store.note(note(2).id) == note(2)
    assert store.hold(hold(3).id) == hold(3)
    assert store.holds() == [hold(3)]
    assert store.edges(node(2).id) == store.touching(node(1).id) == [edge(node(1), node(2))]
    assert store.notes_by_id([note(2).id, "n-none"]) == {note(2).id: note(2)}


def test_entries_are_taken_once_and_without_gaps(store: Any, tell: Callable[..., None]) -> None:
    entry = Entry(0, "log", AT, "", c.NodeAdded(node(1)))
    store.apply([entry])
    store.apply([entry])
    with pytest.raises(Conflict):
        store.apply([Entry(5, "log", AT, "", c.NodeAdded(node(2)))])
    assert store.watermark() == 1
    store.clear()
    assert (store.watermark(), store.node(node(1).id)) == (0, None)
    assert not store.match("sqlite", 5)
    store.apply([entry])
    assert store.node(node(1).id) == node(1)


def test_what_left_is_found_no_more(store: Any, tell: Callable[..., None]) -> None:
    tell(c.NotesAdded("s", (note(1, "Le port est 9464"),)), c.NodeAdded(node(1, "Le port est 9464")))
    assert set(store.match("port", 5)) == {note(1).id, node(1).id}
    tell(c.NodeRevised(node(1, "Le port est 9464"), node(1, "La porte est close")))
    assert set(store.match("port", 5)) == {note(1).id}
    assert set(store.match("porte", 5)) == {node(1).id}
    tell(c.NodeForgotten(node(1).id, (note(1).id,)))
    assert not store.match("port porte", 5)
    assert store.notes(NoteFilter()) == []


def test_merging_and_unmerging_tie_the_edges(store: Any, tell: Callable[..., None]) -> None:
    one, two, three = node(1), node(2), node(3)
    old, new = edge(two, three), edge(one, three)
    tell(*(c.NodeAdded(each) for each in (one, two, three)), c.EdgeAdded(old))
    tell(c.NodesMerged(one, two, node(1, pinned=True), ((old, new),)))
    assert store.node(two.id) is None
    assert store.edges(three.id) == [new]
    tell(c.NodesUnmerged(4, one, two, node(1, pinned=True), ((old, new),)))
    assert (store.node(one.id), store.node(two.id), store.edges(three.id)) == (one, two, [old])


def test_nodes_are_filtered(store: Any, tell: Callable[..., None]) -> None:
    here, there = node(1), node(2, project="q", kind=NodeKind.FACT, tier=Tier.HOT)
    old = node(3, status=NodeStatus.SUPERSEDED, valid_to="2026-02")
    tell(*(c.NodeAdded(each) for each in (here, there, old)))
    by_id = lambda *nodes: sorted(nodes, key=lambda each: each.id)  # noqa: E731
    assert store.nodes(NodeFilter()) == by_id(here, there)
    assert store.nodes(NodeFilter(statuses=None)) == by_id(here, there, old)
    assert store.nodes(NodeFilter(projects=("q", ""))) == [there]
    assert store.nodes(NodeFilter(projects=())) == []
    assert store.nodes(NodeFilter(kinds=(NodeKind.DECISION,))) == [here]
    assert store.nodes(NodeFilter(tiers=(Tier.HOT, Tier.COLD))) == [there]
    tell(c.TierChanged(here.id, Tier.ACTIVE, Tier.DARK))
    assert store.nodes(NodeFilter(tiers=(Tier.DARK,))) == [node(1, tier=Tier.DARK)]


def test_e04_as_of_a_moment_only_what_was_true_by_then(store: Any, tell: Callable[..., None]) -> None:
    january, march = node(1, valid_from="2026-01-01"), node(2, valid_from="2026-03-01")
    ended = node(3, valid_from="2026-01", valid_to="2026-01-20", status=NodeStatus.SUPERSEDED)
    undated = node(4, recorded_at="2026-01-31T23:00:00.000Z")
    tell(*(c.NodeAdded(each) for each in (january, march, ended, undated)))
    found = lambda moment: {each.id for each in store.nodes(NodeFilter(as_of=moment))}  # noqa: E731
    assert found("2026-02-01") == {january.id, undated.id}
    assert found("2026-01-15") == {january.id, ended.id}
    assert found("2026-01-20") == {january.id}
    assert found("2026-01") == {january.id, undated.id}
    assert found("2026-03-01T00:00:00.000Z") == {january.id, march.id, undated.id}
    assert found("2025") == set()


def test_notes_are_filtered_and_ordered(store: Any, tell: Callable[..., None]) -> None:
    early = note(1, "Tôt", at="2026-01-01T00:00:00.000Z", session="a")
    late = note(2, "Tard", at="2026-02-01T00:00:00.000Z", project="q")
    tell(c.NotesAdded("s", (late, early)))
    assert store.notes(NoteFilter()) == [early, late]
    assert store.notes(NoteFilter(until=late.at)) == [early]
    assert store.notes(NoteFilter(since=late.at)) == [late]
    assert store.notes(NoteFilter(projects=("q",))) == [late]
    assert store.notes(NoteFilter(sessions=("a",))) == [early]


@pytest.mark.parametrize("query", [*QUERIES, "a" * 10_000])
def test_e14_a_query_is_never_syntax(store: Any, tell: Callable[..., None], query: str) -> None:
    tell(c.NotesAdded("s", (note(1),)))
    for projects in (None, ("p",)):
        store.match(query, 5, projects)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("decide", "Décidé : on garde SQLite"),
        ("DÉCIDÉ", "Décidé : on garde SQLite"),
        ("de\u0301cide\u0301", "Décidé : on garde SQLite"),
        ("pre-commit", "on active pre-commit"),
        ("gemma4:12b", "le débat tourne sur gemma4:12b"),
    ],
)
def test_e14_accents_and_case_are_folded(store: Any, tell: Callable[..., None], query: str, text: str) -> None:
    tell(c.NotesAdded("s", (note(1, text), note(2, "tout autre chose"))), c.NodeAdded(node(3, text, project="q")))
    assert set(store.match(query, 5)) == {note(1).id, node(3).id}
    assert set(store.match(query, 5, ("p",))) == {note(1).id}
    assert len(store.match(query, 1)) == 1


def test_unspaced_scripts_and_parts_of_names_are_found_in_sqlite(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "pgt.sqlite", SnowballAnalyser())
    texts = ("私は東京都に住んでいます", "see dream/capture/redact_rules.py for it", "rien")
    store.apply([Entry(0, "l", AT, "", c.NotesAdded("s", tuple(note(n, text) for n, text in enumerate(texts))))])
    assert set(store.match("東京", 5)) == {note(0).id}
    assert set(store.match("redact_rules", 5)) == {note(1).id}


def test_lone_surrogates_are_kept(store: Any, tell: Callable[..., None]) -> None:
    tell(c.NotesAdded("s", (note(1, "coupé \ud83d ici"),)))
    assert store.note(note(1).id) == note(1, "coupé \ud83d ici")
    assert set(store.match("coupé", 5)) == {note(1).id}


def test_nights_refusals_and_merges_are_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "pgt.sqlite", Words())
    ended = c.CycleRecorded("2026-01-12", AT, AT, "rules", (("notes", 1),))
    refused = c.ClusterRefused("c-1", (note(1).id,), "2026-01-12")
    rejected = c.DebateRejected("c-2", (note(2).id,), 30, "Non.", "00")
    changes: list[tuple[Change, str]] = [(c.NodeAdded(node(1)), ""), (ended, "2026-01-12"), (rejected, "2026-01-12")]
    changes += [(refused, ""), (c.NightUndone("2026-01-12", 1, 2), "")]
    store.apply([Entry(seq, "l", AT, night, change) for seq, (change, night) in enumerate(changes)])
    assert (store.nights(), store.refused(), store.rejected()) == ([ended], {"c-1": refused}, {"c-2": rejected})
    assert store.undone() == frozenset({"2026-01-12"})
    assert store.runs() == [(0, 0, ""), (1, 2, "2026-01-12"), (3, 4, "")]
    store.apply([Entry(5, "l", AT, "", c.ClusterRefused("c-1", (), "", lifted=True))])
    assert store.refused() == {}


def test_what_is_in_a_project_is_found_behind_many_better_hits_elsewhere(store: Any, tell: Callable[..., None]) -> None:
    others = tuple(note(number, "port port", project="q") for number in range(200))
    tell(c.NotesAdded("s", (*others, note(900, "un port, et bien d'autres mots qui le rendent moins bon"))))
    assert set(store.match("port", 5, ("p",))) == {note(900).id}
    assert len(store.match("port", 5, ("q", "p"))) == 5
