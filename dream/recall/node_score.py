"""What each signal says about a node: it is worth the best turn it stands on, and its own text may be worth more.

Two turns of which each has half of what is asked do not make a node that has all of it: a night may have been wrong
about their saying one thing. So signals come from one turn, and a node's turns are named as its sources only where
they fit about as well as the best, or where the node stands so far above the rest that nothing is pushed out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dream.model.graph import Node
from dream.model.hit import Weights
from dream.model.note import Note
from dream.recall.cues import Cues
from dream.recall.pool import Pool
from dream.recall.scoring import Candidate, Words, nearness, trusted, verbatim

CROWD = 6
"""Notes up to which a node is taken to say one thing."""
ALIKE = 0.85
"""Share of the best turn's worth from which another turn of the node fits as well."""
STANDS_OUT = 0.6
"""Share of a node's worth that must still be above the tenth turn for all its turns to be named."""
PLACES = 10
_LENT = ("lexical", "dense", "context", "session", "statement", "speaker", "time", "answer", "verbatim")


@dataclass(frozen=True)
class _Asked:
    """What is the same for all nodes of a search."""

    words: Words
    cues: Cues
    cosines: Mapping[str, float]
    weights: Weights
    trust: float
    by_note: Mapping[str, Candidate]
    bar: float


def node_candidates(
    pool: Pool,
    words: Words,
    cues: Cues,
    cosines: Mapping[str, float],
    weights: Weights,
    turns: Mapping[str, Candidate],
    wanted: Callable[[Node], bool],
) -> dict[str, Candidate]:
    """Score the pool's nodes that are wanted, by the scored turns."""
    worths = sorted((worth(each, weights) for each in turns.values()), reverse=True)
    bar = worths[PLACES - 1] if len(worths) >= PLACES else 0.0
    by_note = {note.id: each for each in turns.values() for note in each.notes}
    asked = _Asked(words, cues, cosines, weights, trusted(pool, words), by_note, bar)
    return {node.id: _scored(node, pool, asked) for node in pool.nodes.values() if wanted(node)}


def worth(turn: Candidate, weights: Weights) -> float:
    """The weighted sum of what a turn can lend a node."""
    return sum(weights.signals[name] * turn.signals[name] for name in _LENT)


def _scored(node: Node, pool: Pool, asked: _Asked) -> Candidate:
    notes = [pool.cited[each] for each in node.notes if each in pool.cited]
    counted = [asked.words.count(text) for text in (node.text, *(note.text for note in notes))]
    scores = asked.words.score([(counts, len(own)) for counts, own in counted])
    fit = {n.id: s + nearness(asked.cosines.get(n.id, 0.0)) for n, s in zip(notes, scores[1:], strict=True)}
    worths = {n.id: worth(asked.by_note[n.id], asked.weights) if n.id in asked.by_note else 0.0 for n in notes}
    best = sorted(notes, key=lambda n: (-worths[n.id], -fit[n.id], n.index))
    lead = asked.by_note.get(best[0].id) if best else None
    one = Candidate(node.id, node, _named(best, worths, asked.bar), frozenset(counted[0][1]))
    if lead is not None:
        one.signals.update({name: lead.signals[name] for name in (*_LENT, "load")})
    near = asked.trust * nearness(max(asked.cosines.get(key, 0.0) for key in (node.id, *node.notes)))
    said = max((asked.cues.time(note.at, node.dates) for note in notes), default=0.0)
    for name, own in (
        ("lexical", max(scores)),
        ("dense", near),
        ("time", said),
        ("answer", asked.cues.answers(node.text)),
        ("load", node.load / 100),
        ("verbatim", verbatim(counted[0][1], asked.words.terms)),
    ):
        one.signals[name] = max(one.signals.get(name, 0.0), own)
    one.signals.update(statement=1.0, consolidated=1.0)
    return one


def _named(best: list[Note], worths: Mapping[str, float], bar: float) -> list[Note]:
    """The node's sources for this question; the others are ranked by themselves."""
    if not best:
        return best
    most = worths[best[0].id]
    if most * STANDS_OUT < bar:
        best = [note for note in best if worths[note.id] >= ALIKE * most]
    return best[:CROWD]
