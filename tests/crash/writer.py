"""A process of its own that writes a store: `writer.py HOME NAME COMMITS EVENTS KIND`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from ledger_world import AT, Steps, Words, signer  # noqa: E402

from dream.adapters.sqlite import SqliteStore  # noqa: E402
from dream.capture import buffer  # noqa: E402
from dream.ledger.ledger import Ledger  # noqa: E402
from dream.model import change as c  # noqa: E402
from dream.model.codec import to_plain  # noqa: E402
from dream.model.graph import Node, NodeKind  # noqa: E402
from dream.model.ids import make_id  # noqa: E402
from dream.model.note import Note, Origin  # noqa: E402
from dream.paths import Home  # noqa: E402


def main(root: str, name: str, commits: int, events: int, kind: str) -> None:
    """Write `commits` times `events` events; a `hook` appends to the buffer, a `night` drains it, else commits."""
    home = Home(Path(root))
    if kind == "hook":
        for number in range(commits):
            notes = [said(f"{name}-{number}-{each}") for each in range(events)]
            buffer.append(root, [to_plain(note) for note in notes], "2026-01-12")
        return
    store = SqliteStore(home.database, Words())
    with Ledger.open(home, signer(home), Steps(), [store], patience=120) as ledger:
        for number in range(commits):
            changes: list[c.Change] = [c.NodeAdded(node(f"{name}-{number}-{each}")) for each in range(events)]
            sealed = buffer.seal(root) if kind == "night" else []
            drained = {str(each["id"]): each for path in sealed for each in buffer.read(path)[0]}
            known = store.notes_by_id(drained)  # a batch may stand in two sealed files (see the buffer's promises)
            notes = tuple(said(str(each["turn"])) for key, each in drained.items() if key not in known)
            changes += [c.NotesAdded("s", notes)] if notes else []
            ledger.commit(changes, night=f"n{number}" if kind == "night" else "")
            for path in sealed:
                buffer.discard(path)


def said(name: str) -> Note:
    return Note(make_id("n", name, "0"), f"Dit {name}.", AT, "s", name, 0, Origin.USER, 10, (), "p")


def node(name: str) -> Node:
    return Node(make_id("f", name), NodeKind.FACT, f"Fait {name}.", "p", (make_id("n", name, "0"),), AT, AT)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
