"""Whether two nodes speak of one subject: a night that took them for old and new value may have been wrong."""

from __future__ import annotations

from collections.abc import Callable

from dream.model.graph import Node
from dream.ports import Analyser
from dream.recall.translate import Translations

SHARED = 0.15
"""Share of the shorter text's terms that both have, in either language, from which they are kin."""


def kinship(analyser: Analyser, translations: Translations | None) -> Callable[[Node, Node], bool]:
    """A test of two nodes, remembering what it has seen."""
    seen: dict[tuple[str, str], bool] = {}
    shared = likeness(analyser, translations)

    def kin(one: Node, other: Node) -> bool:
        key = (one.id, other.id)
        if key not in seen:
            seen[key] = shared(one.text, other.text) >= SHARED
        return seen[key]

    return kin


def likeness(analyser: Analyser, translations: Translations | None) -> Callable[[str, str], float]:
    """The share of the shorter text's terms that both have, in either language."""

    def share(one: str, other: str) -> float:
        terms, others = analyser.terms(one), set(analyser.terms(other))
        least = min(len(set(terms)), len(others)) or 1
        same = len(others.intersection(terms))
        if translations is not None and same < least:
            by_term = translations.of(terms).by_term
            same = sum(
                term in others or any(others.issuperset(stems) for stems in by_term.get(term, ()))
                for term in dict.fromkeys(terms)
            )
        return same / least

    return share
