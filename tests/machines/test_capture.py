"""Hooks fire, are skipped, die and repeat; the file grows, is cut, is replaced; nights sweep, or stop half way.

At the end each turn's notes are there exactly once, whichever way they came.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from dream.capture import buffer, cursor
from dream.capture.catch import capture
from dream.sources.manifest import Manifest
from dream.sources.report import SweepReport
from dream.sources.transcripts import notes, sweep

SESSION = "0c3c697a-0000-4000-8000-000000000001"
LATER = "2027-01-01T00:00:00.000Z"
HOOK_TIME = 1_796_000_000.0


class Capture(RuleBasedStateMachine):
    """One transcript, its hooks, and the nights that sweep it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        self.home, self.root = root / "home", root / "projects"
        self.path = self.root / "p" / f"{SESSION}.jsonl"
        self.path.parent.mkdir(parents=True)
        self.path.write_bytes(b"")
        self.counter = 0
        self.tick = 1_795_000_000
        self.written: dict[str, str] = {}  # uuid → sentence, of every turn that ever was in the file
        self.tree: list[tuple[str, str]] = []  # (uuid, parent) of the turns that are in the file now
        self.half = b""  # what is missing of a line the client is writing
        self.memory: dict[str, str] = {}  # note id → sentence

    def teardown(self) -> None:
        try:
            self.finish_line()
            self.whole_night()
            self.agree()
        finally:
            self.folder.cleanup()

    def agree(self) -> None:
        """What memory holds is what the file says, and what it said before it was cut or replaced, once each."""
        live = {self.written[uuid] for uuid, _ in self.tree} - {self.written[uuid] for uuid in self.dead()}
        held = list(self.memory.values())
        assert len(held) == len(set(held)), "a sentence has two ids"
        assert live <= set(held), "a turn was lost"
        assert set(held) <= set(self.written.values()), "a sentence was never said"
        assert not {self.written[uuid] for uuid in self.dead()} & set(held), "a dead branch is remembered"

    def dead(self) -> set[str]:
        """By the definition (every turn here is a prompt): what stands below a prompt that has a later sibling, unless
        the user went on below it after that sibling."""
        place = {uuid: n for n, (uuid, _) in enumerate(self.tree)}
        parents = dict(self.tree)

        def is_below(uuid: str, top: str) -> bool:
            while uuid and uuid != top:
                uuid = parents.get(uuid, "")
            return uuid == top

        dead: set[str] = set()
        for top, parent in self.tree:
            later = [n for uuid, n in place.items() if parent and parents[uuid] == parent and n > place[top]]
            branch = [uuid for uuid in place if is_below(uuid, top)]
            if later and not any(place[uuid] > later[0] for uuid in branch):
                dead.update(branch)
        return dead

    def new_line(self, parent: str) -> bytes:
        self.counter += 1
        uuid, sentence = f"u{self.counter}", f"Turn number {self.counter} was said."
        self.written[uuid] = sentence
        self.tree.append((uuid, parent))
        record = {
            "type": "user",
            "uuid": uuid,
            "parentUuid": parent or None,
            "sessionId": SESSION,
            "cwd": "/home/nobody-here/outil",
            "timestamp": f"2026-11-29T21:{self.counter // 60 % 60:02d}:{self.counter % 60:02d}.000Z",
            "message": {"role": "user", "content": sentence},
        }
        return json.dumps(record).encode() + b"\n"

    def tip(self) -> str:
        return self.tree[-1][0] if self.tree else ""

    def put(self, content: bytes) -> None:
        """Replace the file's content; its time moves on as a clock does."""
        self.path.write_bytes(content)
        self.tick += 1
        os.utime(self.path, (self.tick, self.tick))

    @rule(lines=st.integers(1, 4))
    def grow(self, lines: int) -> None:
        self.finish_line()
        for _ in range(lines):
            self.put(self.path.read_bytes() + self.new_line(self.tip()))

    @rule(part=st.integers(1, 150))
    def write_half_a_line(self, part: int) -> None:
        self.finish_line()
        line = self.new_line(self.tip())
        self.put(self.path.read_bytes() + line[:part])
        self.half = line[part:]

    @rule()
    def finish_line(self) -> None:
        if self.half:
            self.put(self.path.read_bytes() + self.half)
            self.half = b""

    @precondition(lambda self: len(self.tree) > 1)
    @rule(back=st.integers(1, 5))
    def go_on_from_an_earlier_turn(self, back: int) -> None:
        """A prompt said anew (`back` 2), or a session that is open twice."""
        self.finish_line()
        parent = self.tree[-min(back, len(self.tree))][0]
        self.put(self.path.read_bytes() + self.new_line(parent))

    @precondition(lambda self: self.tree)
    @rule(data=st.data())
    def cut(self, data: st.DataObject) -> None:
        self.finish_line()
        kept = data.draw(st.integers(0, len(self.tree) - 1))
        lines = self.path.read_bytes().splitlines(keepends=True)
        self.tree = self.tree[:kept]
        self.put(b"".join(lines[:kept]))

    @rule(lines=st.integers(0, 4))
    def replace(self, lines: int) -> None:
        """Another file of the same name, as a restored backup or a rewritten session would be."""
        self.half = b""
        self.tree = []
        self.put(b"".join(self.new_line(self.tip()) for _ in range(lines)))

    @rule()
    def hook(self) -> None:
        capture(str(self.home), str(self.path), SESSION, "", HOOK_TIME)

    @rule()
    def hook_that_dies_before_its_cursor_is_saved(self) -> None:
        place = Path(cursor.path_of(str(self.home), str(self.path)))
        before = place.read_bytes() if place.exists() else None
        self.hook()
        if before is None:
            place.unlink(missing_ok=True)
        else:
            place.write_bytes(before)

    @rule()
    def lose_the_manifest(self) -> None:
        for file in self.manifest_path().parent.glob("manifest*"):
            file.write_bytes(b"\0")

    @rule()
    def night_that_stops_before_it_marks(self) -> None:
        manifest = Manifest(self.manifest_path())
        for swept in sweep(self.root, manifest, LATER):
            self.remember(list(notes(swept)))
            self.forget(swept.dead)

    @rule()
    def whole_night(self) -> None:
        for sealed in buffer.seal(str(self.home)):
            found, bad = buffer.read(sealed)
            assert not bad
            self.remember(found)
            buffer.discard(sealed)
        manifest, report = Manifest(self.manifest_path()), SweepReport()
        for swept in sweep(self.root, manifest, LATER, report=report):
            self.remember(list(notes(swept)))
            manifest.record(swept.path, swept.mark)
        self.forget(report.dead_turns())
        manifest.save()

    def remember(self, found: list[dict[str, object]]) -> None:
        for note in found:
            self.memory[str(note["id"])] = str(note["text"])

    def forget(self, dead: frozenset[str]) -> None:
        gone = {self.written[uuid] for uuid in dead}
        self.memory = {key: text for key, text in self.memory.items() if text not in gone}

    def manifest_path(self) -> Path:
        return self.home / "processed" / "manifest.json"


Capture.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestCapture = Capture.TestCase
