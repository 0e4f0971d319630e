"""The composition root: settings to a working Dream. The only module that imports adapters.

Promises: settings are read once; a store that was never made is an error that says how to make it; what is opened is
closed. Nothing is fetched and no model is loaded.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dream.adapters.ed25519 import Ed25519Signer, Ed25519Verifier
from dream.adapters.snowball import SnowballAnalyser
from dream.adapters.sqlite import SqliteStore
from dream.adapters.sqlite_journal import choose, in_use
from dream.adapters.sqlite_trail import SqliteTrail
from dream.adapters.state import SqliteState
from dream.adapters.system import FileLock, SystemClock
from dream.api import Dream
from dream.capture.home import allow_notes, redact_key
from dream.compose_findings import around
from dream.compose_meaning import Meaning
from dream.compose_operations import operations
from dream.compose_recall import Searching
from dream.errors import DreamError
from dream.health import doctor
from dream.health.repair import mend_files
from dream.house import House
from dream.ledger import care, keys
from dream.ledger.ledger import Ledger, log_of
from dream.model.graph import Edge, Node
from dream.model.time import parse_instant, zone_info
from dream.paths import Home
from dream.settings import Loaded, Settings, load

if TYPE_CHECKING:
    from dream.debate.frames import FrameReader
    from dream.health.host import Host
    from dream.ledger.restore import Restored
    from dream.ledger.verify import Report
    from dream.operations import Measured
    from dream.ports import ChatModel

KEY_NAME = "dream"


@contextmanager
def open_dream(environ: Mapping[str, str], *, create: bool = False, zone: str | None = None) -> Iterator[Dream]:
    """Open the store that the environment names, for the time of a `with` block.

    Args:
        create: make key, folders and schema where they are missing.
        zone: time zone in the place of the setting's.

    Raises:
        SettingsError: a setting that cannot be used.
        DreamError: there is no store yet and `create` is not asked for, or it cannot be opened.
    """
    loaded = load(environ)
    with open_house(loaded, create=create, zone=zone) as house:
        yield Dream(house)


@contextmanager
def open_house(
    loaded: Loaded, *, create: bool = False, zone: str | None = None, lasting: bool = False
) -> Iterator[House]:
    """Open the parts of a store; see `open_dream`.

    Args:
        lasting: the process answers many questions, so none of them waits for a model to load.
    """
    settings = loaded.settings
    home = Home(settings.home)
    signer = _signer(home, create)
    clock = SystemClock()
    analyser = SnowballAnalyser()
    store = SqliteStore(home.database, analyser)
    beside = operations(home, settings, clock, store)
    trail = SqliteTrail(home.trail)
    meaning = Meaning.of(settings, home, lasting)
    try:
        with Ledger.open(home, signer, clock, [store], outer=settings.state) as ledger:
            yield House(
                home=home,
                settings=settings,
                zone=_zone(zone or settings.tz),
                clock=clock,
                ledger=ledger,
                store=store,
                analyser=analyser,
                reading=lambda: _frames(analyser),
                searching=Searching(
                    home, store, analyser, redis=(settings.redis_host, settings.redis_port), meaning=meaning
                ),
                embedding=lambda: meaning.follow(ledger),
                unlearning=lambda: meaning.drop(ledger),
                write_graphml=_write_graphml,
                lock=FileLock(home.cycle_lock, "dream cycle", clock),
                redact_key=redact_key(str(home.root)),
                chat=lambda model: _chat(model, settings),
                operations=beside,
                trail=trail,
            )
    finally:
        beside.state.close()
        trail.close()
        store.close()


def remember_unopened(environ: Mapping[str, str], text: str, request: str | None, folder: str | None) -> None:
    """Keep a sentence in the buffer where the store cannot be opened because another process holds it.

    Raises:
        UsageError: as `Dream.remember`.
        OSError: the disk does not take it.
    """
    from dream.api_saying import keep_for_a_night, saying
    from dream.health.metrics import Meter

    settings, clock = load(environ).settings, SystemClock()
    home = Home(settings.home)
    said = saying(home, redact_key(str(home.root)), text, clock.now(), request, folder)
    keep_for_a_night(home, said)
    state = SqliteState(home.state_database)
    try:
        Meter(state).held_up(clock.now())
    finally:
        state.close()


def verify_store(environ: Mapping[str, str], full: bool) -> Report:
    """Check a store without opening it for writing; works where it is damaged or its key is lost.

    Raises:
        KeyProblem: there is no store.
    """
    from dream.ledger.verify import verify

    settings = load(environ).settings
    home = Home(settings.home)
    if not home.ledger.exists():
        log_of(home, Ed25519Verifier())
    signer: Ed25519Signer | DreamError
    try:
        signer = _signer(home, create=False)
    except DreamError as error:
        signer = error
    stores = [SqliteStore(home.database, SnowballAnalyser())] if home.database.exists() else []
    try:
        outer, now = settings.state, SystemClock().now()
        return verify(home, Ed25519Verifier(), stores, full=full, outer=outer, signer=signer, at=now)
    finally:
        for store in stores:
            store.close()


def restore_store(environ: Mapping[str, str], to: str | None) -> Restored:
    """Rebuild pgt.sqlite from the log, to its end, to an entry, or to an instant."""
    from dream.ledger.restore import restore

    settings = load(environ).settings
    home = Home(settings.home)
    signer = _signer(home, create=False)
    store = SqliteStore(home.database, SnowballAnalyser())
    try:
        if to is None or to.isdigit():
            return restore(home, signer, SystemClock(), store, to=None if to is None else int(to))
        return restore(home, signer, SystemClock(), store, until=parse_instant(to, _zone(settings.tz)))
    finally:
        store.close()


def surroundings(environ: Mapping[str, str]) -> Host:
    """What the host and the machine do for the store: capture paths seen alive, the timer, warnings."""
    from dream.health.host import look_at_host

    settings = load(environ).settings
    return look_at_host(Home(settings.home), environ, _zone(settings.tz), SystemClock().now())


def examine(environ: Mapping[str, str], mend: bool = False) -> list[doctor.Finding]:
    """What `dream doctor` finds: the machine, the settings, and the store where there is one.

    Args:
        mend: repair what can be made again, and say so.
    """
    try:
        loaded = load(environ)
    except DreamError as error:
        return [doctor.Finding("settings", doctor.Grade.BAD, error.sentence, error.hint)]
    home = Home(loaded.settings.home)
    mended = list(mend_files(home)) if mend else []
    findings = [*doctor.examine(loaded, environ), *mended]
    with suppress(ModuleNotFoundError):  # a missing package is a finding already
        from dream.adapters.machine import LocalMachine

        findings.append(doctor.memory(LocalMachine().memory()[2]))
    journal = choose(home.database)
    findings.append(doctor.journal(journal.mode, journal.why, in_use(home.database)))
    if keys.public(home) is None:
        return findings
    if mend:
        findings += _mend_store(environ, loaded)
    try:
        with open_house(loaded) as house:
            size = house.ledger.size
            cared = care.read(home.ledger)
            whole = f"; all of it was checked {care.minute(cared.checked_at)}" if cared.checked_at else ""
            said = f"{size} entries, the last checkpoint holds{whole}"
            findings.append(doctor.Finding("ledger", doctor.Grade.GOOD, said))
            if house.ledger.sealed is not None:
                sealed = house.ledger.sealed
                findings[-1] = doctor.Finding("ledger", doctor.Grade.BAD, f"sealed: {sealed.sentence}", sealed.hint)
            for each in cared.mended[-3:]:
                findings.append(doctor.Finding("mended", doctor.Grade.NOTE, f"{care.minute(each.at)}: {each.what}"))
            findings += around(house)
            if house.redact_key is None:
                sentence, hint = (
                    "keys/redact.key is damaged",
                    "Put it back from a copy, or remove it: tags change then.",
                )
                findings.append(doctor.Finding("redaction key", doctor.Grade.BAD, sentence, hint))
    except DreamError as error:
        findings.append(doctor.Finding("ledger", doctor.Grade.BAD, error.sentence, error.hint))
    except OSError as error:
        sentence = f"{error.strerror or error} ({error.filename})"
        findings.append(doctor.Finding("ledger", doctor.Grade.BAD, sentence, "Give yourself the right to write there."))
    return findings


def _mend_store(environ: Mapping[str, str], loaded: Loaded) -> Iterator[doctor.Finding]:
    """Make pgt.sqlite again where the log holds and the store does not; write the index where none is there."""
    from dream.ledger.verify import verify

    home, outer = Home(loaded.settings.home), loaded.settings.state
    with suppress(DreamError, OSError):  # what stands in the way is told by the findings that follow
        report = verify_store(environ, full=False)
        if not report.ok and verify(home, Ed25519Verifier(), [], outer=outer).ok:
            restored = restore_store(environ, None)
            said = f"pgt.sqlite did not agree with the log ({report.faults[0].sentence}); it was made again"
            yield doctor.Finding("store", doctor.Grade.MENDED, f"{said} from {restored.entries} entries")
        with open_house(loaded) as house:
            if house.ledger.sealed is None and house.store.nights() and not any(home.index.rglob("*.md")):
                from dream.recall.index import build_index

                build_index(home, house.store, house.analyser, target=loaded.settings.context_tokens, empty=True)
                yield doctor.Finding("index", doctor.Grade.MENDED, "it was missing and is written again")


def exposition(measured: Iterable[Measured], accept: str) -> tuple[str, bytes]:
    """(media type, body) of what a metrics server is told."""
    from dream.adapters.prometheus import exposition as written

    return written(measured, accept)


def _signer(home: Home, create: bool) -> Ed25519Signer:
    if create:
        home.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not Path(keys.secret_path(home)).exists():
            home.root.chmod(0o700)  # it may have been there, open to others, before there was anything in it
            keys.create(home, secrets.token_bytes(32))
    signer = Ed25519Signer(keys.read_seed(home), KEY_NAME)
    if create:
        Ledger.create(home, signer)
        allow_notes(str(home.root))
    return signer


def _write_graphml(path: Path, nodes: Iterable[Node], edges: Iterable[Edge]) -> None:
    from dream.adapters.nx_export import write_graphml

    write_graphml(path, nodes, edges)


def _chat(model: str, settings: Settings) -> ChatModel:
    from dream.adapters.ollama import OllamaChat

    return OllamaChat(model, settings.ollama_host, num_ctx=settings.num_ctx)


def _frames(analyser: SnowballAnalyser) -> FrameReader:
    from dream.debate.frames import FrameReader
    from dream.debate.lexicon import Lexicon

    def stem(word: str) -> str:
        terms = analyser.terms(word)
        return terms[0] if terms else ""

    return FrameReader(stem, Lexicon.packaged(stem))


def _zone(named: str) -> str:
    if named:
        zone_info(named)
        return named
    from dream.adapters.localzone import machine_zone

    return machine_zone()
