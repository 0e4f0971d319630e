"""Two sentences word by word: what of one stands in the place of what of the other.

Who says a thing again puts it in other words, leaves some out and adds some; who speaks of another thing of the same
kind says the same words but for the one that names it (`the spare key / the fuse box hangs behind the boiler`).
"""

from __future__ import annotations

from collections.abc import Sequence

from dream.model.frame import Sense


def one_replaced(mine: Sequence[Sense], theirs: Sequence[Sense]) -> bool:
    """Whether both say the same words in the same order but for one place, where each has words of its own."""
    common = _common(mine, theirs)
    if not common or not all(_one_word(mine[a], theirs[b]) for a, b in common):
        return False  # what is shared is a translation: its order and its words are the other language's
    edits = []
    here = there = 0
    for a, b in [*common, (len(mine), len(theirs))]:
        if a > here or b > there:
            edits.append(a > here and b > there)
        here, there = a + 1, b + 1
    return edits == [True]


def _common(mine: Sequence[Sense], theirs: Sequence[Sense]) -> list[tuple[int, int]]:
    """Places of the longest run of senses that both have in one order (longest common subsequence)."""
    best = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for a in range(len(mine) - 1, -1, -1):
        for b in range(len(theirs) - 1, -1, -1):
            met = bool(mine[a] & theirs[b])
            best[a][b] = best[a + 1][b + 1] + 1 if met else max(best[a + 1][b], best[a][b + 1])
    found, a, b = [], 0, 0
    while a < len(mine) and b < len(theirs):
        if mine[a] & theirs[b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        elif best[a + 1][b] >= best[a][b + 1]:
            a += 1
        else:
            b += 1
    return found


def _one_word(mine: Sense, theirs: Sense) -> bool:
    """Whether two senses are one word or one stem, no translation or synonym."""
    return any(not word.startswith(("#", "~")) for word in mine & theirs)
