"""A sentence that a person gives, on its way in: redacted, asked of the deny-list, cut into notes; kept for a night.

Needs no store: what is said while another process holds the database is kept in the buffer all the same (B03).
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dream.capture import buffer
from dream.capture.deny import DenyList
from dream.capture.notes import clean_notes
from dream.capture.project import project_key
from dream.capture.prose import plain as prose
from dream.capture.redact import redact, spans
from dream.cycle.under_mode import BY_HAND
from dream.errors import UsageError
from dream.model.ids import make_id
from dream.paths import Home

SAVED = 40
"""Load of what a person asks to keep: a night judges it whatever its words."""
WAITS_HINT = "It waits in the buffer and can be found; the next night takes it in."


@dataclass(frozen=True, slots=True)
class Said:
    """The captured notes of a sentence, and what was taken out of it first, by kind."""

    notes: Sequence[Mapping[str, Any]]
    redacted: Mapping[str, int]


def saying(home: Home, key: bytes | None, text: str, at: str, request: str | None, folder: str | None) -> Said:
    """Take a sentence in.

    Args:
        key: of the digests of the deny-list; at: the instant it was said.

    Raises:
        UsageError: an empty text, one that was forgotten for good, or one without a sentence of prose.
    """
    clean, counts = redact(prose(" ".join(text.split())), key)
    if not clean:
        raise UsageError("There is nothing to remember.", "Give a sentence.")
    if DenyList.read(str(home.root), key).denied(clean):
        raise UsageError("That was forgotten for good and is not learnt again.", "Say it in other words.")
    turn = {"uuid": _turn(request), "text": clean, "at": at, "session": BY_HAND}
    turn |= {"role": "user", "origin": "user", "branch": ""}
    notes = clean_notes(turn, "" if folder is None else project_of(folder), clean)
    if not notes:
        raise UsageError("That holds no sentence of prose.", "Say it in words.")
    return Said(notes, counts)


def keep_for_a_night(home: Home, said: Said) -> list[dict[str, Any]]:
    """Put it into the buffer, where a night finds it and a search until then; the notes as they stand there.

    Raises:
        OSError: the disk does not take them.
    """
    plain = [
        {**note, "load": max(SAVED, int(note["load"])), "signals": sorted({*note["signals"], "save"} - {"question"})}
        for note in said.notes
    ]
    buffer.append(str(home.root), plain, str(plain[0]["at"])[:10])
    return plain


def project_of(folder: str) -> str:
    """The key of the project a folder lies in; a relative one starts at the working directory."""
    elsewhere = re.match(r"[A-Za-z]:[\\/]|\\\\", folder)  # a Windows path means itself on every machine
    return project_key(folder if elsewhere else str(Path(folder).expanduser().absolute()))


def _turn(request: str | None) -> str:
    """What a request's sentence is known by: its id, or a digest of one that is no id but a text."""
    if not request:
        return str(uuid.uuid4())
    return request if re.fullmatch(r"[A-Za-z0-9._:-]{1,64}", request) and not spans(request) else make_id("r", request)
