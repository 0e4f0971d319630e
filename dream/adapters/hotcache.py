"""A hot cache: Redis where one answers as Redis does, else a dictionary of this process.

1. A cache may lie only about speed: keys carry the ledger's watermark, so what is stale is never looked up.
2. Nothing is written to a service before it has said that it is a Redis without a password (F08). Whatever else
   listens there, or nothing, means the dictionary, within 200 ms, with one warning.
3. A Redis that goes away in use costs what it held, no more.
"""

from __future__ import annotations

import hashlib
import socket
from collections import OrderedDict
from typing import Any

PATIENCE = 0.08
"""Seconds to wait for a connection, and again for its answer."""
HELD = 512
"""Values a dictionary keeps, least recently used out first."""
LIVES = 86_400
"""Seconds that Redis keeps a value."""


class DictCache:
    """Port `HotCache` in this process."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        value = self._held.get(key)
        if value is not None:
            self._held.move_to_end(key)
        return value

    def put(self, key: str, value: bytes) -> None:
        self._held[key] = value
        self._held.move_to_end(key)
        while len(self._held) > HELD:
            self._held.popitem(last=False)

    def drop(self) -> None:
        self._held.clear()


class RedisCache:
    """Port `HotCache` in a Redis that `connect` has found.

    Args:
        name: keeps the keys of one store apart from those of others.
    """

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self._name = f"dream:{hashlib.sha256(name.encode()).hexdigest()[:12]}:"
        self._instead = DictCache()

    def get(self, key: str) -> bytes | None:
        import redis

        try:
            value: bytes | None = self._client.get(self._name + key)
        except redis.RedisError:
            return self._instead.get(key)
        return value

    def put(self, key: str, value: bytes) -> None:
        import redis

        try:
            self._client.set(self._name + key, value, ex=LIVES)
        except redis.RedisError:
            self._instead.put(key, value)

    def drop(self) -> None:
        """Take out this store's keys, no others."""
        import redis

        self._instead.drop()
        try:
            for key in self._client.scan_iter(match=self._name + "*", count=500):
                self._client.delete(key)
        except redis.RedisError:
            return


def connect(host: str, port: int, name: str) -> tuple[RedisCache | DictCache, str]:
    """The cache to use, and why it is not Redis ("" where it is).

    Args:
        name: of the store, its folder.
    """
    why = _stranger(host, port)
    if why:
        return DictCache(), why
    try:
        import redis
    except ImportError:
        return DictCache(), "the package redis is not installed"
    client = redis.Redis(host=host, port=port, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)
    return RedisCache(client, name), ""


def _stranger(host: str, port: int) -> str:
    """Why what listens there is no Redis of ours; asked by one PING, in raw bytes, before any client speaks."""
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as line:
            line.settimeout(PATIENCE)
            line.sendall(b"*1\r\n$4\r\nPING\r\n")
            said = line.recv(64)
    except OSError as error:
        return f"nothing answers at {host}:{port} ({error.strerror or 'no answer in time'})"
    if said.startswith(b"+PONG"):
        return ""
    if said.startswith((b"-NOAUTH", b"-ERR operation not permitted", b"-WRONGPASS")):
        return f"the Redis at {host}:{port} wants a password"
    return f"what listens at {host}:{port} is no Redis"
