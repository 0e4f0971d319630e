"""One night: orient, gather, consolidate, prune. Each phase returns values; one commit writes them; then files follow.

1. Nothing is written before the gate has passed the whole plan, and then all of it or nothing (decision 5).
2. What was read is marked as read only after the commit: a crash before it plays the night again, ids make doubles
   fall away; a crash after it leaves files that the next night writes anew.
3. A dry run plans the same night and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from dream.capture.cursor import tidy
from dream.cycle import plan_gate
from dream.cycle.changelog import changelog
from dream.cycle.closing import checked
from dream.cycle.consolidate import Consolidated, Outcome, debate_record
from dream.cycle.gather import Denied, gather, settle
from dream.cycle.goals import goals_of
from dream.cycle.judges import Bench
from dream.cycle.judging import judge_night, keep_readings
from dream.cycle.night import NightReport, Plan
from dream.cycle.orient import orient
from dream.cycle.prune import archive_text, prune
from dream.cycle.read_again import read_again
from dream.cycle.read_later import wait
from dream.cycle.rebase import commit
from dream.cycle.summary import summarise
from dream.errors import CycleFailed, DreamError
from dream.house import House
from dream.model.change import CycleRecorded
from dream.model.mode import Mode
from dream.model.time import to_datetime
from dream.ports import NodeFilter, Observer
from dream.recall.index import IndexReport, build_index


def run_night(
    house: House,
    *,
    now: str,
    bench: Bench = Bench(),  # noqa: B008 -- a frozen value
    dry_run: bool = False,
    observer: Observer | None = None,
    denied: Denied = lambda text: False,
    mode: Mode = Mode.NORMAL,
    searched: Mapping[str, Sequence[str]] | None = None,
    accept_plan: bool = False,
) -> NightReport:
    """Play a night as of the instant `now`.

    Args:
        bench: who judges; see `judges.seat`.
        mode: what the breaker allows this night; it plays in NORMAL and CONSERVATIVE.
        searched: by node id, the instants at which a search returned it.
        accept_plan: a person lets pass what the last refused plan said.
        observer: told of phases: `phase` (phase, total), `step` (phase, done), `end` (phase).

    Raises:
        CycleFailed: the plan did not pass the gate; it is kept under `archive/plans`.
        UsageError: a plan is to be accepted and none was refused.
        LedgerSealed: the log does not verify.
    """
    told = _Told(observer)
    began = house.clock.monotonic()
    plans = house.home.archive / "plans"
    accepted = plan_gate.seen(plans) if accept_plan else frozenset()
    with told.phase("orient"):
        oriented = orient(house, now)
    with told.phase("gather") as step:
        gathered = gather(house, now, seal=not dry_run, denied=denied, step=step)
        gathered = read_again(house, gathered, bench.model, dry_run)
        before = house.store.nodes(NodeFilter())
    with told.begun("consolidate") as begin:
        judged = judge_night(house, oriented, gathered, before, now, bench, mode, begin)
    if bench.model is not None:
        bench.model.release()
    with told.phase("prune"):
        pruned = prune(house.store, judged.consolidated, now, searched, goals_of(house, gathered, now))
    plan = Plan(
        oriented,
        replace(gathered, warnings=(*gathered.warnings, *_ahead(pruned.future))),
        judged.consolidated,
        tuple(pruned.changes),
        bench.judge,
        dict(pruned.vitality),
        bench=judged.heard.changes,
        ties=judged.ties,
        garden=judged.garden,
        waits=judged.heard.sentences,
        told=(*gathered.second_pass, *judged.heard.told),
        cold=pruned.cold,
    )
    faults = plan_gate.faults(plan, len(before), judged.silenced, accepted)
    if faults:
        kept = plan_gate.keep(plan, plan_gate.faults(plan, len(before), judged.silenced), plans)
        way = "" if plan_gate.breaches(plan) else " Where it is right, `dream cycle --accept-plan` writes it."
        raise CycleFailed(
            f"The night's plan was refused: {faults[0]}",
            f"Nothing was written; the plan is in {kept}.{way}",
            "consolidate",
        )
    if accepted:
        passed = [f"You let pass: {each}" for each in plan_gate.doubts(plan, len(before), judged.silenced)]
        plan = replace(plan, gathered=replace(plan.gathered, warnings=(*plan.gathered.warnings, *passed)))
    seconds = house.clock.monotonic() - began
    if dry_run:
        return _report(house, plan, now, (0, -1, ""), seconds, dry=True)
    report = _commit(house, plan, now, seconds, denied)
    if accepted:
        plan_gate.put_away(plans)
    keep_readings(house, judged, plan.judge)
    return report


def _commit(house: House, plan: Plan, now: str, seconds: float, denied: Denied) -> NightReport:
    for each in plan.consolidated:
        if each.outcome is Outcome.REJECTED:
            _archive(house, each)
    wait(house.home, plan.gathered.unread)
    record = CycleRecorded(plan.oriented.night, now, house.clock.now(), plan.judge, plan.counts)
    receipt, gave_way = commit(house.ledger, house.store, [*plan.changes, record], plan.oriented.night, denied)
    if gave_way:
        said = f"{counted(gave_way, 'change')} of the night met what was done meanwhile, and gave way to it."
        plan = replace(plan, gathered=replace(plan.gathered, warnings=(*plan.gathered.warnings, said)))
    settle(plan.gathered)
    _keep_house(house, plan)
    report = _report(house, plan, now, (receipt.first, receipt.last, receipt.root.hex()), seconds, dry=False)
    house.home.logs.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = house.settings.context_tokens
    index = build_index(
        house.home, house.store, house.analyser, night=plan.oriented.night, vitality=plan.vitality, target=target
    )
    report = checked(house, _told_of_index(report, index))
    (house.home.logs / f"{plan.oriented.night}.md").write_text(report.changelog, encoding="utf-8")
    with suppress(DreamError):  # vectors only follow: without them search says `degraded`, and the next night embeds
        house.embedding()
    return report


def _told_of_index(report: NightReport, index: IndexReport) -> NightReport:
    """The report with a sentence for each index file that was left as it was (B20, B24)."""
    if index.result == 0:
        return report
    left = [f"The index {path.name} was left as it was: {why}" for path, why in index.kept]
    changelog = report.changelog.rstrip("\n") + "\n\n" + "".join(f"> {each}\n" for each in left)
    return replace(report, changelog=changelog, warnings=(*report.warnings, *left))


def _keep_house(house: House, plan: Plan) -> None:
    """What became cold is exported where a person can read it; cursors of sessions long over go."""
    if plan.cold:
        folder = house.home.archive / "cold"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / f"{plan.oriented.night}.jsonl").write_text(archive_text(plan.cold), encoding="utf-8")
    tidy(str(house.home.root), to_datetime(house.clock.now()).timestamp())


def _ahead(node_ids: Sequence[str]) -> list[str]:
    """A sentence about evidence dated after now (E11)."""
    if not node_ids:
        return []
    return [f"{counted(len(node_ids), 'node')} rest on evidence dated after this night, the first: {node_ids[0]}."]


def _archive(house: House, each: Consolidated) -> None:
    """A rejected debate is kept whole, for a person to read."""
    folder = house.home.archive / "debates"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / f"{each.cluster.id}.json").write_text(debate_record(each.cluster, each.verdict), encoding="utf-8")


def _report(
    house: House, plan: Plan, now: str, entries: tuple[int, int, str], seconds: float, dry: bool
) -> NightReport:
    first, last, root = entries
    summary = summarise(plan, seconds, entries, dry)
    verb = "Would read" if dry else "Read"
    told = [
        (plan.count(Outcome.ADDED) + plan.count(Outcome.SUPERSEDED), "kept"),
        (plan.count(Outcome.SAID_AGAIN), "said again"),
        (sum(len(each.closed) for each in plan.consolidated), "replaced or taken back"),
        (plan.count(Outcome.HELD), "held for you"),
        (plan.count(Outcome.REJECTED), "refused"),
    ]
    outcome = ", ".join(f"{number} {what}" for number, what in told if number) or "nothing worth keeping"
    read = f"{counted(plan.gathered.notes, 'note')} of {counted(len(plan.gathered.sessions), 'session')}"
    sentence = f"{verb} {read}: {outcome}."
    return NightReport(
        plan, sentence, first, last, root, changelog(summary), house.clock.now(), dry, plan.gathered.warnings
    )


def counted(number: int, noun: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(slots=True)
class _Phase:
    told: _Told
    name: str

    def __enter__(self) -> Callable[[int], None]:
        return lambda done: self.told.on("step", {"phase": self.name, "done": done})

    def __exit__(self, *error: object) -> None:
        self.told.on("end", {"phase": self.name})


@dataclass(slots=True)
class _Begun:
    told: _Told
    name: str
    begun: bool = False

    def __enter__(self) -> Callable[[int], Callable[[int], None]]:
        def begin(total: int) -> Callable[[int], None]:
            self.begun = True
            return self.told.phase(self.name, total).__enter__()

        return begin

    def __exit__(self, *error: object) -> None:
        if self.begun:
            self.told.on("end", {"phase": self.name})


@dataclass(slots=True)
class _Told:
    """The observer, isolated: one that raises is not asked again."""

    observer: Observer | None

    def phase(self, name: str, total: int | None = None) -> _Phase:
        self.on("phase", {"phase": name, "total": total})
        return _Phase(self, name)

    def begun(self, name: str) -> _Begun:
        """A phase whose length shows only once it has begun."""
        return _Begun(self, name)

    def on(self, event: str, facts: Mapping[str, object]) -> None:
        if self.observer is None:
            return
        watched = False
        with suppress(Exception):
            self.observer.on(event, facts)
            watched = True
        if not watched:
            self.observer = None
