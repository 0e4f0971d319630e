"""What a composed Dream is made of: made once by `dream.compose`, handed down to the night and to the verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dream.errors import ModelUnavailable
from dream.ledger.ledger import Ledger
from dream.model.branch import Branch
from dream.model.change import ClusterCarried, ClusterRefused, CycleRecorded
from dream.model.fold import Present
from dream.model.graph import Edge, Node
from dream.operations import Dot, Line, Operations, Outline
from dream.paths import Home
from dream.ports import (
    Analyser,
    ChatModel,
    Clock,
    GraphReader,
    LexicalReader,
    Lock,
    NoteReader,
    Surroundings,
    Trail,
)
from dream.settings import Settings
from dream.sources.roots import roots

if TYPE_CHECKING:
    from dream.debate.frames import FrameReader
    from dream.recall.search import Search


class Past(Protocol):
    """What the log tells of nights and judgements."""

    def nights(self) -> list[CycleRecorded]:
        """The nights that ended, oldest first."""
        ...

    def runs(self) -> list[tuple[int, int, str]]:
        """(first seq, last seq, night) of each unbroken run of entries of one night ("" by day)."""
        ...

    def undone(self) -> frozenset[str]:
        """Nights that were undone."""
        ...

    def refused(self) -> dict[str, ClusterRefused]:
        """Clusters that an undo forbids to judge again, by cluster."""
        ...

    def carried(self) -> dict[str, ClusterCarried]:
        """Clusters that wait for another night's judge, by cluster."""
        ...

    def branches(self) -> list[Branch]:
        """The counterfactual garden, by id."""
        ...

    def merges(self) -> dict[int, dict[str, Any]]:
        """The merge audit, by seq of the merge."""
        ...


class Overview(Protocol):
    """The whole at a glance, without reading every value."""

    def tally(self) -> dict[str, int]:
        """How many: `notes`, `holds`, each tier's and each status's nodes (the tiers count current nodes alone)."""
        ...

    def span(self) -> tuple[str, str]:
        """When the first and the last note were said, "" where there is none."""
        ...

    def sketch(self, wanted: Outline, most: int) -> tuple[list[Dot], list[Line], int]:
        """At most `most` nodes with the edges among them, and how many nodes fit."""
        ...

    def among(self, ids: Sequence[str]) -> list[Line]:
        """The edges whose both ends are among these nodes."""
        ...

    def projects(self) -> list[str]:
        """The keys of all projects that have nodes."""
        ...


class Store(GraphReader, NoteReader, LexicalReader, Surroundings, Present, Past, Overview, Protocol):
    """What may be read of memory; nothing here writes."""


def no_chat(model: str) -> ChatModel:
    """A house without model servers."""
    raise ModelUnavailable(f"There is no {model}: this house has no model server.", "Judge by rules.")


@dataclass(frozen=True)
class House:
    """One store, opened.

    Attributes:
        zone: IANA name of the zone in which relative dates are read.
        redact_key: key of the short tags that stand for secrets; None where it is damaged.
        lock: one cycle at a time.
        operations: what runs beside memory: figures of all processes, the machine, the model server.
        trail: spares reading the whole log where it is asked what was built on a night; None: it is read.
        chat: a local model by its name; nothing is loaded until it is asked.
        embedding: embeds what the vectors have not seen; how many texts (0 where no embedder is installed).
        unlearning: takes out of every vector index, of whatever model, what the log has taken out since.
        write_graphml: writes nodes and edges to a file for other tools.
        reading, searching: make what takes sentences apart and what answers queries; what these need (a lexicon,
            networkx, numpy) is loaded when first called, so that `dream nights` does not wait for it.
    """

    home: Home
    settings: Settings
    zone: str
    clock: Clock
    ledger: Ledger
    store: Store
    analyser: Analyser
    reading: Callable[[], FrameReader]
    searching: Callable[[], Search]
    write_graphml: Callable[[Path, Iterable[Node], Iterable[Edge]], None]
    lock: Lock
    redact_key: bytes | None
    operations: Operations
    embedding: Callable[[], int] = lambda: 0
    unlearning: Callable[[], None] = lambda: None
    chat: Callable[[str], ChatModel] = no_chat
    trail: Trail | None = None

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders that hold transcripts: the client's own, and those of Cowork's local sessions."""
        return roots(self.settings.transcripts, self.settings.cowork)

    @property
    def host_files(self) -> tuple[Path, ...]:
        """Where the host keeps what was typed and done, for good or for some weeks: what forgetting cannot reach."""
        return tuple(
            place
            for root in self.roots
            for place in (root, root.parent / "history.jsonl", root.parent / "file-history")
        )

    @cached_property
    def frames(self) -> FrameReader:
        """What takes sentences apart."""
        return self.reading()
