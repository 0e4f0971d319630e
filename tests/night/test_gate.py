"""The gate, on a slice: dreaming helps where answers were superseded, harms nowhere, and a harm would show."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from dream.cycle import consolidate
from tests.surfaces.line import script

CHANGED = [
    (
        "The reading room closes at 18:00 every evening.",
        "The reading room now closes at 19:30 every evening instead of 18:00.",
        "When does the reading room close?",
    ),
    (
        "Invoices go to the accountant in Rennes.",
        "Invoices now go to the accountant in Vannes instead of Rennes.",
        "Where do invoices go?",
    ),
    (
        "Our booking site runs on Django.",
        "Our booking site now runs on Flask instead of Django.",
        "What does the booking site run on?",
    ),
    (
        "Marta looks after the membership list.",
        "Joris looks after the membership list now instead of Marta.",
        "Who looks after the membership list?",
    ),
    (
        "Le loyer du local coûte 640 euros par mois.",
        "Le loyer du local coûte maintenant 690 euros par mois au lieu de 640.",
        "Combien coûte le loyer du local ?",
    ),
    (
        "Les ateliers de reliure ont lieu le mardi.",
        "Les ateliers de reliure ont lieu désormais le jeudi au lieu du mardi.",
        "Quel jour ont lieu les ateliers de reliure ?",
    ),
    (
        "Le four monte à 1240 degrés.",
        "Le four monte désormais à 1180 degrés au lieu de 1240.",
        "À combien monte le four ?",
    ),
    (
        "The backup disk lives in the cellar.",
        "The backup disk now lives in the attic instead of the cellar.",
        "Where does the backup disk live?",
    ),
    (
        "Posters are printed by Imprimerie Calvez.",
        "Posters are now printed by Imprimerie Morel instead of Calvez.",
        "Who prints the posters?",
    ),
    (
        "The catalogue export uses port 8081.",
        "The catalogue export now uses port 8091 instead of 8081.",
        "Which port does the catalogue export use?",
    ),
    ("La paie part le 28 du mois.", "La paie part maintenant le 25 du mois au lieu du 28.", "Quand part la paie ?"),
    (
        "The van is serviced at Garage Tanguy.",
        "The van is now serviced at Garage Leroux instead of Tanguy.",
        "Where is the van serviced?",
    ),
]
STEADY = [
    ("We always answer members within two days.", "How fast do we answer members?"),
    ("Priya is in charge of the calendar.", "Who is in charge of the calendar?"),
    ("Remember that the alarm code changes every quarter.", "How often does the alarm code change?"),
    ("Les bénévoles signent la charte avant leur premier jour.", "Que signent les bénévoles avant leur premier jour ?"),
    ("We decided that children's books stay on the low shelves.", "Where do children's books stay?"),
    ("Le compost part chez Yannick chaque vendredi.", "Chez qui part le compost ?"),
    ("The donation form never asks for a phone number.", "Does the donation form ask for a phone number?"),
    ("Karim garde le double des clés.", "Qui garde le double des clés ?"),
]
FLOOR = 0.9
"""Share of the slice's questions, all of them easy, that dreaming must answer; above dream off is not enough."""
ASIDES = (
    "Thanks, that helps.",
    "Can you make the heading a little larger?",
    "What a morning.",
    "ok merci, on continue",
)


def corpus(folder: Path) -> Path:
    """A corpus in the shape of the consolidation corpora: each matter in a session, what changed a fortnight later."""
    folder.mkdir()
    facts, questions, sessions = [], [], []
    texts = (
        [(old, 0) for old, _, _ in CHANGED] + [(text, 1) for text, _ in STEADY] + [(new, 14) for _, new, _ in CHANGED]
    )
    uuids: dict[str, str] = {}
    for number, (text, day) in enumerate(texts):
        uuids[text] = f"00000000-0000-4000-9000-{number:012d}"
        sessions.append((date(2026, 2, 2) + timedelta(days=day + number % 2), text, uuids[text], number))
        facts.append({"id": f"f{number}", "statements": [{"uuid": uuids[text], "lang": "en"}]})
    questions = [
        {"q": asked, "lang": "en", "evidence": [uuids[new]], "stale": [uuids[old]]} for old, new, asked in CHANGED
    ] + [{"q": asked, "lang": "en", "evidence": [uuids[text]]} for text, asked in STEADY]
    for place, (day, text, uuid, number) in enumerate(sorted(sessions)):
        session = f"{number:08x}"
        lines = []
        for turn, (key, said) in enumerate([(f"{uuid[:-1]}a", ASIDES[number % 4]), (uuid, text)]):
            lines.append({
                "type": "user", "uuid": key, "parentUuid": None, "isSidechain": False, "sessionId": session,
                "cwd": "/home/nolwenn/library", "version": "2.1.0", "gitBranch": "", "userType": "external",
                "timestamp": f"{day}T09:{number % 60:02d}:{turn:02d}.000Z",
                "message": {"role": "user", "content": said},
            })  # fmt: skip
        path = folder / f"{place:02d}_{day}_{session}.jsonl"
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    gold = {"timezone": "Europe/Paris", "now": "2026-03-01T12:00:00+01:00", "facts": facts, "questions": questions}
    (folder / "gold.json").write_text(json.dumps(gold, ensure_ascii=False), encoding="utf-8")
    return folder


def test_dreaming_helps_where_answers_were_superseded_and_harms_nowhere(tmp_path: Path) -> None:
    gate = script("eval_gate")
    told = gate.gate(corpus(tmp_path / "slice"), tmp_path / "work")
    assert told["superseded"]["n"] == len(CHANGED) and told["other"]["n"] == len(STEADY)
    assert told["passed"], told
    assert told["superseded"]["on"] >= FLOOR and told["other"]["on"] >= FLOOR, told


def test_a_night_that_replaces_nothing_falls_below_the_floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate broken on purpose: newer statements still come first now and then, and that is not enough."""
    monkeypatch.setattr(consolidate, "_foremost", lambda replaced: [])
    told = script("eval_gate").gate(corpus(tmp_path / "slice"), tmp_path / "work")
    assert told["superseded"]["on"] < FLOOR, told


@pytest.mark.parametrize(
    ("rows", "passed"),
    [
        ({"superseded": [(1.0, 0.0)] * 9 + [(0.0, 0.0)], "other": [(1.0, 1.0)] * 9}, True),
        ({"superseded": [(1.0, 1.0)] * 10, "other": [(1.0, 1.0)] * 9}, False),
        ({"superseded": [(1.0, 0.0)] * 9, "other": [(0.0, 1.0)] * 9 + [(1.0, 1.0)]}, False),
        ({"superseded": [(1.0, 0.0)] * 9, "other": [(0.0, 1.0)] + [(1.0, 1.0)] * 40}, True),
    ],
)
def test_no_gain_or_a_loss_beyond_the_interval_fails(rows: dict[str, list[tuple[float, float]]], passed: bool) -> None:
    assert script("eval_gate").verdict(rows)["passed"] is passed
