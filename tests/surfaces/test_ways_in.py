"""One secret by every way in, and then a look into every file: it stands in none, and its sentence stands once."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

from dream.compose import open_dream
from dream.ports import NoteFilter
from tests.surfaces.host import command
from tests.surfaces.line import Line

TOKEN = "gh" + "p_" + "aB3dE6gH9j" * 3 + "kL5mN8"
PASSWORD = "Falaise" + "-Brume!" + "47"
WAYS = ("s-stop", "s-compact", "sweep", "ingest", "remember")


def sentence(way: str) -> str:
    return f"Le portail de l'atelier {way} demande le jeton {TOKEN}, et le mot de passe est {PASSWORD}."


def transcript(dream: Line, session: str, text: str) -> Path:
    folder = dream.transcripts / "p"
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "type": "user", "uuid": f"u-{session}", "parentUuid": None, "isSidechain": False, "sessionId": session,
        "cwd": "/home/maud/p", "timestamp": "2026-03-09T09:00:00.000Z", "message": {"role": "user", "content": text},
    }  # fmt: skip
    path = folder / f"{session}.jsonl"
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def holding(dream: Line, text: str) -> list[str]:
    places = [path for folder in (dream.home, dream.folder / "state") for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in places if text.encode() in path.read_bytes()]


def test_one_secret_by_every_way_in_stands_in_no_file_and_is_tagged_alike(ready: Line, tmp_path: Path) -> None:
    for event, session in (("Stop", "s-stop"), ("PreCompact", "s-compact")):
        path = transcript(ready, session, sentence(session))
        said = {"session_id": session, "transcript_path": str(path), "cwd": "/home/maud/p", "hook_event_name": event}
        done = subprocess.run(
            command(event),
            input=json.dumps(said).encode(),
            env={**os.environ, **ready.environ},
            capture_output=True,
            timeout=60,
            check=True,
        )
        assert TOKEN.encode() not in done.stdout + done.stderr
    assert len(list((ready.home / "capture").glob("*.jsonl"))) == 1
    transcript(ready, "s-sweep", sentence("sweep"))
    (tmp_path / "notes.md").write_text(sentence("ingest"), encoding="utf-8")
    assert ready("ingest", str(tmp_path / "notes.md")).code == 0
    assert TOKEN not in ready("remember", sentence("remember")).out
    ready("search", f"le jeton {TOKEN}")
    ready("mode", "NORMAL", "--why", sentence("why"))
    assert ready("cycle", "--now", "2026-12-24T02:05:00+01:00").code == 0
    assert not holding(ready, TOKEN) and not holding(ready, PASSWORD)
    with open_dream(ready.environ) as dream:
        texts = [note.text for note in dream._house.store.notes(NoteFilter()) if "portail" in note.text]
    told = Counter(word for text in texts for word in WAYS if f" {word} " in text)
    assert told == dict.fromkeys(WAYS, 1)
    tags = {re.search(r"redacted:github-token#(\w{4})", text).group(1) for text in texts}  # type: ignore[union-attr]
    assert len(tags) == 1, "the same secret, the same tag, whichever way it came"
