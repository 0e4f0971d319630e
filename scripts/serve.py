"""What the client starts as Dream's MCP server: finds Dream's own Python and hands the conversation over to it.

Promises: standard library only, syntax of Python 3.9, nothing printed to standard output but JSON-RPC. Where Dream is
not set up yet it still comes up at once, with one tool that says what is missing and what to run; it never pretends to
remember. The Python is named by its absolute path in `install.json` of the store, never looked for on PATH.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]  # a Python started with -I does not look beside the script

from dream_home import dream_home, own_python

SPOKEN = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
TOOL = {
    "name": "dream_setup",
    "title": "How to set Dream up",
    "description": "Dream, the local memory, is not set up on this machine: says what is missing and what to run. "
    "Nothing can be searched or stored until then.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
    "annotations": {"title": "How to set Dream up", "readOnlyHint": True, "openWorldHint": False},
}


def hand_over(python: str, arguments: list[str]) -> int:
    """Become the server; on Windows, where a process cannot become another, wait for it."""
    os.environ.setdefault("CLAUDE_PLUGIN_ROOT", str(HERE.parent))
    command = [python, "-I", "-X", "utf8", "-m", "dream.mcp.server", *arguments]
    # -I: whatever lies in the project's folder is not ours.
    if os.name != "nt":
        os.execv(python, command)  # noqa: S606
    return subprocess.call(command)


def advice(why: str) -> str:
    """What the one tool answers."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    script = HERE / f"setup_{system}.py"
    start = "python" if os.name == "nt" else "python3"
    return (
        f"{why} Nothing was searched and nothing was stored.\n"
        f'Ask the person, then set it up with the skill dream-init, or run:\n  {start} "{script}"\n'
        f"It needs Python 3.11 or newer, fetches packages into {dream_home()} and registers the nightly timer. "
        "Afterwards start a new session (or reconnect the server with /mcp)."
    )


def answer(request: dict[str, Any], why: str) -> dict[str, Any] | None:
    """The reply to one message, or None where none is due."""
    if "id" not in request:
        return None
    method, given = request.get("method"), request.get("params")
    asked = given if isinstance(given, dict) else {}
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
    if method == "initialize":
        version = asked.get("protocolVersion")
        reply["result"] = {
            "protocolVersion": version if version in SPOKEN else SPOKEN[1],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "dream", "version": "0"},
            "instructions": "Dream is not set up: nothing can be remembered or searched. dream_setup says what to do.",
        }
    elif method == "ping":
        reply["result"] = {}
    elif method == "tools/list":
        reply["result"] = {"tools": [TOOL]}
    elif method == "tools/call" and asked.get("name") == TOOL["name"]:
        reply["result"] = {"content": [{"type": "text", "text": advice(why)}], "isError": False}
    elif method == "tools/call":
        reply["result"] = {"content": [{"type": "text", "text": advice(why)}], "isError": True}
    else:
        reply["error"] = {"code": -32601, "message": f"Dream is not set up yet; it knows no {method}."}
    return reply


def serve_advice(why: str) -> int:
    """Answer line by line until the client goes away."""
    sys.stderr.write(f"dream: {why}\n")
    for raw in sys.stdin.buffer:
        try:
            request = json.loads(raw)
        except ValueError:
            request = None
        if isinstance(request, dict):
            reply = answer(request, why)
        elif raw.strip():
            reply = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "That is not a JSON object."}}
        else:
            reply = None
        if reply is not None:
            sys.stdout.buffer.write(json.dumps(reply).encode("ascii") + b"\n")
            sys.stdout.buffer.flush()
    return 0


def main() -> int:
    python, why = own_python(dream_home())
    if python:
        try:
            return hand_over(python, sys.argv[1:])
        except OSError as error:
            why = f"Dream's own Python ({python}) does not start: {error.strerror or error}."
    return serve_advice(why)


if __name__ == "__main__":
    sys.exit(main())
