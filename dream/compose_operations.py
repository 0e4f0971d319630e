"""The part of the composition root that knows what runs beside memory: state.sqlite, the machine, the model server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dream.adapters.state import SqliteState
from dream.adapters.system import FileLock
from dream.operations import LoadedModel, Operations
from dream.paths import Home
from dream.ports import Clock
from dream.settings import Settings

if TYPE_CHECKING:
    from dream.adapters.sqlite import SqliteStore
    from dream.ledger.verify import Report
    from dream.operations import Machine

PATIENCE_S = 1.0
"""Longest a probe waits for a writer."""


def operations(home: Home, settings: Settings, clock: Clock, store: SqliteStore) -> Operations:
    """Opens nothing yet: each part does at its first use."""
    return Operations(
        state=SqliteState(home.state_database),
        machine=_Machine(),
        models=_Models(settings.ollama_host),
        lock=FileLock(home.root / "health.lock", "dream health", clock),
        verify=_verify(home, settings, store),
        verify_all=_verify(home, settings, store, clock),
    )


def _verify(home: Home, settings: Settings, store: SqliteStore, clock: Clock | None = None) -> Callable[[], Report]:
    """The quick check, or with a clock the full one."""

    def check() -> Report:
        from dream.adapters.ed25519 import Ed25519Verifier
        from dream.ledger.verify import verify

        if clock is not None:
            return verify(home, Ed25519Verifier(), [store], full=True, outer=settings.state, at=clock.now())
        return verify(home, Ed25519Verifier(), [store], outer=settings.state, patience=PATIENCE_S)

    return check


class _Machine:
    """psutil, imported at the first question."""

    def _local(self) -> Machine:
        from dream.adapters.machine import LocalMachine

        return LocalMachine()

    def memory(self, pids: object = ()) -> tuple[int, int, int]:
        return self._local().memory(pids)  # type: ignore[arg-type]

    def peak(self) -> int:
        return self._local().peak()

    def free(self, path: str) -> int:
        return self._local().free(path)


class _Models:
    """The model server, asked when first wanted."""

    def __init__(self, host: str) -> None:
        self._host = host

    def loaded(self) -> tuple[LoadedModel, ...] | None:
        from dream.adapters.ollama_loaded import OllamaLoaded

        return OllamaLoaded(self._host).loaded()
