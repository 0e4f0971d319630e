"""The store as a server holds it: opened at the first call, kept, opened anew when the files under it changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dream.api import Dream
    from dream.api_care import Care
    from dream.settings import Loaded


class Store:
    """One house for all calls of a server, one call at a time.

    Promises: nothing is imported or opened before the first call; a store that could not be opened is tried again at
    the next call; a database that another process put in the old one's place is noticed.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._verbs: tuple[Dream, Care] | None = None
        self._mark: tuple[int, ...] = ()

    @contextmanager
    def verbs(self) -> Iterator[tuple[Dream, Care]]:
        """The verbs over the store, for the time of a call.

        Raises:
            DreamError: there is no store yet, or it cannot be opened.
        """
        with self._lock:
            loaded = self.settings()
            if self._verbs is None or self._mark != _mark(loaded):
                self._close()
                self._open(loaded)
            assert self._verbs is not None  # noqa: S101 - _open sets it or raises
            yield self._verbs

    def settings(self) -> Loaded:
        """The settings, read anew: a person may have changed config.json since."""
        from dream.settings import load

        return load(self.environ)

    def close(self) -> None:
        with self._lock:
            self._close()

    def _open(self, loaded: Loaded) -> None:
        from dream.api import Dream
        from dream.api_care import Care
        from dream.compose import open_house

        house = self._stack.enter_context(open_house(loaded, lasting=True))
        self._verbs = (Dream(house), Care(house))
        self._mark = _mark(loaded)

    def _close(self) -> None:
        self._verbs = None
        self._stack.close()
        self._stack = ExitStack()


def _mark(loaded: Loaded) -> tuple[int, ...]:
    """What tells one store's files from another's; a change of the settings counts too."""
    home = loaded.settings.home
    return (hash(loaded.settings), *_identity(home / "pgt.sqlite"), *_identity(home / "keys"))


def _identity(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)
