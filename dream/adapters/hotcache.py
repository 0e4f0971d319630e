"""A hot cache: Redis where one answers as Redis does, else a dictionary of this process.

1. A cache may lie only about speed: its callers' keys begin with the ledger's watermark, so what is stale is never
   looked up (`recall.remembering`).
2. Nothing is written to a service before it has said that it is a Redis without a password (F08). Whatever else
   listens there, or nothing, means the dictionary, within 200 ms. A stranger is worth one warning; an empty port is how
   most machines are, and none.
3. A Redis that goes away in use costs what it held, no more.
"""

from __future__ import annotations

import hashlib
import socket
from collections import OrderedDict
from typing import Any, NamedTuple

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


class Connected(NamedTuple):
    """The cache to use; `why` it is not Redis ("" where it is); whether a `stranger` holds the port."""

    cache: RedisCache | DictCache
    why: str = ""
    stranger: bool = False


def connect(host: str, port: int, name: str) -> Connected:
    """Find the cache to use.

    Args:
        name: of the store, its folder.
    """
    why, stranger = _no_redis(host, port)
    if why:
        return Connected(DictCache(), why, stranger)
    try:
        import redis
    except ImportError:
        return Connected(DictCache(), "the package redis is not installed")
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    once = Retry(NoBackoff(), 0)  # the client's own patience is some seconds a call
    client = redis.Redis(host=host, port=port, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=once)
    return Connected(RedisCache(client, name))


def _no_redis(host: str, port: int) -> tuple[str, bool]:
    """Why no Redis of ours is there, and whether something else is; asked by one PING before any client speaks."""
    at = f"{host}:{port}"
    try:
        line = socket.create_connection((host, port), timeout=PATIENCE)
    except OSError as error:
        return f"nothing answers at {at} ({error.strerror or 'no answer in time'})", False
    with line:
        try:
            line.settimeout(PATIENCE)
            line.sendall(b"*1\r\n$4\r\nPING\r\n")
            said = line.recv(64)
        except OSError as error:
            return f"what listens at {at} says nothing ({error.strerror or 'no answer in time'})", True
    if said.startswith(b"+PONG"):
        return "", False
    if said.startswith((b"-NOAUTH", b"-ERR operation not permitted", b"-WRONGPASS")):
        return f"the Redis at {at} wants a password", True
    return f"what listens at {at} is no Redis", True
