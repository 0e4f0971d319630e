"""What the write door asks of a store, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dream.ledger import seal
from dream.model import fold
from dream.ports import Projection


class Store(Projection, fold.Present, Protocol):
    """The projection that says whether a change follows: the first one given to `Ledger.open`."""


@runtime_checkable
class Guarded(seal.Sealable, Protocol):
    """A store whose bytes are sealed."""

    def pinned(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a commit wrote.

    Attributes:
        first, last: seq of its first and last entry; `last` is `first - 1` where nothing was to be written.
        root: of the tree after it.
        behind: projections that could not follow yet, and why; they catch up later, nothing is lost.
    """

    first: int
    last: int
    root: bytes
    behind: tuple[str, ...] = ()
