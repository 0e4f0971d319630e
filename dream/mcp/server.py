"""The MCP server: FastMCP over the ten tools, on standard input and output or on 127.0.0.1.

Promises: standard output carries JSON-RPC and nothing else, from the first instruction to the last; `initialize` is
answered before a store, a model or a vector index is opened; over HTTP only this machine is served. The protocol's
library takes no setting from the folder it happens to start in.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from dream.mcp.front import Front

ADDRESS = "127.0.0.1"
PORT = 9465
WATCH_AFTER_SECONDS = 3.0
"""Later than any client asks its first question."""
_QUIET = {
    "FASTMCP_ENV_FILE": os.devnull,  # else a project's own .env would set it up
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "FASTMCP_SHOW_SERVER_BANNER": "false",
    "FASTMCP_LOG_LEVEL": "WARNING",
    "FASTMCP_ENABLE_RICH_LOGGING": "false",
    "FASTMCP_ENABLE_RICH_TRACEBACKS": "false",
}


def build(environ: Mapping[str, str]) -> FastMCP[Any]:
    """A server over the store that the environment names; opens nothing."""
    for name, value in _QUIET.items():
        os.environ[name] = value
    from fastmcp import FastMCP
    from fastmcp.exceptions import ResourceError, ToolError

    from dream import __version__
    from dream.mcp.opened import Store
    from dream.mcp.resources import RESOURCES, Resources
    from dream.mcp.tools import INSTRUCTIONS, TOOLS, Tools

    store = Store(environ)
    server: FastMCP[Any] = FastMCP("dream", INSTRUCTIONS, version=__version__, mask_error_details=True)
    tools, resources = Tools(store), Resources(store)
    for name, (title, hints) in TOOLS.items():
        call = _plainly(getattr(tools, name), ToolError)
        server.tool(call, name=name, title=title, annotations={"title": title, **hints})
    for uri, (name, title, media) in RESOURCES.items():
        server.resource(uri, name=name, title=title, mime_type=media)(_plainly(getattr(resources, name), ResourceError))
    return server


def _plainly(call: Callable[..., Any], wrong: type[Exception]) -> Callable[..., Any]:
    """The call, with what goes wrong said in one sentence and a hint, and no more of it."""
    from dream.errors import DreamError
    from dream.mcp.resources import sentence

    @functools.wraps(call)
    def plain(*given: Any, **named: Any) -> Any:
        try:
            return call(*given, **named)
        except DreamError as error:
            raise wrong(sentence(error), log_level=logging.DEBUG) from None  # type: ignore[call-arg]
        except OSError as error:
            said = error.strerror or type(error).__name__
            raise wrong(f"The system refused: {said}. `dream doctor` looks why.") from None

    return plain


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client goes away; returns the exit code."""
    wire = _take_the_wire()
    parser = argparse.ArgumentParser(prog="dream serve", description="The MCP server of Dream.")
    parser.add_argument("--http", action="store_true", help=f"serve on {ADDRESS} instead of standard input and output")
    parser.add_argument("--port", type=int, default=PORT, help=f"port of --http ({PORT})")
    given = parser.parse_args(argv)
    if importlib.util.find_spec("fastmcp") is None:
        sys.stderr.write(
            "The server needs the package fastmcp.\nInstall it with the extra `plugin` (pip install '.[plugin]' in a "
            "clone), or set Dream up with scripts/run.py setup.\n"
        )
        return 1
    front = None if given.http else _front(wire)
    server = build(os.environ)
    _watch_later()
    try:
        if front is None:
            _serve_http(server, given.port)
        else:
            sys.stdout.flush()
            front.hand_over()
            server.run("stdio", show_banner=False)
    except KeyboardInterrupt:
        return 0
    finally:
        os.dup2(2, 1)  # first: what is still buffered somewhere goes where people look, not to the client
        sys.stdout.flush()
        if front is not None:
            front.end()
    return 0


def _watch_later() -> None:
    """Probes and metrics beside the server (`dream.web.watch`), once the client has had its first answer."""

    from dream.mcp import nightfall

    def begin() -> None:
        _preload(os.environ)
        try:
            from dream.web.watch import start_watch

            start_watch(os.environ, "MCP server")
        except ModuleNotFoundError as missing:
            sys.stderr.write(f"No metrics are served: the package {missing.name} is not installed.\n")

    nightfall.watch(os.environ)
    later = threading.Timer(WATCH_AFTER_SECONDS, begin)
    later.daemon = True
    later.start()


def _preload(environ: Mapping[str, str]) -> None:
    """Where the settings ask for it, begin to load the embedder."""
    from contextlib import suppress

    from dream.errors import DreamError

    with suppress(DreamError):  # settings that cannot be read are told at the first call
        from dream.settings import load

        settings = load(environ).settings
        if settings.preload_embedder:
            from dream.compose_meaning import Meaning
            from dream.paths import Home

            Meaning.of(settings, Home(settings.home), lasting=True).begin()


def _take_the_wire() -> int:
    """Keep the client's end for the protocol alone: until it serves, whoever prints, in C too, prints to stderr."""
    wire = os.dup(1)
    os.dup2(2, 1)
    return wire


def _front(wire: int) -> Front:
    """Who answers the client's first question while FastMCP is imported."""
    from dream import __version__
    from dream.mcp.front import Front
    from dream.mcp.tools import INSTRUCTIONS

    return Front(wire, INSTRUCTIONS, __version__)


def _serve_http(server: FastMCP[Any], port: int) -> None:
    from starlette.middleware import Middleware

    from dream.mcp.guard import OwnMachineOnly

    guard: Any = OwnMachineOnly
    sys.stderr.write(f"Dream serves MCP on http://{ADDRESS}:{port}/mcp\n")
    server.run("http", show_banner=False, host=ADDRESS, port=port, middleware=[Middleware(guard)])


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # a thread that still loads something must not keep the process
