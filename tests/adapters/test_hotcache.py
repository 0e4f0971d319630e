"""The hot cache: Redis only where it is one (F08), and nothing but speed lost where it is not."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.adapters.hotcache import HELD, DictCache, RedisCache, connect


class Stub:
    """Answers each connection with the same bytes, and keeps what it was sent."""

    def __init__(self, reply: bytes | None) -> None:
        self.reply, self.heard = reply, b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            with line:
                self.heard += line.recv(4096)
                if self.reply is None:
                    time.sleep(1)
                else:
                    line.sendall(self.reply)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "no Redis"),
        (b"-NOAUTH Authentication required.\r\n", "password"),
        (b"", "no Redis"),
        (None, "nothing answers"),
    ],
    ids=["http", "password", "closes", "silent"],
)
def test_f08_a_stranger_on_the_port_means_memory_within_200_ms_and_no_key_is_written(
    reply: bytes | None, why: str
) -> None:
    stub = Stub(reply)
    began = time.monotonic()
    cache, said = connect("127.0.0.1", stub.port, "/some/home")
    assert time.monotonic() - began < 0.2
    assert isinstance(cache, DictCache) and why in said
    cache.put("1:q", b"value")
    assert cache.get("1:q") == b"value"
    time.sleep(0.05)
    assert stub.heard in (b"", b"*1\r\n$4\r\nPING\r\n")
    stub.listener.close()


def test_f08_nothing_on_the_port_means_memory() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    cache, said = connect("127.0.0.1", port, "/some/home")
    assert isinstance(cache, DictCache) and "nothing answers" in said


def test_a_dictionary_keeps_the_most_recently_used() -> None:
    cache = DictCache()
    for number in range(HELD + 5):
        cache.put(str(number), b"v")
        cache.get("0")
    assert cache.get("0") == b"v" and cache.get("1") is None
    cache.drop()
    assert cache.get("0") is None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[int]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("needs redis-server")
    pytest.importorskip("redis")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [program, "--port", str(port), "--save", "", "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    for _ in range(100):
        if not connect("127.0.0.1", port, "x")[1]:
            break
        time.sleep(0.05)
    yield port
    process.terminate()
    process.wait(10)


def test_values_are_shared_between_processes_and_stores_do_not_mix(server: int) -> None:
    one, why = connect("127.0.0.1", server, "/home/one")
    same, other = connect("127.0.0.1", server, "/home/one")[0], connect("127.0.0.1", server, "/home/other")[0]
    assert isinstance(one, RedisCache) and not why
    one.put("7:q", b"seven")
    other.put("7:q", b"other")
    assert (same.get("7:q"), other.get("7:q"), same.get("8:q")) == (b"seven", b"other", None)
    one.drop()
    assert (same.get("7:q"), other.get("7:q")) == (None, b"other")
