"""A store, a server over it, and the client that FastMCP brings; skipped where fastmcp is not installed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of a store that was just made."""
    from dream.compose import open_dream

    made = {
        "DREAM_HOME": str(tmp_path / "home"),
        "DREAM_STATE": str(tmp_path / "state"),
        "DREAM_TRANSCRIPTS": str(tmp_path / "projects"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
        "DREAM_TZ": "Europe/Paris",
        "DREAM_OLLAMA_HOST": "http://127.0.0.1:9",  # nobody listens there: no test asks a model of this machine
        "HOME": str(tmp_path),
    }
    with open_dream(made, create=True):
        return made


@pytest.fixture
def ask(environ: dict[str, str]) -> Callable[..., Any]:
    """`ask(tool, **arguments)`: what a tool answers, through the protocol; (text, True) where it answers an error."""
    pytest.importorskip("fastmcp", reason="the server needs fastmcp (requirements/plugin.txt)")
    from fastmcp import Client

    from dream.mcp.server import build

    server = build(environ)

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        async with Client(server) as client:
            answer = await client.call_tool(name, arguments, raise_on_error=False)
            if answer.is_error:
                return answer.content[0].text, True
            assert json.loads(answer.content[0].text) == answer.structured_content
            return answer.structured_content

    return lambda name, **arguments: asyncio.run(call(name, arguments))


@pytest.fixture
def with_client(environ: dict[str, str]) -> Callable[..., Any]:
    """`with_client(function)`: run an async function that gets a connected client."""
    pytest.importorskip("fastmcp", reason="the server needs fastmcp (requirements/plugin.txt)")
    from fastmcp import Client

    from dream.mcp.server import build

    server = build(environ)

    async def run(function: Callable[[Any], Any]) -> Any:
        async with Client(server) as client:
            return await function(client)

    return lambda function: asyncio.run(run(function))
