"""The seal of pgt.sqlite: a signed digest over all its bytes, so that one hash finds any changed byte.

`ledger/pgt.seal` is a signed note of five lines: origin, watermark, digest in base64, length in bytes, journal mode. It
is taken away before the database is written, and written after a commit's projection: at once while the database is
small, else when the time since the last one is long beside what a seal costs, and at close. A store without one was
left so by a crash or by another process at work: it is then compared row by row, not by bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dream.ledger import checkpoint, durable
from dream.ledger.follow import Fault, Log
from dream.ports import Signer

NAME = "pgt.seal"
SMALL = 2 * 1024 * 1024
"""A database up to this size (bytes) is sealed after each commit."""
PATIENCE = 20
"""A larger one is sealed when the time since the last seal is this many times what one costs."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What the database was when it was sealed."""

    mark: int
    size: int
    digest: bytes
    journal: str


def origin_of(log: Log) -> str:
    """The first line of a seal."""
    return f"{log.origin}/pgt.sqlite"


def write(log: Log, seal: Seal, signer: Signer) -> None:
    """Sign and keep it."""
    digest = base64.b64encode(seal.digest).decode()
    text = f"{origin_of(log)}\n{seal.mark}\n{digest}\n{seal.size}\n{seal.journal}\n"
    durable.replace(log.folder / NAME, checkpoint.sign(text, signer).encode(), sync=False)


def drop(folder: Path) -> None:
    """Say that the database is about to change in a way no entry tells (a restore, a clean-up)."""
    path = folder / NAME
    if path.exists():
        path.unlink()
        durable.sync_folder(folder)


def read(log: Log) -> Seal | str | None:
    """The seal; a sentence where the file is there and is not one the log's key signed; None where there is none."""
    try:
        note = (log.folder / NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        return f"{NAME} cannot be read."
    if not note.strip("\0"):
        return None  # as a power cut leaves it
    text = checkpoint.opened(note, log.key, log.verifier)
    lines = (text or "").split("\n")
    if len(lines) != 6 or lines[0] != origin_of(log):
        return f"{NAME} is not signed by the ledger's key."
    digest = checkpoint.bytes_of(lines[2])
    if digest is None or not (lines[1].isdigit() and lines[3].isdigit()):
        return f"{NAME} cannot be read."
    return Seal(int(lines[1]), int(lines[3]), digest, lines[4])


class Sealable(Protocol):
    """What a store must tell to be sealed; `adapters.sqlite` does."""

    @property
    def journal(self) -> str: ...

    def watermark(self) -> int: ...

    def digest(self) -> tuple[int, bytes]:
        """(length, digest) over all bytes of the file."""
        ...

    def changes_of_others(self) -> tuple[int, int]:
        """Differs from what it was when another connection has changed the database."""
        ...


def check(log: Log, store: Sealable) -> Fault | bool:
    """Whether the database is byte for byte what was sealed; False where no seal says anything of this state."""
    seal = read(log)
    if isinstance(seal, str):
        return Fault(None, seal, "Run `dream ledger restore`: it rebuilds pgt.sqlite from the log and seals it.")
    mark = store.watermark()
    if seal is None or mark == 0 or seal.mark < mark or seal.journal != store.journal:
        return mark == 0
    if seal.mark > mark:
        return Fault(
            mark,
            f"pgt.sqlite is older than its seal: it holds {mark} entries, it was sealed with {seal.mark}.",
            "Someone put an older copy back. Run `dream ledger restore`; the log holds what is missing.",
        )
    if store.digest() != (seal.size, seal.digest):
        return Fault(
            None,
            "pgt.sqlite was changed by something other than Dream: its bytes are not those that were sealed.",
            "Run `dream ledger verify --full` to see which row, `dream ledger restore` to rebuild it from the log.",
        )
    return True


class Guard:
    """Looks at the seal before a process first writes the store, and seals it again after.

    Args:
        monotonic: seconds.
        vouch: asked where no seal says anything of the store, whether it holds what the log says.
    """

    def __init__(
        self,
        log: Log,
        signer: Signer,
        monotonic: Callable[[], float],
        store: Sealable,
        vouch: Callable[[], bool] = lambda: False,
    ) -> None:
        self._log, self._signer, self._monotonic, self._store = log, signer, monotonic, store
        self._vouch = vouch
        self._sure = False
        self._seen: tuple[int, int] | None = None
        self._sealed_mark = -1
        self._last = self._cost = 0.0

    def before(self) -> Fault | None:
        """What is wrong with the store; nothing is asked again while only this process writes."""
        if self._seen is not None and self._store.changes_of_others() == self._seen:
            return None
        found = check(self._log, self._store)
        if isinstance(found, Fault):
            return found
        self._sure = found or self._vouch()
        self._seen = self._store.changes_of_others()
        return None

    def begin(self) -> None:
        """Take the seal away before the store is written.

        A transaction that is rolled back, by a crash too, may leave other bytes in free pages: SQLite does not put
        back what nothing refers to. A seal that stood meanwhile would call that tampering.
        """
        drop(self._log.folder)

    def after(self, *, now: bool = False) -> None:
        """Seal where what the database was before is known, and where it is due or `now`."""
        if not self._sure or self._store.watermark() == self._sealed_mark:
            return
        begun = self._monotonic()
        if not now and self._cost and begun - self._last < PATIENCE * self._cost:
            return
        self.seal()
        self._last = self._monotonic()

    def seal(self) -> None:
        """Seal what is there; the caller answers for it."""
        begun = self._monotonic()
        size, digest = self._store.digest()
        mark = self._store.watermark()
        write(self._log, Seal(mark, size, digest, self._store.journal), self._signer)
        self._sure, self._sealed_mark = True, mark
        self._cost = 0.0 if size <= SMALL else max(self._monotonic() - begun, 0.001)
        self._seen = self._store.changes_of_others()

    @property
    def wrote(self) -> bool:
        """Whether this process has looked at the store in order to write it."""
        return self._seen is not None

    def settle(self, vouch: Callable[[], bool]) -> None:
        """Seal at the end of a stretch of writing; where the store is not known to be good, only if `vouch` says so."""
        if self.before() is None and (self._sure or vouch()):
            self._sure = True
            self.after(now=True)
