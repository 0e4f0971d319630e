"""Waits for a model only so long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from dream.errors import DreamError

Value = TypeVar("Value")


def within_time(act: Callable[[], Value], seconds: float) -> tuple[Value | None, str]:
    """What `act` gives, or None and a sentence where it is unavailable or takes longer than `seconds`.

    A call that hangs is left behind in a thread that does not keep the process alive; what is wrong with the program
    itself is raised here.
    """
    got: list[Value] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            got.append(act())
        except BaseException as error:  # noqa: BLE001 -- handed to the caller's thread, nothing is swallowed
            failed.append(error)

    thread = threading.Thread(target=run, name="reranker", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        if isinstance(failed[0], DreamError):
            return None, failed[0].sentence
        raise failed[0]
    return (got[0], "") if got else (None, f"no answer within {seconds:g} s")
