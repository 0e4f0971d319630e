"""The breaker over a real store: what it reads, where it keeps it, how it falls and climbs, what a pin does."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from datetime import timedelta
from typing import Any

import pytest

from dream.adapters.system import SystemClock
from dream.api import Dream
from dream.api_care import Care
from dream.errors import ModeForbids, UsageError
from dream.health.breaker import Breaker
from dream.health.mode import Mode
from dream.health.probes import percentile, take
from dream.house import House
from dream.ledger.restore import restore
from dream.model.mode import Readings
from dream.model.time import format_instant
from dream.operations import LoadedModel
from dream.settings import Loaded


@pytest.fixture
def dream(house: House) -> Dream:
    return Dream(house)


def slow_searches(house: House, number: int, milliseconds: float) -> None:
    for _ in range(number):
        house.operations.state.sample("search", milliseconds, house.clock.now())


def climb(dream: Dream, clock: Any, probes: int = 3) -> Mode:
    for _ in range(probes):
        clock.forward(seconds=30)
        dream.probe()
    return dream.standing().mode


def test_a_fresh_empty_store_is_normal(dream: Dream) -> None:
    standing = dream.probe()
    assert standing.mode is Mode.NORMAL
    assert standing.readings["ledger_ok"] is True
    assert not standing.faults


def test_a_bad_hour_of_searches_makes_it_conservative_and_a_good_hour_lifts_it(
    dream: Dream, house: House, clock: Any
) -> None:
    slow_searches(house, 19, 900)
    assert dream.probe().mode is Mode.NORMAL
    slow_searches(house, 1, 900)
    standing = dream.probe()
    assert standing.mode is Mode.CONSERVATIVE
    assert "900 ms" in standing.why
    clock.forward(minutes=61)
    assert climb(dream, clock) is Mode.NORMAL


def test_the_first_search_of_a_process_is_not_counted(dream: Dream, house: House) -> None:
    for _ in range(3):
        dream.recall("port du serveur")
    assert len(house.operations.state.since("search", "")) == 2


def test_memory_full_makes_it_secure_and_free_memory_lifts_it_step_by_step(
    dream: Dream, box: Any, server: Any, clock: Any
) -> None:
    box.available = 400_000_000
    assert dream.probe().mode is Mode.SECURE
    box.available = 9_000_000_000
    assert climb(dream, clock) is Mode.CONSERVATIVE
    assert climb(dream, clock) is Mode.NORMAL


def test_our_own_model_on_a_16_gb_machine_trips_nothing_and_another_s_does(dream: Dream, box: Any, server: Any) -> None:
    box.available, server.holds = 300_000_000, (LoadedModel("gemma4:12b", 12_000_000_000),)
    assert dream.probe().mode is Mode.NORMAL
    server.holds = (LoadedModel("llama3:70b", 12_000_000_000),)
    assert dream.probe().mode is Mode.SECURE


def test_a_model_server_away_is_no_fault(dream: Dream, server: Any) -> None:
    server.holds = None
    standing = dream.probe()
    assert standing.mode is Mode.NORMAL
    assert standing.readings["ollama_up"] is False


def test_a_corrupted_row_makes_it_secure_and_its_repair_lifts_it(dream: Dream, house: House, clock: Any) -> None:
    dream.remember("Le serveur écoute sur le port 9464.")
    assert dream.probe().mode is Mode.NORMAL
    path = house.home.database
    on = sqlite3.connect(path)
    on.execute("UPDATE node SET json = replace(json, '9464', '9999')")
    on.commit()
    on.close()
    standing = dream.probe()
    assert standing.mode is Mode.SECURE
    assert "does not verify" in standing.why
    restore(house.home, house.ledger._signer, house.clock, house.store)  # type: ignore[arg-type]
    assert climb(dream, clock) is Mode.CONSERVATIVE


def said(house: House, clock: Any, *sentences: str) -> None:
    """A session in which a person said these, an hour ago."""
    folder = house.settings.transcripts / "-work-atelier"
    folder.mkdir(exist_ok=True)
    at, session = clock.now(), f"session-{len(list(folder.iterdir()))}"
    lines = [
        {"type": "user", "uuid": f"{session}-{number}", "sessionId": session, "timestamp": at, "cwd": "/work/atelier",
         "message": {"role": "user", "content": sentence}}
        for number, sentence in enumerate(sentences)
    ]  # fmt: skip
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    clock.forward(hours=1)
    os.utime(path, (clock.monotonic() - 3600,) * 2)


def test_a_real_night_of_refusals_is_no_fault(dream: Dream, house: House, clock: Any) -> None:
    """The court refuses all that was said (passwords, taken out before they were kept) and the mode stays."""
    things = "bucket staging printer archive router camera backup mailbox calendar wiki forum mirror".split()
    word = "pass" + "word"
    said(house, clock, *(f"The {word} of the {each} is Tr0ub4dor&{n}!xq, use it." for n, each in enumerate(things)))
    report = dream.cycle(trigger="forced").report
    assert report is not None and dict(report.plan.counts)["rejected"] >= 10
    standing = dream.probe()
    assert standing.mode is Mode.NORMAL and standing.readings.get("clusters", 0) == 0


def test_a_night_of_doubts_is_a_fault_until_a_night_is_sure_again(dream: Dream, house: House, clock: Any) -> None:
    house.operations.state.put("night", json.dumps({"consensus": 61.0, "clusters": 12}), house.clock.now())
    assert dream.probe().mode is Mode.CONSERVATIVE
    said(house, clock, "The workshop closes at 18:30 on Fridays.")
    dream.cycle(trigger="forced")
    assert climb(dream, clock) is Mode.NORMAL


def test_greens_in_one_breath_count_once(dream: Dream, house: House, clock: Any) -> None:
    slow_searches(house, 20, 900)
    dream.probe()
    clock.forward(minutes=61)
    for _ in range(5):
        clock.forward(seconds=1)
        dream.probe()
    assert dream.standing().state.greens == 1


def test_a_pin_holds_until_it_expires_and_the_breaker_goes_on_beneath(dream: Dream, house: House, clock: Any) -> None:
    pinned = dream.pin_mode("sécurisé", "en voyage", 2)
    assert (pinned.mode, pinned.pinned, pinned.why) == (Mode.SECURE, True, "en voyage")
    assert dream.probe().mode is Mode.SECURE
    clock.forward(hours=2, seconds=1)
    assert dream.standing().mode is Mode.NORMAL
    dream.pin_mode("NORMAL", hours=1)
    slow_searches(house, 20, 900)
    assert dream.probe().mode is Mode.NORMAL
    assert dream.pin_mode("AUTO").mode is Mode.CONSERVATIVE


def test_a_pin_of_no_time_or_no_mode_is_refused(dream: Dream) -> None:
    for hours in (0, -1, 1e9):
        with pytest.raises(UsageError):
            dream.pin_mode("SECURE", hours=hours)
    with pytest.raises(UsageError):
        dream.pin_mode("PANIC")


def test_a_damaged_health_file_counts_as_secure_and_probes_mend_it(dream: Dream, house: House, clock: Any) -> None:
    house.home.health.write_text("{ not json", encoding="utf-8")
    assert dream.standing().mode is Mode.SECURE
    assert climb(dream, clock, 6) is Mode.NORMAL


WATCHING = """
import os, sys
from dream.compose import open_dream
with open_dream(os.environ) as dream:
    print("open", flush=True)
    for line in sys.stdin:
        print(dream.standing().mode, flush=True)
"""


def test_processes_that_are_open_see_one_mode_at_their_next_question(house: House, loaded: Loaded) -> None:
    """Two long-lived processes; a third one, of the command line, pins; one of the two finds a fault by its probe."""
    named = {row.variable: str(row.value) for row in loaded.rows if row.value}
    environ = {**{name: value for name, value in os.environ.items() if not name.startswith("DREAM_")}, **named}
    environ |= {"DREAM_TZ": "Europe/Paris"}
    words = [sys.executable, "-c", WATCHING]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environ}
    with subprocess.Popen(words, **pipes) as one, subprocess.Popen(words, **pipes) as two:

        def seen() -> set[str]:
            answers = set()
            for process in (one, two):
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write("?\n")
                process.stdin.flush()
                answers.add(process.stdout.readline().strip())
            return answers

        assert all(process.stdout is not None and process.stdout.readline() for process in (one, two))
        assert seen() == {"NORMAL"}
        pin = [sys.executable, "-m", "dream", "mode"]
        subprocess.run([*pin, "SECURE"], env=environ, check=True, capture_output=True)
        assert seen() == {"SECURE"}
        subprocess.run([*pin, "AUTO"], env=environ, check=True, capture_output=True)
        assert seen() == {"NORMAL"}
        state = house.operations.state
        for _ in range(20):
            state.sample("search", 900.0, SystemClock().now())
        subprocess.run([sys.executable, "-m", "dream", "health"], env=environ, check=True, capture_output=True)
        assert seen() == {"CONSERVATIVE"}
        for process in (one, two):
            assert process.stdin is not None
            process.stdin.close()


def test_what_a_mode_that_only_reads_forbids_and_what_it_keeps(dream: Dream, house: House, clock: Any) -> None:
    kept = dream.remember("La salle de réunion est au troisième étage.")
    dream.pin_mode("CONSERVATIVE", "essai")
    with pytest.raises(ModeForbids):
        dream.pin(kept.node.id)
    with pytest.raises(ModeForbids):
        Care(house).adjust(kept.node.id, 10)
    size = house.ledger.size
    waiting = dream.remember("Le code du portail change le lundi.", request="5f0c0b1e-0000-4000-8000-000000000001")
    assert waiting.waits and house.ledger.size == size
    found = dream.recall("code du portail").hits
    assert any("portail" in hit.text for hit in found), "what waits is found"
    dream.pin_mode("AUTO")
    clock.forward(hours=20)
    dream.cycle(trigger="forced")
    node = house.store.node(waiting.node.id)
    assert node is not None and node.judge == "person"


def test_a_conservative_night_turns_verdicts_into_holds(dream: Dream, house: House) -> None:
    dream.pin_mode("CONSERVATIVE")
    waiting = dream.remember("Le code du portail change le lundi.")
    dream.cycle(trigger="forced")
    assert house.store.node(waiting.node.id) is None
    assert [hold.proposal.id for hold in dream.holds()] == [waiting.node.id]
    dream.accept(dream.holds()[0].id)  # a person decides in every mode
    assert house.store.node(waiting.node.id) is not None


def test_a_secure_night_is_deferred_and_the_buffer_kept(dream: Dream, house: House) -> None:
    dream.pin_mode("SECURE")
    dream.remember("Le code du portail change le lundi.")
    with pytest.raises(ModeForbids):
        dream.cycle(trigger="forced")
    assert dream.picture().buffered == 1
    assert dream.picture().last_outcome == "deferred"


def test_a_probe_is_quick_and_percentiles_are_nearest_rank(dream: Dream, house: House) -> None:
    dream.probe()
    began = time.perf_counter()
    assert isinstance(take(house), Readings)
    assert time.perf_counter() - began < 5  # a tenth of a second where nobody else works
    assert percentile([float(n) for n in range(1, 101)], 95) == 95.0
    assert percentile([7.0], 95) == 7.0


def test_a_probe_that_cannot_write_says_so_and_still_tells_the_mode(house: House, clock: Any) -> None:
    house.home.health.mkdir()  # a folder stands in the file's place
    breaker = Breaker(house.home, clock, house.operations.lock, lambda: Readings(ledger_ok=True))
    assert "cannot be written" in breaker.probe().unsaved


def test_the_hour_is_counted_from_the_clock(house: House) -> None:
    old = format_instant(house.clock.at - timedelta(minutes=61))  # type: ignore[attr-defined]
    house.operations.state.sample("search", 9000.0, old)
    assert take(house).searches == 0
