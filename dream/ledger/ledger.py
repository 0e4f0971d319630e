"""The write door: `Ledger.commit(changes)` is the only way memory alters.

1. All or nothing: the fsync of a batch that ends in a signed checkpoint is the commit; what a crash leaves of an
   unfinished batch is cut at the next open.
2. One writer at a time (`writer.lock`); each first takes in what others wrote.
3. A change that does not follow from the state is refused before a byte is written.
4. Stores follow the log. One that lags, because its disk is full or a process died, catches up at the next commit
   or open; a commit is never reported failed once it is durable.
5. A checkpoint that fails to verify seals the ledger: nothing is written and nothing is cut.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from dream import effort
from dream.errors import Conflict, DreamError, LedgerSealed, StoreBroken
from dream.ledger import batch, care, checkpoint, cleaning, durable, keys, lock, seal, segment
from dream.ledger import forget as forgetting
from dream.ledger import head as heads
from dream.ledger.copies import copies, copy_fault
from dream.ledger.follow import Fault, Log, entries, follow
from dream.ledger.head import Head
from dream.ledger.mend import mend
from dream.ledger.pending import Pending
from dream.ledger.receipt import Guarded, Receipt, Store
from dream.ledger.vouch import AT_CLOSE, AT_ONCE, vouched
from dream.ledger.whose import log_of as log_of
from dream.ledger.whose import same_key
from dream.model import fold
from dream.model.change import Change, Entry, NodeForgotten
from dream.paths import Home
from dream.ports import Clock, Projection, Signer


class Ledger:
    """One store's log, open for reading and writing. Close it, or use it in `with`."""

    def __init__(self, home: Home, log: Log, signer: Signer, clock: Clock, outer: Path | None, patience: float) -> None:
        self._home = home
        self._log = log
        self._signer = signer
        self._clock = clock
        self._outer = outer
        self._patience = patience
        self._head = Head()
        self._projections: tuple[Projection, ...] = ()
        self._store: Store | None = None
        self._guard: seal.Guard | None = None
        self._looked_out = False
        self.sealed: Fault | None = None
        self.mended = ""

    @staticmethod
    def create(home: Home, signer: Signer) -> bool:
        """Begin the log of a new store; False where there is one already (nothing is altered).

        Raises:
            KeyProblem: the store's log is signed with another key.
        """
        known = keys.public(home)
        if known is not None:
            same_key(known, signer)
            return False
        home.ledger.mkdir(mode=0o700, parents=True, exist_ok=True)
        if segment.paths(home.ledger):
            raise DreamError(
                f"{home.ledger} holds a log, but its public key (key.pub) is missing.",
                "Put `ledger/key.pub` back from a copy of DREAM_HOME; a new one is never made for an old log.",
            )
        durable.write_at(home.ledger / segment.name_of(1), 0, segment.first_line(secrets.token_hex(8), 0))
        durable.replace(home.ledger / "key.pub", (checkpoint.Key(signer.name, signer.public).line() + "\n").encode())
        return True

    @classmethod
    def open(
        cls,
        home: Home,
        signer: Signer,
        clock: Clock,
        projections: Sequence[Projection],
        *,
        outer: Path | None = None,
        patience: float = 30.0,
    ) -> Ledger:
        """Open the log, cut a torn tail, let the projections catch up.

        Args:
            projections: the first one is the `Store` against which changes are checked.
            outer: folder outside DREAM_HOME for a copy of the last checkpoint; None keeps none.
            patience: seconds to wait for another writer.

        A damaged database is set aside and made again from the log; `mended` says what was done.

        Raises:
            KeyProblem: no log was begun, or `signer` is not the key it is signed with.
            Locked: another process wrote for longer than `patience`.
        """
        ledger = cls(home, log_of(home, signer), signer, clock, outer, patience)
        same_key(ledger._log.key, signer)
        ledger._projections = tuple(projections)
        ledger._store = projections[0] if projections else None  # type: ignore[assignment]
        if isinstance(ledger._store, Guarded):
            vouch = partial(vouched, ledger._log, ledger._store, AT_ONCE)
            ledger._guard = seal.Guard(ledger._log, signer, clock.monotonic, ledger._store, vouch)
        with ledger.writing():
            durable.sweep(ledger._log.folder)
            if ledger.sealed is None:
                try:
                    ledger.catch_up()
                except StoreBroken as error:
                    ledger._mended(mend(ledger._log, projections, error))
                    ledger.catch_up()
        return ledger

    @property
    def size(self) -> int:
        """Entries committed, as far as this process has seen."""
        return self._head.size

    @property
    def root(self) -> bytes:
        """Root of the tree over them."""
        return self._head.root

    @property
    def log_id(self) -> str:
        return self._log.id

    def entries(self, start: int = 0) -> Iterator[Entry]:
        """The committed entries from seq `start` on, those of other processes included."""
        for raw in entries(self._log.folder, self._log.id, start):
            yield raw.entry(self._log.id)

    def commit(self, changes: Sequence[Change], night: str = "", after: int = -1) -> Receipt:
        """Write changes, all or none, in their order, as entries of `night` ("" by day), right after `after` entries.

        Raises:
            Conflict: a change does not follow from the state, or `after` is another number; nothing was written.
            LedgerSealed: the log does not verify.
            Locked: another process wrote for longer than the patience.
            OSError: the disk did not take it; nothing was written.
        """
        with self.writing():
            self._writable()
            if after not in (-1, self._head.size):
                raise Conflict("Something was written meanwhile; nothing was changed.", "Look again, then decide.")
            receipt = self._commit(changes, night)
            if self._guard is not None and not receipt.behind:
                with suppress(DreamError, OSError):  # the commit is durable; a stale seal costs the next check time
                    self._guard.after()
            return receipt

    def _commit(self, changes: Sequence[Change], night: str) -> Receipt:
        self.catch_up()
        first = self._head.size
        if not changes:
            return Receipt(first, first - 1, self._head.root)
        if self._store is None:
            raise DreamError("The ledger was opened without a store, for reading.", "Open it with one.")
        pending = Pending(self._store)
        for change in changes:
            pending.take(fold.checked(pending, change))
        written = self._append(changes, night)
        behind = self._project(written)
        return Receipt(first, self._head.size - 1, self._head.root, behind)

    def forget(
        self,
        store: forgetting.Holding,
        asked: str,
        *,
        deny: Callable[[str], object] | None = None,
        transcripts: Sequence[Path] = (),
    ) -> forgetting.Forgotten:
        """Forget a node or a note, and all that holds its text (see `ledger.forget`).

        Args:
            deny: told each text that must not be learnt again, before anything is written.
            transcripts: files and folders of the host's own, to say which still hold it.

        Raises:
            NodeNotFound: there is nothing with that id.
            LedgerSealed, Locked, OSError: as `commit`. Once committed, the next open finishes what a crash left.
        """
        with self.writing():
            self._writable()
            self.catch_up()
            going = forgetting.plan(self._home, store, self._head.size, asked)
            for text in sorted(going.texts) if deny is not None else ():
                deny(text)  # type: ignore[misc]
            told = forgetting.begin(self._log.folder, going, self._head.size)
            self._commit(forgetting.changes(going), "")
            return self._forgotten(told, going.texts, transcripts)

    def clean(self, store: cleaning.Present, clean: cleaning.Clean) -> forgetting.Forgotten | None:
        """Take out of all that was ever written what `clean` takes out (see `ledger.cleaning`); None: there is nothing.

        Raises: as `forget`.
        """
        with self.writing():
            self._writable()
            self.catch_up()
            found = cleaning.plan(self._home, store, self._head.size, clean)
            if not found.places:
                return None
            told = cleaning.begin(self._log.folder, found, self._head.size)
            self._commit(found.changes, "")
            return self._forgotten(told, set(), ())

    def _forgotten(self, told: dict[str, Any], texts: set[str], transcripts: Sequence[Path]) -> forgetting.Forgotten:
        """Do what is left to be done of a forgetting that was committed."""
        seal.drop(self._log.folder)
        durable.sweep(self._log.folder)
        self.catch_up()
        finish = cleaning.finish if "places" in told else forgetting.finish
        done = finish(
            self._home, self._log, self._signer, told, self._head.size, self._projections,
            texts=texts, at=self._clock.now(), transcripts=transcripts,
        )  # fmt: skip
        path = self._log.folder / segment.name_of(self._head.segment)
        line, offset = segment.last_checkpoint(path.read_bytes())
        self._head = replace(self._head, line=line, offset=offset, rewrites=self._head.rewrites + 1)
        self._tell()
        forgetting.end(self._log.folder)
        if self._guard is not None:
            self._guard.settle(partial(vouched, self._log, self._store, AT_ONCE))
        return done

    def _finish(self) -> None:
        """Finish a forgetting that another process had begun, or drop it where it was not committed."""
        told = forgetting.unfinished(self._log.folder)
        if told is None or self.sealed is not None or self._store is None:
            return
        first = (told.get("nodes") or [""])[0]
        for entry in self.entries(int(told.get("size", self._head.size))):
            change = entry.change
            if isinstance(change, NodeForgotten) and (change.node, list(change.notes)) == (first, told.get("notes")):
                self._forgotten(told, set(), ())
                self._mended("A forgetting that was interrupted was finished.")
                return
        forgetting.end(self._log.folder)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer's lock, having read what others wrote."""
        with lock.held(self._home.writer_lock, self._patience):
            self._refresh()
            self._finish()
            yield

    def catch_up(self) -> None:
        """Bring each projection to the end of the log (under the lock).

        Raises:
            DreamError: a projection cannot take an entry in.
        """
        for projection in self._projections:
            if isinstance(projection, Guarded) and projection.pinned():
                continue
            mark = projection.watermark()
            if mark < self._head.size and projection is self._store and self._guard is not None:
                fault = self._guard.before()
                if fault is not None:
                    self.sealed = fault
                    return
            if mark > self._head.size:
                raise LedgerSealed(
                    f"A store has seen {mark} entries, the log holds {self._head.size}: the log was cut or put back.",
                    "Put the newer `ledger/` back; if it is lost, `dream ledger restore` rebuilds from the older one.",
                )
            if mark < self._head.size and projection is self._store and self._guard is not None:
                self._guard.begin()
            while mark < self._head.size:
                some = self._some(mark)
                with effort.part(mark, self._head.size):
                    projection.apply(some)
                mark += len(some)

    def _writable(self) -> None:
        """Refuse to write upon a store that is not what it was sealed as, or that is pinned to the past."""
        if self.sealed is not None:
            raise LedgerSealed(f"The ledger is sealed: {self.sealed.sentence}", self.sealed.hint)
        if self._guard is None or not isinstance(self._store, Guarded):
            return
        if self._store.pinned():
            raise LedgerSealed(
                f"The store was restored to entry {self._store.watermark()} of {self._head.size}, to be looked at.",
                "Run `dream ledger restore` to come back to the present; then writing goes on.",
            )
        fault = self._guard.before()
        if fault is not None:
            raise LedgerSealed(f"The store is sealed: {fault.sentence}", fault.hint)

    def _some(self, start: int, most: int = 20_000) -> list[Entry]:
        found = list(islice(self.entries(start), most))
        if not found:
            raise LedgerSealed(f"Entry {start} cannot be read.", "Run `dream ledger verify --full`.")
        return found

    def close(self) -> None:
        """Seal the store where a long stretch of commits left that for the end, and let go."""
        guard, store = self._guard, self._store
        if guard is None or store is None or not guard.wrote:
            return
        with suppress(DreamError, OSError), lock.held(self._home.writer_lock, 1.0):
            if store.watermark() == self._head.size:
                guard.settle(partial(vouched, self._log, store, AT_CLOSE))

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refresh(self) -> None:
        """Read what others committed since, cut a torn tail, or seal."""
        folder, log = self._log.folder, self._log
        kept = heads.load(folder)
        start = Head()
        for known in dict.fromkeys((kept, self._head)):
            if known is None or known.size <= start.size:
                continue
            if heads.anchored(folder, known, log.origin, log.key, log.verifier):
                start = known
        found = follow(log, start)
        self.sealed = found.fault or self._lost(found.head)
        if self.sealed is not None:
            return
        if found.torn is not None:
            path, keep = found.torn
            torn = path.stat().st_size - keep
            durable.truncate(path, keep)
            self._mended(f"{torn} bytes of a commit that never ended were cut from {path.name}; nothing is lost.")
        if found.head != self._head:
            self._head = found.head
            if found.head != kept:
                self._tell()

    def _mended(self, what: str) -> None:
        """Say what was mended, here and to whoever asks later."""
        self.mended = f"{self.mended} {what}".strip()
        with suppress(OSError):
            care.mended(self._log.folder, self._clock.now(), what)

    def _lost(self, found: Head) -> Fault | None:
        """Whether a checkpoint that is known to have been signed is not in the log any more."""
        if found.size < self._head.size:
            return Fault(found.size, f"The log lost entries {found.size} to {self._head.size - 1}.")
        if found == self._head and self._looked_out:
            return None
        self._looked_out = True
        for path, name in copies(self._log, self._outer):
            fault = copy_fault(self._log, found, path, name)
            if isinstance(fault, Fault):
                return fault
        return None

    def _append(self, changes: Sequence[Change], night: str) -> list[Entry]:
        made = batch.write(self._log, self._head, self._signer, changes, self._clock.now(), night)
        durable.need_room(self._log.folder, len(made.content))
        durable.write_at(self._log.folder / segment.name_of(made.head.segment), made.offset, made.content)
        self._head = made.head
        self._tell()
        return made.entries

    def _tell(self) -> None:
        """Copies of the head; the commit does not hang on them."""
        if not self._head.note:
            return
        note = self._head.note.encode()
        with suppress(OSError):
            durable.replace(self._log.folder / "checkpoint", note, sync=False)
        with suppress(OSError):
            heads.save(self._log.folder, self._head)
        if self._outer is not None:
            with suppress(OSError):
                self._outer.mkdir(parents=True, exist_ok=True)
                durable.replace(self._outer / f"{self._log.id}.checkpoint", note, sync=False)

    def _project(self, written: list[Entry]) -> tuple[str, ...]:
        behind = []
        if self._guard is not None:
            try:
                self._guard.begin()
            except OSError as error:
                return (f"{seal.NAME}: {error}",)
        for projection in self._projections:
            try:
                projection.apply(written)
            except (DreamError, OSError) as error:
                behind.append(f"{type(projection).__name__}: {error}")
        return tuple(behind)
