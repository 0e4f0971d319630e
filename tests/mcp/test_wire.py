"""The server as a process: what is on standard output, how soon it answers, what waits until it is needed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
needs_fastmcp = pytest.mark.skipif(
    importlib.util.find_spec("fastmcp") is None, reason="the server needs fastmcp (requirements/plugin.txt)"
)
NOISY = """
import atexit, ctypes, os, sys, warnings
import dream.mcp.opened as opened
real = opened.Store.verbs
def loud(self):
    print("a print")
    os.write(1, b"a write to descriptor 1\\n")
    ctypes.CDLL(None).puts(b"a line from C")
    ctypes.CDLL(None).fflush(None)
    os.system("echo a child")
    warnings.warn("a warning")
    return real(self)
opened.Store.verbs = loud
atexit.register(print, "after")
import dream.mcp.server as server
build = server.build
def loudly(environ):
    print("before")
    os.write(1, b"before, too\\n")
    return build(environ)
server.build = loudly
code = server.main()
print("afterwards")
sys.exit(code)
"""


class Wire:
    """A server process spoken to in lines of JSON."""

    def __init__(self, command: list[str], environ: dict[str, str], cwd: Path) -> None:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DREAM_", "CLAUDE"))}
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command, env={**inherited, **environ}, cwd=cwd,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.lines: list[bytes] = []
        self.last = 0

    def send(self, method: str, reply: bool = True, **params: Any) -> Any:
        self.last += 1
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": self.last} if reply else {})}
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        if not reply:
            return None
        while True:
            line = self.process.stdout.readline()
            assert line, (self.process.stderr.read() if self.process.stderr else b"").decode()[-2000:]
            self.lines.append(line)
            answer = json.loads(line)
            if answer.get("id") == self.last:
                return answer

    def hello(self) -> Any:
        answer = self.send(
            "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "0"}
        )
        self.send("notifications/initialized", reply=False)
        return answer

    def end(self) -> tuple[int, str]:
        """Close, and return the exit code and what was said on stderr; the rest of stdout is kept in `lines`."""
        out, err = self.process.communicate(timeout=30)
        self.lines += out.splitlines()
        return self.process.returncode, err.decode("utf-8", "replace")


@needs_fastmcp
def test_f01_every_line_of_stdout_is_one_json_rpc_message_whoever_prints(
    environ: dict[str, str], tmp_path: Path
) -> None:
    script = tmp_path / "noisy.py"
    script.write_text(NOISY, encoding="utf-8")
    wire = Wire([sys.executable, str(script)], {**environ, "PYTHONPATH": str(ROOT)}, tmp_path)
    wire.hello()
    answer = wire.send("tools/call", name="health_check", arguments={})
    assert answer["result"]["structuredContent"]["entries"] == 0
    code, said = wire.end()
    for line in wire.lines:
        assert json.loads(line)["jsonrpc"] == "2.0", line
    assert code == 0
    for noise in ("before", "a print", "a write to descriptor 1", "a line from C", "a child", "afterwards", "after"):
        assert noise in said


@needs_fastmcp
def test_d12_initialize_is_answered_before_a_store_or_anything_heavy_is_loaded(tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(
        "import sys, dream.mcp.server as server\n"
        "code = server.main()\n"
        "sys.stderr.write('LOADED ' + ' '.join(sorted(sys.modules)))\n",
        encoding="utf-8",
    )
    nowhere = {"DREAM_HOME": str(tmp_path / "none"), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    wire = Wire([sys.executable, str(probe)], nowhere, tmp_path)
    answer = wire.hello()
    took = time.monotonic() - wire.began
    assert len(wire.send("tools/list")["result"]["tools"]) == 10
    _, said = wire.end()
    loaded = set(said.split("LOADED ")[1].split())
    heavy = {"lancedb", "pyarrow", "torch", "sentence_transformers", "ollama", "networkx", "numpy", "sqlite3"}
    assert not heavy & loaded
    assert not {name for name in loaded if name.startswith(("dream.compose", "dream.api", "dream.adapters"))}
    assert answer["result"]["serverInfo"]["name"] == "dream"
    assert took < 20, "a stopwatch against the gross; the figure itself is in docs/numbers.md"
    assert not (tmp_path / "none").exists()


@needs_fastmcp
@pytest.mark.parametrize("method", ["initialize", "server/discover"])
def test_d12_the_first_answer_comes_before_the_library_and_is_what_the_library_says(
    method: str, environ: dict[str, str], tmp_path: Path
) -> None:
    from dream import __version__
    from dream.mcp.front import SPOKEN, STATELESS, answer
    from dream.mcp.tools import INSTRUCTIONS

    alone = "import sys, dream.mcp.front as f; f.answer = lambda *_: None; import dream.mcp.server as s; s.main()"
    wire = Wire([sys.executable, "-c", alone], {**environ, "PYTHONPATH": str(ROOT)}, tmp_path)
    who = {"name": "t", "version": "0"}
    of = "io.modelcontextprotocol/"
    given: dict[str, Any] = {"protocolVersion": SPOKEN[0], "capabilities": {}, "clientInfo": who}
    if method == "server/discover":
        given = {"_meta": {f"{of}protocolVersion": STATELESS, f"{of}clientInfo": who, f"{of}clientCapabilities": {}}}
    theirs = wire.send(method, **given)
    assert wire.end()[0] == 0
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}
    assert answer(asked, INSTRUCTIONS, __version__) == theirs
    assert answer({**asked, "params": {"protocolVersion": "1999-01-01"}}, "", "") is None


@needs_fastmcp
def test_d12_what_is_sent_at_once_is_answered_in_order_and_once_each(environ: dict[str, str], tmp_path: Path) -> None:
    slow = "import time, dream.mcp.server as s; b = s.build; s.build = lambda e: (time.sleep(1), b(e))[1]; s.main()"
    wire = Wire([sys.executable, "-c", slow], {**environ, "PYTHONPATH": str(ROOT)}, tmp_path)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    sent = [
        {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "b", "method": "ping"},
        {"jsonrpc": "2.0", "id": "c", "method": "tools/list"},
    ]
    assert wire.process.stdin and wire.process.stdout
    wire.process.stdin.write("".join(json.dumps(each) + "\n" for each in sent).encode())
    wire.process.stdin.flush()
    answers = [json.loads(wire.process.stdout.readline()) for _ in range(3)]
    assert answers[0]["id"] == "a" and {each["id"] for each in answers[1:]} == {"b", "c"}
    assert all("result" in each for each in answers)
    code, _ = wire.end()
    assert code == 0 and wire.lines == [], "the server's own answer to initialize is dropped"


@needs_fastmcp
def test_the_library_takes_no_setting_from_the_folder_it_starts_in(environ: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".env").write_text("FASTMCP_LOG_LEVEL=nonsense\n", encoding="utf-8")
    (folder / "dream").mkdir()
    (folder / "dream" / "__init__.py").write_text("raise SystemExit('the project shadows Dream')\n", encoding="utf-8")
    command = [sys.executable, "-c", f"import sys; sys.path[0] = {str(ROOT)!r}; import dream.mcp.server as s; s.main()"]
    wire = Wire(command, environ, folder)
    assert wire.hello()["result"]["serverInfo"]["name"] == "dream"
    assert wire.end()[0] == 0


def test_a13_without_an_installation_the_server_comes_up_with_one_tool_that_says_what_to_do(tmp_path: Path) -> None:
    wire = Wire([sys.executable, "-I", str(ROOT / "scripts" / "serve.py")], {"HOME": str(tmp_path)}, tmp_path)
    assert wire.hello()["result"]["protocolVersion"] == "2025-06-18"
    took = time.monotonic() - wire.began
    tools = wire.send("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["dream_setup"]
    said = wire.send("tools/call", name="dream_setup", arguments={})["result"]
    assert "setup_" in said["content"][0]["text"] and "nothing was stored" in said["content"][0]["text"]
    wrong = wire.send("tools/call", name="store_event", arguments={"text": "x"})["result"]
    assert wrong["isError"] is True, "a tool that is not there must not look as if it had stored something"
    assert "error" in wire.send("server/discover")
    code, _ = wire.end()
    assert code == 0 and took < 10
    assert not (tmp_path / ".dream").exists()


@pytest.mark.parametrize("record", ["{", "[]", '{"python": "python3"}', '{"python": "/not/there/python"}'])
def test_a_record_that_names_no_usable_python_is_advice_too(record: str, tmp_path: Path) -> None:
    (tmp_path / ".dream").mkdir()
    (tmp_path / ".dream" / "install.json").write_text(record, encoding="utf-8")
    wire = Wire([sys.executable, str(ROOT / "scripts" / "serve.py")], {"HOME": str(tmp_path)}, tmp_path)
    wire.hello()
    text = wire.send("tools/call", name="dream_setup", arguments={})["result"]["content"][0]["text"]
    assert "cannot be read" in text or "gone" in text
    assert wire.end()[0] == 0


def test_lines_that_are_no_requests_do_not_end_the_conversation(tmp_path: Path) -> None:
    wire = Wire([sys.executable, str(ROOT / "scripts" / "serve.py")], {"HOME": str(tmp_path)}, tmp_path)
    assert wire.process.stdin and wire.process.stdout
    wire.process.stdin.write(b"\xff\xfe not json\n\n[]\n")
    wire.process.stdin.flush()
    assert json.loads(wire.process.stdout.readline())["error"]["code"] == -32700
    assert json.loads(wire.process.stdout.readline())["error"]["code"] == -32700
    assert wire.send("ping")["result"] == {}
    assert wire.end()[0] == 0
