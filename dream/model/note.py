"""A note: one redacted sentence, where it came from, and how much load it carries."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Origin(StrEnum):
    """Who a sentence comes from; earlier members are trusted more."""

    USER = "user"
    ASSISTANT = "assistant"
    FILE = "file"
    TOOL_RESULT = "tool_result"
    WEB = "web"


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence of prose, as the buffer and the ledger hold it.

    Attributes:
        id: `n-…`, from the turn and the sentence's place in it: the same whichever way it was captured.
        text: the redacted sentence.
        at: when it was said, an instant in UTC (`2026-01-12T08:18:53.613Z`).
        session: the client's session id.
        turn: uuid of the transcript message.
        index: place of the sentence in its turn, from 0.
        origin: who said it.
        load: grade in whole hundredths; 0 is chatter, what is judged at night starts at `salience.JUDGED`.
        signals: why it was graded so (`decision`, `correction`, `question`, …), see docs/glossary.md.
        project: key of the project it was said in.
        branch: git branch, or "" outside git.
        lang: `fr`, `en`, or "" where the sentence does not tell.
    """

    id: str
    text: str
    at: str
    session: str
    turn: str
    index: int
    origin: Origin
    load: int
    signals: tuple[str, ...]
    project: str
    branch: str = ""
    lang: str = ""


def as_note(plain: dict[str, Any]) -> Note:
    """A captured note as a value; an origin this version does not know is trusted least."""
    fields = {name: plain[name] for name in Note.__dataclass_fields__ if name in plain}
    origin = plain["origin"] if plain["origin"] in set(Origin) else Origin.WEB
    return Note(**{**fields, "origin": Origin(origin), "signals": tuple(plain["signals"])})
