"""What the house needs from outside, as Protocols of at most four methods; adapters are named by their technology."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dream.model.change import Entry
from dream.model.graph import Edge, Hold, Node, NodeKind, NodeStatus, Tier
from dream.model.note import Note


class Clock(Protocol):
    """Time, injected."""

    def now(self) -> str:
        """The present instant, UTC (`2026-01-12T08:18:53.613Z`)."""
        ...

    def monotonic(self) -> float:
        """Seconds since some fixed point."""
        ...


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock, as written beside it when it was taken. `since` is an instant."""

    pid: int
    since: str
    who: str
    host: str


class Lock(Protocol):
    """One holder at a time over all processes; it ends with the process that holds it."""

    def acquire(self, timeout_s: float = 0.0) -> None:
        """Take it, waiting up to `timeout_s` seconds, or raise `Locked`, which says by whom and since when."""
        ...

    def release(self) -> None:
        """Give it back; nothing happens where it is not held."""
        ...

    def holder(self) -> Holder | None:
        """What the last taker wrote; may be out of date, only `acquire` decides."""
        ...


class Verifier(Protocol):
    """Says whether a signature holds; needs no secret."""

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether `signature` over `message` was made by the key of `public` (32 bytes); never raises."""
        ...


class Signer(Verifier, Protocol):
    """Signs the tree head."""

    @property
    def name(self) -> str:
        """The key's name in a signed note."""
        ...

    @property
    def public(self) -> bytes:
        """32 bytes, Ed25519."""
        ...

    def sign(self, message: bytes) -> bytes:
        """64 bytes over `message`."""
        ...


class Projection(Protocol):
    """A store derived from the log: delete it and it is rebuilt."""

    def apply(self, entries: Sequence[Entry]) -> None:
        """Take in entries in their order; those already applied are skipped. All or nothing."""
        ...

    def watermark(self) -> int:
        """Seq of the next entry it has not seen (0: none seen)."""
        ...

    def clear(self) -> None:
        """Forget everything; the watermark is 0 again."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One entry as a trail takes it in: what names which entry (`id`, `seq`), its own seq, its header's bytes."""

    names: tuple[tuple[str, int], ...]
    seq: int
    header: bytes


class Trail(Protocol):
    """Which entries name an id; may name too many, never too few. Derived: cleared, it is made again from the log.

    Raises `DreamError` from each method where it cannot be read or written; the log is read then.
    """

    def mark(self) -> tuple[int, str]:
        """How many entries it has taken in, and the SHA-256 (hex) of the last one's header; (0, "") for none."""
        ...

    def extend(self, size: int, steps: Iterable[Step]) -> None:
        """Take in the entries after `size`, all or nothing; nothing where another process took some in meanwhile."""
        ...

    def naming(self, ids: Collection[str], start: int) -> set[int]:
        """Seqs from `start` on of the entries that name one of these."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...


@dataclass(frozen=True, slots=True)
class NodeFilter:
    """Which nodes; None is any. `projects` holds keys ("" is everywhere). `as_of` is a moment."""

    projects: tuple[str, ...] | None = None
    statuses: tuple[NodeStatus, ...] | None = (NodeStatus.CURRENT,)
    tiers: tuple[Tier, ...] | None = None
    kinds: tuple[NodeKind, ...] | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Which notes; None is any. `since` and `until` are instants, `until` excluded."""

    projects: tuple[str, ...] | None = None
    sessions: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None


class GraphReader(Protocol):
    """Nodes and edges as they stand."""

    def node(self, node_id: str) -> Node | None: ...

    def nodes(self, which: NodeFilter) -> list[Node]:
        """By id, so that two stores list alike."""
        ...

    def edges(self, node_id: str) -> list[Edge]:
        """All edges that touch the node."""
        ...

    def holds(self) -> list[Hold]:
        """What waits for a person, oldest first."""
        ...


class NoteReader(Protocol):
    """Notes as they stand."""

    def notes(self, which: NoteFilter) -> list[Note]:
        """Ordered by time, session, turn, index."""
        ...

    def notes_by_id(self, note_ids: Iterable[str]) -> dict[str, Note]: ...


class LexicalReader(Protocol):
    """Full-text candidates. Query text is never query syntax."""

    def match(self, text: str, k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """Ids of nodes (`f-…`) and notes (`n-…`) sharing a word with `text`, best first, higher is better."""
        ...


class GraphWalk(Protocol):
    """The graph in RAM, for activation."""

    def neighbours(self, node_id: str) -> Mapping[str, float]:
        """Node ids one edge away, with the weight of the strongest edge in 0..1."""
        ...


class Analyser(Protocol):
    """Text to index terms, the same for what is written and what is asked."""

    def terms(self, text: str) -> list[str]:
        """Folded (no case, no accents), stemmed words of French or English text, in order; no stop words."""
        ...


class Embedder(Protocol):
    """Text to unit vectors."""

    @property
    def model(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector per text."""
        ...


class Observer(Protocol):
    """Told what a long piece of work does; one that raises is isolated."""

    def on(self, event: str, facts: Mapping[str, object]) -> None: ...


class Surroundings(Protocol):
    """What stands around notes in the store: the turns beside theirs, the nodes built on them, how common a word is."""

    def around(self, note_ids: Iterable[str], reach: int) -> list[Note]:
        """All notes of their turns and of `reach` turns before and after in their sessions, in order."""
        ...

    def citing(self, note_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Ids of the nodes that stand on each note, of any status; a note that none stands on is left out."""
        ...

    def frequencies(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        """How many texts are indexed, and how many of them hold each index term."""
        ...


class LexicalScorer(Protocol):
    """Scores a union of candidates by their words."""

    def score(
        self,
        query: Sequence[str],
        counts: Sequence[Mapping[str, float]],
        lengths: Sequence[int],
        idf: Mapping[str, float],
    ) -> list[float]:
        """One score per text in 0..1: its BM25 over the most a text could reach for these terms.

        Args:
            counts: how often each text holds each term of the query.
            lengths: of the texts, in terms.
        """
        ...


class VectorReader(Protocol):
    """Nearest neighbours among unit vectors. Ids are those of notes and nodes."""

    def nearest(self, vector: Sequence[float], k: int, projects: tuple[str, ...] | None = None) -> Mapping[str, float]:
        """The `k` nearest ids with their cosine, best first."""
        ...

    def cosines(self, vector: Sequence[float], ids: Iterable[str]) -> dict[str, float]:
        """Cosine of each id that has a vector; the others are left out."""
        ...


class VectorIndex(Protocol):
    """Where vectors are kept; follows the log on its own, so that no write waits for an embedder."""

    def watermark(self) -> int:
        """Seq of the next entry it has not seen."""
        ...

    def write(self, rows: Sequence[tuple[str, str, Sequence[float]]], gone: Iterable[str], watermark: int) -> None:
        """Put (id, project, unit vector) rows, take `gone` out, move the watermark: all or nothing, safe to repeat."""
        ...

    def tidy(self) -> None:
        """Give back what old versions take; for the night."""
        ...


class HotCache(Protocol):
    """Bytes by key, gone at any time; keys say what they depend on, so that a stale value is never looked up."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes) -> None: ...

    def drop(self) -> None:
        """Forget everything that was put."""
        ...


class Reranker(Protocol):
    """Reads query and text together."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text in 0..1."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        system: the fixed rules, first, so that a server can keep them warm.
        user: the case, last.
        schema: JSON Schema of the answer, enforced by the server where it can and by the reader always.
        tokens: most that may be written in answer.
        thinking: let the model think before it answers, where it can.
        watch: words one of which the answer begins its first value with (`accept`, `reject`); their probabilities
            are wanted.
    """

    system: str
    user: str
    schema: Mapping[str, object]
    tokens: int = 200
    thinking: bool = False
    watch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said.

    Attributes:
        text: as it stands; thought: what it thought aloud, where the server tells it apart.
        whole: False where the answer ran out of tokens.
        read, written: tokens of the question and of the answer.
        chances: of each watched word, how probable it was as the first value; empty where the server does not say.
    """

    text: str
    thought: str = ""
    whole: bool = True
    read: int = 0
    written: int = 0
    chances: Mapping[str, float] = field(default_factory=dict)


class ChatModel(Protocol):
    """A language model that answers one question at a time; it keeps nothing of what it was asked."""

    @property
    def name(self) -> str:
        """As settings, verdicts and the ledger name it."""
        ...

    def prepare(self) -> str:
        """Load it, waiting as long as that takes; a digest of its weights, "" where unknown.

        Raises:
            ModelUnavailable: no server answers, it is too old, or the model is not there.
        """
        ...

    def complete(self, question: Question) -> Answer:
        """Answer one question, once.

        Raises:
            PromptCut: the question does not fit its window.
            ModelUnavailable: the server went away or refuses.
        """
        ...

    def release(self) -> None:
        """Free its memory."""
        ...
