"""Files of any size are read in bounded memory."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.lines import Lines

ROOT = Path(__file__).resolve().parents[2]


@given(st.lists(st.binary(max_size=12)), st.binary(max_size=12), st.integers(2, 8))
def test_every_byte_is_passed_once_and_overlong_lines_are_only_counted(
    bodies: list[bytes], rest: bytes, longest: int
) -> None:
    written = [body.replace(b"\n", b" ") + b"\n" for body in bodies]
    whole = b"".join(written)
    rest = rest.replace(b"\n", b" ")
    lines = Lines(io.BytesIO(whole + rest), len(whole + rest), longest)
    read = list(lines)
    assert read == [line for line in written if len(line) <= longest]
    assert lines.offset == len(whole)
    assert lines.count == len(bodies)
    assert lines.overlong == lines.count - len(read)
    assert lines.digest() == hashlib.sha256(whole).hexdigest()
    assert lines.rest == (rest if len(rest) < longest else b"")


def test_nothing_beyond_the_end_is_read() -> None:
    lines = Lines(io.BytesIO(b"one\ntwo\nthree\n"), 6)
    assert (list(lines), lines.offset, lines.rest) == ([b"one\n"], 4, b"tw")


MEASURE = """
import resource, sys, pathlib
from dream.sources.manifest import Manifest
from dream.sources.transcripts import sweep
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
root, home = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
turns = sum(1 for swept in sweep(root, Manifest(home / "manifest.json"), "2030-01-01T00:00:00Z") for _ in swept.turns)
print(turns, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="measures with getrusage")
def test_a_transcript_of_100_mb_with_a_line_of_40_mb_stays_out_of_memory(tmp_path: Path) -> None:
    turn = {"type": "assistant", "sessionId": "s", "timestamp": "2026-11-29T21:00:00.000Z", "cwd": "/x"}
    with (tmp_path / "s.jsonl").open("wb") as file:
        for n in range(6000):
            message = {"role": "assistant", "content": [{"type": "text", "text": f"Sentence {n}. " * 800}]}
            file.write(json.dumps({**turn, "uuid": f"u{n}", "message": message}).encode() + b"\n")
        file.write(b'{"type":"user","message":{"content":"' + b"x" * (40 << 20) + b'"}}\n')
    assert (tmp_path / "s.jsonl").stat().st_size > 100 << 20
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, str(tmp_path), str(tmp_path / "home")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    turns, megabytes = map(int, run.stdout.split())
    assert turns == 6000
    assert megabytes < 120
