"""Vectors follow the log."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from dream.adapters.vector_matrix import MatrixVectors
from dream.model import change as c
from dream.model.hit import Query
from dream.recall.vectors import follow

AT = "2026-01-12T08:00:00.000Z"


class Letters:
    """A toy embedder: how often a text holds each of eight letters."""

    model, dimension = "letters", 8

    def embed(self, texts: Any) -> list[list[float]]:
        made = [[float(text.lower().count(letter)) for letter in "aeioustn"] for text in texts]
        return [[each / (sum(v * v for v in vector) ** 0.5 or 1.0) for each in vector] for vector in made]


def entries(*changes: c.Change) -> list[c.Entry]:
    return [c.Entry(seq, "log", AT, "", change) for seq, change in enumerate(changes)]


def test_notes_and_nodes_are_embedded_once_and_what_went_is_taken_out(memory: Any, tmp_path: Path) -> None:
    index = MatrixVectors(tmp_path / "v", "letters")
    one, two = memory.note("an apple"), memory.note("a stone")
    node, other = memory.node("an apple", one), memory.node("a stone", two)
    told = entries(c.NotesAdded("s1", (one, two)), c.NodeAdded(node), c.NodeAdded(other))
    assert follow(told, Letters(), index) == 4
    assert follow(told, Letters(), index) == 0
    assert index.watermark() == 3
    revised = dataclasses.replace(node, evidence_at="2026-02-01T00:00:00.000Z")
    later = entries(
        c.NodeRevised(node, revised), c.NodesMerged(revised, other, revised), c.NodeForgotten(node.id, (one.id,))
    )
    told += [dataclasses.replace(each, seq=each.seq + 3) for each in later]
    follow(told, Letters(), index)
    assert set(index.nearest(Letters().embed(["apple"])[0], 9)) == {two.id}


def test_a_text_with_none_of_the_questions_words_is_found_by_meaning(memory: Any, tmp_path: Path) -> None:
    index = MatrixVectors(tmp_path / "v", "letters")
    near, far = memory.note("aeiou aeiou"), memory.note("stn stn", session="s2")
    follow(entries(c.NotesAdded("s1", (near, far))), Letters(), index)
    answer = memory.search(embedder=Letters(), vectors=index).search(Query("oieau"))
    assert answer.hits[0].id == near.id
    assert not any(each.startswith("dense") for each in answer.degraded)


def test_a_vector_of_a_forgotten_text_finds_nothing(memory: Any, tmp_path: Path) -> None:
    index = MatrixVectors(tmp_path / "v", "letters")
    note = memory.note("aeiou")
    follow(entries(c.NotesAdded("s1", (note,))), Letters(), index)
    memory.store.state.notes.clear()
    assert memory.search(embedder=Letters(), vectors=index).search(Query("aeiou")).hits == ()


def test_a_text_that_was_cleaned_has_the_vector_of_what_is_left(memory: Any, tmp_path: Path) -> None:
    index = MatrixVectors(tmp_path / "v", "letters")
    said = memory.note("aaaa")
    node = memory.node("aaaa", said)
    follow(entries(c.NotesAdded("s1", (said,)), c.NodeAdded(node)), Letters(), index)
    after, fresh = dataclasses.replace(node, text="eeee"), dataclasses.replace(said, text="eeee")
    told = (c.NodeRevised(node, after), c.NodeForgotten("", (said.id,), (node.id,)), c.NotesAdded("s1", (fresh,)))
    follow([dataclasses.replace(each, seq=each.seq + 2) for each in entries(*told)], Letters(), index)
    assert set(index.nearest(Letters().embed(["eeee"])[0], 9)) == {said.id, node.id}
    assert max(index.nearest(Letters().embed(["aaaa"])[0], 9).values()) < 0.1
