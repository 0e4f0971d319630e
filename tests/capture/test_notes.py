"""A turn to notes: redacted first, split, graded, with ids that the rest of the house makes alike."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.capture.notes import note_id, notes_of
from dream.model.ids import make_id
from dream.model.note import Note, Origin

SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4" + "yZ7bC0eF3hI6"


def turn(text: str, role: str = "user") -> dict[str, str]:
    place = {
        "uuid": "u-1",
        "parent": "",
        "at": "2026-11-29T21:00:00.000Z",
        "session": "s-1",
        "cwd": "/p",
        "branch": "main",
    }
    return {**place, "role": role, "origin": role, "text": text}


def test_every_sentence_is_a_note_with_exactly_the_fields_of_the_model() -> None:
    notes = notes_of(turn("Non, le port est 9465. ok"), "p-1")
    assert [note["text"] for note in notes] == ["Non, le port est 9465.", "ok"]
    assert [note["index"] for note in notes] == [0, 1]
    for note in notes:
        assert set(note) == {field.name for field in fields(Note)}
        assert (note["session"], note["turn"], note["project"], note["branch"]) == ("s-1", "u-1", "p-1", "main")
        assert Origin(str(note["origin"])) is Origin.USER
        assert isinstance(note["load"], int)


@given(st.text(max_size=60), st.integers(0, 10_000))
def test_an_id_is_the_one_the_model_makes(uuid: str, index: int) -> None:
    assert note_id(uuid, index) == make_id("n", uuid, str(index))


@pytest.mark.parametrize(
    "text",
    [
        f"La clé est {SECRET}. Garde-la.",
        f"La clé est {SECRET[:12]}\x1b[0m{SECRET[12:]}. Garde-la.",
        f"La clé est **{SECRET}**. Garde-la.",
        f"La clé est {SECRET[:9]}**{SECRET[9:]}**. Garde-la.",
        f"La clé est {SECRET[:9]}\u200b{SECRET[9:]}. Garde-la.",
        f"- {SECRET}\n- Garde-la.",
    ],
)
def test_a_secret_is_gone_before_the_text_is_split_also_where_marks_run_through_it(text: str) -> None:
    said = " ".join(str(note["text"]) for note in notes_of(turn(text), "p"))
    assert SECRET not in said
    assert SECRET[4:24] not in said
    assert "[redacted:" in said
    assert "Garde-la." in said


def test_a_key_over_several_lines_is_gone_whole() -> None:
    body = "b3BlbnNzaC1kZXYtc2FtcGxl" * 3
    name = "OPENSSH PRIVATE " + "KEY"
    text = f"Voici :\n-----BEGIN {name}-----\n{body}\n{body}\n-----END {name}-----\nMerci."
    said = " ".join(str(note["text"]) for note in notes_of(turn(text), "p"))
    assert body[:20] not in said
    assert "Merci." in said


def test_the_grade_never_drops_a_note() -> None:
    assert len(notes_of(turn("ok. ok. ok. merci. salut.", "assistant"), "p")) == 5


def test_the_same_turn_gives_the_same_notes_every_time() -> None:
    assert notes_of(turn(f"Un. Deux {SECRET}."), "p", b"k" * 32) == notes_of(
        turn(f"Un. Deux {SECRET}."), "p", b"k" * 32
    )
