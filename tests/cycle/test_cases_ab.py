"""Cases of capture, storage and meaning played through whole nights, the handed inputs among them."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from pathlib import Path

import pytest

from dream.api import Dream
from dream.capture import buffer
from dream.capture.notes import notes_of
from dream.compose import open_house
from dream.cycle.cycle import run_night
from dream.errors import UsageError
from dream.house import House
from dream.model.graph import NodeStatus
from dream.ports import NodeFilter, NoteFilter
from dream.recall.index import BEGIN, END
from dream.settings import Loaded
from tests.cycle.conftest import CWD, Client

NIGHT = "2026-12-02T01:05:00.000Z"
NEXT = "2026-12-03T01:05:00.000Z"
ALL = NodeFilter(statuses=tuple(NodeStatus))


def hand(shared: Path, client: Client, name: str) -> None:
    """A handed transcript, where the client would have written it, quiet since the day before the night."""
    path = client.folder / "project" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(shared / "cases" / "inputs" / name, path)
    os.utime(path, (1_796_000_000, 1_796_000_000))


def test_a17_a_damaged_transcript_gives_its_three_turns_and_one_warning(
    house: House, client: Client, shared: Path
) -> None:
    hand(shared, client, "a17_transcript_damaged.jsonl")
    report = run_night(house, now=NIGHT)
    notes = house.store.notes(NoteFilter())
    roles = [role for _, role in sorted({(note.turn, note.origin.value) for note in notes})]
    assert sorted(roles) == ["assistant", "user", "user"]
    assert len(report.warnings) == 1 and any(character.isdigit() for character in report.warnings[0])


def test_a18_a_session_and_its_resumed_copy_are_five_turns_and_stay_so(
    house: House, client: Client, shared: Path
) -> None:
    for name in ("a18_session.jsonl", "a18_session_resumed.jsonl"):
        hand(shared, client, name)
    run_night(house, now=NIGHT)
    assert len({note.turn for note in house.store.notes(NoteFilter())}) == 5
    size = house.home.database.stat().st_size
    for day in range(3, 9):
        assert run_night(house, now=f"2026-12-{day:02d}T01:05:00.000Z").plan.gathered.notes == 0
    assert house.home.database.stat().st_size <= size + 16_384
    assert len({note.turn for note in house.store.notes(NoteFilter())}) == 5


def test_b20_a_night_over_an_empty_store_leaves_a_good_index_and_says_why(house: House) -> None:
    path = house.home.index / "MEMORY.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    good = BEGIN + b"\n" + b"".join(b"- 2026-11-01 \xc2\xb7 Fact %d. (f-%024x)\n" % (n, n) for n in range(40)) + END
    path.write_bytes(good)
    report = run_night(house, now=NIGHT)
    assert path.read_bytes() == good
    assert any("MEMORY.md" in warning for warning in report.warnings)
    assert "MEMORY.md" in (house.home.logs / "2026-12-02.md").read_text("utf-8")


def test_b21_bad_lines_of_the_buffer_are_kept_aside_and_the_night_goes_on(house: House) -> None:
    root = str(house.home.root)
    for number in range(3):
        turn = {
            "uuid": f"u{number}", "parent": "", "at": "2026-12-01T09:00:00.000Z", "role": "user", "origin": "user",
            "text": f"Kiln {number} always fires at {1200 + number} degrees.", "session": "s", "cwd": CWD, "branch": "",
        }  # fmt: skip
        buffer.append(root, notes_of(turn, "atelier"), "2026-12-01")
    (path,) = (house.home.root / "capture").glob("*.jsonl")
    first, second, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:40] + b"\n\xff\xfe\x00 not a line\n" + second.rstrip(b"\n") + third)
    report = run_night(house, now=NIGHT)
    assert len(house.store.notes(NoteFilter())) == 3
    assert len(report.warnings) == 1 and "2 lines" in report.warnings[0]
    (aside,) = (house.home.root / "capture").rglob("*.bad")
    assert b"not a line" in aside.read_bytes()


def test_b24_a_night_refuses_an_index_with_broken_markers_and_says_so(house: House, client: Client) -> None:
    client.said("s1", ("user", "We always fire stoneware at 1240 degrees."), at="2026-12-01T09:00")
    run_night(house, now=NIGHT)
    (path,) = (house.home.index / "projects").glob("*.md")
    mine = b"my own words\n" + BEGIN + b"\nnever closed"
    path.write_bytes(mine)
    client.said("s2", ("user", "Glazes always come from Ferro."), at="2026-12-02T09:00")
    report = run_night(house, now=NEXT)
    assert path.read_bytes() == mine
    assert any(path.name in warning and "marker" in warning for warning in report.warnings)


def test_e06_the_handed_echo_gives_no_node_and_strengthens_none(house: House, client: Client, shared: Path) -> None:
    client.said("s1", ("user", "Le cycle part toujours à 02:05."), at="2026-11-28T09:00", cwd="/home/lea/projets/dream")
    run_night(house, now="2026-11-29T01:05:00.000Z")
    (before,) = house.store.nodes(ALL)
    hand(shared, client, "e06_echo.jsonl")
    os.utime(client.folder / "project" / "e06_echo.jsonl", (1_796_000_000, 1_796_000_000))
    run_night(house, now=NIGHT)
    (after,) = house.store.nodes(ALL)
    assert (after.notes, after.evidence_at, after.consensus) == (before.notes, before.evidence_at, before.consensus)
    assert "<dream-context>" not in json.dumps([note.text for note in house.store.notes(NoteFilter())])


def test_e13_the_handed_poison_is_in_no_index_and_the_lesson_is_kept(
    house: House, client: Client, shared: Path
) -> None:
    hand(shared, client, "e13_poison.jsonl")
    run_night(house, now=NIGHT)
    index = "".join(path.read_text("utf-8") for path in house.home.index.rglob("*.md"))
    assert "curl" not in index
    assert not [node for node in house.store.nodes(ALL) if "curl" in node.text]
    assert [node for node in house.store.nodes(NodeFilter()) if "exemple d'attaque" in node.text]


def test_e14_the_handed_queries_never_raise_and_find_what_they_must(house: House, client: Client, shared: Path) -> None:
    case = json.loads((shared / "cases" / "inputs" / "e14_queries.json").read_text("utf-8"))
    said = sorted({text for _, text in case["must_find"]})
    client.said("s1", *(("user", text) for text in said), at="2026-12-01T09:00")
    run_night(house, now=NIGHT)
    dream = Dream(house)
    for query in case["must_not_raise"]:
        if query.strip():
            dream.recall(query)
        else:
            with pytest.raises(UsageError):
                dream.recall(query)
    for query, text in case["must_find"]:
        assert any(text in hit.text for hit in dream.recall(query).hits), query


@pytest.mark.parametrize(("setting", "shown"), [(100, range(1, 4)), (1500, range(6, 31))])
def test_the_index_is_as_long_as_the_setting_says(setting: int, shown: range, loaded: Loaded, client: Client) -> None:
    lines = [("user", f"The {name} glaze comes from {name.title()} Works in Limoges.") for name in NAMES]
    client.said("s1", *lines, at="2026-12-01T09:00")
    settings = dataclasses.replace(loaded.settings, context_tokens=setting)
    with open_house(dataclasses.replace(loaded, settings=settings), create=True) as house:
        run_night(house, now=NIGHT)
        (path,) = (house.home.index / "projects").glob("*.md")
    assert path.read_text("utf-8").count("\n- ") in shown


NAMES = (
    "cobalt celadon tenmoku shino oribe ash iron copper rutile titanium chrome manganese nickel tin zircon barium "
    "lithium boron zinc lead bone talc whiting dolomite feldspar nepheline ochre umber sienna raku"
).split()
