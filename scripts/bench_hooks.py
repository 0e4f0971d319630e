"""Time the hooks as the host runs them: whole processes, against a bare `python3 -c pass`, interleaved.

Stop meets a transcript of 100 MB that it has read, with 10 KB of new lines; SessionStart meets a prepared index of
10,000 nodes. The commands are those of hooks/hooks.json. Everything happens in a throw-away folder. Milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SESSION = "5f0c1a52-0000-4000-8000-00000000be9c"
BUDGETS = {"stop_ratio": 3.0, "session_start_ratio": 2.5}
SAID = (
    "The staging database listens on 5433, not on the default port; the service has to read it from its settings. "
    "Pour la suite, on garde SQLite pour les notes et on n'ajoute pas de second magasin. Never force-push to main."
)
ANSWER = (
    "I changed the settings module and its tests. The port now comes from one place, `settings.py`, and the client "
    "reads it at start. Two tests failed at first because the fixture still used the old value; they pass now.\n\n"
    "- The migration keeps the old rows.\n- The command line prints the port it uses.\n\n```python\nport = 5433\n```\n"
)


def command_of(event: str, python: str) -> list[str]:
    """The command line of a hook, from hooks.json."""
    events = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    hook = events[event][0]["hooks"][0]
    return [python, *(part.replace("${CLAUDE_PLUGIN_ROOT}", str(ROOT)) for part in hook["args"])]


class Stage:
    """The throw-away store and transcript that the hooks meet."""

    def __init__(self, folder: Path, megabytes: int, nodes: int, python: str) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.transcript = folder / "transcripts" / f"{SESSION}.jsonl"
        self.environ = {**os.environ, "DREAM_HOME": str(self.home)}
        self.environ.pop("DREAM_INSIDE", None)
        self._lines = 0
        self._python = python
        self.project.mkdir()
        self.transcript.parent.mkdir()
        self._write_transcript(megabytes * 1_000_000)
        self._read_it_all()
        self._write_index(nodes)

    def payload(self, event: str) -> bytes:
        """What the host writes to a hook's standard input."""
        common = {"session_id": SESSION, "transcript_path": str(self.transcript), "cwd": str(self.project)}
        return json.dumps({**common, "hook_event_name": event, "source": "startup"}).encode()

    def grow(self, size: int) -> None:
        """Append a turn of about `size` bytes: a question, a tool's result, an answer."""
        turn = self._line("user", SAID) + self._line("assistant", [{"type": "text", "text": ANSWER}])
        filler = max(0, size - len(turn) - 500)
        result = [{"type": "tool_result", "tool_use_id": "t", "content": "row of output\n" * (filler // 15)}]
        with self.transcript.open("ab") as file:
            file.write(turn + self._line("user", result))

    def _write_transcript(self, size: int) -> None:
        while not self.transcript.exists() or self.transcript.stat().st_size < size:
            self.grow(200_000)

    def _line(self, kind: str, content: object) -> bytes:
        self._lines += 1
        common = {"parentUuid": None, "isSidechain": False, "sessionId": SESSION, "cwd": str(self.project)}
        place = {"uuid": f"00000000-0000-4000-8000-{self._lines:012d}", "timestamp": "2026-11-30T12:00:00.000Z"}
        record = {**common, **place, "type": kind, "message": {"role": kind, "content": content}, "gitBranch": "main"}
        return json.dumps(record).encode() + b"\n"

    def _read_it_all(self) -> None:
        """Run Stop until its cursor stands at the end; a first meeting with a long transcript takes several runs."""
        for _ in range(600):
            run(command_of("Stop", self._python), self.payload("Stop"), self.environ)
            cursors = list((self.home / "capture" / "cursors").glob("*.json"))
            if cursors and json.loads(cursors[0].read_bytes())["offset"] == self.transcript.stat().st_size:
                return
        sys.exit("bench_hooks: the Stop hook never came to the end of the transcript; see logs/hooks.log of the store")

    def _write_index(self, nodes: int) -> None:
        note = json.loads(next((self.home / "capture").glob("*.jsonl")).read_bytes().splitlines()[0])
        index = self.home / "index"
        (index / "projects").mkdir(parents=True)
        lines = [f"- Node {n}: the service of team {n % 97} listens on port {3000 + n}.\n" for n in range(nodes)]
        (index / "MEMORY.md").write_text("".join(lines[: nodes // 2]), encoding="utf-8")
        (index / "projects" / f"{note['project']}.md").write_text("".join(lines[nodes // 2 :]), encoding="utf-8")
        night = time.strftime("%Y-%m-%dT02:05:00.000Z", time.gmtime(time.time() - 86_400))
        (index / "status.json").write_text(
            json.dumps({"last_good_night": night, "pending_sessions": 3}), encoding="utf-8"
        )


def run(command: list[str], given: bytes, environ: dict[str, str]) -> tuple[float, bytes]:
    """Milliseconds and output of one process; exits where it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, input=given, env=environ, capture_output=True, check=False)
    elapsed = (time.perf_counter() - start) * 1000
    if done.returncode:
        sys.exit(f"bench_hooks: {command} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return elapsed, done.stdout


def measure(stage: Stage, runs: int, python: str) -> dict[str, list[float]]:
    """Times of each kind of process, one of each in turn."""
    stop, start = command_of("Stop", python), command_of("SessionStart", python)
    times: dict[str, list[float]] = {"bare": [], "stop": [], "session_start": []}
    for turn in range(runs + 2):
        bare, _ = run([python, "-c", "pass"], b"", stage.environ)
        stage.grow(10_000)
        stopped, _ = run(stop, stage.payload("Stop"), stage.environ)
        started, output = run(start, stage.payload("SessionStart"), stage.environ)
        if turn < 2:
            json.loads(output)  # the first two runs warm the bytecode and show that there is an output to time
            continue
        times["bare"].append(bare)
        times["stop"].append(stopped)
        times["session_start"].append(started)
    return times


def quantile(times: list[float], share: float) -> float:
    """The time that `share` of the runs stayed within."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def figures(times: dict[str, list[float]]) -> dict[str, float]:
    """Medians, and the ratios of medians and of 95th percentiles to those of the bare interpreter."""
    found: dict[str, float] = {}
    for name, measured in times.items():
        found[f"{name}_ms"] = round(quantile(measured, 0.5), 2)
        found[f"{name}_p95_ms"] = round(quantile(measured, 0.95), 2)
    for name in ("stop", "session_start"):
        found[f"{name}_ratio"] = round(found[f"{name}_ms"] / found["bare_ms"], 2)
        found[f"{name}_p95_ratio"] = round(found[f"{name}_p95_ms"] / found["bare_p95_ms"], 2)
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40, help="runs of each process (default 40)")
    parser.add_argument("--megabytes", type=int, default=100, help="size of the transcript (default 100)")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes in the prepared index (default 10000)")
    parser.add_argument("--python", default="python3", help="interpreter, for the hooks and for the bare run")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dream-bench-") as folder:
        stage = Stage(Path(folder), options.megabytes, options.nodes, options.python)
        found = figures(measure(stage, max(options.runs, 3), options.python))
    if options.json:
        print(json.dumps(found))
        return
    print(f"{'':15}{'median':>10}{'p95':>10}{'ratio':>8}{'p95 ratio':>11}   budget")
    for name in ("bare", "stop", "session_start"):
        line = f"{name:15}{found[f'{name}_ms']:>7.1f} ms{found[f'{name}_p95_ms']:>7.1f} ms"
        ratio = f"{name}_ratio"
        if ratio in found:
            line += f"{found[ratio]:>8.2f}{found[f'{name}_p95_ratio']:>11.2f}   {BUDGETS[ratio]}"
        print(line)


if __name__ == "__main__":
    main()
