"""What is worth saying unasked, within a budget: the shared builder of the index files and of `dream context`.

1. Only current nodes; hot ones and standing rules first, up to the limit; then the best active ones up to the target.
2. One line a node: its date, its text, its id. A line that says what an earlier one says is left out.
3. A token is ceil(UTF-8 bytes / 4). No line is cut; what did not fit is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dream.model.graph import Node, NodeKind, NodeStatus, Tier
from dream.model.hit import jaccard
from dream.ports import Analyser

SAME = 0.8
"""Share of common terms from which two nodes with the same values say one thing."""

_TIERS = {Tier.HOT: 0, Tier.ACTIVE: 1}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the nodes under it, best first."""

    title: str
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What fits, and how many of those that would be worth saying do not."""

    sections: tuple[Section, ...]
    left_out: int

    @property
    def count(self) -> int:
        return sum(len(section.nodes) for section in self.sections)


def tokens(text: str) -> int:
    """Length in tokens as Dream counts them."""
    return -(-len(text.encode("utf-8")) // 4)


def line(node: Node, mark: str = "") -> str:
    """`- 2026-02-09 · text (f-…)`; `mark` says what is wrong with it."""
    text = " ".join(node.text.split())
    return f"- {date(node)} · {text}{f' [{mark}]' if mark else ''} ({node.id})"


def date(node: Node) -> str:
    """Since when it holds, or when it was last said."""
    return (node.valid_from or node.evidence_at)[:10]


def worth(nodes: Iterable[Node], vitality: Mapping[str, float]) -> list[Node]:
    """Current hot and active nodes, best first: hot, then rules and pinned ones, then by vitality, load and recency."""
    live = [node for node in nodes if node.status is NodeStatus.CURRENT and node.tier in _TIERS]
    by_time = sorted(live, key=lambda node: (node.evidence_at, node.id), reverse=True)
    return sorted(
        by_time, key=lambda node: (not _first(node), -vitality.get(node.id, 0.0), _TIERS[node.tier], -node.load)
    )


def choose(
    nodes: Iterable[Node],
    analyser: Analyser,
    target: int,
    limit: int,
    vitality: Mapping[str, float] | None = None,
    render: Callable[[Node], str] = line,
) -> Chosen:
    """Pick what to say.

    Args:
        target: tokens to aim at; active nodes stop there.
        limit: tokens never exceeded, by hot nodes and rules either.
        vitality: score by node id, where it is known.
    """
    kept: list[Node] = []
    spent = 0
    left_out = 0
    said: list[tuple[frozenset[str], Node]] = []
    for node in worth(nodes, vitality or {}):
        terms = frozenset(analyser.terms(node.text))
        if any(node.values == other.values and jaccard(terms, held) >= SAME for held, other in said):
            continue
        cost = tokens(render(node) + "\n")
        if spent + cost > (limit if _first(node) else min(target, limit)):
            left_out += 1
            continue
        spent += cost
        kept.append(node)
        said.append((terms, node))
    return Chosen(_sections(kept), left_out)


def _first(node: Node) -> bool:
    return node.tier is Tier.HOT or node.standing or node.pinned


def _sections(nodes: Sequence[Node]) -> tuple[Section, ...]:
    rules = [node for node in nodes if node.standing]
    decided = [node for node in nodes if not node.standing and node.kind is NodeKind.DECISION]
    rest = [node for node in nodes if not node.standing and node.kind is not NodeKind.DECISION]
    parts = (("Standing rules", rules), ("Decided", decided), ("Known", rest))
    return tuple(Section(title, tuple(held)) for title, held in parts if held)
