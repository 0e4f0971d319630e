"""Commands at the border to the host: serve."""

from __future__ import annotations

import argparse
from typing import Any

from dream.cli_page import Page, lines

Commands = Any
PORT = 9465


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    server = commands.add_parser("serve", parents=[common], help="the MCP server, on standard input and output")
    server.add_argument("--http", action="store_true", help="serve on 127.0.0.1 instead, for this machine alone")
    server.add_argument("--port", type=int, default=PORT, metavar="N", help=f"port of --http ({PORT})")
    server.set_defaults(run=serve)


def serve(arguments: argparse.Namespace) -> Page:
    """`dream serve`: returns when the client has gone; standard output is the protocol's, so the page is empty."""
    from dream.mcp.server import main

    code = main(["--http", "--port", str(arguments.port)] if arguments.http else [])
    return Page({"served": code == 0}, lines(), exit_code=code)
