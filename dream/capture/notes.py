"""A turn to notes: redacted, then split into sentences, then graded.

Promises that the whole text is redacted before it is split (a secret may lie across a line break), that no sentence
is dropped for its grade, and that the same turn gives the same ids whichever way it was captured.
"""

from __future__ import annotations

from dream.capture.digest import sha256
from dream.capture.prose import plain
from dream.capture.redact import redact
from dream.capture.salience import grade
from dream.capture.sentences import split


def notes_of(turn: dict[str, str], project: str, key: bytes | None = None) -> list[dict[str, object]]:
    """The notes of a turn (see transcript.read_turns), with the fields of `dream.model.note.Note`.

    Args:
        project: key of the project the turn belongs to.
        key: key of the tags that stand for secrets (`home.redact_key`); without it the tags carry none.
    """
    return clean_notes(turn, project, redact(plain(turn["text"]), key)[0])


def clean_notes(turn: dict[str, str], project: str, text: str) -> list[dict[str, object]]:
    """The notes of a turn whose prose is `text`, already without secrets: nothing is redacted twice."""
    notes: list[dict[str, object]] = []
    for index, sentence in enumerate(split(text)):
        load, signals, lang = grade(sentence, turn["role"])
        notes.append(
            {
                "id": note_id(turn["uuid"], index),
                "text": sentence,
                "at": turn["at"],
                "session": turn["session"],
                "turn": turn["uuid"],
                "index": index,
                "origin": turn["origin"],
                "load": load,
                "signals": list(signals),
                "project": project,
                "branch": turn["branch"],
                "lang": lang,
            }
        )
    return notes


def note_id(turn: str, index: int) -> str:
    """The id of a turn's sentence; equal to `model.ids.make_id("n", turn, str(index))`, which hooks may not import."""
    digest = sha256()
    for part in (turn, str(index)):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return "n-" + digest.hexdigest()[:24]
