"""Search over nodes and notes: candidates from every signal, one fused ranking, few hits.

1. Words find candidates in the full-text index, meaning in the vectors; today's unsealed buffer is looked through too.
   Turns beside a candidate and nodes near one in the graph join them.
2. A node fits as well as the best of its own text and the notes it cites, so a fact said in two languages is found in
   either. A note cited by a node that is returned becomes that hit's source.
3. What was superseded is not shown unless asked for. Its current successor takes over its rank, and a note on which
   only superseded nodes stand is marked stale and comes below it.
4. Nothing of another project is returned, whatever the store hands back.
5. A signal that is missing is named in `degraded`; the answer is complete without it. Below the floor nothing is
   returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import NamedTuple

from dream.errors import DreamError
from dream.model.graph import Node
from dream.model.hit import Answer, Hit, Query, Ranked, Weights, diversify, evidence, fuse, jaccard
from dream.model.note import Note
from dream.ports import Analyser, Embedder, GraphWalk, LexicalScorer, Reranker, VectorReader
from dream.recall.activation import spread
from dream.recall.cues import read
from dream.recall.echo import echo
from dream.recall.kin import kinship, likeness
from dream.recall.node_score import node_candidates, worth
from dream.recall.patience import within_time
from dream.recall.pool import Pool, Store, first_said, gather, scope, within
from dream.recall.ranking import adjust, fold, outdated, speaks
from dream.recall.scoring import Candidate, Words, candidates, rarity, recency
from dream.recall.standing import said_by, shown
from dream.recall.translate import Renderings, Translations

POOL = 120
"""Candidates asked of each signal."""
RERANKED = 20
OUTDATED = 80
"""Candidates, best first, that are looked at for being outdated."""
PATIENCE = 1.5
"""Seconds that a reranker may take; the answer does not wait longer for it (D15)."""
DIVERSE = 6
"""Candidates looked at for each hit when hits are to differ."""
ALWAYS = ("lexical", "context", "session", "echo", "load", "statement", "consolidated")


class Weighed(NamedTuple):
    """Candidates of a question by id.

    Attributes:
        present: names of the signals that took part.
    """

    pool: Pool
    scored: dict[str, Candidate]
    present: tuple[str, ...]


class Search:
    """Answers queries. Holds no state of its own but what it was given.

    Args:
        today: reads the notes of the unsealed buffer, anew at each search.
        missing: what every answer's `degraded` begins with.
    """

    def __init__(
        self,
        store: Store,
        analyser: Analyser,
        scorer: LexicalScorer,
        *,
        walk: GraphWalk | None = None,
        vectors: VectorReader | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        translations: Translations | None = None,
        today: Callable[[], Iterable[Note]] = tuple,
        weights: Weights | None = None,
        missing: tuple[str, ...] = (),
    ) -> None:
        self._missing = missing
        self._store = store
        self._analyser = analyser
        self._scorer = scorer
        self._walk = walk
        self._vectors = vectors
        self._embedder = embedder
        self._reranker = reranker
        self._translations = translations
        self._today = today
        self._kin = kinship(analyser, translations)
        self._likeness = likeness(analyser, translations)
        self._weights = weights or Weights()

    def search(self, query: Query) -> Answer:
        """Answer `query`; text without a word in it has no answer, and that is no error."""
        degraded = list(self._missing)
        weighed = self.weigh(query, degraded)
        return Answer(degraded=tuple(degraded)) if weighed is None else self._answer(query, weighed, degraded)

    def weigh(self, query: Query, degraded: list[str]) -> Weighed | None:
        """What might answer `query`, with its signals, before they are summed; None where nothing does.

        Args:
            degraded: told what was missing.
        """
        terms = tuple(dict.fromkeys(self._analyser.terms(query.text)))
        keys = scope(query)
        renderings = self._translations.of(terms) if self._translations is not None else Renderings({}, ())
        asked = " ".join((query.text, *renderings.words))
        found = list(self._store.match(asked, POOL, keys)) if terms else []
        cosines, vector = self._near(query, keys, bool(found), degraded)
        found = [
            each for pair in zip_longest(found, cosines) for each in pair if each is not None
        ]  # best of both first
        today = self._unsealed(
            {*terms, *(s for each in renderings.by_term.values() for stems in each for s in stems)}, keys
        )
        if not found and not today:
            return None
        pool = gather(self._store, query, found, today)
        if vector and self._vectors is not None:
            ids = [note.id for passage in pool.passages for note in passage.notes]
            cosines |= self._vectors.cosines(vector, [*ids, *pool.nodes, *pool.cited])
        others = {stem for each in renderings.by_term.values() for stems in each for stem in stems}
        idf = rarity(terms, self._store.frequencies({*terms, *others}), renderings)
        words = Words(terms, idf, renderings, self._analyser, self._scorer)
        cues = read(query.text, query.asked_at, query.zone)
        scored = candidates(pool, words, cues, cosines, self._weights)
        worths = {key: worth(each, self._weights) for key, each in scored.items()}
        for key, heard in echo(scored, worths, words.vocabulary).items():
            scored[key].signals["echo"] = heard
        scored |= node_candidates(
            pool, words, cues, cosines, self._weights, scored, lambda node: _scored(node, query, pool)
        )
        present = [*ALWAYS, *(["dense"] if vector else []), *(["time"] if cues.spans else [])]
        present += [name for name in ("speaker", "verbatim") if any(each.signals.get(name) for each in scored.values())]
        present += ["answer"] if cues.when or cues.count else []
        present += self._activate(scored, query, degraded)
        if query.asked_at is not None:
            present.append("recency")
            for each in scored.values():
                each.signals["recency"] = recency(each.at, query.asked_at)
        if query.kinds is not None:
            scored = {key: each for key, each in scored.items() if each.node is not None}
        present += self._rerank(scored, query, present, degraded)
        return Weighed(pool, scored, tuple(present))

    def _near(
        self, query: Query, keys: tuple[str, ...] | None, words: bool, degraded: list[str]
    ) -> tuple[dict[str, float], list[float]]:
        """Cosines of what is nearest, and the question's vector; both empty where meaning takes no part.

        Args:
            words: whether words found something, which should then have a vector too.
        """
        if self._embedder is None or self._vectors is None:
            degraded.append("dense: no embedder is installed, meaning is not compared")
            return {}, []
        try:
            vector = self._embedder.embed([query.text])[0]
            near = dict(self._vectors.nearest(vector, POOL, keys))
        except DreamError as error:
            degraded.append(f"dense: {error.sentence}")
            return {}, []
        if not near and words:  # a new home, or vectors of a form that is no longer read
            degraded.append("dense: nothing here has a vector yet, `dream cycle` embeds it")
            return {}, []
        return near, vector

    def _unsealed(self, wanted: set[str], keys: tuple[str, ...] | None) -> list[Note]:
        return [
            note
            for note in self._today()
            if within(note.project, keys) and not wanted.isdisjoint(self._analyser.terms(note.text))
        ]

    def _activate(self, scored: dict[str, Candidate], query: Query, degraded: list[str]) -> list[str]:
        if self._walk is None:
            degraded.append("activation: the graph is not loaded")
            return []
        seeds = {
            key: each.signals["lexical"] + each.signals["dense"]
            for key, each in scored.items()
            if each.node is not None
        }
        for key, reached in spread(seeds, self._walk).items():
            if key in scored:
                scored[key].signals["activation"] = reached
        return ["activation"]

    def _rerank(self, scored: dict[str, Candidate], query: Query, present: list[str], degraded: list[str]) -> list[str]:
        if not query.rerank:
            return []
        if self._reranker is None:
            degraded.append("rerank: no reranker is installed")
            return []
        first = fuse({key: each.signals for key, each in scored.items()}, self._weights.signals, present)[:RERANKED]
        reranker, texts = self._reranker, [_text(scored[each.id]) for each in first]
        scores, why = within_time(lambda: reranker.scores(query.text, texts), PATIENCE)
        if scores is None:
            degraded.append(f"rerank: {why}")
            return []
        for each, score in zip(first, scores, strict=True):
            scored[each.id].signals["rerank"] = score
        return ["rerank"]

    def _answer(self, query: Query, weighed: Weighed, degraded: list[str]) -> Answer:
        pool, scored = weighed.pool, weighed.scored
        ranked = fuse({key: each.signals for key, each in scored.items()}, self._weights.signals, weighed.present)
        leading = [each.id for each in ranked[:OUTDATED]]
        gone = {} if query.history else outdated(scored, leading, pool, query, self._kin)
        fits = speaks(scored, self._likeness, self._weights.signals)
        ranked = [
            each
            for each in adjust(ranked, gone, self._weights.stale, self._weights.near, fits)
            if _returned(scored[each.id], pool, query, each.id in gone)
        ]
        kept = [each for each in ranked if evidence(each) >= self._weights.least]
        if max(map(evidence, kept), default=0.0) < self._weights.floor:
            kept = []
        kept = fold(kept, scored)
        kept = kept[: query.k * DIVERSE]
        terms = {each.id: scored[each.id].terms for each in kept}
        best = diversify(kept, lambda one, other: jaccard(terms[one], terms[other]), query.k, self._weights.diversity)
        hits = tuple(_hit(each, scored[each.id], each.id in gone, gone.get(each.id), query) for each in best)
        return Answer(hits, tuple(degraded), abstained=bool(ranked) and not hits)


def _returned(candidate: Candidate, pool: Pool, query: Query, gone: bool) -> bool:
    if candidate.node is None:
        return query.as_of is None or not gone
    return shown(candidate.node, query, first_said(candidate.node, pool.cited))


def _scored(node: Node, query: Query, pool: Pool) -> bool:
    """What is shown, and what only lends its rank to the node that replaced it."""
    return shown(node, query, first_said(node, pool.cited)) or (query.as_of is None and node.id in pool.successors)


def _text(candidate: Candidate) -> str:
    return candidate.node.text if candidate.node else candidate.notes[0].text


def _hit(ranked: Ranked, candidate: Candidate, outdated: bool, follower: str | None, query: Query) -> Hit:
    node = candidate.node
    sources = tuple(note for note in candidate.notes if query.as_of is None or said_by(note, query.as_of))
    if node is None:
        note = candidate.notes[0]
        return Hit(
            note.id, note.text, ranked.score, ranked.signals, sources, note.project, note.at,
            stale=outdated, superseded_by=follower,
        )  # fmt: skip
    return Hit(
        node.id, node.text, ranked.score, ranked.signals, sources, node.project, node.evidence_at,
        node.kind, node.status, False, node.superseded_by, node.valid_from, node.valid_to,
    )  # fmt: skip
