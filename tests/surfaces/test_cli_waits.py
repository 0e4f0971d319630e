"""What a person sees who looks after what waits: why it waits, who is against it, what deciding would change."""

from __future__ import annotations

import json
from pathlib import Path

from tests.surfaces.line import Line

CWD = "/srv/kiln"


def said(line: Line, session: str, day: str, *texts: str) -> None:
    path = line.transcripts / "kiln" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as out:
        for number, text in enumerate(texts):
            turn = {
                "type": "user", "uuid": f"{session}-{number}", "parentUuid": None, "isSidechain": False,
                "sessionId": session, "cwd": CWD, "version": "2.1.332", "gitBranch": "", "userType": "external",
                "timestamp": f"{day}T09:0{number}:00.000Z", "message": {"role": "user", "content": text},
            }  # fmt: skip
            out.write(json.dumps(turn) + "\n")


def test_a_hold_says_why_who_is_against_it_and_what_deciding_would_change(ready: Line) -> None:
    said(ready, "s1", "2026-03-09", "We decided that the Nantes audit is on 31 June.")
    assert ready("cycle", "--now", "2026-03-10T02:05:00+01:00").code == 0
    (hold,) = ready("hitl", "list", "--json").plain["holds"]
    listed = " ".join(ready("hitl", "list").out.split())
    assert "is in no calendar" in listed and "(archivist)" in listed
    shown = ready("hitl", "show", hold["id"]).out
    assert "the date '31 June' is in no calendar" in shown
    assert "Against it: archivist." in shown
    assert "2026-03-09 09:00  user: We decided" in shown
    assert "Accepting keeps it as a " in shown and "nothing else changes." in shown
    assert "Rejecting changes nothing; its notes stay" in shown
    assert ready("hitl", "reject", hold["id"]).code == 0
    assert "Nothing waits for you." in ready("hitl", "list").out


def test_a_hold_that_contradicts_says_that_both_would_stand(ready: Line) -> None:
    said(ready, "s1", "2026-03-09", "The depot opens on Sundays at 9.")
    ready("cycle", "--now", "2026-03-10T02:05:00+01:00")
    said(ready, "s2", "2026-03-10", "The depot does not open on Sundays at 9.")
    ready("cycle", "--now", "2026-03-11T02:05:00+01:00")
    (hold,) = ready("hitl", "list", "--json").plain["holds"]
    shown = ready("hitl", "show", hold["id"]).out
    assert "It contradicts, and both stand:" in shown and "The depot opens on Sundays at 9." in shown
    node = ready("hitl", "accept", hold["id"], "--json").plain["node"]
    beside = ready("explain", node, "--json").plain["beside"]
    assert "contradicts" in json.dumps(beside)


def test_the_garden_says_of_each_branch_what_went_wrong_and_how_it_stands(ready: Line, tmp_path: Path) -> None:
    error = "The import crashed with a UnicodeDecodeError on the accents."
    said(ready, "s1", "2026-03-09", error)
    ready("cycle", "--now", "2026-03-10T02:05:00+01:00")
    shown = ready("garden", "list").out
    assert f"What went otherwise: {error}" in shown
    assert "growing, to be seen by 2026-03-24" in shown and "Had nothing been done about it: " in shown
    said(ready, "s2", "2026-03-20", "Please rename the button.")
    ready("cycle", "--now", "2026-03-25T02:05:00+01:00")
    shown = ready("garden", "list").out
    assert "on 2026-03-25" in shown and "None is a fact" in shown
