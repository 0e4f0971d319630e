"""The part of the composition root that knows models of meaning: embedder, reranker, and where vectors lie.

Nothing is loaded here: each adapter loads its model when it is first asked. Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dream.errors import DreamError

if TYPE_CHECKING:
    from dream.adapters.use_embedder import UseEmbedder
    from dream.adapters.vector_folders import VectorFolders, Vectors
    from dream.ledger.ledger import Ledger
    from dream.paths import Home
    from dream.ports import Embedder, Reranker, VectorReader
    from dream.settings import Settings

EMBEDDER = "bge-m3"
RERANKER = "ms-marco-MiniLM-L-6-v2"
HUB = {EMBEDDER: "BAAI/bge-m3", RERANKER: "cross-encoder/ms-marco-MiniLM-L-6-v2"}
"""What `dream init --models` fetches where sentence-transformers is installed, into folders of these names."""
AWAITED: dict[tuple[str, ...], Embedder] = {}
"""Embedders of this process that are loaded in the background, by how they were asked for."""


class Near(NamedTuple):
    """What compares meaning: both or neither, and what is to be said where it is not as asked for."""

    embedder: Embedder | None = None
    vectors: VectorReader | None = None
    missing: tuple[str, ...] = ()


class Meaning:
    """The models that one house asks.

    Args:
        embedder, reranker, ollama_host, vectors: as the settings of these names.
        lasting: whether the process stays, so that a question does not wait for a model to load.
    """

    def __init__(
        self,
        home: Home,
        embedder: str = "auto",
        *,
        reranker: str = "none",
        ollama_host: str = "",
        vectors: str = "matrix",
        lasting: bool = False,
    ) -> None:
        self._home, self._lasting = home, lasting
        self._chosen, self._reranker, self._host, self._kind = embedder, reranker, ollama_host, vectors

    @classmethod
    def of(cls, settings: Settings, home: Home, lasting: bool = False) -> Meaning:
        """As the settings say."""
        return cls(
            home,
            settings.embedder,
            reranker=settings.reranker,
            ollama_host=settings.ollama_host,
            vectors=settings.vectors,
            lasting=lasting,
        )

    def embedder(self) -> Embedder | None:
        """The embedder that is asked for; one for the process, loaded on first use."""
        from dream.adapters import sentence

        if self._chosen == "none":
            return None
        if self._chosen.startswith("ollama:"):
            return _ollama(self._chosen.removeprefix("ollama:"), self._host)
        if self._chosen not in ("auto", "packaged"):
            return _sentence(self._folder(self._chosen))
        own = self._home.models / EMBEDDER
        if self._chosen == "auto" and sentence.installed() and sentence.there(own):
            return _sentence(own)
        return _packaged()

    def near(self) -> Near:
        """What a search compares meaning with: the embedder's own vectors, else those that still stand for it."""
        model = self.embedder()
        if model is None:
            return Near()
        folders = self._folders()
        whole = folders.whole(model.model)
        if whole is not None:
            return Near(self._awaited(model), whole)
        for old in filter(None, map(self._named, folders.models())):
            standing = folders.whole(old.model)
            if standing is not None:
                size = standing.shape()[1]
                said = (
                    f"dense: {model.model} has no vectors yet; those of {old.model} ({size} dimensions) stand for them"
                )
                return Near(self._awaited(old), standing, (f"{said} until `dream cycle` has built them",))
        return Near(self._awaited(model), folders.building(model.model))

    def reranker(self) -> Reranker | None:
        """The cross-encoder, where a folder with its weights is there."""
        from dream.adapters import sentence

        if self._reranker == "none" or not sentence.installed():
            return None
        folder = self._home.models / RERANKER if self._reranker == "auto" else self._folder(self._reranker)
        return _reranker(folder) if sentence.there(folder) else None

    def begin(self) -> None:
        """Start loading the embedder now (`preload_embedder`); returns at once."""
        from dream.recall.awaited import AwaitedEmbedder

        model = self.near().embedder
        if isinstance(model, AwaitedEmbedder):
            model.begin()

    def described(self) -> str:
        """Which embedder, and what vectors there are, with their sizes."""
        model = self.embedder()
        folders = self._folders()
        held = [(name, index.shape()) for name in folders.models() if (index := folders.whole(name)) is not None]
        told = [f"{number} vectors of {size} dimensions by {name}" for name, (number, size) in held]
        return f"{model.model if model else 'none'}; {', '.join(told) or 'no vectors yet'}"

    def follow(self, ledger: Ledger) -> int:
        """Embed what the vectors have not seen; how many texts. Another model's are built beside those that stand."""
        from dream.recall.vectors import follow

        model = self.embedder()
        if model is None:
            return 0
        folders = self._folders()
        whole = folders.whole(model.model)
        if whole is not None:
            try:
                done = follow(ledger.entries(whole.watermark()), model, whole)
            except DreamError as error:
                if error.code != "vectors-differ":
                    raise
                whole = None
        if whole is None:
            done = self._build(folders, model, ledger)
        folders.keep(model.model)
        self._folders("lance" if self._kind == "matrix" else "matrix").keep("")
        standing = folders.whole(model.model)
        if standing is not None:
            standing.tidy()
        return done

    def drop(self, ledger: Ledger) -> None:
        """Take out of every vector index what the log has taken out since, whoever made it and without its model."""
        from dream.recall.vectors import strip

        for kind in ("matrix", "lance"):
            for index in self._folders(kind).all():
                strip(ledger.entries(index.watermark()), index)

    def _build(self, folders: VectorFolders, model: Embedder, ledger: Ledger) -> int:
        from dream.recall.vectors import follow

        try:
            index = folders.building(model.model)
            return follow(ledger.entries(index.watermark()), model, index)
        except DreamError as error:
            if error.code != "vectors-differ":
                raise
            index = folders.begin(model.model)
            return follow(ledger.entries(index.watermark()), model, index)

    def _folders(self, kind: str = "") -> VectorFolders:
        from dream.adapters.vector_folders import VectorFolders

        lance = (kind or self._kind) == "lance"
        return VectorFolders(self._home.vectors if lance else self._home.matrix, _lance if lance else _matrix)

    def _named(self, model: str) -> Embedder | None:
        """The embedder whose vectors lie under that name, where it is at hand."""
        from dream.adapters import ollama_embed, sentence

        packaged = _packaged()
        if packaged is not None and packaged.model == model:
            return packaged
        if served := ollama_embed.served(model):
            return _ollama(served, self._host)
        folder = self._home.models / model
        return _sentence(folder) if sentence.installed() and sentence.there(folder) else None

    def _folder(self, named: str) -> Path:
        """A path, or a name among the models that were fetched."""
        path = Path(named).expanduser()
        return path if path.is_absolute() else self._home.models / named

    def _awaited(self, model: Embedder) -> Embedder:
        if not self._lasting:
            return model
        from dream.recall.awaited import AwaitedEmbedder

        return AWAITED.setdefault((model.model, self._host, str(self._home.root)), AwaitedEmbedder(model))


def fetch(home: Home, told: Callable[[str], None]) -> dict[str, str]:
    """Bring the models of sentence-transformers into the home, where that is installed; `there` or `fetched` by name.

    Args:
        told: the name of each model before it is fetched.

    Raises:
        ModelUnavailable: the hub cannot be reached; what came before stays.
    """
    from dream.adapters import sentence, sentence_fetch

    done = {}
    for name, on_hub in HUB.items() if sentence.installed() else ():
        told(name)
        done[name] = sentence_fetch.fetch(on_hub, home.models / name)
    return done


@cache
def _packaged() -> UseEmbedder | None:
    from dream.adapters import use_embedder

    use_embedder.one_thread()
    return use_embedder.UseEmbedder() if use_embedder.installed() else None


@cache
def _ollama(model: str, host: str) -> Embedder:
    from dream.adapters.ollama_embed import OllamaEmbedder

    return OllamaEmbedder(model, host)


@cache
def _sentence(folder: Path) -> Embedder:
    from dream.adapters.sentence import SentenceEmbedder

    return SentenceEmbedder(folder)


@cache
def _reranker(folder: Path) -> Reranker:
    from dream.adapters.sentence import SentenceReranker

    return SentenceReranker(folder)


def _matrix(folder: Path, model: str) -> Vectors:
    from dream.adapters.vector_matrix import MatrixVectors

    return MatrixVectors(folder, model)


def _lance(folder: Path, model: str) -> Vectors:
    from dream.adapters.lance import LanceVectors

    return LanceVectors(folder, model)
