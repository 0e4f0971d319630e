"""What each signal says about a node: it is worth the best turn it stands on, and its own text may be worth more.

1. Two turns of which each has half of what is asked do not make a node that has all of it: a night may have been wrong
   about their saying one thing. So signals come from one turn, and a node's turns are named as its sources only where
   they fit about as well as the best, or where the node stands so far above the rest that nothing is pushed out.
2. A turn lends its worth once, to the node that stands on its best sentence. A turn of five sentences would else be
   five hits, each as good as the turn; the other nodes on it are worth what they say themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

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
_LENT = ("lexical", "dense", "context", "session", "statement", "speaker", "time", "answer", "verbatim", "echo")


@dataclass(frozen=True)
class _Asked:
    """What is the same for all nodes of a search.

    Attributes:
        sentences: fit in words of each text, beside all others.
    """

    words: Words
    cues: Cues
    cosines: Mapping[str, float]
    weights: Weights
    trust: float
    by_note: Mapping[str, Candidate]
    bar: float
    sentences: Mapping[str, float]

    def fit(self, key: str, text: str) -> float:
        """How well a text fits by itself."""
        return self.sentences[text] + self.trust * nearness(self.cosines.get(key, 0.0))


@dataclass(slots=True)
class _Standing:
    """A node as a candidate, and the turn it leads with.

    Attributes:
        own: what its own text says, by signal.
    """

    one: Candidate
    lead: Candidate | None
    own: dict[str, float] = field(default_factory=dict)


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
    nodes = [node for node in pool.nodes.values() if wanted(node)]
    worths = sorted((worth(each, weights) for each in turns.values()), reverse=True)
    bar = worths[PLACES - 1] if len(worths) >= PLACES else 0.0
    by_note = {note.id: each for each in turns.values() for note in each.notes}
    texts = list(dict.fromkeys([*(node.text for node in nodes), *(note.text for note in pool.cited.values())]))
    counted = [(counts, len(own)) for counts, own in map(words.count, texts)]
    sentences = dict(zip(texts, words.score(counted), strict=True))
    asked = _Asked(words, cues, cosines, weights, trusted(pool, words, cues), by_note, bar, sentences)
    standing = [_scored(node, pool, asked) for node in nodes]
    for each in _speaking(standing, asked):
        if each.lead is not None:
            for name in _LENT:
                each.one.signals[name] = max(each.own.get(name, 0.0), each.lead.signals.get(name, 0.0))
            each.one.signals["load"] = each.lead.signals["load"]
    return {each.one.id: each.one for each in standing}


def worth(turn: Candidate, weights: Weights) -> float:
    """The weighted sum of what a turn can lend a node."""
    return sum(weights.signals[name] * turn.signals.get(name, 0.0) for name in _LENT)


def _scored(node: Node, pool: Pool, asked: _Asked) -> _Standing:
    notes = [pool.cited[each] for each in node.notes if each in pool.cited]
    worths = {n.id: worth(asked.by_note[n.id], asked.weights) if n.id in asked.by_note else 0.0 for n in notes}
    best = sorted(notes, key=lambda n: (-worths[n.id], -asked.fit(n.id, n.text), n.index))
    lead = asked.by_note.get(best[0].id) if best else None
    terms = asked.words.count(node.text)[1]
    own = {
        "lexical": max(asked.sentences[text] for text in (node.text, *(note.text for note in notes))),
        "dense": asked.trust * nearness(max(asked.cosines.get(key, 0.0) for key in (node.id, *node.notes))),
        "time": max((asked.cues.time(note.at, node.dates) for note in notes), default=0.0),
        "answer": asked.cues.answers(node.text),
        "load": node.load / 100,
        "verbatim": verbatim(terms, asked.words.terms),
        "statement": 1.0,
        "speaker": lead.signals["speaker"] if lead is not None else 0.0,
    }
    one = Candidate(node.id, node, _named(best, worths, asked.bar), frozenset(terms), {**own, "consolidated": 1.0})
    return _Standing(one, lead, own)


def _speaking(standing: Iterable[_Standing], asked: _Asked) -> list[_Standing]:
    """For each turn the node that stands on its best sentence; of several the one that fits best by itself."""
    best: dict[str, tuple[float, str, _Standing]] = {}
    for each in standing:
        node = each.one.node
        if node is None or each.lead is None or each.lead.notes[0].id not in node.notes:
            continue
        fit = asked.fit(node.id, node.text)
        turn = each.lead.notes[0].id
        if turn not in best or (fit, node.id) > best[turn][:2]:
            best[turn] = (fit, node.id, each)
    return [each for _, _, each in best.values()]


def _named(best: list[Note], worths: Mapping[str, float], bar: float) -> list[Note]:
    """The node's sources for this question; the others are ranked by themselves."""
    if not best:
        return best
    most = worths[best[0].id]
    if most * STANDS_OUT < bar:
        best = [note for note in best if worths[note.id] >= ALIKE * most]
    return best[:CROWD]
