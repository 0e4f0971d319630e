"""A loopback server that speaks Ollama's wire format: what it answers is scripted, and so is what it does wrong.

NDJSON streams (the server's default), errors as `{"error": …}` with a status before the first byte and as a last line
after it, 404 of an unknown model, the "412" inside a pull, models that load and unload, headers that come late.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOO_NEW = (
    "pull model manifest: 412: \n\nThe model you are attempting to pull requires a newer version of Ollama that may be "
    "in pre-release.\n\nPlease see https://github.com/ollama/ollama/releases for more details.\n\n"
)
AT = "2026-11-30T02:05:00.000000Z"
Request = dict[str, Any]
Reply = dict[str, Any]


@dataclass
class Script:
    """What the server has and does.

    Attributes:
        reply: from a chat request to `content`, `thinking`, `done_reason`, `prompt_eval_count`, `logprobs`, or `error`
            (with `status`, or with `late` after the first line).
        models: name to capabilities; remote: what a pull can get; too_new: names that a pull answers with "412".
        load_s: seconds that loading takes, during which headers are held.
        forgets: the model is unloaded after each answer.
    """

    reply: Callable[[Request], Reply] = lambda request: {"content": "{}"}
    version: str = "0.31.0"
    models: dict[str, list[str]] = field(default_factory=lambda: {"judge:1b": ["completion"]})
    remote: tuple[str, ...] = ()
    too_new: tuple[str, ...] = ()
    load_s: float = 0.0
    forgets: bool = False
    asked: list[Request] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    loads: int = 0
    loaded: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def load(self, request: Request) -> None:
        """Load the model where it is not, or where its window changes."""
        window = int((request.get("options") or {}).get("num_ctx", 0))
        with self.lock:
            there = self.loaded.get(request["model"])
            if there is None or (window and there != window):
                time.sleep(self.load_s)
                self.loads += 1
                self.loaded[request["model"]] = window


class _Wire(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a small answer waits 40 ms for an acknowledgement otherwise
    script: Script

    def log_message(self, *words: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.script.paths.append(self.path)
        if self.path == "/api/version":
            self._object(200, {"version": self.script.version})
        elif self.path == "/api/tags":
            named = [{"name": name, "model": name, "modified_at": AT, "size": 1, "digest": f"{name}-digest"}
                     for name in self.script.models]  # fmt: skip
            self._object(200, {"models": named})
        else:
            self._object(404, {"error": "404 page not found"})

    def do_POST(self) -> None:
        self.script.paths.append(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not raw:
            return self._object(400, {"error": "missing request body"})
        request = json.loads(raw)
        try:
            {"/api/show": self._show, "/api/chat": self._chat, "/api/pull": self._pull}[self.path](request)
        except KeyError:
            self._object(404, {"error": "404 page not found"})
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _show(self, request: Request) -> None:
        name = request["model"]
        if name not in self.script.models:
            return self._object(404, {"error": f"model '{name}' not found"})
        self._object(
            200, {"capabilities": self.script.models[name], "details": {}, "model_info": {}, "modified_at": AT}
        )
        return None

    def _chat(self, request: Request) -> None:
        script, name = self.script, request["model"]
        if name not in script.models:
            return self._object(404, {"error": f"model '{name}' not found"})
        if request.get("think") and "thinking" not in script.models[name]:
            return self._object(400, {"error": f'"{name}" does not support thinking'})
        if not request.get("messages"):
            if request.get("keep_alive") == 0:
                script.loaded.pop(name, None)
                return self._object(200, self._line(name, "", done=True, done_reason="unload"))
            script.load(request)
            return self._object(200, self._line(name, "", done=True, done_reason="load"))
        script.load(request)
        script.asked.append(request)
        reply = script.reply(request)
        if script.forgets:
            script.loaded.pop(name, None)
        if "error" in reply and not reply.get("late"):
            return self._object(reply.get("status", 500), {"error": reply["error"]})
        last = {"done": True, "done_reason": reply.get("done_reason", "stop"), "total_duration": 1, "eval_duration": 1}
        last["prompt_eval_count"] = reply.get("prompt_eval_count", _words(request))
        last["eval_count"] = reply.get("eval_count", len(reply.get("content", "")) // 4 + 1)
        if request.get("stream") is False:
            line = self._line(name, reply.get("content", ""), reply.get("thinking"), **last)
            return self._object(200, {**line, **({"logprobs": reply["logprobs"]} if "logprobs" in reply else {})})
        self._open()
        if reply.get("thinking"):
            self._send(self._line(name, "", reply["thinking"], done=False))
        for line in self._pieces(name, reply, bool(request.get("logprobs"))):
            self._send(line)
        self._send({"error": reply["error"]} if "error" in reply else self._line(name, "", **last))
        self._close()
        return None

    def _pieces(self, name: str, reply: Reply, logprobs: bool) -> Iterator[Reply]:
        if logprobs and "logprobs" in reply:
            for each in reply["logprobs"]:
                yield {**self._line(name, each["token"], done=False), "logprobs": [each]}
            return
        content = reply.get("content", "")
        for start in range(0, len(content), 7):
            yield self._line(name, content[start : start + 7], done=False)

    def _pull(self, request: Request) -> None:
        name = request["model"]
        self._open()
        self._send({"status": "pulling manifest"})
        if name in self.script.too_new:
            self._send({"error": TOO_NEW})
        elif name not in self.script.remote:
            self._send({"error": "pull model manifest: file does not exist"})
        else:
            for done in (0, 50, 100):
                self._send({"status": "pulling 0123456789ab", "digest": "sha256:01", "total": 100, "completed": done})
            for status in ("verifying sha256 digest", "writing manifest", "success"):
                self._send({"status": status})
            self.script.models[name] = ["completion"]
        self._close()

    def _line(self, name: str, content: str, thinking: str | None = None, **more: Any) -> Reply:
        message: Reply = {"role": "assistant", "content": content}
        if thinking:
            message["thinking"] = thinking
        return {"model": name, "created_at": AT, "message": message, **more}

    def _object(self, status: int, plain: Reply) -> None:
        raw = json.dumps(plain).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _open(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send(self, plain: Reply) -> None:
        raw = json.dumps(plain).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        self.wfile.flush()

    def _close(self) -> None:
        self.wfile.write(b"0\r\n\r\n")


def _words(request: Request) -> int:
    """As a tokeniser would count, roughly."""
    return sum(-(-len(message["content"].encode()) // 4) for message in request["messages"])


@contextmanager
def serving(script: Script, port: int = 0) -> Iterator[str]:
    """The server's address while the block runs; port 0 is any free one."""
    wire = type("Wire", (_Wire,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", port), wire)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
