"""Servers that want one port for their metrics: all answer their clients, one serves, the others say it once (F04)."""

from __future__ import annotations

import http.client
import socket
import sys
import threading
import time
from collections.abc import Callable

from dream.health.port import who_has
from tests.mcp.test_wire import ROOT, Wire, needs_fastmcp

SERVER = [sys.executable, "-m", "dream", "serve"]
PATIENCE_S = 90.0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)


class Heard:
    """What a server says to people, as it says it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.said = ""
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self._wire.process.stderr is not None
        for line in self._wire.process.stderr:
            self.said += line.decode("utf-8", "replace")

    def end(self) -> int:
        """Close the server; its exit code. All it said is heard then."""
        process = self._wire.process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        code = process.wait(PATIENCE_S)
        self._thread.join(PATIENCE_S)
        process.stdout.close()
        return code


def answers(wire: Wire) -> bool:
    """Whether a tool of the server answers."""
    told = wire.send("tools/call", name="health_check", arguments={})
    return "error" not in told and not told["result"].get("isError")


@needs_fastmcp
def test_f04_two_servers_answer_one_has_the_port_and_the_other_says_so_once(environ: dict[str, str]) -> None:
    port = free_port()
    own = {**environ, "DREAM_METRICS_PORT": str(port), "DREAM_METRICS_ENABLED": "1"}
    first = Wire(SERVER, own, ROOT)
    first.hello()
    until(lambda: who_has(port).pid == first.process.pid)
    second = Wire(SERVER, own, ROOT)
    heard = Heard(second)
    second.hello()
    assert answers(first) and answers(second)
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", "/metrics")
    assert b"dream_circuit_mode 0.0" in line.getresponse().read()
    line.close()
    assert who_has(port).pid == first.process.pid and who_has(port).what == "MCP server"
    assert answers(second), "it carries on"
    until(lambda: "Metrics are served on" in heard.said)
    assert (heard.end(), heard.said.count("Metrics are served on")) == (0, 1), heard.said
    assert first.end()[0] == 0


@needs_fastmcp
def test_f04_another_program_on_the_port_stops_no_server_and_is_named(environ: dict[str, str]) -> None:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = int(stranger.getsockname()[1])
        wire = Wire(SERVER, {**environ, "DREAM_METRICS_PORT": str(port), "DREAM_METRICS_ENABLED": "1"}, ROOT)
        heard = Heard(wire)
        wire.hello()
        assert answers(wire)
        told = wire.send("tools/call", name="health_check", arguments={})
        assert "Another program" in str(told)
        until(lambda: "Another program has port" in heard.said)
        assert (heard.end(), heard.said.count("Another program has port")) == (0, 1), heard.said
