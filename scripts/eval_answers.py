"""A model whose answers are written down as they come: a slow evaluation that was stopped goes on where it was.

What an answer cost is written down with it and counted again when it is read back, so figures of a resumed run are
those of the first. Two arrangements that ask the same question share its answer.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

from dream.adapters.ollama import OllamaChat
from dream.debate.prompts import BALLOT
from dream.ports import Answer, ChatModel, Question


class Brief:
    """`ChatModel` on Ollama that is stopped where a ballot's reason would begin: what stands before it is the same.

    Half of what a ballot costs is its reason, and no figure reads it.
    """

    STOP = '"reason"'

    def __init__(self, model: OllamaChat) -> None:
        self._model = model
        self._options = model._options
        model._options = self._stopped  # type: ignore[method-assign]
        self._stop = False

    def _stopped(self, budget: int) -> dict[str, Any]:
        return {**self._options(budget), **({"stop": [self.STOP]} if self._stop else {})}

    @property
    def name(self) -> str:
        return self._model.name

    def prepare(self) -> str:
        return self._model.prepare()

    def complete(self, question: Question) -> Answer:
        self._stop = question.schema is BALLOT
        answer = self._model.complete(question)
        text = answer.text.rstrip()
        if self._stop and answer.whole and text.endswith(","):
            answer = replace(answer, text=text + ' "reason": ""}')
        return answer

    def release(self) -> None:
        self._model.release()


class WrittenDown:
    """`ChatModel` that asks `model` only what `path` does not answer yet.

    Args:
        path: JSON Lines, one answer each.
        clock: moves forward; `seconds` moves by it and by what remembered answers took when they were given.
    """

    def __init__(self, model: ChatModel, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._path = path
        self._clock = clock
        self._again = 0.0
        self._held: dict[str, tuple[Answer, float]] = {}
        if path.is_file():
            for line in path.read_text("utf-8").splitlines():
                told = json.loads(line)
                self._held[told["key"]] = (Answer(**told["answer"]), told["seconds"])

    @property
    def name(self) -> str:
        return self._model.name

    def seconds(self) -> float:
        """A clock for whoever counts what answers take."""
        return self._clock() + self._again

    def prepare(self) -> str:
        return self._model.prepare()

    def complete(self, question: Question) -> Answer:
        key = hashlib.sha256(json.dumps([self.name, asdict(question)], sort_keys=True).encode()).hexdigest()
        if key in self._held:
            answer, seconds = self._held[key]
            self._again += seconds
            return answer
        began = self._clock()
        answer = self._model.complete(question)
        seconds = self._clock() - began
        self._held[key] = (answer, seconds)
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": key, "seconds": seconds, "answer": asdict(answer)}, ensure_ascii=False) + "\n")
        return answer

    def release(self) -> None:
        self._model.release()
