"""What each signal says about each candidate of a pool, 0..1. Candidates are nodes (by id) and passages (by turn)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from dream.model.graph import Node
from dream.model.hit import Weights
from dream.model.note import Note
from dream.ports import Analyser, LexicalScorer
from dream.recall import passages as p
from dream.recall.pool import Pool

COSINE_FLOOR = 0.25
"""Cosine at or below which two sentences have nothing in common for the packaged embedder."""
RECENT_DAYS = 60.0


@dataclass(slots=True)
class Candidate:
    """A node or a passage, with its terms, its best note first, and its signals."""

    id: str
    node: Node | None
    notes: list[Note]
    terms: frozenset[str]
    signals: dict[str, float] = field(default_factory=dict)
    passages: list[p.Passage] = field(default_factory=list)

    @property
    def at(self) -> str:
        return self.node.evidence_at if self.node else self.notes[0].at


@dataclass(frozen=True, slots=True)
class Words:
    """How a text is scored by its words: the query's terms with their rarity in the whole store."""

    terms: tuple[str, ...]
    idf: Mapping[str, float]
    analyser: Analyser
    scorer: LexicalScorer

    def score(self, texts: Sequence[str]) -> tuple[list[float], list[list[str]]]:
        documents = [self.analyser.terms(text) for text in texts]
        return self.scorer.score(self.terms, documents, self.idf), documents


def rarity(terms: Iterable[str], total: int, holding: Mapping[str, int]) -> dict[str, float]:
    """Idf of each term; one that no text holds counts as the rarest, so that a query it is half of is half covered."""
    return {
        term: math.log(1 + (total - holding.get(term, 0) + 0.5) / (holding.get(term, 0) + 0.5))
        for term in dict.fromkeys(terms)
    }


def nearness(cosine: float) -> float:
    """Cosine as a signal."""
    return max(0.0, (cosine - COSINE_FLOOR) / (1.0 - COSINE_FLOOR))


def candidates(
    pool: Pool, words: Words, cosines: Mapping[str, float], weights: Weights, wanted: Callable[[Node], bool]
) -> dict[str, Candidate]:
    """Score passages and nodes by words, meaning, context and session."""
    found: dict[str, Candidate] = {}
    lexical, terms = words.score([" ".join(note.text for note in each.notes) for each in pool.passages])
    mix_lexical, mix_dense = weights.signals["lexical"], weights.signals["dense"] if cosines else 0.0
    by_note: dict[str, Candidate] = {}
    for passage, score, own in zip(pool.passages, lexical, terms, strict=True):
        near = nearness(max((cosines.get(note.id, 0.0) for note in passage.notes), default=0.0))
        passage.base = (mix_lexical * score + mix_dense * near) / (mix_lexical + mix_dense)
        one = Candidate(passage.turn, None, _best_first(passage.notes, words, cosines), frozenset(own))
        one.signals.update(lexical=score, dense=near)
        one.passages.append(passage)
        found[f"{passage.session}/{passage.turn}"] = one
        by_note.update((note.id, one) for note in passage.notes)
    fits = p.sessions(pool.passages)
    for one, lent in zip(list(found.values()), p.context(pool.passages), strict=True):
        one.signals.update(context=lent, session=fits[one.passages[0].session])
    _score_nodes([node for node in pool.nodes.values() if wanted(node)], pool, words, cosines, by_note, found)
    return found


def _score_nodes(
    nodes: Sequence[Node],
    pool: Pool,
    words: Words,
    cosines: Mapping[str, float],
    by_note: Mapping[str, Candidate],
    found: dict[str, Candidate],
) -> None:
    texts = [[node.text, *(pool.cited[each].text for each in node.notes if each in pool.cited)] for node in nodes]
    flat, terms = words.score([text for each in texts for text in each])
    at = 0
    for node, each in zip(nodes, texts, strict=True):
        own, said = flat[at : at + len(each)], terms[at]
        at += len(each)
        notes = [pool.cited[note_id] for note_id in node.notes if note_id in pool.cited]
        near = nearness(max((cosines.get(key, 0.0) for key in (node.id, *node.notes)), default=0.0))
        one = Candidate(node.id, node, _best_first(notes, words, cosines), frozenset(said))
        one.signals.update(lexical=max(own), dense=near, consolidated=1.0)
        for turn in {by_note[note.id].id: by_note[note.id] for note in notes if note.id in by_note}.values():
            one.passages.extend(turn.passages)
            for name in ("lexical", "dense", "context", "session"):
                one.signals[name] = max(one.signals.get(name, 0.0), turn.signals[name])
        found[node.id] = one


def _best_first(notes: Sequence[Note], words: Words, cosines: Mapping[str, float]) -> list[Note]:
    if len(notes) < 2:
        return list(notes)
    scores, _ = words.score([note.text for note in notes])
    fit = {note.id: s + nearness(cosines.get(note.id, 0.0)) for note, s in zip(notes, scores, strict=True)}
    return sorted(notes, key=lambda note: (-fit[note.id], note.index))


def recency(at: str, now: str) -> float:
    """Halves every 60 days."""
    days = (datetime.fromisoformat(now) - datetime.fromisoformat(at)).total_seconds() / 86_400
    return float(0.5 ** (max(0.0, days) / RECENT_DAYS))
