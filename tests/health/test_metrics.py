"""The metrics: names and types of the mission, what adds to them, a real Prometheus reading them (F03, F04, G07)."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from dream.api import Dream
from dream.compose import exposition, open_dream
from dream.errors import CycleFailed
from dream.health.metrics import METRICS, PHASES
from dream.health.port import store_tag, who_has
from dream.house import House
from dream.operations import Value
from dream.web.listen import Listener, listen
from dream.web.watch import Watch

ROOT = Path(__file__).resolve().parents[2]
PROMTOOL, PROMETHEUS = shutil.which("promtool"), shutil.which("prometheus")
MISSION = {
    "dream_cycle_completed_total": "counter",
    "dream_cycle_failed_total": "counter",
    "dream_sanitize_latency_ms": "histogram",
    "dream_search_latency_ms": "histogram",
    "dream_consensus_score": "histogram",
    "dream_hitl_pending": "gauge",
    "dream_ram_peak_mb": "gauge",
    "dream_vitality_avg": "gauge",
    "dream_circuit_mode": "gauge",
    "dream_ledger_merkle_ok": "gauge",
    "dream_ollama_up": "gauge",
}

ABBREVIATED = ("dream_ram_peak_mb", "dream_sanitize_latency_ms", "dream_search_latency_ms")
"""Names that the mission gives, with units that Prometheus would write out."""


@pytest.fixture
def dream(house: House) -> Dream:
    return Dream(house)


def values(dream: Dream, name: str) -> dict[tuple[tuple[str, str], ...], Value]:
    (found,) = [each for each in dream.measured() if each.name == name]
    return {value.labels: value for value in found.values}


def number(dream: Dream, name: str, **labels: str) -> float:
    return values(dream, name)[tuple(sorted(labels.items()))].number


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of a store with something in it, and a free port for its metrics."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = {
        "DREAM_HOME": str(tmp_path / "home"),
        "DREAM_STATE": str(tmp_path / "state"),
        "DREAM_TRANSCRIPTS": str(tmp_path / "transcripts"),
        "DREAM_TZ": "Europe/Paris",
        "DREAM_METRICS_PORT": str(port),
        "DREAM_OLLAMA_HOST": "http://127.0.0.1:9",
    }
    with open_dream(made, create=True) as opened:
        opened.remember("Le serveur écoute sur le port 9464, écrire à lea.martin@" + "orange.fr.")
        opened.recall("port du serveur")
    return made


@pytest.fixture
def watch(environ: dict[str, str]) -> Iterator[Watch]:
    made = Watch(environ, "test")
    made.start()
    wait_for(lambda: made.listener is not None)
    yield made
    made.close()


def wait_for(true: Any, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.05)


def get(port: int, path: str = "/metrics", **headers: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    line.putrequest("GET", path, skip_host="Host" in named)
    for name, value in named.items():
        line.putheader(name, value)
    line.endheaders()
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, body


def test_the_names_and_types_of_the_mission_are_there(dream: Dream) -> None:
    declared = {metric.name: metric.type for metric in METRICS}
    assert MISSION.items() <= declared.items()
    assert [each.name for each in dream.measured()] == list(declared)
    assert {dict(labels)["phase"] for labels in values(dream, "dream_cycle_failed_total")} == set(PHASES)


def test_a_night_a_search_and_a_sentence_are_counted(dream: Dream, house: House) -> None:
    dream.remember("Le serveur écoute sur le port 9464, écrire à lea.martin@" + "orange.fr.")
    dream.recall("port du serveur")
    dream.cycle(trigger="forced")
    assert number(dream, "dream_cycle_completed_total") == 1
    assert number(dream, "dream_capture_events_total") == 1
    assert values(dream, "dream_search_latency_ms")[()].buckets[-1][1] == 1
    assert values(dream, "dream_sanitize_latency_ms")[()].buckets[-1][1] == 1
    assert sum(value.number for value in values(dream, "dream_redactions_total").values()) == 1
    assert number(dream, "dream_notes") == 1
    assert sum(value.number for value in values(dream, "dream_nodes").values()) == 1
    assert house.operations.state.uses("")


def test_a_night_that_fails_is_counted_by_its_phase(dream: Dream, monkeypatch: pytest.MonkeyPatch) -> None:
    from dream.cycle import cycle

    def refuse(*_: object, **__: object) -> None:
        raise CycleFailed("No.", "", "consolidate")

    monkeypatch.setattr(cycle, "run_night", refuse)
    with pytest.raises(CycleFailed):
        dream.cycle(trigger="forced")
    assert number(dream, "dream_cycle_failed_total", phase="consolidate") == 1
    assert number(dream, "dream_cycle_completed_total") == 0


def test_a_process_that_has_ended_still_counts(environ: dict[str, str]) -> None:
    with open_dream(environ) as opened:
        before = values(opened, "dream_search_latency_ms")[()].buckets[-1][1]
        subprocess.run([sys.executable, "-m", "dream", "search", "port"], env=environ, cwd=ROOT, check=True,
                       capture_output=True)  # fmt: skip
        assert values(opened, "dream_search_latency_ms")[()].buckets[-1][1] == before + 1


def test_g07_the_age_of_the_last_good_night_is_a_metric_and_no_night_is_zero(dream: Dream) -> None:
    assert number(dream, "dream_last_cycle_timestamp_seconds") == 0
    dream.cycle(trigger="forced", now="2026-03-06T02:05:00+01:00")
    assert number(dream, "dream_last_cycle_timestamp_seconds") == 1772759100
    for day in ("07", "08", "09"):
        dream.cycle(trigger="nightly", now=f"2026-03-{day}T02:05:00+01:00")  # nothing is due
    assert number(dream, "dream_last_cycle_timestamp_seconds") == 1772759100
    log = (dream.home.logs / "nightly.log").read_text(encoding="utf-8")
    assert log.count("nothing due") == 3


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed (apt-get install prometheus)")
def test_promtool_has_nothing_to_say_but_of_the_mission_s_own_names(dream: Dream) -> None:
    dream.recall("anything")
    _, body = exposition(dream.measured(), "")
    done = subprocess.run([str(PROMTOOL), "check", "metrics"], input=body, capture_output=True, check=False)
    told = {line for line in done.stderr.decode().splitlines() if "dream_" in line}
    assert told == {f"{name} metric names should not contain abbreviated units" for name in ABBREVIATED}


def test_rules_and_dashboard_ask_for_metrics_that_exist() -> None:
    import re

    known = {metric.name for metric in METRICS}
    asked = (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")
    dashboard = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
    asked += " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    for name in re.findall(r"dream_[a-z_]+", asked):
        assert re.sub(r"_(bucket|sum|count)$", "", name) in known, name
    shown = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    assert all(name in shown for name in MISSION)
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


@pytest.mark.skipif(PROMETHEUS is None, reason="prometheus is not installed (apt-get install prometheus)")
def test_a_real_prometheus_reads_all_of_it(watch: Watch, tmp_path: Path) -> None:
    assert watch.listener is not None
    config = tmp_path / "prometheus.yml"
    target = f"127.0.0.1:{watch.listener.port}"
    rules = ROOT / "deploy" / "alerts.yml"
    config.write_text(
        f"global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: [{rules}]\n"
        f"scrape_configs: [{{job_name: dream, static_configs: [{{targets: ['{target}']}}]}}]\n",
        encoding="utf-8",
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = free.getsockname()[1]
    server = subprocess.Popen(
        [str(PROMETHEUS), f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'tsdb'}",
         f"--web.listen-address=127.0.0.1:{own}", "--log.level=error"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def ask(path: str) -> Any:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{own}/api/v1/{path}", timeout=5) as answer:
                return json.load(answer)["data"]
        except OSError:
            return {}

    try:
        wait_for(lambda: ask("query?query=up").get("result", [{}])[0:1] and _up(ask("query?query=up")), 40)
        types = ask("metadata")
        for metric in METRICS:
            name = metric.name if metric.name in types else metric.name.removesuffix("_total")
            assert types[name][0]["type"] == metric.type, metric.name
        for name in (*MISSION, "dream_notes", "dream_nodes", "dream_last_cycle_timestamp_seconds"):
            asked = name + ("_count" if MISSION.get(name) == "histogram" else "")
            assert ask(f"query?query={asked}")["result"], name
        assert len(ask("rules")["groups"][0]["rules"]) == 8
        panels = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))["panels"]
        for expression in [target["expr"] for panel in panels for target in panel["targets"]]:
            wait_for(lambda asked=expression: ask(f"query?query={quote(asked)}").get("result"), 40)
        assert ask("query?query=dream_ledger_merkle_ok")["result"][0]["value"][1] == "1"
    finally:
        server.terminate()
        server.wait(20)


def _up(answer: Any) -> bool:
    return bool(answer.get("result")) and answer["result"][0]["value"][1] == "1"


def test_f03_only_this_machine_s_own_names_may_ask(watch: Watch) -> None:
    assert watch.listener is not None
    port = watch.listener.port
    for path in ("/metrics", "/who", "/"):
        assert get(port, path, Host="evil.example")[0] == 403
        assert get(port, path, Origin="https://evil.example")[0] == 403
        assert get(port, path, Origin="null")[0] == 403
    status, body = get(port, "/metrics", Host=f"localhost:{port}")
    assert status == 200 and "dream_circuit_mode 0.0" in body
    assert get(port, "/", Host=f"localhost:{port}")[0] == 401


def test_f04_the_port_goes_to_one_the_other_carries_on_and_takes_over(
    watch: Watch, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch.listener is not None
    port = watch.listener.port
    other = Watch(environ, "second", every=0.2)
    other.start()
    time.sleep(1.5)
    assert other.listener is None
    assert capsys.readouterr().err.count("Metrics are served on") == 1  # one warning, however often it looked
    found = who_has(port)
    assert (found.what, found.store) == ("test", store_tag(Path(environ["DREAM_HOME"])))
    watch.close()
    wait_for(lambda: other.listener is not None)
    assert who_has(port).what == "second"
    other.close()


def test_f04_another_program_on_the_port_is_named_and_harms_nothing(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = listen(int(environ["DREAM_METRICS_PORT"]), _stranger)
    assert isinstance(foreign, Listener)
    watch = Watch(environ, "test", every=0.2)
    watch.start()
    time.sleep(1)
    assert watch.listener is None
    assert capsys.readouterr().err.count("Another program has port") == 1
    assert "Another program" in who_has(foreign.port).sentence()
    watch.close()
    foreign.close()


def _stranger(environ: Any, start: Any) -> list[bytes]:
    start("200 OK", [("Content-Type", "text/html")])
    return [b"<h1>something else</h1>"]


def test_metrics_can_be_turned_off(environ: dict[str, str]) -> None:
    watch = Watch({**environ, "DREAM_METRICS_ENABLED": "0"}, "test")
    watch.start()
    time.sleep(1)
    assert watch.listener is None
    assert who_has(int(environ["DREAM_METRICS_PORT"])).pid == 0
    watch.close()
