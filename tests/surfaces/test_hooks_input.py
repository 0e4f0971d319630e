"""Whatever stands on standard input, and whatever the streams are, a hook ends well (cases A02, A14)."""

from __future__ import annotations

import json
import subprocess
import time
from base64 import b64decode
from pathlib import Path

import pytest

from tests.surfaces.host import EVENTS, Host, command, context


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


BROKEN = [
    b"",
    b"{",
    b"null",
    b'\xef\xbb\xbf{"hook_event_name":"Stop"}',
    b"[]",
    b'{"hook_event_name":"Stop","session_id":null}',
    b'{"cwd":"C:\\\\Users\\\\L\xe9a"}',
    b"\x00" * 100,
    b"[" * 100_000,
    b'{"transcript_path": "\\ud800", "session_id": "\\ud800"}',
    b'{"transcript_path": "a\\u0000b", "session_id": "s"}',
]


@pytest.mark.parametrize("given", BROKEN, ids=range(len(BROKEN)))
@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionEnd", "SessionStart"])
def test_a02_broken_input_ends_well_with_its_cause_logged_and_nothing_invented(
    event: str, given: bytes, host: Host
) -> None:
    start = time.monotonic()
    assert host.run(event, given) == b""
    assert time.monotonic() - start < 2
    assert host.said() == []
    if event in ("Stop", "PreCompact"):
        assert len(host.log()) == 1
        assert event in host.log()[0]


def test_a02_the_inputs_of_the_case(host: Host, shared: Path) -> None:
    cases = json.loads((shared / "cases" / "inputs" / "a02_hook_stdin_cases.json").read_text(encoding="utf-8"))
    for number, given in enumerate(cases["cases_b64"], 1):
        assert host.run("Stop", b64decode(given)) == b""
        assert len(host.log()) == number
    assert host.said() == []


def test_a02_input_that_never_ends_is_not_waited_for(host: Host) -> None:
    start = time.monotonic()
    with subprocess.Popen(command("Stop"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=host.environ) as process:
        assert process.wait(timeout=10) == 0
        assert time.monotonic() - start < 2
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert "not closed" in host.log()[0]


@pytest.mark.parametrize(
    "locale",
    [{"PYTHONIOENCODING": "cp1252", "LANG": "C", "LC_ALL": "C"}, {"PYTHONUTF8": "0", "LC_ALL": "POSIX"}, {}],
)
def test_a14_text_is_kept_byte_for_byte_whatever_the_streams_are(locale: dict[str, str], host: Host) -> None:
    said = "Décidé : l'émoji 🧠 et « l'œuvre » restent, coût 3 €, flèche →"
    host.environ.update(locale)
    host.say(said)
    given = json.dumps(host.payload("Stop", cwd="C:\\Users\\Léa Dupré\\projet été"), ensure_ascii=False).encode()
    assert host.run("Stop", given) == b""
    assert host.said() == [said]
    assert said.encode() in next((host.home / "capture").glob("*.jsonl")).read_bytes()
    host.prepare(said)
    assert said in context(host.run("SessionStart", source="startup"))


def test_a14_a_transcript_whose_name_has_accents_under_an_ascii_locale(host: Host) -> None:
    host.environ.update({"LC_ALL": "C", "LANG": "C"})
    host.transcript = host.transcript.with_name("séance été.jsonl")
    host.say("Un.")
    given = json.dumps(host.payload("Stop"), ensure_ascii=False).encode()
    assert host.run("Stop", given) == b""
    assert host.said() == ["Un."]


def test_a14_the_input_of_the_case(host: Host, shared: Path) -> None:
    given = (shared / "cases" / "inputs" / "a14_hook_stdin_utf8.json").read_bytes()
    host.environ.update({"PYTHONIOENCODING": "cp1252", "LANG": "C"})
    for event in EVENTS:
        assert host.run(event, given) == b""
