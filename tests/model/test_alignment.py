"""Word for word the same but for one place: another thing of the same kind."""

from __future__ import annotations

import pytest

from dream.model.alignment import one_replaced
from dream.model.frame import Sense


def senses(text: str) -> list[Sense]:
    """Each word its own sense; `a/b` is a word with a concept of the lexicon that another may share."""
    return [frozenset(word.split("/")) for word in text.split()]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("spare key hang boiler", "fuse box hang boiler"),
        ("test machine named river", "production machine named river"),
        ("menu child", "menu student"),
        ("key hang boiler left", "key hang boiler right"),
    ],
)
def test_one_place_with_words_of_its_own_on_either_side_is_told(mine: str, theirs: str) -> None:
    assert one_replaced(senses(mine), senses(theirs))
    assert one_replaced(senses(theirs), senses(mine))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("spare key hang boiler", "find second key boiler"),  # said in another way
        ("machine named river", "test machine named river"),  # one says more
        ("gate north open", "gate north open"),
        ("kiln", "shop"),  # nothing is shared
        ("livraison/#1 samedi", "delivery/#1 monday"),  # a translation has an order of its own
    ],
)
def test_other_words_more_words_and_translations_are_not(mine: str, theirs: str) -> None:
    assert not one_replaced(senses(mine), senses(theirs))
