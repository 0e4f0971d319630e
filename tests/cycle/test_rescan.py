"""A rule that is added finds what older notes and nodes still hold (H14); what is clean is not named."""

from __future__ import annotations

import dataclasses

from dream.cycle.rescan import rescan
from dream.model.graph import Node, NodeKind
from dream.model.note import Note, Origin

AT = "2026-11-30T21:00:00.000Z"
KEY = bytes(range(32))
TOKEN = "gh" + "p_" + "aB3dE6gH9j" * 4


def note(number: int, text: str) -> Note:
    return Note(f"n-{number}", text, AT, "s", f"t-{number}", 0, Origin.USER, 10, (), "p")


def node(number: int, text: str) -> Node:
    return Node(
        id=f"f-{number}", kind=NodeKind.FACT, text=text, project="p", notes=("n-1",), recorded_at=AT, evidence_at=AT
    )


def test_h14_a_secret_learnt_before_its_rule_is_found_in_notes_and_nodes() -> None:
    found = rescan([note(1, f"le jeton est {TOKEN}"), note(2, "On garde SQLite.")], [node(1, f"Jeton : {TOKEN}.")], KEY)
    assert [(old.id, TOKEN in new.text) for old, new in found.notes] == [("n-1", False)]
    assert [(old.id, TOKEN in new.text) for old, new in found.nodes] == [("f-1", False)]
    assert found.counts == {"github-token": 2}


def test_h14_a_nodes_values_and_names_are_cleaned_with_its_text() -> None:
    stained = dataclasses.replace(
        node(1, f"Le jeton de Redis est {TOKEN}"), values=(TOKEN.lower(),), entities=("redis",)
    )
    (_, clean) = rescan([], [stained], KEY).nodes[0]
    assert clean.values == () and clean.entities == ("redis",)


def test_h14_what_the_rules_have_cleaned_is_not_named_again() -> None:
    once = rescan([note(1, f"le jeton est {TOKEN}")], [], KEY)
    assert rescan([new for _, new in once.notes], [], KEY).notes == ()


def test_h14_a_denied_text_comes_back_empty() -> None:
    found = rescan([note(1, "Odile est malade"), note(2, "Odile va bien")], [], KEY, lambda text: "malade" in text)
    assert [(old.id, new.text) for old, new in found.notes] == [("n-1", "")]
    assert found.counts == {"denied": 1}
