"""The part of the composition root that `dream doctor` asks about what stands around the store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from dream.compose_meaning import Meaning
from dream.errors import DreamError
from dream.health.doctor import Finding, Grade
from dream.health.probes import alive
from dream.house import House


def around(house: House) -> Iterator[Finding]:
    """What compares meaning, where the hot cache is, and what each process of Dream takes."""
    meaning = Meaning.of(house.settings, house.home)
    try:
        yield Finding("meaning", Grade.GOOD, meaning.described())
    except DreamError as error:
        yield Finding("meaning", Grade.NOTE, error.sentence, error.hint)
    yield _hot_cache(house)
    with suppress(ModuleNotFoundError):  # psutil is missing, which is a finding of its own
        yield _processes(house)


def _hot_cache(house: House) -> Finding:
    from dream.adapters.hotcache import connect

    found = connect(house.settings.redis_host, house.settings.redis_port, str(house.home.root))
    if found.stranger:
        return Finding("hot cache", Grade.NOTE, f"in memory: {found.why}", "Set DREAM_REDIS_PORT, or leave it so.")
    return Finding("hot cache", Grade.GOOD, f"in memory: {found.why}" if found.why else "Redis")


def _processes(house: House) -> Finding:
    from dream.adapters.machine import LocalMachine

    machine = LocalMachine()
    told = [f"this one {machine.taken(os.getpid()) / 1e6:.0f} MB"]
    for pid in alive(house):
        taken = machine.taken(pid)
        if taken and pid != os.getpid():
            told.append(f"{pid} {taken / 1e6:.0f} MB")
    return Finding("processes", Grade.GOOD, ", ".join(told))
