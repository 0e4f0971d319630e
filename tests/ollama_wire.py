"""A server that speaks `/api/embed` as Ollama does, over a real socket, with an embedder behind it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Embed = Callable[[list[str]], list[list[float]]]


@contextmanager
def serving(models: dict[str, Embed]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address, and what was asked."""
    heard: list[dict[str, Any]] = []

    class Wire(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append({"path": self.path, **asked})
            embed = models.get(asked["model"])
            if embed is None:
                self._say(404, {"error": f'model "{asked["model"]}" not found, try pulling it first'})
                return
            rows = embed(asked["input"])
            if any(each != each for row in rows for each in row):  # a NaN, which Go does not write as JSON
                self._say(500, {"error": "failed to encode response: json: unsupported value: NaN"})
            else:
                self._say(200, {"model": asked["model"], "embeddings": rows, "total_duration": 1})

        def _say(self, code: int, plain: Any) -> None:
            body = json.dumps(plain).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Wire)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", heard
    finally:
        server.shutdown()
        server.server_close()
