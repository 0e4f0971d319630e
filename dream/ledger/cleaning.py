"""Take a secret out of the log and leave the rest of its sentence: what `forget` does, with a clean text in its place.

1. What is there now is said again without the secret: a node by a revision, a note, hold, refusal or branch anew under
   its id. One `NodeForgotten` names every id; then each part that held the secret is nulled, by its place in the log.
2. The places are written down before the commit, so that a later process can finish without knowing the rules.
3. A part that the rules leave as it is stays, and so does the whole tree.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from dream.ledger import body, checkpoint, durable, forget, redact_parts, scrub
from dream.ledger.follow import Log
from dream.model import canonical, codec
from dream.model.branch import Branch
from dream.model.change import (
    BranchGrown,
    Change,
    DebateRejected,
    HoldResolved,
    NodeForgotten,
    NodeRevised,
    NoteHeld,
    NotesAdded,
)
from dream.model.graph import Node
from dream.model.note import Note
from dream.paths import Home
from dream.ports import Signer

Clean = Callable[[str], str]
"""A text as it should be."""
TEXTS = ("text", "reason", "premise", "statement")
"""Fields of a part that hold sentences."""
ASKED = "rescan"


class Present(forget.Holding, Protocol):
    """What is asked of a store here."""

    def branches(self) -> list[Branch]: ...


@dataclass(slots=True)
class Cleaning:
    """What is to be done.

    Attributes:
        changes: to commit, in order; places: (seq, part) that held something, those of `changes` included.
        nodes, notes, others: ids that come back clean, and of what else is only in the past.
    """

    changes: list[Change] = field(default_factory=list)
    places: set[tuple[int, int]] = field(default_factory=set)
    nodes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def without(value: Any, clean: Clean) -> Any:
    """A part's plain value with its sentences clean; of a node's values and names, those that still stand in it."""
    if not isinstance(value, dict):
        return value
    fresh = {key: clean(each) if key in TEXTS and isinstance(each, str) else each for key, each in value.items()}
    if isinstance(value.get("proposal"), dict):
        fresh["proposal"] = without(value["proposal"], clean)
    if isinstance(value.get("ballots"), list):
        fresh["ballots"] = [
            [clean(each) if isinstance(each, str) else each for each in cast] for cast in value["ballots"]
        ]
    said = str(fresh.get("text", "")).casefold()
    for name in ("values", "entities"):
        if fresh.get("text") != value.get("text") and isinstance(value.get(name), list):
            fresh[name] = [each for each in value[name] if each.casefold() in said and clean(each) == each]
    return fresh


def plan(home: Home, store: Present, size: int, clean: Clean) -> Cleaning:
    """What of the log the rules would alter, and the changes that say it clean."""
    cleaning = Cleaning()
    last: dict[str, Any] = {}
    for key, value, seq, place in redact_parts.placed(home.ledger, size):
        if without(value, clean) != value:
            cleaning.places.add((seq, place))
            last[key] = None
        if key in last:
            last[key] = value
    if not last:
        return cleaning
    revised = list(_revised(store, last, clean, cleaning))
    renewed = list(_renewed(store, last, clean, cleaning))
    cleaning.others = sorted(last.keys() - set(cleaning.notes))
    forgotten = NodeForgotten("", tuple(cleaning.notes), tuple(cleaning.others))
    cleaning.changes = [*revised, forgotten, *renewed]
    for number, change in enumerate(cleaning.changes):
        for place, (_, raw) in enumerate(body.split(change)[1]):
            value = canonical.read(raw)
            if without(value, clean) != value:
                cleaning.places.add((size + number, place))
    return cleaning


def _revised(store: Present, last: dict[str, Any], clean: Clean, cleaning: Cleaning) -> Iterator[Change]:
    """What closes the stained state of nodes and holds."""
    for key in sorted(last):
        node = store.node(key) if key.startswith("f-") else None
        if node is not None:
            fresh: Node = codec.from_plain(Node, without(codec.to_plain(node), clean))
            if fresh != node:
                cleaning.nodes.append(key)
                yield NodeRevised(node, fresh)
    for hold in store.holds():
        if hold.id in last:
            yield HoldResolved(hold, accepted=False, by="forget")


def _renewed(store: Present, last: dict[str, Any], clean: Clean, cleaning: Cleaning) -> Iterator[Change]:
    """What comes back under its id once the stained one is dropped."""
    sessions: dict[str, list[Note]] = defaultdict(list)
    for key in sorted(last):
        note = store.note(key) if key.startswith("n-") else None
        if note is not None:
            cleaning.notes.append(key)
            sessions[note.session].append(dataclasses.replace(note, text=clean(note.text)))
    for session, notes in sessions.items():
        yield NotesAdded(session, tuple(notes))
    for hold in store.holds():
        if hold.id in last:
            yield NoteHeld(codec.from_plain(type(hold), without(codec.to_plain(hold), clean)))
    for key, value in sorted(last.items()):
        if key.startswith("c-") and "cluster" in value:
            yield codec.from_plain(DebateRejected, without(value, clean))
    for branch in store.branches():
        if branch.id in last:
            yield BranchGrown(codec.from_plain(Branch, without(codec.to_plain(branch), clean)))


def begin(folder: Path, cleaning: Cleaning, size: int) -> dict[str, Any]:
    """Say what is about to be cleaned by the entries from seq `size` on, so that a later process can finish it."""
    told = {
        "asked": ASKED,
        "size": size,
        "nodes": [],
        "notes": cleaning.notes,
        "others": cleaning.others,
        "cleaned": cleaning.nodes,
        "places": sorted(list(place) for place in cleaning.places),
    }
    durable.replace(folder / forget.NAME, canonical.to_bytes(told))
    return told


def finish(
    home: Home,
    log: Log,
    signer: Signer,
    told: dict[str, Any],
    size: int,
    stores: Sequence[object],
    *,
    texts: set[str] | None = None,
    at: str = "",
    transcripts: Sequence[Path] = (),
) -> forget.Forgotten:
    """Null the places, once the texts that stood there have left every other file; as `forget.finish`."""
    places = {(int(seq), int(place)) for seq, place in told["places"]}
    wanted = set(texts or ())
    for _, value, seq, place in redact_parts.placed(home.ledger, size):
        if (seq, place) in places:
            wanted.update(_sentences(value))
    files, left = scrub.scrub(home, wanted)
    for store in stores:
        if isinstance(store, forget.Purged):
            store.purge()
    done = redact_parts.null(home.ledger, places)
    lines = [f"{log.origin}/cleaned", str(size - 1), *([f"at {at}"] if at else [])]
    lines += [f"node {each}" for each in told["cleaned"]] + [f"note {each}" for each in told["notes"]]
    lines += [f"also {each}" for each in told["others"] if each not in set(told["cleaned"])]
    lines += [f"removed {count} parts of ledger/{name}" for name, count in sorted(done.items())]
    lines += [f"removed {count} places of {name}" for name, count in sorted(files.items())]
    lines += ["wrote its rows, index terms and free pages of pgt.sqlite anew", *(f"still in {name}" for name in left)]
    note = checkpoint.sign("\n".join(lines) + "\n", signer)
    return forget.concluded(home, told, size, told["cleaned"], told["notes"], done, files, left, (), note)


def _sentences(value: Any) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    yield from (each for key, each in value.items() if key in TEXTS and isinstance(each, str) and each)
    yield from _sentences(value.get("proposal"))
