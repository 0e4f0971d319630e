"""A listening port on this machine that serves a WSGI application; a port that is taken is an answer, not an error."""

from __future__ import annotations

import os
import socket
import socketserver
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIEnvironment

ADDRESS = "127.0.0.1"
SILENT_SECONDS = 15.0
"""How long a client that says nothing keeps its thread."""

App = Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]


class _Quiet(ServerHandler):
    server_software = "Dream"
    error_status = "500 Internal Server Error"
    error_headers = [("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff")]  # noqa: RUF012
    error_body = (
        "Dream met a fault of its own; nothing was lost. `dream doctor` looks at the store.\n"
        "Dream a rencontré une faute à lui ; rien n'est perdu. `dream doctor` regarde le magasin.\n"
    ).encode()

    def log_exception(self, exc_info: Any) -> None:
        """A reader that went away is nobody's fault; a fault of our own is told on standard error."""
        if not isinstance(exc_info[1], OSError):
            super().log_exception(exc_info)


class _Request(WSGIRequestHandler):
    timeout = SILENT_SECONDS

    def handle(self) -> None:
        try:
            self._serve_one()
        except OSError:
            self.close_connection = True

    def _serve_one(self) -> None:
        self.raw_requestline = self.rfile.readline(65_537)
        if len(self.raw_requestline) > 65_536:
            self.requestline = self.request_version = self.command = ""
            self.send_error(414)
            return
        if not self.parse_request():
            return
        environ = self.get_environ()
        environ["dream.hosts"] = self.headers.get_all("Host") or []
        serving = _Quiet(
            self.rfile,
            self.wfile,  # type: ignore[arg-type]
            self.get_stderr(),
            environ,
            multithread=True,
        )
        serving.request_handler = self  # type: ignore[attr-defined]
        serving.run(self.server.get_app())  # type: ignore[attr-defined]

    def address_string(self) -> str:
        return str(self.client_address[0])  # no name is looked up

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written of who asked for what."""


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere it would let two serve one port

    def server_bind(self) -> None:
        # WSGIServer asks the resolver for this machine's name, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, int(self.server_address[1])
        self.setup_environ()


class Listener:
    """A port that is served until `close`."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self.port: int = server.server_port
        self._thread = threading.Thread(target=server.serve_forever, name="dream-web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving and give the port back."""
        ending = threading.Thread(target=self._server.shutdown)
        ending.start()
        with suppress(OSError), socket.create_connection((ADDRESS, self.port), timeout=1):
            pass  # it looks twice a second whether it is to end; a caller wakes it
        ending.join()
        self._server.server_close()


def listen(port: int, app: App) -> Listener | None:
    """Serve on 127.0.0.1; None where the port is taken. Port 0 takes any that is free."""
    try:
        server = _Server((ADDRESS, port), _Request)
    except OSError:
        return None
    server.set_app(app)
    return Listener(server)
