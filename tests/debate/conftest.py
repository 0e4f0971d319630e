"""The real reader of frames, and notes of a conversation made short to write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dream.adapters.snowball import SnowballAnalyser
from dream.capture.salience import grade
from dream.debate.frames import FrameReader
from dream.debate.lexicon import Lexicon
from dream.model.ids import make_id
from dream.model.note import Note, Origin

Say = Callable[..., Note]


@pytest.fixture(scope="session")
def reader() -> FrameReader:
    analyser = SnowballAnalyser()

    def stem(word: str) -> str:
        terms = analyser.terms(word)
        return terms[0] if terms else ""

    return FrameReader(stem, Lexicon.packaged(stem))


@pytest.fixture
def say() -> Say:
    """A note as capture makes it: `say(text, turn=…, index=…, role=…, at=…)`."""
    count = 0

    def make(
        text: str, turn: str = "", index: int = 0, role: str = "user", at: str = "2026-03-10T09:00:00.000Z"
    ) -> Note:
        nonlocal count
        count += 1
        turn = turn or f"turn-{count}"
        load, signals, lang = grade(text, role)
        return Note(
            id=make_id("n", turn, str(index)),
            text=text,
            at=at,
            session="session-1",
            turn=turn,
            index=index,
            origin=Origin(role),
            load=load,
            signals=tuple(signals),
            project="kiln-1a2b3c4d",
            lang=lang,
        )

    return make
