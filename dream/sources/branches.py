"""Dead branches of a transcript: prompts that were taken back and said anew, with all that hangs on them.

A transcript is a tree. A prompt typed by the user that has a later one with the same parent was interrupted or
re-edited, so what stands below it is not part of the conversation any more. Not dead: parallel tool results (no
prompts), the time before a compaction (a boundary has no parent), prompts at the root, and a branch in which the user
went on typing after the later prompt (one session open twice).

Memory grows with the number of prompts and of lines on dead branches, not with the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the user typed, as a place in the tree."""

    uuid: str
    parent: str


def retaken(prompts: Iterable[Prompt]) -> dict[str, int]:
    """Prompts with a later sibling: uuid → place of the first later one, counted in prompts from 0."""
    latest: dict[str, Prompt] = {}
    found: dict[str, int] = {}
    seen: set[str] = set()
    for place, prompt in enumerate(prompts):
        if not prompt.parent or prompt.uuid in seen:
            continue
        seen.add(prompt.uuid)
        before = latest.get(prompt.parent)
        if before is not None:
            found[before.uuid] = place
        latest[prompt.parent] = prompt
    return found


def dead_uuids(prompts: list[Prompt], read_lines: Callable[[], Iterable[bytes]]) -> frozenset[str]:
    """The uuids of the messages (lines of the user and the assistant) on dead branches.

    Args:
        prompts: the user's prompts, in the file's order.
        read_lines: reads the whole file again; called only where a prompt was retaken.
    """
    roots = retaken(prompts)
    if not roots:
        return frozenset()
    owner = _owners(roots, read_lines)
    above = {root: owner[root][1] for root in roots if root in owner}
    alive = set()
    for place, prompt in enumerate(prompts):
        at = owner[prompt.uuid][0] if prompt.uuid in owner else ""
        while at:
            if prompt.uuid != at and place > roots[at]:
                alive.add(at)
            at = above.get(at, "")
    dead = set()
    for uuid, (root, _, said) in owner.items():
        at = root if said else ""
        while at and at in alive:
            at = above.get(at, "")
        if at:
            dead.add(uuid)
    return frozenset(dead)


def _owners(roots: dict[str, int], read_lines: Callable[[], Iterable[bytes]]) -> dict[str, tuple[str, str, bool]]:
    """Each line below a root, and the root itself: uuid → (its nearest root, the root above that, is it a message)."""
    owner: dict[str, tuple[str, str, bool]] = {}
    size = -1
    while len(owner) != size:  # a child may stand before its parent: pass again until nothing is new
        size = len(owner)
        for line in read_lines():
            uuid, parent, said = _place(line)
            if not uuid or uuid in owner:
                continue
            up = owner.get(parent)
            if uuid in roots:
                owner[uuid] = (uuid, up[0] if up else "", said)
            elif up:
                owner[uuid] = (up[0], up[1], said)
    return owner


def _place(line: bytes) -> tuple[str, str, bool]:
    """(uuid, parent, whether it is a message) of a line; "" where it has none."""
    try:
        plain = json.loads(line)
        uuid, parent = plain["uuid"], plain.get("parentUuid")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", "", False
    said = plain.get("type") in ("user", "assistant")
    return (uuid if isinstance(uuid, str) else ""), (parent if isinstance(parent, str) else ""), said
