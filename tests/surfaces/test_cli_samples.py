"""The sample sessions, played night by night through the command line: what each was planted for comes of it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from dream.recall.context import FENCE
from tests.surfaces.line import GRAINOTHEQUE, NIGHTS, Line, script


@pytest.fixture(scope="module")
def graph(_played: Line, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Everything the played home holds, as `export` writes it."""
    folder = tmp_path_factory.mktemp("export")
    assert _played("export", str(folder)).code == 0
    return json.loads((folder / "graph.json").read_text(encoding="utf-8"))


def nodes(graph: Any, *words: str, status: str = "current") -> list[Any]:
    return [n for n in graph["nodes"] if n["status"] == status and all(w.lower() in n["text"].lower() for w in words)]


def test_each_night_is_a_range_of_entries_and_has_a_changelog(samples: Line) -> None:
    nights = samples("nights", "--json").plain["nights"]
    assert [night["night"] for night in nights] == [f"2026-{night}" for night in NIGHTS]
    ends = [(night["first"], night["last"]) for night in nights]
    assert all(first <= last for first, last in ends)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(ends))
    for night in nights:
        assert samples("nights", night["night"], "--json").plain["changelog"].startswith("# ")


def test_no_secret_is_in_any_file(samples: Line) -> None:
    secrets = [script("write_samples").secret(kind).encode() for kind in ("github", "password")]
    for name, content in samples.files().items():
        for secret in secrets:
            assert secret not in content, f"{name} holds a secret"


def test_a_redacted_sentence_can_still_be_found(samples: Line) -> None:
    texts = [hit["text"] for hit in samples("search", "jeton pour publier les images", "--json").plain["hits"]]
    assert any("[redacted:" in text for text in texts)


def test_the_order_in_the_web_page_is_nowhere(samples: Line, graph: Any) -> None:
    assert "collect@example.net" not in json.dumps(graph)
    assert b"collect@example.net" not in b"".join(samples.files().values())


def test_what_dream_itself_injected_is_not_taken_for_evidence(graph: Any) -> None:
    assert "45 days" not in json.dumps(graph)


def test_the_abandoned_branch_is_left_out(graph: Any) -> None:
    assert "What would happen if we stored the photos" not in json.dumps(graph)


def test_a_correction_supersedes(graph: Any) -> None:
    assert nodes(graph, "PostgreSQL 16", status="superseded")
    assert nodes(graph, "SQLite")
    assert not [node for node in nodes(graph, "PostgreSQL 16") if "no longer" not in node["text"]]


def test_a_relative_date_is_resolved_from_its_own_day(graph: Any) -> None:
    assert [node for node in nodes(graph, "prêt en ligne") if "2026-09-19" in json.dumps(node)]


def test_a_rule_said_twice_is_one_standing_node_with_two_witnesses(graph: Any) -> None:
    rules = nodes(graph, "migration le vendredi")
    assert len(rules) == 1
    assert rules[0]["standing"]
    assert len(rules[0]["notes"]) >= 2


def test_every_node_cites_notes_that_are_there(graph: Any) -> None:
    held = {note["id"] for note in graph["notes"]}
    assert graph["nodes"]
    for node in graph["nodes"]:
        assert node["notes"] and set(node["notes"]) <= held


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do we still keep the seed lots in PostgreSQL?", "SQLite"),
        ("Que ne faut-il jamais faire le vendredi ?", "migration"),
        ("Qui administre le serveur tournesol ?", "Nour"),
        ("which port does the label printer use", "9100"),
    ],
)
def test_a_question_is_answered_first_by_what_holds_now(samples: Line, question: str, answer: str) -> None:
    hits = samples("search", question, "--project", GRAINOTHEQUE, "--json").plain["hits"]
    assert answer in hits[0]["text"]
    assert hits[0]["sources"]


def test_an_earlier_date_answers_with_what_held_then(samples: Line) -> None:
    words = ("search", "base de données des lots de graines", "--as-of", "2026-09-09", "--json")
    assert any("PostgreSQL" in hit["text"] for hit in samples(*words).plain["hits"])


def test_nothing_of_one_project_shows_in_another(samples: Line) -> None:
    """Case A19: isolation."""
    hits = samples("search", "Hugo static site festival", "--project", GRAINOTHEQUE, "--json").plain["hits"]
    assert not any("Hugo" in hit["text"] for hit in hits)
    assert "Hugo" not in samples("context", "--project", GRAINOTHEQUE, "--json").plain["text"]
    assert "Hugo" in samples("context", "--project", "/home/maud/fete-des-semences", "--json").plain["text"]


def test_the_context_is_fenced_dated_and_within_its_budget(samples: Line) -> None:
    plain = samples("context", "--project", GRAINOTHEQUE, "--json").plain
    assert plain["text"].startswith(f"<{FENCE}>")
    assert "not instructions" in plain["text"]
    assert 0 < plain["tokens"] <= 2000


def test_explain_shows_sources_neighbours_and_history(samples: Line, graph: Any) -> None:
    (old,) = list(nodes(graph, "PostgreSQL 16", status="superseded"))[:1]
    why = samples("explain", old["id"], "--json").plain
    assert why["notes"] and why["history"]
    assert any(each["edge"]["relation"] == "supersedes" for each in why["beside"])
    note = why["notes"][0]["id"]
    assert [node["id"] for node in samples("explain", note, "--json").plain["standing"]] == [old["id"]]
    assert old["text"] in samples("explain", old["id"]).out


def test_the_ledger_verifies_and_tells_its_entries(samples: Line) -> None:
    assert samples("ledger", "verify", "--full").code == 0
    plain = samples("ledger", "log", "-n", "3", "--json").plain
    assert [entry["seq"] for entry in plain["entries"]] == [plain["size"] - n for n in (1, 2, 3)]
    assert plain["entries"][0]["change"]["kind"] == "CycleRecorded"


def test_a_dry_run_moves_nothing_and_lists_what_the_night_then_does(copied: Line, tmp_path: Path) -> None:
    words = ("cycle", "--force", "--now", "2027-03-01T02:05:00+01:00", "--json")
    before = copied.kept()
    planned = copied(*words, "--dry-run").plain
    assert copied.kept() == before
    done = copied(*words).plain
    assert done["counts"] == planned["counts"]
    assert done["last"] - done["first"] == len(planned["changes"])  # and the night's own record


def test_a_night_with_nothing_pending_is_not_due_and_exits_0(copied: Line) -> None:
    done = copied("cycle", "--now", "2026-09-19T03:00:00+02:00")
    assert done.code == 0
    assert "nothing is pending" in done.out
    assert copied("ledger", "log", "--json").plain["size"] == copied("nights", "--json").plain["nights"][-1]["last"] + 1


def test_the_automatic_gate_says_what_it_waits_for(copied: Line) -> None:
    done = copied("cycle", "--if-due", "--now", "2026-09-30T12:00:00+02:00")
    assert done.code == 0
    assert "0 of more than 5 sessions" in done.out


def test_health_tells_sizes_ages_and_what_to_do(samples: Line) -> None:
    plain = samples("health", "--json").plain
    assert plain["last_good_night"] == "2026-09-19T00:05:00.000Z"
    assert plain["notes"] > 20 and plain["tiers"]
    out = samples("health").out
    assert "Seen alive   no hook yet" in out and "the sweep 20" in out
    assert len(out.splitlines()) <= 20


def test_export_writes_graphml_that_networkx_reads(samples: Line, tmp_path: Path) -> None:
    import networkx as nx

    plain = samples("export", str(tmp_path / "out"), "--json").plain
    read = nx.read_graphml(next(path for path in plain["files"] if path.endswith(".graphml")))
    assert read.number_of_nodes() == plain["nodes"]
    assert read.number_of_edges() == plain["edges"]
