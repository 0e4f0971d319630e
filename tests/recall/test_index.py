"""The index files: what they say, what they never touch, and when they are left alone."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Any

import pytest

from dream.adapters.snowball import SnowballAnalyser
from dream.model.graph import NodeKind, NodeStatus, Tier
from dream.paths import Home
from dream.recall.index import BEGIN, END, LIMIT, build_index, splice, strike
from dream.recall.lines import tokens

ANALYSER = SnowballAnalyser()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def build(home: Home, memory: Any, **more: Any) -> Any:
    return build_index(home, memory.store, ANALYSER, **more)


def read(home: Home, project: str = "") -> str:
    path = home.index / "projects" / f"{project}.md" if project else home.index / "MEMORY.md"
    return path.read_text("utf-8") if path.exists() else ""


def test_each_line_has_a_date_and_the_id_it_can_be_traced_by(home: Home, memory: Any) -> None:
    node = memory.node("The gateway runs on Fastify.", valid_from="2026-02-09")
    assert build(home, memory).result == 0
    assert f"- 2026-02-09 · The gateway runs on Fastify. ({node.id})" in read(home, "p1").splitlines()


def test_a19_each_project_has_its_own_file_and_everywhere_another(home: Home, memory: Any) -> None:
    memory.node("Alpha deploys on Thursday.", project="alpha")
    memory.node("Beta deploys on Monday.", project="beta")
    memory.node("Answer in French.", project="", standing=True)
    build(home, memory)
    assert "Alpha" in read(home, "alpha") and "Beta" not in read(home, "alpha")
    assert "Beta" in read(home, "beta") and "French" not in read(home, "beta")
    assert "French" in read(home) and "deploys" not in read(home)


def test_hot_nodes_and_rules_come_before_the_best_active_ones(home: Home, memory: Any) -> None:
    faint = memory.node("A faint fact about colours.")
    lively = memory.node("A lively fact about invoices.")
    hot = memory.node("A hot fact about deploys.", tier=Tier.HOT)
    memory.node("Never push on Friday evening.", standing=True)
    memory.node("A dark fact about old printers.", tier=Tier.DARK)
    build(home, memory, vitality={faint.id: 0.45, lively.id: 0.7, hot.id: 0.9}, target=155)
    text = read(home, "p1")
    assert text.index("Never push") < text.index("hot fact") < text.index("lively fact")
    assert "dark fact" not in text
    assert "faint" not in text and "1 more left out" in text


def test_e12_a_superseded_value_is_never_shown_beside_the_new_one(home: Home, memory: Any) -> None:
    memory.supersede("port = 9464", "port = 9465", "2026-02-01")
    build(home, memory)
    assert "9465" in read(home, "p1") and "9464" not in read(home, "p1")


def test_one_fact_said_by_two_nodes_takes_one_line_and_two_values_take_two(home: Home, memory: Any) -> None:
    memory.node("The list cache lasts five minutes.", values=("5min",))
    memory.node("The cache of the list lasts five minutes!", values=("5min",))
    memory.node("Retry payment calls 3 times.", values=("3",))
    memory.node("Retry payment calls 5 times.", values=("5",))
    build(home, memory)
    assert read(home, "p1").count("\n- ") == 3


def test_a07_five_thousand_hot_nodes_stay_within_the_budget_and_say_how_many_were_left_out(
    home: Home, memory: Any
) -> None:
    for number in range(5_000):
        text = f"Règle n° {number} : " + f"vérifié à l'été {number * 7919 % 9973} 🧠 " * 9
        memory.store.state.nodes[f"f-{number:024x}"] = dataclasses.replace(
            memory.node(text, project="p1" if number % 2 else ""), id=f"f-{number:024x}", tier=Tier.HOT
        )
    memory.store.state.nodes = {k: n for k, n in memory.store.state.nodes.items() if n.tier is Tier.HOT}
    started = time.process_time()
    build(home, memory)
    assert time.process_time() - started < 6.0
    both = read(home) + read(home, "p1")
    assert tokens(both) <= 2_000 and len(both.encode("utf-16-le")) // 2 <= 10_000
    assert tokens(both) > LIMIT * 0.8
    assert all(line.endswith(")") for line in both.splitlines() if line.startswith("- "))
    shown = both.count("\n- ")
    assert sum(int(line[1:].split()[0]) for line in both.splitlines() if "left out" in line) == 5_000 - shown


def test_b20_a_store_with_nothing_to_say_leaves_a_good_index_alone_and_says_so(home: Home, memory: Any) -> None:
    nodes = [memory.node(f"Fact number {n} about topic {n}.", standing=True) for n in range(40)]
    build(home, memory)
    before = read(home, "p1")
    memory.store.state.nodes.clear()
    report = build(home, memory)
    assert report.result == 1
    assert read(home, "p1") == before and before.count("\n- ") > 10
    assert len(nodes) == 40 and "no active node" in report.kept[0][1]


def test_b20_an_index_whose_nodes_were_all_closed_becomes_empty(home: Home, memory: Any) -> None:
    node = memory.node("The port is 9464.")
    build(home, memory)
    memory.store.state.nodes[node.id] = dataclasses.replace(node, status=NodeStatus.RETRACTED)
    assert build(home, memory).result == 0
    assert "9464" not in read(home, "p1")


def test_an_empty_store_writes_nothing_and_that_is_no_fault(home: Home, memory: Any) -> None:
    assert build(home, memory).result == 0
    assert not (home.index / "MEMORY.md").exists()


USER = "\ufeff---\ntitre: [pas fermé\n---\r\n\r\n# Mes notes\r\nÀ garder.\r\n"


def test_b24_what_a_person_wrote_around_the_markers_stays_byte_for_byte(home: Home, memory: Any) -> None:
    memory.node("Answer in French.", project="")
    before, after = USER.encode(), "Suite à moi, sans fin de ligne".encode()
    home.index.mkdir(parents=True)
    path = home.index / "MEMORY.md"
    path.write_bytes(before + BEGIN + b"\nold\n" + END + after)
    assert build(home, memory).result == 0
    now = path.read_bytes()
    assert now.startswith(before + BEGIN) and now.endswith(END + after)
    assert b"Answer in French." in now and b"old" not in now


def test_b24_a_file_without_markers_keeps_all_its_bytes(home: Home, memory: Any) -> None:
    memory.node("Answer in French.", project="")
    home.index.mkdir(parents=True)
    (home.index / "MEMORY.md").write_bytes(USER.encode())
    build(home, memory)
    build(home, memory)
    now = (home.index / "MEMORY.md").read_bytes()
    assert now.startswith(USER.encode()) and now.count(BEGIN) == 1


@pytest.mark.parametrize(
    "broken",
    [BEGIN + b"\nx", b"x" + END, END + b"\n" + BEGIN, BEGIN + BEGIN + END, BEGIN + END + END],
    ids=["no end", "no begin", "end first", "two begins", "two ends"],
)
def test_b24_broken_markers_refuse_the_write(home: Home, memory: Any, broken: bytes) -> None:
    memory.node("Answer in French.", project="")
    home.index.mkdir(parents=True)
    (home.index / "MEMORY.md").write_bytes(broken)
    report = build(home, memory)
    assert report.result == 1 and "markers" in report.kept[0][1]
    assert (home.index / "MEMORY.md").read_bytes() == broken
    assert splice(broken, b"new\n") is None


def test_b24_the_handed_file_with_malformed_front_matter(home: Home, memory: Any, shared: Path) -> None:
    memory.node("Answer in French.", project="")
    original = (shared / "cases" / "inputs" / "b24_index_with_user_text.md").read_bytes()
    home.index.mkdir(parents=True)
    (home.index / "MEMORY.md").write_bytes(original)
    build(home, memory)
    now = (home.index / "MEMORY.md").read_bytes()
    assert now.split(BEGIN)[0] == original.split(BEGIN)[0]
    assert now.split(END)[1] == original.split(END)[1]


def test_striking_a_node_takes_its_line_out_of_every_file(home: Home, memory: Any) -> None:
    kept = memory.node("Keep this one.", kind=NodeKind.DECISION)
    gone = memory.node("The secret plan is cheese.")
    build(home, memory)
    assert strike(home, [gone.id]) == 1
    assert "cheese" not in read(home, "p1") and kept.id in read(home, "p1")


def test_a_project_key_that_would_climb_out_of_the_folder_names_no_file(home: Home, memory: Any) -> None:
    memory.node("Alpha.", project="../../outside")
    assert build(home, memory).result == 1
    assert not list(home.root.parent.glob("outside*"))
