"""Who answers the door while the protocol's library is still loading.

A client waits two to five seconds for its first answer; importing FastMCP takes one on a quiet machine and five on a
busy one. So the first question, `server/discover` (2026-07-28) or `initialize` (before that), is answered from here in
the words FastMCP would use (a test holds both equal); every other message waits, in its order, for the server itself.
An `initialize` is handed on as well, since FastMCP keeps a session from it, and its second answer is dropped.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any

SPOKEN = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions that begin with `initialize`; another one is left to FastMCP."""
STATELESS = "2026-07-28"
LAST_WORDS_SECONDS = 5.0
_VERSION = "io.modelcontextprotocol/protocolVersion"
_SERVER = "io.modelcontextprotocol/serverInfo"


def answer(request: dict[str, Any], instructions: str, version: str) -> dict[str, Any] | None:
    """The reply to a client's first question, or None where FastMCP is to answer it."""
    method, params = request.get("method"), request.get("params")
    if not isinstance(params, dict) or not isinstance(request.get("id"), str | int):
        return None
    own = {"name": "dream", "version": version}
    result: dict[str, Any]
    if method == "server/discover" and _asked_for(params) == STATELESS:
        result = {
            "_meta": {_SERVER: own},
            "ttlMs": 0,
            "cacheScope": "private",
            "supportedVersions": [STATELESS],
            "capabilities": {**_can(False), "extensions": {"io.modelcontextprotocol/ui": {}}},
            "instructions": instructions,
            "resultType": "complete",
        }
    elif method == "initialize" and params.get("protocolVersion") in SPOKEN:
        result = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": _can(True),
            "serverInfo": own,
            "instructions": instructions,
        }
    else:
        return None
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def _asked_for(params: dict[str, Any]) -> object:
    meta = params.get("_meta")
    return meta.get(_VERSION) if isinstance(meta, dict) else None


def _can(changes: bool) -> dict[str, Any]:
    return {
        "logging": {},
        "prompts": {"listChanged": changes},
        "resources": {"subscribe": False, "listChanged": changes},
        "tools": {"listChanged": changes},
    }


class Front:
    """Reads the client's lines from descriptor 0 until the process ends, and answers the first ones on `wire`.

    Descriptor 0 reads nothing until `hand_over`, which makes 0 and 1 what FastMCP finds them to be.
    """

    def __init__(self, wire: int, instructions: str, version: str) -> None:
        self._wire, self._instructions, self._version = wire, instructions, version
        self._open, self._lock = True, threading.Lock()
        self._greeted: str | int | None = None
        self._saying: threading.Thread | None = None
        self._client = os.dup(0)
        self._onward, onward = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        threading.Thread(target=self._read, args=(onward,), name="dream-front", daemon=True).start()

    def hand_over(self) -> None:
        """From here on the server answers everything."""
        with self._lock:
            self._open = False
        os.dup2(self._onward, 0)
        os.close(self._onward)
        if self._greeted is None:
            os.dup2(self._wire, 1)
            return
        said, saying = os.pipe()
        os.dup2(saying, 1)
        os.close(saying)
        self._saying = threading.Thread(target=self._say, args=(said, self._greeted), name="dream-says", daemon=True)
        self._saying.start()

    def end(self) -> None:
        """Wait until what the server said has gone out; descriptor 1 is somebody else's by now."""
        if self._saying is not None:
            self._saying.join(LAST_WORDS_SECONDS)

    def _read(self, onward: int) -> None:
        rest = b""
        while True:
            chunk = os.read(self._client, 1 << 16)
            *lines, rest = (rest + chunk).split(b"\n")
            try:
                for line in lines:
                    if not self._answered(line):
                        _write(onward, line + b"\n")
                if not chunk:
                    _write(onward, rest)
                    os.close(onward)
                    return
            except BrokenPipeError:  # the server has ended
                return

    def _answered(self, line: bytes) -> bool:
        """Whether a line needs no more of the server."""
        with self._lock:
            if not self._open:
                return False
            try:
                request = json.loads(line)
            except (ValueError, RecursionError):
                request = None
            reply = answer(request, self._instructions, self._version) if isinstance(request, dict) else None
            if reply is None or request["method"] == "initialize":
                self._open = False  # in order: what follows a message that waits, waits too
            if reply is None:
                return False
            _write(self._wire, json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            if request["method"] == "initialize":
                self._greeted = reply["id"]
                return False
            return True

    def _say(self, said: int, greeted: str | int) -> None:
        """Pass on what the server says, but for its own answer to the request `greeted`."""
        held, dropped = b"", False
        while chunk := os.read(said, 1 << 16):
            if dropped:
                _write(self._wire, chunk)
                continue
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                if dropped or json.loads(line).get("id") != greeted:
                    _write(self._wire, line + b"\n")
                else:
                    dropped = True
            if dropped:
                _write(self._wire, held)


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
