"""Real faults in a real house: a process that fills memory, a search that is slow, a row that is altered."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from dream.adapters.machine import LocalMachine
from dream.api import Dream
from dream.compose import open_house, restore_store
from dream.health.probes import PROCESS
from dream.house import House
from dream.model import mode
from dream.model.mode import Mode
from dream.settings import Loaded

MEGABYTES = 400
HOG = f"import sys, time; held = bytearray(b'x' * {MEGABYTES * 1_000_000}); print('held', flush=True); time.sleep(120)"


class Slow:
    """A search that takes its time before it answers."""

    def __init__(self, search: Any, seconds: float) -> None:
        self._search, self._seconds = search, seconds

    def search(self, query: Any) -> Any:
        time.sleep(self._seconds)
        return self._search.search(query)


@pytest.fixture
def real(loaded: Loaded) -> Iterator[House]:
    with open_house(loaded, create=True) as opened:
        yield opened


def climbed(dream: Dream, spacing: float) -> Mode:
    """The mode after three green probes, each long enough after the last to count."""
    dream.breaker._spacing = spacing
    for _ in range(3):
        time.sleep(spacing * 1.2)
        dream.probe()
    return dream.standing().mode


def test_a_process_that_fills_memory_makes_it_secure_until_it_ends(
    real: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    dream = Dream(real)
    before = dream.probe().readings["memory_gb"]
    monkeypatch.setattr(mode, "MEMORY_GB", before + MEGABYTES / 2000)  # as if the machine were that small
    hog = subprocess.Popen([sys.executable, "-c", HOG], stdout=subprocess.PIPE)
    try:
        assert hog.stdout is not None and hog.stdout.readline()
        real.operations.state.put(f"{PROCESS}{hog.pid}", "", real.clock.now())  # a process of Dream, as it says itself
        standing = dream.probe()
        assert standing.readings["memory_gb"] >= before + MEGABYTES / 1100
        assert standing.mode is Mode.SECURE and "GB" in standing.why
        peak = real.operations.state.get("ram_peak")
        assert peak is not None and float(peak[0]) >= MEGABYTES
    finally:
        hog.kill()
        hog.wait()
    assert climbed(dream, 0.05) is Mode.CONSERVATIVE
    assert climbed(dream, 0.05) is Mode.NORMAL


def test_slow_searches_make_it_conservative_until_they_are_an_hour_old(
    real: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        mode, "SLOW_MS", 100.0
    )  # a fifth of the limit, so that the searches need not take half a second
    slow = dataclasses.replace(real, searching=lambda: Slow(real.searching(), 0.11))
    dream = Dream(slow)
    for _ in range(mode.SAMPLES + 1):  # the first one of a process does not count
        dream.recall("port du serveur")
    standing = dream.probe()
    assert standing.mode is Mode.CONSERVATIVE
    assert standing.readings["searches"] == mode.SAMPLES
    kept = dream.remember("Le serveur écoute sur le port 9464.")
    assert kept.waits and real.store.note(kept.node.notes[0]) is None
    real.operations.state.close()
    on = sqlite3.connect(real.home.state_database)
    on.execute("UPDATE samples SET at = '2020-01-01T00:00:00.000Z'")
    on.commit()
    on.close()
    assert climbed(dream, 0.05) is Mode.NORMAL


def test_an_altered_row_makes_it_secure_until_the_store_is_restored(real: House, loaded: Loaded) -> None:
    dream = Dream(real)
    dream.remember("Le serveur écoute sur le port 9464.")
    assert dream.probe().mode is Mode.NORMAL
    on = sqlite3.connect(real.home.database)
    on.execute("UPDATE node SET json = replace(json, '9464', '9999')")
    on.commit()
    on.close()
    assert dream.probe().mode is Mode.SECURE
    named = {row.variable: row.value for row in loaded.rows}
    restore_store({**os.environ, **named}, None)
    with open_house(loaded) as again:
        dream = Dream(again)
        assert climbed(dream, 0.05) is Mode.CONSERVATIVE
        assert climbed(dream, 0.05) is Mode.NORMAL
        assert [node for node in again.store.nodes(_all()) if "9464" in node.text]


def _all() -> Any:
    from dream.ports import NodeFilter

    return NodeFilter()


def test_the_machine_counts_itself_and_those_it_is_given(tmp_path: Any) -> None:
    machine = LocalMachine()
    taken, available, whole = machine.memory([os.getpid(), 2**22 + 1])
    assert 10_000_000 < taken < whole and 0 < available <= whole
    assert machine.peak() >= taken * 0.9
    assert machine.free(str(tmp_path / "not" / "there")) > 0
