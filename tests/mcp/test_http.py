"""F03: over HTTP, only this machine is served."""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.mcp.guard import allowed

ROOT = Path(__file__).resolve().parents[2]
HELLO = json.dumps(
    {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("headers", "let_in"),
    [
        ({"host": "127.0.0.1:9465"}, True),
        ({"host": "localhost:9465"}, True),
        ({"host": "[::1]:9465"}, True),
        ({"host": "LOCALHOST"}, True),
        ({"host": "127.0.0.1:9465", "origin": "http://localhost:3000"}, True),
        ({"host": "evil.example"}, False),
        ({"host": "evil.example:9465"}, False),
        ({"host": "127.0.0.1.evil.example"}, False),
        ({"host": "localhost@evil.example"}, False),
        ({"host": "evil.example@localhost"}, False),
        ({"host": "127.0.0.1:x"}, False),
        ({"host": "[::1"}, False),
        ({"host": ""}, False),
        ({}, False),
        ({"host": "127.0.0.1", "origin": "null"}, False),
        ({"host": "127.0.0.1", "origin": ""}, False),
        ({"host": "127.0.0.1", "origin": "https://evil.example"}, False),
        ({"host": "127.0.0.1", "origin": "https://localhost.evil.example"}, False),
    ],
)
def test_f03_host_and_origin_must_be_this_machines_own(headers: dict[str, str], let_in: bool) -> None:
    assert allowed([(name.encode(), value.encode()) for name, value in headers.items()]) is let_in


def test_two_hosts_are_one_too_many() -> None:
    assert not allowed([(b"host", b"localhost"), (b"Host", b"evil.example")])


@pytest.fixture
def port(environ: dict[str, str], tmp_path: Path) -> Iterator[int]:
    if importlib.util.find_spec("fastmcp") is None:
        pytest.skip("the server needs fastmcp (requirements/plugin.txt)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = int(free.getsockname()[1])
    command = [sys.executable, "-m", "dream", "serve", "--http", "--port", str(number)]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("DREAM_")}
    process = subprocess.Popen(command, cwd=ROOT, env={**inherited, **environ}, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", number)) == 0:
                    break
            time.sleep(0.1)
        yield number
    finally:
        process.terminate()
        process.wait(20)


def answered(port: int, headers: dict[str, str]) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest("POST", "/mcp", skip_host=True)
    body = HELLO.encode()
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    for name, value in {**kinds, "Content-Length": str(len(body)), **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    reply = connection.getresponse()
    return reply.status, reply.read().decode("utf-8", "replace")


def test_f03_rebound_names_and_foreign_pages_get_403_and_this_machine_is_served(port: int) -> None:
    for headers in (
        {"Host": "evil.example"},
        {"Host": f"localhost:{port}", "Origin": "https://evil.example"},
        {"Host": f"localhost:{port}", "Origin": "null"},
    ):
        assert answered(port, headers)[0] == 403
    status, text = answered(port, {"Host": f"localhost:{port}"})
    assert status == 200 and '"name":"dream"' in text.replace(" ", "")
    with socket.socket() as outside:
        outside.settimeout(2)
        own = socket.gethostbyname(socket.gethostname())
        if not own.startswith("127."):
            assert outside.connect_ex((own, port)) != 0, "bound wider than 127.0.0.1"
