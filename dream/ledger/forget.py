"""Forget: a node or a note leaves the log, the stores and every file, and the tree still verifies (decision 10).

1. With a node go the nodes merged into it, nodes, notes and holds of the same text, notes that only it cites, and the
   rejected debates over those notes. What goes is decided before anything is written; ids are kept, no text.
2. `ledger/forget.json` (ids only) stands from before the commit until all is done; the next open finishes the work of
   a process that died. Other files are cleaned before the log's own parts are nulled, because the texts to look for
   are read from there.
3. The receipt says what was removed where, and what may still hold it; it is signed and holds no text.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from dream.errors import NodeNotFound
from dream.ledger import checkpoint, durable, redact_parts, scrub
from dream.ledger.follow import Log
from dream.model import canonical, fold
from dream.model.change import Change, HoldResolved, NodeForgotten
from dream.model.graph import Hold, Node
from dream.model.note import Note
from dream.paths import Home
from dream.ports import NodeFilter, NoteFilter, Signer

NAME = "forget.json"
ENOUGH = 12
"""Characters a note's text must have to be looked for in other notes and in files."""


class Holding(fold.Present, Protocol):
    """What is asked of a store here."""

    def nodes(self, which: NodeFilter) -> list[Node]: ...

    def notes(self, which: NoteFilter) -> list[Note]: ...

    def holds(self) -> list[Hold]: ...

    def merges(self) -> dict[int, dict[str, Any]]: ...


@runtime_checkable
class Purged(Protocol):
    """A store that can leave no byte of what it dropped."""

    def purge(self) -> None: ...


@dataclass(slots=True)
class Plan:
    """What goes.

    Attributes:
        nodes: ids of nodes, the one asked for first; merged: of those that were merged into them; notes, holds: ids.
        others: ids of which only some older version, or a judgement on forgotten notes, goes (and the merged ones).
        texts: every text they ever had; never written.
    """

    asked: str
    nodes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed.

    Attributes:
        parts: how many parts of which segment; files: how many places of which other file.
        left: files that still hold a text (Dream cannot rewrite them); transcripts: the host's own files that do.
        note: the signed receipt, kept in `ledger/receipts/`.
    """

    asked: str
    nodes: tuple[str, ...]
    notes: tuple[str, ...]
    seq: int
    parts: tuple[tuple[str, int], ...]
    files: tuple[tuple[str, int], ...]
    left: tuple[str, ...]
    transcripts: tuple[str, ...]
    note: str


def normal(text: str) -> str:
    """A text as it is compared: no case, no accents' form, no doubled spaces, no punctuation around it."""
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return plain.strip(" .!?;:,…\"'«»“”()[]*_`-–—")


def plan(home: Home, store: Holding, size: int, asked: str) -> Plan:
    """What goes with a node (`f-…`) or a note (`n-…`).

    Raises:
        NodeNotFound: there is neither.
    """
    going = Plan(asked)
    note = store.note(asked)
    if store.node(asked) is None and note is None:
        raise NodeNotFound(f"There is nothing with the id {asked}.", "Find it with `dream search`.")
    nodes = {node.id: node for node in store.nodes(NodeFilter(statuses=None))}
    notes = {each.id: each for each in store.notes(NoteFilter())}
    ids = _with_merged(store, asked) if note is None else set()
    said = {asked} if note is not None else set()
    own = {each["text"] for key, each, _ in redact_parts.parts(home.ledger, size) if key in ids and "text" in each}
    own |= {notes[each].text for each in said}
    while True:
        texts = own | {notes[each].text for each in said if _weighty(notes[each].text)}
        wanted = {normal(text) for text in texts} - {""}
        alike = {normal(text) for text in own} - {""}
        more = {node.id for node in nodes.values() if normal(node.text) in alike} | (ids & nodes.keys())
        cited = {each for node in more for each in nodes[node].notes}
        kept = {each for node in nodes.values() if node.id not in more for each in node.notes}
        same = {each.id for each in notes.values() if _says(each.text, wanted, alike)}
        fresh = said | ((cited - kept) & notes.keys()) | same
        if ids | more == ids and fresh == said:
            break
        ids, said = ids | more, fresh
        own |= {nodes[each].text for each in more}
    for hold in store.holds():
        if normal(hold.proposal.text) in wanted or said.intersection(hold.proposal.notes):
            going.holds.append(hold)
            texts.add(hold.proposal.text)
    going.nodes = sorted(ids & nodes.keys(), key=lambda each: (each != asked, each))
    going.merged = sorted(ids - nodes.keys())
    going.notes = sorted(said)
    going.texts = {text for text in texts if normal(text)}
    going.sessions = {notes[each].session for each in said}
    chosen = _chooser(ids, said, {hold.id for hold in going.holds}, own)
    touched = {key for key, value, _ in redact_parts.parts(home.ledger, size) if chosen(key, value)}
    going.others = sorted(touched - set(going.nodes) - said)
    return going


def _weighty(text: str) -> bool:
    """Whether a note's text says enough to be looked for elsewhere: `oui` stands in a thousand places."""
    return len(normal(text)) >= ENOUGH


def _with_merged(store: Holding, asked: str) -> set[str]:
    """The node and those that were merged into it and are so still."""
    found, grown = {asked}, True
    while grown:
        more = {
            told["absorbed"]
            for told in store.merges().values()
            if told.get("kept") in found and told.get("unmerged") is None
        }
        grown = not more <= found
        found |= more
    return found


def _says(text: str, wanted: set[str], own: set[str]) -> bool:
    """Whether a note is one of the texts, or holds what the node itself says, long enough to mean something."""
    plain = normal(text)
    return plain in wanted or any(len(each) >= ENOUGH and each in plain for each in own)


def _chooser(nodes: set[str], notes: set[str], holds: set[str], texts: set[str]) -> redact_parts.Chosen:
    """Which parts go: those of these ids, and any other that says one of the texts the node itself had."""
    gone = nodes | notes | holds
    wanted = {normal(text) for text in texts} - {""}

    def chosen(key: str, value: Any) -> bool:
        if key in gone:
            return True
        if "cluster" in value:
            return bool(notes.intersection(value.get("notes", ()))) or _holds(value.get("reason", ""), texts)
        if "proposal" in value:
            proposal = value["proposal"]
            return normal(proposal.get("text", "")) in wanted or bool(notes.intersection(proposal.get("notes", ())))
        if "premise" in value:
            said = f"{value['premise']} {value.get('statement', '')}"
            grown = {value.get("root"), value.get("remedy"), value.get("promoted")}
            return bool(nodes & grown or notes.intersection(value.get("notes", ()))) or _holds(said, texts)
        return normal(value.get("text", "")) in wanted

    return chosen


def _holds(text: str, texts: set[str]) -> bool:
    return any(each in text for each in texts)


def changes(going: Plan) -> list[Change]:
    """What the commit says: ids only, but for the holds, whose parts are nulled with the rest."""
    first, *rest = going.nodes or [""]
    told: list[Change] = [HoldResolved(hold, accepted=False, by="forget") for hold in going.holds]
    told.append(NodeForgotten(first, tuple(going.notes), tuple(going.others)))
    return told + [NodeForgotten(node, ()) for node in rest]


def begin(folder: Path, going: Plan, size: int) -> dict[str, Any]:
    """Say what is about to be forgotten by the entries from seq `size` on, so that a later process can finish it."""
    told = {
        "asked": going.asked,
        "size": size,
        "nodes": going.nodes,
        "merged": going.merged,
        "notes": going.notes,
        "others": going.others,
        "holds": [hold.id for hold in going.holds],
        "sessions": sorted(going.sessions),
    }
    durable.replace(folder / NAME, canonical.to_bytes(told))
    return told


def end(folder: Path) -> None:
    """Say that nothing is left to be done."""
    (folder / NAME).unlink(missing_ok=True)
    (folder / "checked.json").unlink(missing_ok=True)


def unfinished(folder: Path) -> dict[str, Any] | None:
    """What a process that died had begun to forget."""
    try:
        told = json.loads((folder / NAME).read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


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
) -> Forgotten:
    """Take out what was committed to be forgotten; safe to repeat. The caller holds the writer's lock."""
    nodes, notes, holds, merged = (set(told.get(name, ())) for name in ("nodes", "notes", "holds", "merged"))
    nodes |= merged
    others = set(told.get("others", ()))
    gone = nodes | notes | holds
    wanted = {text for text in texts or () if normal(text)}
    own: set[str] = set()
    for key, value, _ in redact_parts.parts(home.ledger, size):
        text = value.get("text") or value.get("proposal", {}).get("text", "")
        if key in gone and (_weighty(text) if "turn" in value else normal(text)):
            wanted.add(text)
            if "turn" not in value or key == told.get("asked"):
                own.add(text)
    files, left = scrub.scrub(home, wanted)
    files |= _debates(home, others)
    for store in stores:
        if isinstance(store, Purged):
            store.purge()
    chosen = _chooser(nodes, notes, holds, own)

    def going(key: str, value: Any) -> bool:
        return key in gone or (key in others and chosen(key, value))

    done = redact_parts.redact(home.ledger, going, size)
    found = _transcripts(transcripts, told.get("sessions", ()), wanted)
    note = _receipt(log, signer, told, size, done, files, left, found, at)
    return concluded(home, told, size, nodes, notes, done, files, left, found, note)


def concluded(
    home: Home,
    told: dict[str, Any],
    size: int,
    nodes: Iterable[str],
    notes: Iterable[str],
    done: dict[str, int],
    files: dict[str, int],
    left: Sequence[str],
    found: Sequence[str],
    note: str,
) -> Forgotten:
    """Put the receipt where it is kept, and say what was done."""
    receipts = home.ledger / "receipts"
    receipts.mkdir(mode=0o700, exist_ok=True)
    durable.replace(receipts / f"{size - 1:06d}.txt", note.encode())
    return Forgotten(
        str(told.get("asked", "")),
        tuple(sorted(nodes)),
        tuple(sorted(notes)),
        size - 1,
        tuple(sorted(done.items())),
        tuple(sorted(files.items())),
        tuple(left),
        tuple(found),
        note,
    )


def _debates(home: Home, others: set[str]) -> dict[str, int]:
    """Archived debates over forgotten notes go as files."""
    done = {}
    for key in sorted(others):
        path = home.archive / "debates" / f"{key}.json"
        if key.startswith("c-") and path.exists():
            path.unlink()
            done[path.relative_to(home.root).as_posix()] = 1
    return done


def _transcripts(places: Sequence[Path], sessions: Iterable[str], texts: set[str]) -> list[str]:
    """The host's own files that still hold a text.

    A text that lost a secret is not found by its words; the transcript of a session that said it may hold it then.
    """
    wanted = scrub.needles(texts)
    cut = {f"{each}.jsonl" for each in sessions} if any("[redacted:" in each for each in texts) else set()
    found: dict[str, None] = {}
    for place in places:
        for path in [place] if place.is_file() else _below(place):
            if path.name in cut or _may_hold(path, wanted):
                found[str(path)] = None
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    """Every file below a folder, in a fixed order; none where it is not there."""
    for here, below, names in os.walk(folder):
        below.sort()
        yield from (path for path in (Path(here, name) for name in sorted(names)) if path.is_file())


def _may_hold(path: Path, wanted: Sequence[bytes]) -> bool:
    """Whether a file holds a text; one that cannot be read counts as holding it, since nothing says it does not."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return False
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                return any(content.find(each) >= 0 for each in wanted)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _receipt(
    log: Log,
    signer: Signer,
    told: dict[str, Any],
    size: int,
    done: dict[str, int],
    files: dict[str, int],
    left: list[str],
    transcripts: list[str],
    at: str,
) -> str:
    lines = [f"{log.origin}/forgotten", str(size - 1), f"asked {told.get('asked', '')}"]
    lines += [f"at {at}"] if at else []
    lines += [f"node {each}" for each in told.get("nodes", ())] + [f"note {each}" for each in told.get("notes", ())]
    lines += [f"also {each}" for each in told.get("others", ())]
    lines += [f"removed {count} parts of ledger/{name}" for name, count in sorted(done.items())]
    lines += [f"removed {count} places of {name}" for name, count in sorted(files.items())]
    lines += ["removed its rows, index terms and free pages of pgt.sqlite"]
    lines += [f"still in {name}" for name in left] + [f"still in transcript {name}" for name in transcripts]
    return checkpoint.sign("\n".join(lines) + "\n", signer)
