"""The night's verbs: play one, list them, tell one; and what a house shows of itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dream import effort
from dream.api_health import Vigil
from dream.capture import buffer
from dream.capture.deny import DenyList
from dream.cycle import ballots
from dream.cycle.built import follow_on
from dream.cycle.gates import Facts, NotDue, Trigger, due
from dream.cycle.lock import alone
from dream.cycle.status import Outcome, Pending, read_status, record_run
from dream.errors import DreamError, ModeForbids, NightDeferred, UsageError
from dream.health.mode import forbid
from dream.health.phase import PhaseSeen
from dream.health.picture import Picture, look
from dream.model.time import parse_instant
from dream.ports import NodeFilter, NoteFilter, Observer
from dream.sources.manifest import Manifest
from dream.sources.transcripts import waiting

if TYPE_CHECKING:
    from dream.cycle.night import NightReport

FORCED = "forced"
"""A trigger that no gate stops, not even that nothing is pending."""
PROBE_EVERY_S = 60
"""A night trusts a probe this fresh."""
_USED_SINCE = ""
"""All uses that are kept: they fade by half in 30 days."""
_FIRST_YEAR, _LAST_YEAR = 1970, 9000
REFUSED = 3
"""Exit code of what was refused with nothing lost."""


@dataclass(frozen=True, slots=True)
class CycleOutcome:
    """What `dream cycle` answers; `report` is None where nothing was due."""

    sentence: str
    report: NightReport | None

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        return self.report.plan.counts if self.report is not None else ()

    @property
    def plain(self) -> dict[str, Any]:
        """The stable shape of `dream cycle --json`; a dry run lists its changes."""
        if self.report is None:
            return {"due": False, "sentence": self.sentence}
        report = self.report
        plain: dict[str, Any] = {
            "due": True,
            "sentence": self.sentence,
            "night": report.plan.oriented.night,
            "judge": report.plan.judge,
            "dry_run": report.dry,
            "first": report.first,
            "last": report.last,
            "root": report.root,
            "counts": dict(report.plan.counts),
            "warnings": list(report.warnings),
        }
        if report.dry:
            plain["changes"] = [{"kind": type(change).__name__, **asdict(change)} for change in report.plan.changes]
        return plain


@dataclass(frozen=True, slots=True)
class Exported:
    """The files written and what they hold."""

    files: tuple[Path, ...]
    nodes: int
    edges: int


def _played_as_of(text: str, zone: str) -> str:
    """The instant a night is played as of.

    Raises:
        UsageError: it is none, or no transcript can be that old or that young.
    """
    instant = parse_instant(text, zone)
    if not _FIRST_YEAR <= int(instant[:4]) <= _LAST_YEAR:
        raise UsageError(
            f"No night can be played in the year {instant[:4]}.", f"Name one from {_FIRST_YEAR} to {_LAST_YEAR}."
        )
    return instant


class Nights(Vigil):
    """The night's verbs over one opened house."""

    def cycle(
        self,
        *,
        now: str | None = None,
        dry_run: bool = False,
        judge: str | None = None,
        trigger: str = Trigger.BY_HAND,
        observer: Observer | None = None,
        accept_plan: bool = False,
    ) -> CycleOutcome:
        """Play a night, where its gates are open.

        Args:
            now: an instant to play it as of; None is now.
            judge: auto, rules, or a model's name; None is the setting.
            trigger: what asks: a `Trigger`, or `forced`, which no gate stops.
            accept_plan: a person has looked at the last refused plan and lets pass what spoke against it.

        Raises:
            UsageError: an instant that is none.
            NightDeferred: the model that should judge is away; nothing was read.
            Locked: another night runs.
            LedgerSealed: the log does not verify; the buffer is kept.
            ModeForbids: the mode is SECURE; the buffer is kept.
        """
        from dream.cycle.cycle import run_night
        from dream.cycle.judges import seat

        house = self._house
        instant = house.clock.now() if now is None else _played_as_of(now, house.zone)
        if judge is not None and not judge.strip():
            raise UsageError("The name of the judge is empty.", "Say auto, rules, or the name of a model.")
        ready, sessions = waiting(house.roots, Manifest(house.home.manifest), instant, house.settings.quiet_minutes)
        buffered = len(buffer.read_today(str(house.home.root)))
        if trigger != FORCED:
            closed = self._closed(Trigger(trigger), instant, ready + buffered, sessions)
            if closed:
                return self._not_due(instant, closed, trigger, dry_run)
        with alone(house.lock):
            watched = PhaseSeen(observer)
            try:
                standing = self.fresh(PROBE_EVERY_S)
                if not standing.allows.nights:
                    raise forbid(standing, "play nights; the buffer is kept")
                quorum = standing.allows.quorum
                bench = seat(
                    house, judge or house.settings.judge, instant, quorum, dry=dry_run, step=_examined(watched)
                )
                listed = DenyList.read(str(house.home.root), house.redact_key)
                report = run_night(
                    house,
                    now=instant,
                    bench=bench,
                    dry_run=dry_run,
                    observer=watched,
                    denied=listed.denied,
                    mode=standing.mode,
                    searched=house.operations.state.uses(_USED_SINCE),
                    accept_plan=accept_plan,
                )
            except (DreamError, OSError) as error:
                if not dry_run:
                    refused = isinstance(error, DreamError) and error.exit_code == REFUSED
                    outcome = Outcome.REFUSED if refused else Outcome.FAILED
                    if isinstance(error, (ModeForbids, NightDeferred)):
                        outcome = Outcome.DEFERRED
                    elif not refused:
                        self.meter.failed(getattr(error, "phase", "") or watched.phase)
                    record_run(house.home, instant, outcome, str(error), None, str(trigger))
                raise
            if not dry_run:
                waits = Pending(holds=len(house.store.holds()))
                record_run(house.home, instant, Outcome.DONE, report.sentence, waits, str(trigger))
                self.meter.completed(report, house.clock.now())
                ballots.keep(house.home, report.plan)
                if house.trail is not None:
                    with suppress(DreamError):  # it is made when it is asked for, too
                        follow_on(house.trail, house.home.ledger, house.ledger.log_id)
                if now is None:
                    self.probe()
        return CycleOutcome(report.sentence, report)

    def _closed(self, trigger: Trigger, now: str, pending: int, sessions: int) -> str:
        """Why no night is due, or ""."""
        if trigger is Trigger.BY_HAND:
            return "" if pending else "nothing is pending (`--force` plays a night all the same)"
        last = read_status(self._house.home).last_good_night or None
        answer = due(trigger, Facts(now, pending, sessions, last, self._house.zone))
        return answer.reason if isinstance(answer, NotDue) else ""

    def _not_due(self, now: str, reason: str, trigger: str, dry_run: bool) -> CycleOutcome:
        if not dry_run:
            record_run(self._house.home, now, Outcome.NOTHING_DUE, reason, None, str(trigger))
        return CycleOutcome(f"No night is due: {reason}.", None)

    def picture(self) -> Picture:
        """The state of the store."""
        return look(self._house)

    def export(self, folder: Path) -> Exported:
        """Write `graph.graphml` and `graph.json`: all nodes, edges, notes and holds."""
        store = self._house.store
        nodes = store.nodes(NodeFilter(statuses=None))
        edges = {edge.id: edge for node in effort.each("reading the graph", nodes) for edge in store.edges(node.id)}
        whole = {
            "nodes": [asdict(node) for node in nodes],
            "edges": [asdict(edge) for edge in edges.values()],
            "notes": [asdict(note) for note in store.notes(NoteFilter())],
            "holds": [asdict(hold) for hold in store.holds()],
        }
        folder.mkdir(parents=True, exist_ok=True)
        as_xml, as_json = folder / "graph.graphml", folder / "graph.json"
        self._house.write_graphml(as_xml, effort.each("writing the graph", nodes), edges.values())
        as_json.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return Exported((as_xml, as_json), len(nodes), len(edges))


def _examined(observer: Observer) -> Callable[[int], None]:
    """Tells how far a model's exam is, as a phase of its own; nothing where there is none."""

    from dream.cycle.judges import EXAM

    begun = False

    def step(done: int) -> None:
        nonlocal begun
        if not begun:
            observer.on("phase", {"phase": "examine", "total": EXAM})
            begun = True
        observer.on("end" if done == EXAM else "step", {"phase": "examine", "done": done})

    return step
