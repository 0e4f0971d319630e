"""Is the log what was signed, and is each store what the log says? Names the first fault and what to do; alters no row.

Quick: the signed checkpoint, the copies of it, what came since the last full check (the whole log while it is
small), and all bytes of pgt.sqlite against their seal. Full: every entry, every part, every checkpoint, every row;
what it finds is kept, and the quick check tells it until all holds again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dream.errors import DreamError
from dream.ledger import care, checkpoint, keys, lock, merkle, seal
from dream.ledger import head as heads
from dream.ledger.copies import copies, copy_fault
from dream.ledger.follow import Fault, Followed, Log, entries, follow
from dream.ledger.head import Head
from dream.ledger.replay import Replay, uncollected
from dream.ledger.vouch import Comparable, size_of
from dream.ledger.whose import log_of
from dream.model.rows import Rows
from dream.paths import Home
from dream.ports import Signer, Verifier

SMALL = 3 * 1024 * 1024
"""A log up to this many bytes is read whole, and a bad row named, by the quick check too (some 5,000 entries)."""
NEVER = "The log was not checked as a whole since it was begun or cleaned: the next night does, or `--full`."
RESTORE = "Run `dream ledger restore`: it rebuilds pgt.sqlite from the log."


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    Attributes:
        size, root: of the log, root in hex.
        faults: what is wrong, the first entry first; empty where all holds.
        remarks: what is no fault but worth knowing.
        counts: (what, how many) were checked.
    """

    size: int
    root: str
    full: bool
    faults: tuple[Fault, ...]
    remarks: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]

    @property
    def ok(self) -> bool:
        return not self.faults


def verify(
    home: Home,
    verifier: Verifier,
    stores: Sequence[Comparable] = (),
    *,
    full: bool = False,
    outer: Path | None = None,
    signer: Signer | DreamError | None = None,
    patience: float = 30.0,
    at: str = "",
) -> Report:
    """Check a store. Needs no secret key.

    Args:
        stores: the databases; their connections may be open, but a check is fastest where none is.
        outer: folder of the outer checkpoint copy.
        signer: the key at hand, or why there is none, to be judged too.
        at: the instant of a full check that is to be kept; "" keeps nothing of it but where it ended.

    Raises:
        Locked: another process wrote for longer than `patience`.
    """
    try:
        log = log_of(home, verifier)
    except DreamError as error:
        return Report(0, "", full, (Fault(None, error.sentence, error.hint),), (), ())
    with lock.held(home.writer_lock, patience), uncollected():
        return _Check(log, full, outer, signer, at).run(stores)


class _Check:
    def __init__(
        self, log: Log, full: bool, outer: Path | None, signer: Signer | DreamError | None, at: str = ""
    ) -> None:
        self._log, self._full, self._outer, self._signer, self._at = log, full, outer, signer, at
        self._faults: list[Fault] = []
        self._remarks: list[str] = []
        self._counts: list[tuple[str, int]] = []
        self._rows: Rows | None = None
        self._small = True

    def run(self, stores: Sequence[Comparable]) -> Report:
        self._key()
        found = self._follow()
        head = found.head
        self._faults += [found.fault] if found.fault is not None else []
        if found.torn is not None and found.fault is None:
            self._remarks.append(f"{found.torn[0].name} ends in a torn line; the next commit cuts it. Nothing is lost.")
        if found.fault is None:
            self._copies(head)
        for store in stores:
            self._store(store, head)
        if self._full or self._small:
            self._receipts()
        self._care(head)
        if self._full and not self._faults:
            heads.save_checked(self._log.folder, head)
        order = sorted(self._faults, key=lambda fault: (fault.seq is None, fault.seq or 0))
        return Report(head.size, head.root.hex(), self._full, tuple(order), tuple(self._remarks), tuple(self._counts))

    def _care(self, head: Head) -> None:
        """Tell what was mended since all was found good, and what a full check found; keep what this one finds."""
        folder = self._log.folder
        known = care.read(folder)
        self._remarks += [f"Mended {care.minute(each.at)}: {each.what}" for each in known.since]
        if not self._full and known.fault is not None and not self._faults:
            sentence = f"The full check of {care.minute(known.fault_at)} found: {known.fault.sentence}"
            self._faults.append(Fault(known.fault.seq, sentence, known.fault.hint))
        if self._full and self._at:
            care.looked(folder, self._at, head.size, self._faults)

    def _key(self) -> None:
        if isinstance(self._signer, DreamError):
            self._faults.append(Fault(None, self._signer.sentence, self._signer.hint))
        elif self._signer is not None and self._signer.public != self._log.key.public:
            self._faults.append(
                Fault(
                    None,
                    "The key in `keys/` is not the one the ledger is signed with.",
                    "Put the right `keys/ledger.key` back from a copy; the entries still verify with `ledger/key.pub`.",
                )
            )

    def _follow(self) -> Followed:
        """Read the log from where nothing has been checked yet."""
        log, start = self._log, Head()
        total = size_of(log)
        self._small = total <= SMALL
        if not self._full and not self._small:
            checked = heads.load_checked(log.folder)
            for known in (checked, heads.load(log.folder)):
                if known is not None and heads.anchored(log.folder, known, log.origin, log.key, log.verifier):
                    start = known
                    break
            if start.size == 0 or start != checked:
                self._remarks.append(NEVER)
        replay = Replay(log.id)
        found = follow(log, start, replay.take if start.size == 0 else None)
        self._rows = replay.ended() if start.size == 0 else None
        self._counts.append(("entries", found.head.size - start.size))
        return found

    def _copies(self, head: Head) -> None:
        """The checkpoint file and the copy outside DREAM_HOME must not know more than the log."""
        for path, name in copies(self._log, self._outer):
            fault = copy_fault(self._log, head, path, name)
            if isinstance(fault, Fault):
                self._faults.append(fault)
            elif fault:
                self._remarks.append(fault)

    def _receipts(self) -> None:
        """What says that something was forgotten must be as it was signed."""
        for path in sorted((self._log.folder / "receipts").glob("*.txt")):
            try:
                note = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                note = ""
            if checkpoint.opened(note, self._log.key, self._log.verifier) is None:
                hint = "Put it back from a copy, or remove it; the log itself says what was forgotten."
                self._faults.append(Fault(None, f"The receipt {path.name} is not as it was signed.", hint))

    def _store(self, store: Comparable, head: Head) -> None:
        try:
            self._judge(store, head)
        except DreamError as error:
            self._faults.append(Fault(None, error.sentence, error.hint or RESTORE))

    def _judge(self, store: Comparable, head: Head) -> None:
        sealed = seal.check(self._log, store)
        mark = store.watermark()
        if mark > head.size and not any(fault.seq is not None for fault in self._faults):
            lost = f"entries {head.size} to {mark - 1}"
            self._faults.append(
                Fault(head.size, f"pgt.sqlite knows {lost}, which the log has lost.", "Put `ledger/` back.")
            )
        if mark < head.size:
            why = "is pinned to an earlier entry" if store.pinned() else "has not taken in the last entries yet"
            self._remarks.append(f"pgt.sqlite {why}: it holds {mark} of {head.size}.")
        if isinstance(sealed, Fault):
            self._faults.append(sealed)
        if isinstance(sealed, Fault) and not self._full and not self._small:
            return
        if self._full or sealed is not True:
            self._compare(store, mark)
            if self._full and sealed is not True:
                self._faults += [Fault(None, f"pgt.sqlite: {what}.", RESTORE) for what in store.sound()]
                self._seal(store, mark == head.size)

    def _seal(self, store: Comparable, current: bool) -> None:
        """Seal a database that had no seal, now that all of it was checked; takes the key."""
        if self._faults or not current or self._signer is None or isinstance(self._signer, DreamError):
            return
        seal.Guard(self._log, self._signer, time.monotonic, store).seal()
        self._remarks.append("pgt.sqlite had no seal, as a crash leaves it; it was checked row by row and sealed.")

    def _compare(self, store: Comparable, mark: int) -> None:
        if any(fault.seq is not None for fault in self._faults):
            self._remarks.append("Rows were not compared: the log itself does not hold.")
            return
        if self._rows is None or self._rows.mark != mark:
            self._rows = Replay(self._log.id).take_all(entries(self._log.folder, self._log.id, 0), stop=mark)
        rows = self._rows
        self._counts.append(("rows", len(rows.notes) + len(rows.nodes) + len(rows.edges) + len(rows.holds)))
        for each in store.compare(rows):
            entry = f" (entry {each.seq})" if each.seq is not None else ""
            self._faults.append(Fault(each.seq, f"pgt.sqlite, {each.table} {each.id}{entry}: {each.what}.", RESTORE))


def public_key(home: Home) -> checkpoint.Key | None:
    """The key that the log is signed with, for those who print it."""
    return keys.public(home)


def root_at(log: Log, size: int) -> bytes:
    """The root of the tree over the first `size` entries."""
    leaves = (merkle.leaf_hash(raw.header) for raw in entries(log.folder, log.id, 0) if raw.seq < size)
    return merkle.root_of(merkle.extend((), 0, leaves)[0])
