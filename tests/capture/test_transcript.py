"""Transcript lines to turns: only what the user and the assistant said (cases A17, E06)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dream.capture.transcript import new_report, read_turns, warning

AT = "2026-11-29T21:00:00.000Z"


def line(kind: str, content: object, **more: object) -> bytes:
    record = {"type": kind, "uuid": "u-1", "sessionId": "s-1", "cwd": "/p", "timestamp": AT, "gitBranch": "main"}
    return json.dumps({**record, "message": {"role": kind, "content": content}, **more}, ensure_ascii=False).encode()


def read(*lines: bytes) -> tuple[list[dict[str, str]], dict[str, Any]]:
    report: dict[str, Any] = new_report()
    return list(read_turns(lines, report)), report


def texts(*lines: bytes) -> list[str]:
    return [turn["text"] for turn in read(*lines)[0]]


def test_a_turn_carries_its_own_time_place_and_speaker() -> None:
    raw = line("user", "On garde SQLite.", timestamp="2026-11-29T22:00:00.5+01:00", parentUuid="u-0")
    assert read(raw)[0] == [
        {
            "uuid": "u-1",
            "parent": "u-0",
            "at": "2026-11-29T21:00:00.500Z",
            "role": "user",
            "origin": "user",
            "text": "On garde SQLite.",
            "session": "s-1",
            "cwd": "/p",
            "branch": "main",
        }
    ]


@pytest.mark.parametrize(
    "raw",
    [
        line("user", "x", isMeta=True),
        line("user", "x", isCompactSummary=True),
        line("user", "x", isVisibleInTranscriptOnly=True),
        line("user", "x", isSidechain=True),
        line("assistant", "x", isSidechain=True),
        line("user", "x", agentId="a1"),
        line("user", "x", origin={"kind": "task-notification"}),
        line("user", "x", promptSource="system"),
        line("user", "x", toolUseResult={"stdout": "x"}),
        line("user", [{"type": "tool_result", "content": "x"}, {"type": "text", "text": "y"}]),
        line("user", [{"type": "image", "source": {}}]),
        line("user", "<local-command-caveat>x</local-command-caveat>"),
        line("user", "<command-name>/compact</command-name>\n<command-args>x</command-args>"),
        line("user", "<command-message>x</command-message>"),
        line("user", "<local-command-stdout>x</local-command-stdout>"),
        line("user", "<bash-input>ls</bash-input>"),
        line("user", "<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"),
        line("user", "<task-notification>\n<task-id>1</task-id>\n</task-notification>"),
        line("user", "<system-reminder>\nx\n</system-reminder>"),
        line("user", "[Request interrupted by user for tool use]"),
        line("user", "This session is being continued from a previous conversation that ran out of context. x"),
        line("assistant", [{"type": "thinking", "thinking": "x"}]),
        line("assistant", [{"type": "tool_use", "name": "Bash", "input": {"command": "x"}}]),
        line("assistant", [{"type": "text", "text": "x"}], isApiErrorMessage=True),
        line("assistant", "(no content)"),
        json.dumps({"type": "assistant", "message": {"model": "<synthetic>", "content": "x"}}).encode(),
        json.dumps(
            {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["x"]}}
        ).encode(),
        json.dumps({"type": "api-request-blob", "message": {"role": "user", "content": "x"}}).encode(),
        json.dumps({"type": "queue-operation", "operation": "enqueue", "content": "x"}).encode(),
        json.dumps({"type": "system", "subtype": "local_command", "content": "x"}).encode(),
    ],
)
def test_what_is_not_theirs_is_left_out_and_counted(raw: bytes) -> None:
    turns, report = read(raw)
    assert turns == []
    assert sum(report["skipped"].values()) == 1
    assert report["unknown"] == {}


def test_e06_our_own_injected_context_is_never_read_back() -> None:
    raw = line("user", "<dream-context>\n- Le cycle part à 02:05 (n1)\n</dream-context>\nBonjour")
    assert texts(raw) == ["Bonjour"]
    assert texts(line("user", "Bonjour\n<dream-context>\n- never closed")) == ["Bonjour"]


def test_speaking_about_a_tag_is_not_the_tag() -> None:
    said = "La balise <dream-context> entoure l'index, et <system-reminder> vient du client."
    assert texts(line("user", said)) == [said]


def test_a_reminder_inside_a_message_is_cut_out_of_it() -> None:
    raw = line("user", "Avant.\n<system-reminder>\nnot mine\n</system-reminder>\nAprès.")
    assert [part for part in texts(raw)[0].split("\n") if part] == ["Avant.", "Après."]


def test_the_blocks_of_a_message_are_one_turn() -> None:
    raw = line("assistant", [{"type": "text", "text": "Un."}, {"type": "tool_use"}, {"type": "text", "text": "Deux."}])
    assert texts(raw) == ["Un.\n\nDeux."]


def test_a17_a_damaged_transcript_gives_all_that_is_whole() -> None:
    lines = [
        line("user", "On garde SQLite pour les métadonnées."),
        b'{"type":"user","uuid":',
        b"\0\0\0",
        line("assistant", [{"type": "thinking", "thinking": "secret"}, {"type": "text", "text": "D'accord, SQLite."}]),
        line("user", [{"type": "tool_result", "content": "a" * 200_000}]),
        line("assistant", "sous-agent", isSidechain=True),
        b'{"type": "brand-new-kind-2027", "payload": 1}',
        b"[1, 2]",
        line("user", "Non, pas 02:00 : le cycle part à 02:05.").replace(b"pas", b"\0pas"),
    ]
    turns, report = read(*lines)
    assert [turn["text"] for turn in turns] == [
        "On garde SQLite pour les métadonnées.",
        "D'accord, SQLite.",
        "Non, pas 02:00 : le cycle part à 02:05.",
    ]
    assert report["malformed"] == 2
    assert report["unknown"] == {"brand-new-kind-2027": 1}
    assert warning(report).count("\n") == 0
    assert "2 malformed" in warning(report)
    assert "brand-new-kind-2027 (1)" in warning(report)
    assert "brand-new-kind-2027" not in warning(report, ["brand-new-kind-2027"])


def test_a17_the_file_of_the_case(shared: Path) -> None:
    with (shared / "cases" / "inputs" / "a17_transcript_damaged.jsonl").open("rb") as file:
        whole = [raw for raw in file if raw.endswith(b"\n")]
    turns, _ = read(*whole)
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]


def test_bad_utf8_lone_surrogates_and_control_characters_do_not_lose_a_line() -> None:
    assert texts(line("user", "caf\xe9").replace("é".encode(), b"\xe9")) == ["caf\ufffd"]
    pair = line("user", "SURROGATE").replace(b"SURROGATE", rb"\ud83e\udde0 et \ud83e seul")
    assert texts(pair) == ["🧠 et \ufffd seul"]
    assert texts(line("user", "TAB").replace(b"TAB", b"a\tb")) == ["a\tb"]


def test_a_byte_order_mark_and_blank_lines_are_nothing() -> None:
    turns, report = read(b"\xef\xbb\xbf" + line("user", "Un."), b"", b"  \r\n")
    assert [turn["text"] for turn in turns] == ["Un."]
    assert report["malformed"] == 0


def test_a_line_without_uuid_gets_the_same_one_every_time() -> None:
    first = read(line("user", "Un.", uuid=None) + b"\n")[0][0]["uuid"]
    assert first == read(line("user", "Un.", uuid=None))[0][0]["uuid"]
    assert first != read(line("user", "Un.", uuid=None, sessionId="s-2"))[0][0]["uuid"]
    assert first != read(line("user", "Deux.", uuid=None))[0][0]["uuid"]


def test_a_line_without_time_or_folder_has_those_of_the_line_before() -> None:
    turns, report = read(line("user", "Un."), line("user", "Deux.", timestamp="soon", cwd=None))
    assert (turns[1]["at"], turns[1]["cwd"]) == (AT, "/p")
    assert report["untimed"] == 1


def test_every_kind_of_line_the_client_wrote_is_known(shared: Path) -> None:
    expected = {
        "user / string",
        "user / string / origin:human",
        "assistant / text",
    }
    for version in ("2.1.332", "2.1.197"):
        samples = shared / "samples" / "claude" / "transcripts" / f"line-types-{version}.jsonl"
        for row in samples.read_text(encoding="utf-8").splitlines():
            sample = json.loads(row)
            turns, report = read(json.dumps(sample["line"]).encode())
            assert bool(turns) == (sample["kind"] in expected), sample["kind"]
            assert not report["unknown"], sample["kind"]


def test_whole_sessions_of_the_client_read_as_people_would(shared: Path) -> None:
    folder = shared / "samples" / "claude" / "transcripts"
    with (folder / "interactive.jsonl").open("rb") as file:
        turns, report = read(*file)
    assert [turn["text"] for turn in turns if turn["role"] == "user"] == [
        "first slow",
        "queued while busy",
        "interrupt me",
        "interrupt menext please @notes.txt",
        "edit it",
        "look at image",
        "big output",
        "background",
    ]
    assert report["malformed"] == 0
    with (folder / "print-mode-subagent.jsonl").open("rb") as file:
        assert read(*file)[0] == []
