"""The verb that takes in what a person hands over: files, through the same door as hooks, into the day's buffer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dream.api_health import Vigil
from dream.capture import buffer
from dream.capture.deny import DenyList, allowed
from dream.capture.notes import clean_notes
from dream.capture.project import project_key
from dream.capture.prose import plain
from dream.capture.redact import redact
from dream.sources.documents import turns_of


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a file.

    Attributes:
        notes: sentences it holds; new: of these, those that neither the store nor the buffer held.
        denied: sentences left out, because they must never be stored; redacted: what was taken out, by kind.
    """

    name: str
    notes: int
    new: int
    denied: int
    redacted: Mapping[str, int]


class Ingesting(Vigil):
    """The verb over one opened house."""

    def ingest(self, files: Iterable[tuple[str, bytes, str]], folder: str | None = None) -> list[Ingested]:
        """Take files in, each whole or not at all; a night judges what they say, a search finds it before.

        Args:
            files: name, content, and the instant it was written; a content taken in before alters nothing.
            folder: a folder of the project they hold in, where they name none; None is everywhere.

        Raises:
            UsageError: a file that cannot be read as text; those before it are in.
            OSError: the disk does not take it.
        """
        return [self._taken(*file, folder) for file in files]

    def _taken(self, name: str, content: bytes, at: str, folder: str | None) -> Ingested:
        house, root = self._house, str(self._house.home.root)
        listed = DenyList.read(root, house.redact_key)
        counts: Counter[str] = Counter()
        notes: list[dict[str, object]] = []
        denied = 0
        for turn in turns_of(name, content, at):
            clean, found = redact(plain(turn["text"]), house.redact_key)
            counts.update(found)
            cwd = folder if folder is not None else turn.get("cwd", "")
            said = clean_notes(turn, project_key(cwd) if cwd else "", clean)
            stays = allowed([str(note["text"]) for note in said], listed.denied)
            notes += [note for note, stay in zip(said, stays, strict=True) if stay]
            denied += stays.count(False)
        held = {str(note["id"]) for note in buffer.read_today(root)}
        held |= set(house.store.notes_by_id(str(note["id"]) for note in notes))
        fresh = [note for note in notes if note["id"] not in held]
        if fresh:
            buffer.append(root, fresh, house.clock.now()[:10])
            self.meter.redacted(counts)
        return Ingested(name, len(notes), len(fresh), denied, dict(counts))
