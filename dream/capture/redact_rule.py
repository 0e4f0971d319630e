"""A rule of the sanitiser: one row of a table, compiled only when one of its literals stands in the text.

A row is data: adding a kind of secret is one row and its tests. `example` is a recipe from which the tests make a
value at run time, so that no whole secret stands in the project.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional

    Check = Callable[[str, int, int], Optional["tuple[int, int]"]]

_COMPILED: dict[str, re.Pattern[str]] = {}


def compiled(expression: str) -> re.Pattern[str]:
    """The expression, compiled once per process, with ASCII classes: "é" never continues a token."""
    found = _COMPILED.get(expression)
    if found is None:
        full = expression
        if full.startswith("<"):
            full = r"(?<![A-Za-z0-9])" + full[1:]
        if full.endswith(">"):
            full = full[:-1] + r"(?![A-Za-z0-9])"
        found = _COMPILED[expression] = re.compile(full, re.ASCII)
    return found


class Rule:
    """One kind of secret.

    Args:
        name: what stands in its place: `[redacted:name]`.
        family: the group it is counted under in docs/sanitiser.md.
        literals: separated by spaces; tried only when one of them stands in the text; a lower-case one matches either
            case; `·` is a space; `#n` is n digits or more, `:5` five colons, `-5` five hyphens.
        expression: finds candidates; its repeats are bounded or their classes disjoint, so it is linear on any text. A
            leading `<` and a closing `>` are edges: no ASCII letter or digit on that side. Its group, if it has one, is
            removed alone.
        example: recipe of a text the rule must find: literal text and `{class count}`, see
            tests/capture/redact_recipes.py.
        check: `(text, start, end)` of a candidate → None (refused) or the bounds to remove; no check accepts all.
    """

    __slots__ = ("cased", "check", "example", "expression", "family", "literals", "name")

    def __init__(
        self, name: str, family: str, literals: str, expression: str, example: str = "", check: Check | None = None
    ) -> None:
        self.name = name
        self.family = family
        words = [word.replace("·", " ") for word in literals.split(" ")]
        self.literals = tuple([word for word in words if word == word.lower()])
        self.cased = tuple([word for word in words if word != word.lower()])
        self.expression = expression
        self.example = example
        self.check = check
