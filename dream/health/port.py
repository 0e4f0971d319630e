"""Who serves on Dream's port of this machine: this store, another one, another program, or nobody."""

from __future__ import annotations

import hashlib
import http.client
import json
from dataclasses import dataclass
from pathlib import Path

ADDRESS = "127.0.0.1"
ASK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Port:
    """Who answers; `pid` 0 for nobody, `foreign` for a program that is no Dream.

    Attributes:
        what: what that process is ("MCP server"); store: the tag of its store; version: of its Dream.
    """

    number: int
    pid: int = 0
    what: str = ""
    store: str = ""
    version: str = ""
    foreign: bool = False

    def sentence(self, own: str = "") -> str:
        """For a person; `own` is the tag of the store at hand."""
        if self.foreign:
            return f"Another program has port {self.number}; no metrics are served. DREAM_METRICS_PORT names another."
        if not self.pid:
            return f"Nobody serves metrics on port {self.number} now."
        of = f", but of another store ({self.store})" if own and self.store != own else ""
        return f"Metrics are served on {ADDRESS}:{self.number} by the {self.what} (pid {self.pid}){of}."


def who_has(number: int) -> Port:
    """Ask the port, for half a second at most."""
    line = http.client.HTTPConnection(ADDRESS, number, timeout=ASK_SECONDS)
    try:
        line.request("GET", "/who")
        plain = json.loads(line.getresponse().read(10_000))
        return Port(number, int(plain["pid"]), str(plain["what"]), str(plain["store"]), str(plain["dream"]))
    except ConnectionRefusedError:
        return Port(number)
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return Port(number, foreign=True)
    finally:
        line.close()


def store_tag(home: Path) -> str:
    """A short name of a store that does not tell where it lies."""
    return hashlib.sha256(str(home).encode()).hexdigest()[:12]
