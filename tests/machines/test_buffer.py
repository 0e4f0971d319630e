"""The buffer against a model of it: append, seal, discard, torn tails, bad lines, in any order."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from dream.capture import buffer

DAYS = ("2026-11-29", "2026-11-30")
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), min_size=1, max_size=40)


class Buffer(RuleBasedStateMachine):
    """What was acknowledged and not discarded can always be read, once, whatever else happens to the files."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.home = self._folder.name
        self.kept: dict[str, str] = {}
        self.appended: dict[str, str] = {}
        self.where: dict[str, str] = {}
        self.torn = 0
        self.number = 0

    @initialize()
    def start(self) -> None:
        assert buffer.read_today(self.home) == []

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=5), day=st.sampled_from(DAYS))
    def append(self, texts: list[str], day: str) -> None:
        notes = []
        for text in texts:
            self.number += 1
            notes.append(self._note(f"n-{self.number}", text))
        assert buffer.append(self.home, notes, day) == len(notes)
        for note in notes:
            self.kept[str(note["id"])] = self.appended[str(note["id"])] = str(note["text"])

    @rule(day=st.sampled_from(DAYS), pick=st.randoms(use_true_random=False))
    def append_again(self, day: str, pick: object) -> None:
        """A hook that crashed between buffer and cursor brings what is still there once more."""
        if self.kept:
            note_id = pick.choice(sorted(self.kept))  # type: ignore[attr-defined]
            buffer.append(self.home, [self._note(note_id, self.kept[note_id])], day)

    @rule(day=st.sampled_from(DAYS), text=TEXTS, share=st.floats(0.05, 0.95))
    def crash_in_an_append(self, day: str, text: str, share: float) -> None:
        path = self._day(day)
        if path.exists() and path.read_bytes().endswith(b"\n"):
            line = buffer._line(self._note("n-torn", text))
            with path.open("ab") as file:
                file.write(line[: max(1, int(len(line) * share) - 1)])

    @rule(day=st.sampled_from(DAYS), noise=st.binary(max_size=30))
    def something_else_writes_into_it(self, day: str, noise: bytes) -> None:
        path = self._day(day)
        if path.exists() and path.read_bytes().endswith(b"\n"):
            with path.open("ab") as file:
                file.write(noise.replace(b"\n", b"") + b"\n")

    @rule(day=st.sampled_from(DAYS))
    def a_session_ends(self, day: str) -> None:
        buffer.mark(self.home, "session-end", "s", "2026-11-30T10:00:00.000Z", day)

    @rule()
    def seal(self) -> None:
        before = {str(note["id"]) for note in buffer.read_today(self.home)}
        sealed = buffer.seal(self.home)
        assert not list((Path(self.home) / "capture").glob("*.jsonl"))
        found = {str(note["id"]) for path in sealed for note in buffer.read(path)[0]}
        assert found == before

    @rule()
    def a_night_takes_the_oldest_sealed_file(self) -> None:
        sealed = buffer.seal(self.home)
        if sealed:
            for note in buffer.read(sealed[0])[0]:
                self.kept.pop(str(note["id"]), None)
            elsewhere = {str(note["id"]) for path in sealed[1:] for note in buffer.read(path)[0]}
            self.kept.update({note_id: self.appended[note_id] for note_id in elsewhere if note_id in self.appended})
            buffer.discard(sealed[0])

    @invariant()
    def everything_kept_is_read_once_and_whole(self) -> None:
        notes = buffer.read_today(self.home)
        found = {str(note["id"]): note["text"] for note in notes if note["id"] != "n-torn"}
        assert len(found) == sum(note["id"] != "n-torn" for note in notes)
        assert found == self.kept

    def teardown(self) -> None:
        self._folder.cleanup()

    def _day(self, day: str) -> Path:
        return Path(self.home) / "capture" / f"{day}.jsonl"

    @staticmethod
    def _note(note_id: str, text: str) -> dict[str, object]:
        place: dict[str, object] = {"session": "s", "turn": "u", "index": 0, "project": "p", "branch": ""}
        said = {"at": "2026-11-30T10:00:00.000Z", "origin": "user", "load": 1, "signals": [], "lang": ""}
        return {"id": note_id, "text": text, **place, **said}


TestBuffer = Buffer.TestCase
TestBuffer.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
