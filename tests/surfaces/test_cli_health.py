"""`dream health`, `dream mode`, `dream doctor`, `dream web`: what they say, what they mend, how they are called."""

from __future__ import annotations

import http.client
import io
import os
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from dream import compose
from dream.adapters.sqlite import SqliteStore
from dream.cli_health import page
from tests.surfaces.line import Line

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
c.execute("COMMIT")
"""


def corrupt(line: Line) -> None:
    on = sqlite3.connect(line.home / "pgt.sqlite")
    on.execute("UPDATE node SET json = replace(json, 'serveur', 'serveuse')")
    on.commit()
    on.close()


def test_health_fits_twenty_lines_and_says_what_to_do_next(copied: Line) -> None:
    out = copied("health").out
    assert len(out.splitlines()) <= 20
    for about in ("Mode", "Ledger", "Memory", "Disk", "Ollama", "Last night", "Waiting", "Holds", "Metrics", "Next"):
        assert any(line.startswith(about) for line in out.splitlines()), about
    plain = copied("health", "--json").plain
    assert plain["mode"]["mode"] == "NORMAL"
    assert plain["readings"]["ledger_ok"] is True
    assert any("hitl list" in line for line in plain["advice"])


def test_a_fresh_store_is_told_that_all_is_well(ready: Line) -> None:
    out = ready("health").out
    assert "NORMAL" in out and "nothing to do" in out


def test_health_of_a_corrupted_store_is_secure_and_doctor_mends_it(copied: Line) -> None:
    corrupt(copied)
    out = copied("health").out
    assert "SECURE" in out and "does not verify" in out and "dream doctor" in out
    looked = copied("doctor", "--dry-run")
    assert looked.code == 1 or "++" not in looked.out
    assert "does not verify" in copied("health").out
    done = copied("doctor")
    assert done.code == 0, done.out
    assert "made again from" in done.out
    assert copied("ledger", "verify").code == 0
    assert "verified" in copied("health").out


@pytest.mark.parametrize("wide", [80, 120])
@pytest.mark.parametrize("broken", [False, True])
def test_health_fits_twenty_lines_of_a_terminal_where_all_is_well_and_where_not(
    copied: Line, monkeypatch: pytest.MonkeyPatch, wide: int, broken: bool
) -> None:
    if broken:
        corrupt(copied)
    for name, value in copied.environ.items():
        monkeypatch.setenv(name, value)
    screen = io.StringIO()
    page().draw(Console(file=screen, width=wide, force_terminal=True, color_system=None, legacy_windows=False))
    lines = screen.getvalue().splitlines()
    assert len(lines) <= 20 and max(map(len, lines)) <= wide
    assert lines[0].startswith("Mode") and any(line.startswith("Next") for line in lines)
    assert any("02:05" in line for line in lines), "times are those of the clock on the wall"
    if broken:
        assert "SECURE" in lines[0] and "`dream doctor`" in screen.getvalue()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_doctor_closes_the_home_puts_damaged_files_aside_and_says_so(copied: Line) -> None:
    copied.home.chmod(0o755)
    (copied.home / "keys" / "redact.key").chmod(0o644)
    (copied.home / "health.json").write_text("{", encoding="utf-8")
    stale = copied.home / "index" / "status.json.1.new"
    stale.write_text("{", encoding="utf-8")
    os.utime(stale, (0, 0))
    done = copied("doctor", "--json").plain
    mended = {each["subject"] for each in done["findings"] if each["grade"] == "mended"}
    assert {"home", "key", "health.json", "left-overs"} <= mended
    assert stat.S_IMODE(copied.home.stat().st_mode) == 0o700
    assert not stale.exists() and (copied.home / "health.json.damaged").exists()
    again = copied("doctor", "--json").plain
    assert not [each for each in again["findings"] if each["grade"] == "mended"]


def test_a_dry_run_of_doctor_changes_no_file(copied: Line) -> None:
    copied("health")
    (copied.home / "index" / "status.json").write_text("{", encoding="utf-8")
    before = copied.files()
    copied("doctor", "--dry-run")
    after = copied.files()
    assert {name for name in before if before[name] != after.get(name)} <= {"state.sqlite"}


def test_mode_is_shown_pinned_and_lifted(ready: Line) -> None:
    assert ready("mode").out.startswith("NORMAL")
    plain = ready("mode", "conservateur", "--for", "2h", "--why", "moving house", "--json").plain
    assert (plain["mode"], plain["level"], plain["pinned"], plain["why"]) == ("CONSERVATIVE", 1, True, "moving house")
    kept = ready("remember", "The office is in Lyon.")
    assert kept.code == 0 and "Kept in the buffer" in kept.out
    refused = ready("pin", "f-000000000000000000000000")
    assert refused.code == 3 and "CONSERVATIVE" in refused.err and "dream mode AUTO" in refused.err
    assert ready("mode", "SECURE").code == 0
    deferred = ready("cycle", "--force")
    assert deferred.code == 3 and "buffer is kept" in deferred.err
    assert ready("mode", "AUTO").out.startswith("NORMAL")
    assert ready("cycle").code == 0
    assert ready("search", "office Lyon", "--json").plain["hits"]


@pytest.mark.parametrize("words", [("PANIC",), ("SECURE", "--for", "soon"), ("SECURE", "--for", "0h")])
def test_a_mode_or_a_span_that_is_none_is_wrong_usage(ready: Line, words: tuple[str, ...]) -> None:
    assert ready("mode", *words).code == 2


def test_b03_a_database_held_for_long_costs_a_wait_and_no_sentence(
    ready: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process holds the database for a moment, then for longer than anyone waits (10 s by default; less here).

    The first sentence of a long hold still enters the log; the next ones find a store that cannot be opened.
    """
    ready("remember", "The canteen is on the second floor.")
    monkeypatch.setattr(compose, "SqliteStore", partial(SqliteStore, busy=6.0))
    with held(ready, 1.0):
        assert ready("remember", "The office of team 0 is in Lyon.").code == 0
    monkeypatch.setattr(compose, "SqliteStore", partial(SqliteStore, busy=0.3))
    with held(ready, 60.0):
        assert ready("remember", "The office of team 1 is in Lyon.").code == 0
        for team in (2, 3):
            done = ready("remember", f"The office of team {team} is in Lyon.", "--json")
            assert done.code == 3 and "locked by another program" in done.err
            assert "waits in the buffer" in done.plain["error"]["hint"]
    for team in range(4):
        found = ready("search", f"office of team {team}", "--json").plain["hits"]
        assert any(f"team {team}" in hit["text"] for hit in found)
    plain = ready("health", "--json").plain
    assert plain["held_up"] == plain["buffered"] == 2
    assert "2 sentences waited because another process held the store" in plain["advice"][0]
    with compose.open_dream(ready.environ) as dream:
        (waited,) = [each for each in dream.measured() if each.name == "dream_writes_waiting_total"]
    assert waited.values[0].number == 2
    assert ready("cycle").code == 0
    plain = ready("health", "--json").plain
    assert (plain["held_up"], plain["buffered"], plain["notes"]) == (0, 0, 5)
    assert ready("ledger", "verify").code == 0


@contextmanager
def held(line: Line, seconds: float) -> Iterator[None]:
    """Another process holds the database of a store."""
    words = [sys.executable, "-c", HOLD, str(line.home / "pgt.sqlite"), str(seconds)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline()
        try:
            yield
        finally:
            holder.kill()


def test_web_prints_its_address_first_serves_it_and_ends_when_stopped(ready: Line, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="the pages need jinja2 (requirements/plugin.txt)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    environ = {**os.environ, **ready.environ, "DREAM_METRICS_PORT": str(number)}
    words = [sys.executable, "-m", "dream", "web", "--no-open"]
    serving = subprocess.Popen(words, env=environ, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert serving.stdout is not None
    address = serving.stdout.readline().strip()
    port = int(address.split(":")[2].split("/")[0])
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    line.request("GET", address[address.index("/?token") :])
    answer = line.getresponse()
    assert answer.status == 303 and answer.read() == b""
    line.request("GET", "/metrics")
    assert b"dream_circuit_mode" in line.getresponse().read()
    assert port == number  # the page takes the port of the metrics where that is free, and serves both
    serving.terminate()
    assert serving.wait(20) is not None
