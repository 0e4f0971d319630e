"""What a long-lived process does beside its work: probe every minute, and serve the metrics where the port is free.

1. Nothing here may disturb the server it runs in: it starts in a thread of its own, opens its own store, writes
   nothing to standard output, and says at most one sentence about a port that is taken.
2. Whoever gets the port serves; the others look again each minute, so that one of them takes over when it goes.
3. What it answers on `/who` tells one Dream from another program, and one store from another.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from dream.errors import DreamError, UsageError
from dream.web.listen import Listener, listen

if TYPE_CHECKING:
    from dream.mcp.opened import Store
    from dream.web.site import Site

EVERY_SECONDS = 60.0


def start_watch(environ: Mapping[str, str], what: str) -> Watch:
    """Start watching beside a server; `what` says what this process is ("MCP server")."""
    watch = Watch(environ, what)
    watch.start()
    return watch


class Watch:
    """The thread and the site; `close` ends both and gives the port back."""

    def __init__(self, environ: Mapping[str, str], what: str, every: float = EVERY_SECONDS) -> None:
        self._environ, self._what, self._every = dict(environ), what, every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dream-watch", daemon=True)
        self._warned = False
        self.listener: Listener | None = None

    @cached_property
    def _store(self) -> Store:
        from dream.mcp.opened import Store

        return Store(self._environ)

    @cached_property
    def _site(self) -> Site:
        from dream.web.site import Site

        return Site(self._store, self._what)

    @property
    def token(self) -> str:
        """What a browser must come with."""
        return self._site.token

    def start(self) -> None:
        self._thread.start()

    def serve(self, port: int | None) -> int:
        """Take a port for the page now: the one that is asked for, else that of the metrics, else any; says which.

        Raises:
            UsageError: the port that is asked for is taken.
        """
        settings = self._store.settings().settings
        self.listener = listen(settings.metrics_port if port is None else port, self._site.app)
        if self.listener is None and port is not None:
            raise UsageError(f"Port {port} is taken.", "Give another, or none for any that is free.")
        self.listener = self.listener or listen(0, self._site.app)
        if self.listener is None:
            raise UsageError("No port could be taken on 127.0.0.1.", "Look at the firewall of this machine.")
        return self.listener.port

    def close(self) -> None:
        """End within a moment."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5)
        if self.listener is not None:
            self.listener.close()
            self.listener = None

    def _run(self) -> None:
        while not self._stop.is_set():
            with suppress(DreamError, OSError):  # no store yet, or one that cannot be opened: the next minute may do
                settings = self._store.settings().settings
                if self.listener is None and settings.metrics_enabled:
                    self._take(settings.metrics_port)
                with self._store.verbs() as (dream, _):
                    dream.fresh(self._every / 2)
            self._stop.wait(self._every)
        self._store.close()

    def _take(self, port: int) -> None:
        from dream.health.port import who_has

        self.listener = listen(port, self._site.app)
        if self.listener is not None:
            self._site.write_token(self._store.settings().settings.home)
        elif not self._warned:
            self._warned = True
            sys.stderr.write(f"{who_has(port).sentence()}\n")
