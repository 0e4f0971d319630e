"""The verb that cleans what was stored before a rule or a denial was known: by the path of `forget`, checked after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from dream.api_health import Vigil
from dream.capture.deny import DenyList, allowed
from dream.capture.redact import cleaned
from dream.cycle.clean_files import clean_files, files
from dream.cycle.lock import alone
from dream.cycle.rescan import Stained, rescan
from dream.ledger import scrub
from dream.model.note import Note
from dream.ports import NodeFilter, NoteFilter
from dream.recall.index import build_index

LOOKED_FOR = 8
"""Characters a secret must have to be looked for in every file: a shorter one stands somewhere by chance."""


@dataclass(frozen=True, slots=True)
class Rescanned:
    """What a rescan found and did.

    Attributes:
        notes, nodes: how many held a secret; forgotten: how many were dropped whole, because they are denied.
        counts: what was found in them, by kind.
        parts: how many parts of the log were nulled; files: (file, places) that were cleaned.
        left: files that still hold a secret; transcripts: the host's own that do, which Dream does not write.
    """

    notes: int
    nodes: int
    forgotten: int = 0
    counts: Mapping[str, int] | None = None
    parts: int = 0
    files: tuple[tuple[str, int], ...] = ()
    left: tuple[str, ...] = ()
    transcripts: tuple[str, ...] = ()


class _Rules:
    """The rules of today as one function, which keeps count of what it takes out."""

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._known: dict[str, str] = {}
        self.secrets: set[str] = set()

    def __call__(self, text: str) -> str:
        if text not in self._known:
            self._known[text], found = cleaned(text, self._key)
            self.secrets.update(text[start:end] for start, end, _ in found)
        return self._known[text]


class Cleaning(Vigil):
    """The verb over one opened house."""

    def rescan(self, dry_run: bool = False) -> Rescanned:
        """Read all that is stored under the rules and denials of today, and clean it.

        Args:
            dry_run: only say what that would alter.

        Raises:
            ModeForbids: the mode only reads.
            Locked: a night is being played, or another process writes.
            LedgerSealed: the log does not verify; nothing was cleaned.
        """
        house, root = self._house, str(self._house.home.root)
        listed = DenyList.read(root, house.redact_key)
        if dry_run:
            found, gone = self._stained(listed)
            return Rescanned(len(found.notes), len(found.nodes), len(gone), found.counts)
        self.require_writes("clean what is stored")
        rules = _Rules(house.redact_key)
        with alone(house.lock):
            found, gone = self._stained(listed)
            sessions = {old.session for old, _ in found.notes}
            done: Counter[str] = Counter(clean_files(house.home, rules, listed.denied))
            parts = 0
            for some_id in gone:
                if house.store.node(some_id) is None and house.store.note(some_id) is None:
                    continue  # it went with another
                forgotten = house.ledger.forget(house.store, some_id)
                parts += sum(number for _, number in forgotten.parts)
                done.update(dict(forgotten.files))
            clean = house.ledger.clean(house.store, rules)
            if clean is not None:
                parts += sum(number for _, number in clean.parts)
                done.update(dict(clean.files))
            if found.notes or found.nodes or gone or clean is not None:
                build_index(house.home, house.store, house.analyser, target=house.settings.context_tokens, empty=True)
                self._embed()
            wanted = scrub.needles(each for each in rules.secrets if len(each) >= LOOKED_FOR)
            left = [*self._still(listed), *self._holding(wanted)]
        transcripts = _transcripts(house.roots, sessions, wanted)
        return Rescanned(
            len(found.notes), len(found.nodes), len(gone), found.counts, parts,
            tuple(sorted(done.items())), tuple(left), tuple(transcripts),
        )  # fmt: skip

    def _stained(self, listed: DenyList) -> tuple[Stained, list[str]]:
        """What holds a secret, and the ids of what is denied."""
        store = self._house.store
        notes, nodes = store.notes(NoteFilter()), store.nodes(NodeFilter(statuses=None))
        gone = [node.id for node in nodes if listed.denied(node.text)] + _denied(notes, listed)
        left = set(gone)
        stays = [note for note in notes if note.id not in left], [node for node in nodes if node.id not in left]
        return rescan(*stays, self._house.redact_key), gone

    def _still(self, listed: DenyList) -> list[str]:
        """The store, where a second look finds what the first should have taken out."""
        found, gone = self._stained(listed)
        return ["pgt.sqlite"] if found.notes or found.nodes or gone else []

    def _holding(self, wanted: Sequence[bytes]) -> list[str]:
        """Files of the home that still hold a secret; the database answers for itself."""
        home = self._house.home
        paths = {*files(home), *home.ledger.rglob("*"), *(home.root / "vectors").rglob("*")}
        return [
            path.relative_to(home.root).as_posix()
            for path in sorted(paths)
            if path.is_file() and any(each in path.read_bytes() for each in wanted)
        ]

    def _embed(self) -> None:
        """The vectors follow; where they cannot, the next night embeds."""
        from contextlib import suppress

        from dream.errors import DreamError

        with suppress(DreamError):
            self._house.embedding()


def _denied(notes: Sequence[Note], listed: DenyList) -> list[str]:
    """Ids of the notes in which, or across which within a turn, a denied text stands."""
    if not listed:
        return []
    found: list[str] = []
    ordered = sorted(notes, key=lambda note: (note.turn, note.index))
    for _, turn in groupby(ordered, key=lambda note: note.turn):
        said = list(turn)
        stays = allowed([note.text for note in said], listed.denied)
        found += [note.id for note, stay in zip(said, stays, strict=True) if not stay]
    return found


def _transcripts(roots: Sequence[Path], sessions: set[str], wanted: Sequence[bytes]) -> list[str]:
    """The host's own transcripts of those sessions that hold a secret."""
    paths = [path for root in roots for path in sorted(root.rglob("*.jsonl")) if path.stem in sessions]
    return [str(path) for path in paths if any(each in path.read_bytes() for each in wanted)]
