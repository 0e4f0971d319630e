"""A model served by Ollama on this machine, through the official client; nothing else is spoken to.

1. Only a loopback address is accepted, no proxy and no redirect is followed: what a person said stays here.
2. The server's version and the model are looked at before anything is asked; a model is loaded by a call of its own
   with its own long patience, so that no answer is ever waited for while it loads, and it is never loaded twice.
3. `num_ctx` is always sent: without it a server cuts the front of the question and says nothing. A count of read
   tokens far under the estimate is such a cut.
4. With a schema, thinking is off unless it is asked for: a thinking model would spend the whole answer on it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dream.errors import ModelUnavailable, PromptCut, SettingsError
from dream.ports import Answer, Question

if TYPE_CHECKING:
    import ollama

LOAD_SECONDS = 900.0
"""Longest wait for a model to load from a cold disk."""
ANSWER_SECONDS = 300.0
"""Longest silence within an answer, the reading of the question included."""
KEEP_ALIVE = "15m"
"""How long the model stays loaded after a call: longer than the pause between two."""
THOUGHT_TOKENS = 2048
"""Tokens on top of the answer's for a model that is asked to think."""
CUT = 0.6
"""A read count under this share of the estimate is a cut question."""
SEED = 7

Progress = Callable[[str, int, int], None]
"""Told of a pull: what is being done, bytes done, bytes in all (0 where unknown)."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a family of models is sampled, the mark that makes it think, and the server it needs ("" is any)."""

    options: Mapping[str, float]
    think_mark: str = ""
    server: str = ""


_GEMMA4 = {"temperature": 1.0, "top_p": 0.95, "top_k": 64}
SAMPLING: Mapping[str, Sampling] = {
    "gemma4:12b": Sampling(_GEMMA4, "<|think|>", "0.30.4"),
    "gemma4": Sampling(_GEMMA4, "<|think|>"),
    "": Sampling({"temperature": 0.0, "top_p": 1.0, "top_k": 40}),
}
"""By the beginning of a model's name; the longest that fits counts, "" fits all."""


def sampling_of(model: str) -> Sampling:
    """The row of a model."""
    bare = model.rsplit("/", 1)[-1]
    return SAMPLING[max((name for name in SAMPLING if bare.startswith(name)), key=len)]


class OllamaChat:
    """`ChatModel` on an Ollama server.

    Args:
        host: `http://127.0.0.1:11434` or another loopback address.
        num_ctx: tokens of the window, question and answer together.

    Raises:
        SettingsError: the host is not of this machine.
        ModelUnavailable: the client is not installed (on first use).
    """

    def __init__(
        self,
        model: str,
        host: str,
        *,
        num_ctx: int = 4096,
        load_seconds: float = LOAD_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
        keep_alive: str = KEEP_ALIVE,
    ) -> None:
        self._model = model
        self._host = loopback(host)
        self._num_ctx = num_ctx
        self._load_seconds = load_seconds
        self._answer_seconds = answer_seconds
        self._keep_alive = keep_alive
        self._row = sampling_of(model)
        self._thinks = False

    @property
    def name(self) -> str:
        return self._model

    def server_version(self) -> str:
        """The version of the server, as it says it.

        Raises:
            ModelUnavailable: no server answers.
        """
        with self._told(), self._http.Client(trust_env=False, timeout=5.0) as http:
            answer = http.get(f"{self._host}/api/version")
            answer.raise_for_status()
            return str(answer.json().get("version", ""))

    def prepare(self) -> str:
        """Check the server and the model, load it; a digest of its weights."""
        version = self.server_version()
        self._check(version)
        with self._told():
            shown = self._client.show(self._model)
            self._thinks = "thinking" in (shown.capabilities or [])
            # An empty conversation only loads; other options than those of the questions would load it again.
            self._patient.chat(self._model, [], options=self._options(0), keep_alive=self._keep_alive)
            listed = self._client.list().models
        named = {str(each.model): str(each.digest or "") for each in listed}
        return named.get(self._model) or named.get(f"{self._model}:latest", "")

    def complete(self, question: Question) -> Answer:
        """Answer one question, once."""
        expected = tokens_of(question.system + question.user)
        budget = question.tokens + (THOUGHT_TOKENS if question.thinking and self._thinks else 0)
        if expected + budget > self._num_ctx:
            raise PromptCut(
                f"The question has about {expected} tokens and its answer {budget}: more than the window of "
                f"{self._num_ctx}.",
                "Raise num_ctx (DREAM_NUM_CTX).",
            )
        parts = list(self._parts(question, budget))
        last = parts[-1] if parts else None
        if last is None or not last.done:
            raise ModelUnavailable(f"{self._model} stopped in the middle of an answer.", _AWAY_HINT)
        read = last.prompt_eval_count or 0
        if read and expected > self._num_ctx // 2 and read < CUT * expected:
            raise PromptCut(
                f"The server read {read} tokens of about {expected}: it cut the question.",
                "Raise num_ctx (DREAM_NUM_CTX), or the server's OLLAMA_CONTEXT_LENGTH.",
            )
        return Answer(
            text="".join(part.message.content or "" for part in parts),
            thought="".join(part.message.thinking or "" for part in parts),
            whole=last.done_reason != "length",
            read=read,
            written=last.eval_count or 0,
            chances=_chances([each for part in parts for each in part.logprobs or ()], question.watch),
        )

    def release(self) -> None:
        """Free its memory; a server that is gone has done so already."""
        try:
            with self._told():
                self._client.chat(self._model, [], keep_alive=0)
        except ModelUnavailable:
            return

    def pull(self, progress: Progress = lambda status, done, total: None) -> None:
        """Fetch the model into the server.

        Raises:
            ModelUnavailable: no server, no such model, or a server too old for it (its "412").
        """
        self._check(self.server_version())
        with self._told():
            for step in self._patient.pull(self._model, stream=True):
                progress(step.status or "", step.completed or 0, step.total or 0)

    def there(self) -> bool:
        """Whether the server has the model.

        Raises:
            ModelUnavailable: no server answers.
        """
        with self._told():
            names = {str(each.model) for each in self._client.list().models}
        return bool({self._model, f"{self._model}:latest"} & names)

    def _parts(self, question: Question, budget: int) -> Iterator[Any]:
        thinking = question.thinking and self._thinks
        mark = self._row.think_mark if thinking else ""
        with self._told():
            yield from self._client.chat(
                self._model,
                [{"role": "system", "content": mark + question.system}, {"role": "user", "content": question.user}],
                stream=True,
                think=thinking,
                format=dict(question.schema),
                options=self._options(budget),
                keep_alive=self._keep_alive,
                logprobs=True if question.watch else None,
                top_logprobs=20 if question.watch else None,
            )

    def _options(self, budget: int) -> dict[str, Any]:
        answer = {"num_predict": budget} if budget else {}
        return {**self._row.options, "seed": SEED, "num_ctx": self._num_ctx, **answer}

    def _check(self, version: str) -> None:
        needed = self._row.server
        if needed and _numbers(version) < _numbers(needed):
            raise ModelUnavailable(
                f"The Ollama server is {version}; {self._model} needs {needed} or newer.",
                "Update Ollama (the server, not the Python package), then run it again.",
            )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What a server or the wire does wrong, as one sentence with a hint."""
        httpx = self._http
        try:
            yield
        except (ConnectionError, httpx.TransportError) as error:
            late = isinstance(error, httpx.TimeoutException)
            what = "did not answer in time" if late else "does not answer"
            raise ModelUnavailable(f"Ollama {what} at {self._host}.", _AWAY_HINT) from error
        except httpx.HTTPStatusError as error:
            raise ModelUnavailable(f"Ollama answered {error.response.status_code}.", _AWAY_HINT) from error
        except self._library.ResponseError as error:
            raise self._refused(error) from error
        except ValueError as error:
            raise ModelUnavailable(
                f"What answers at {self._host} does not speak Ollama: {error}.", _AWAY_HINT
            ) from error

    def _refused(self, error: ollama.ResponseError) -> ModelUnavailable:
        said = " ".join(str(error.error).split())
        if "412:" in said or "newer version of Ollama" in said:
            needed = f"{self._row.server} or newer" if self._row.server else "a newer one"
            return ModelUnavailable(
                f"The Ollama server is {self.server_version()}, too old for {self._model}: it needs {needed}.",
                "Update Ollama (the server, not the Python package), then run it again.",
            )
        if error.status_code == 404 or "not found" in said or "file does not exist" in said:
            return ModelUnavailable(
                f"Ollama has no model {self._model}.", f"`dream init --models` or `ollama pull {self._model}` gets it."
            )
        return ModelUnavailable(f"Ollama refused: {said}.", "`ollama ps` and the server's log say more.")

    @cached_property
    def _library(self) -> Any:
        try:
            import ollama
        except ImportError as error:
            raise ModelUnavailable("The Python package ollama is not installed.", "pip install ollama") from error
        return ollama

    @cached_property
    def _http(self) -> Any:
        assert self._library  # noqa: S101 -- it brings httpx, or says that it is not installed
        import httpx

        return httpx

    @cached_property
    def _client(self) -> ollama.Client:
        return self._connect(self._answer_seconds)

    @cached_property
    def _patient(self) -> ollama.Client:
        return self._connect(self._load_seconds)

    def _connect(self, patience: float) -> ollama.Client:
        client: ollama.Client = self._library.Client(
            host=self._host,
            timeout=self._http.Timeout(patience, connect=5.0),
            trust_env=False,
            follow_redirects=False,
        )
        return client


_AWAY_HINT = "Start Ollama (`ollama serve`), or judge by rules: `dream cycle --judge rules`."


def loopback(host: str) -> str:
    """A base URL on this machine; `localhost` becomes 127.0.0.1, since a server may not listen on ::1.

    Raises:
        SettingsError: it names another machine.
    """
    parts = urlsplit(host if "//" in host else f"http://{host}")
    name = "127.0.0.1" if parts.hostname in ("localhost", "0.0.0.0") else parts.hostname or ""  # noqa: S104
    try:
        local = ip_address(name).is_loopback
    except ValueError:
        local = False
    if not local or parts.scheme != "http":
        raise SettingsError(
            f"ollama_host is {host!r}, which is not on this machine.",
            "Set DREAM_OLLAMA_HOST to http://127.0.0.1:11434.",
        )
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{parts.port or 11434}"


def tokens_of(text: str) -> int:
    """ceil(UTF-8 bytes / 4)."""
    return -(-len(text.encode()) // 4)


def _numbers(version: str) -> tuple[int, ...]:
    """`0.30.4-rc1` as (0, 30, 4); what is no version sorts first."""
    found = re.match(r"v?(\d+(?:\.\d+)*)", version)
    return tuple(map(int, found[1].split("."))) if found else ()


def _chances(logprobs: Sequence[Any], watch: Sequence[str]) -> dict[str, float]:
    """How probable each watched word was where the first text value of the answer begins."""
    before = ""
    for each in logprobs:
        if watch and re.search(r":\s*\"?\Z", before) and each.token.strip(' "\n'):
            summed = dict.fromkeys(watch, 0.0)
            for other in each.top_logprobs or (each,):
                begun = other.token.strip(' "\n')
                for word in watch:
                    if begun and word.startswith(begun):
                        summed[word] += math.exp(other.logprob)
            return summed if sum(summed.values()) > 0 else {}
        before += each.token
    return {}
