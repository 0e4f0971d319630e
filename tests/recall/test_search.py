"""What search promises: nothing outdated above what is current, nothing of another project, whole without a signal."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import pytest

from dream.errors import ModelUnavailable
from dream.model.graph import NodeKind, NodeStatus
from dream.model.hit import Query


def texts(memory: Any, text: str, **more: Any) -> list[str]:
    return [hit.text for hit in memory.search().search(Query(text, **more)).hits]


def test_a_note_is_found_before_any_night(memory: Any) -> None:
    memory.note("The staging database listens on port 5433.")
    assert texts(memory, "which port for the staging database?") == ["The staging database listens on port 5433."]


def test_a_note_of_the_unsealed_buffer_is_found(memory: Any) -> None:
    said = memory.note("On passe à pnpm ce matin.")
    del memory.store.state.notes[said.id]
    answer = memory.search(today=lambda: [said]).search(Query("pnpm", projects=("p1",)))
    assert [hit.id for hit in answer.hits] == [said.id]
    assert memory.search(today=lambda: [said]).search(Query("pnpm", projects=("p2",))).hits == ()


def test_a_note_that_a_returned_node_cites_becomes_its_source(memory: Any) -> None:
    first = memory.note("We cache the list for five minutes.")
    again = memory.note("The list cache is five minutes, remember.")
    node = memory.node("The list is cached for five minutes.", first, again)
    hits = memory.search().search(Query("how long is the list cached?")).hits
    assert [hit.id for hit in hits] == [node.id]
    assert {note.id for note in hits[0].sources} == {first.id, again.id}


def test_a_node_is_found_in_the_other_language_of_its_notes(memory: Any) -> None:
    french = memory.note("Les montants sont stockés en centimes.")
    node = memory.node("Money is kept in minor units.", memory.note("Money is kept in minor units."), french)
    hit = memory.search().search(Query("stocker les montants en centimes")).hits[0]
    assert (hit.id, hit.sources[0].id) == (node.id, french.id)


def test_e12_the_current_fact_stands_where_the_outdated_one_would(memory: Any) -> None:
    memory.supersede("Metrics are served on port 9464.", "The metrics port moved to 9465.", "2026-02-01")
    hits = memory.search().search(Query("port where metrics are served")).hits
    assert hits[0].text == "The metrics port moved to 9465."
    assert all(hit.status is NodeStatus.CURRENT for hit in hits)
    stale = [hit for hit in hits if "9464" in hit.text]
    assert all(hit.stale and hit.superseded_by == hits[0].id for hit in stale)


def test_outdated_facts_come_back_when_history_is_asked_for(memory: Any) -> None:
    old, new = memory.supersede("The port is 9464.", "The port is 9465.", "2026-02-01")
    hits = memory.search().search(Query("port", history=True)).hits
    assert {old.id, new.id} <= {hit.id for hit in hits}


def test_a_note_that_a_current_node_also_cites_is_not_stale(memory: Any) -> None:
    both = memory.note("We left Express for Fastify.")
    memory.node("The gateway runs on Fastify.", both)
    memory.node("The gateway runs on Express.", both, status=NodeStatus.SUPERSEDED)
    hits = memory.search().search(Query("Express Fastify")).hits
    assert not any(hit.stale for hit in hits)


def test_e04_as_of_a_date_answers_what_was_true_then(memory: Any) -> None:
    jan = memory.note("The limit is 100 a minute.", at="2026-01-01T09:00:00.000Z")
    mar = memory.note("The limit is 200 a minute.", at="2026-03-01T09:00:00.000Z")
    new = memory.node("The limit is 200 a minute.", mar, valid_from="2026-03-01")
    old = memory.node(
        "The limit is 100 a minute.", jan, valid_from="2026-01-01", valid_to="2026-03-01",
        status=NodeStatus.SUPERSEDED, superseded_by=new.id,
    )  # fmt: skip
    assert [hit.id for hit in memory.search().search(Query("limit", as_of="2026-02-01")).hits] == [old.id]
    assert [hit.id for hit in memory.search().search(Query("limit", as_of="2026-03-01")).hits] == [new.id]
    assert memory.search().search(Query("limit", as_of="2025-12-31")).hits == ()


def test_a19_nothing_of_one_project_surfaces_in_another(memory: Any) -> None:
    memory.node("Alpha deploys on Thursday.", project="alpha")
    memory.node("Beta deploys on Monday.", project="beta")
    everywhere = memory.node("Deploys are announced in the channel.", project="")
    found = texts(memory, "deploys", projects=("beta",))
    assert set(found) == {"Beta deploys on Monday.", everywhere.text}


def test_a19_a_store_that_hands_back_another_project_is_not_trusted(memory: Any) -> None:
    memory.node("Alpha deploys on Thursday.", project="alpha")
    match = memory.store.match
    memory.store.match = lambda text, k, projects=None: match(text, k, None)
    assert texts(memory, "deploys", projects=("beta",)) == []


def test_a19_a_successor_of_another_project_is_not_pulled_in(memory: Any) -> None:
    new = memory.node("Port is 2.", project="alpha")
    memory.node("Port is 1.", project="beta", status=NodeStatus.SUPERSEDED, superseded_by=new.id)
    assert all("2" not in text for text in texts(memory, "port", projects=("beta",)))


def test_kinds_leave_only_nodes_of_them(memory: Any) -> None:
    memory.node("Release on Friday was chosen.", kind=NodeKind.DECISION)
    memory.node("Release notes are long.", kind=NodeKind.FACT)
    memory.note("Release is near.")
    assert texts(memory, "release", kinds=(NodeKind.DECISION,)) == ["Release on Friday was chosen."]


def test_absent_signals_are_named_and_the_answer_is_complete(memory: Any) -> None:
    memory.note("The build is green.")
    answer = memory.search().search(Query("build"))
    assert answer.hits
    assert [each.split(":")[0] for each in answer.degraded] == ["dense", "activation", "rerank"]


class _Away:
    model, dimension = "away", 2

    def embed(self, texts: Any) -> list[list[float]]:
        raise ModelUnavailable("The embedder is not there yet.")

    def nearest(self, *_: Any) -> dict[str, float]:
        return {}

    def cosines(self, *_: Any) -> dict[str, float]:
        return {}

    def scores(self, *_: Any) -> list[float]:
        raise ModelUnavailable("The reranker hangs.")


def test_a_model_that_fails_costs_its_signal_only(memory: Any) -> None:
    memory.note("The build is green.")
    answer = memory.search(embedder=_Away(), vectors=_Away(), reranker=_Away()).search(Query("build"))
    assert answer.hits
    assert "dense: The embedder is not there yet." in answer.degraded
    assert "rerank: The reranker hangs." in answer.degraded


@pytest.mark.parametrize("text", ["c'est quoi", "", "   ", "🧠", '"', "NEAR(", "OR NOT"])
def test_e14_a_query_without_a_word_answers_nothing_and_does_not_raise(memory: Any, text: str) -> None:
    memory.note("On garde Postgres.")
    assert memory.search().search(Query(text)).hits == ()


def test_five_hits_are_not_one_fact_five_times(memory: Any) -> None:
    for day in range(1, 8):
        memory.note("The deploy of the gateway failed again.", at=f"2026-01-0{day}T10:00:00.000Z", session=f"s{day}")
    memory.note("The gateway deploy needs a token from Léa.", session="s9")
    assert "The gateway deploy needs a token from Léa." in texts(memory, "gateway deploy failed", k=3)


def test_the_turn_beside_the_matching_one_is_found(memory: Any) -> None:
    memory.note("Which framework should the gateway use?")
    reply = memory.note("Fastify, decided.")
    for other in range(6):
        memory.note(f"Unrelated remark number {other}.", session="s2")
    assert reply.text in texts(memory, "gateway framework")


def test_the_signals_add_up_to_the_score(memory: Any) -> None:
    memory.supersede("The port is 9464.", "The exporter is on 9465.", "2026-02-01")
    for hit in memory.search().search(Query("port exporter", asked_at="2026-03-01T00:00:00.000Z")).hits:
        assert sum(share for _, share in hit.signals) == pytest.approx(hit.score)


def test_dream_off_answers_from_notes_alone(memory: Any) -> None:
    memory.node("The port is 9465.")
    hits = memory.search().search(Query("port", nodes=False)).hits
    assert hits and all(hit.id.startswith("n-") for hit in hits)


def test_a_chain_of_replacements_leads_to_its_end_and_a_loop_ends(memory: Any) -> None:
    third = memory.node("Node version 22 is used.")
    second = memory.node("Node 20 is used.", status=NodeStatus.SUPERSEDED, superseded_by=third.id)
    memory.node("Node version 18 was installed.", status=NodeStatus.SUPERSEDED, superseded_by=second.id)
    assert texts(memory, "which node version")[0] == "Node version 22 is used."
    memory.store.state.nodes[third.id] = dataclasses.replace(
        third, status=NodeStatus.SUPERSEDED, superseded_by=second.id
    )
    memory.search().search(Query("which node version"))


def test_a_successor_that_does_not_fit_the_question_replaces_nothing(memory: Any) -> None:
    """What a night wrongly took for a new value of an old fact must not hide the old one."""
    memory.supersede("Wolves live in the northern forest.", "We painted the kitchen yellow.", "2026-02-01")
    hits = memory.search().search(Query("where do the wolves live in the forest")).hits
    assert hits[0].text == "Wolves live in the northern forest."


def test_d15_a_reranker_that_hangs_costs_its_signal_and_no_more_than_two_seconds(memory: Any) -> None:
    class Hanging:
        def scores(self, query: str, texts: Any) -> list[float]:
            time.sleep(30)
            return [1.0] * len(texts)

    memory.note("The build is green.")
    began = time.monotonic()
    answer = memory.search(reranker=Hanging()).search(Query("build"))
    assert time.monotonic() - began < 2.5
    assert answer.hits and any("no answer within" in each for each in answer.degraded)


def test_a_reranker_reorders_what_the_other_signals_found(memory: Any) -> None:
    class Prefers:
        def scores(self, query: str, texts: Any) -> list[float]:
            return [1.0 if "blue" in text else 0.0 for text in texts]

    memory.note("The door is red.")
    memory.note("The door is blue.", session="s2")
    assert memory.search(reranker=Prefers()).search(Query("door")).hits[0].text == "The door is blue."
    unranked = memory.search(reranker=Prefers()).search(Query("door", rerank=False))
    assert not any(name == "rerank" for hit in unranked.hits for name, _ in hit.signals)


@pytest.mark.parametrize("text", ["how tall is mount Everest", "recette des crêpes bretonnes", "capital of Mongolia"])
def test_a_question_that_memory_knows_nothing_about_is_not_answered(memory: Any, text: str) -> None:
    for number in range(30):
        memory.note(f"Service {number} of the gateway listens on port {9000 + number}.", session=f"s{number % 5}")
    answer = memory.search().search(Query(text))
    assert answer.hits == ()


def test_a_successor_of_another_subject_makes_nothing_outdated(memory: Any) -> None:
    memory.supersede(
        "Wolves, bears, foxes and lynxes live high up in the northern forest.",
        "We painted the old forest mural in the kitchen of the sailing club bright yellow.",
        "2026-02-01",
    )
    hits = memory.search().search(Query("forest")).hits
    assert not any(hit.stale for hit in hits)


def test_vectors_that_hold_nothing_are_told_and_meaning_leaves_the_sum(memory: Any) -> None:
    """So are those of a form that is no longer read: they look like none, and used to be ranked without a word."""

    class Empty:
        def nearest(self, vector: Any, k: int, projects: Any = None) -> dict[str, float]:
            return {}

        def cosines(self, vector: Any, ids: Any) -> dict[str, float]:
            return {}

    class Some:
        model, dimension = "some", 2

        def embed(self, texts: Any) -> list[list[float]]:
            return [[1.0, 0.0] for _ in texts]

    memory.note("The gateway listens on port 8443.")
    answer = memory.search(vectors=Empty(), embedder=Some()).search(Query("gateway port"))
    assert [each for each in answer.degraded if each.startswith("dense: nothing here has a vector yet")]
    assert answer.hits and all(name != "dense" for name, _ in answer.hits[0].signals)
