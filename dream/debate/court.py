"""The court: four roles on one local model, blind to one another, on top of their instruments.

1. A role sees the case, its notes, and its own instruments' findings: no other vote (decision 3).
2. An instrument's veto stands whatever the model says, and a model moves a score only as far as it has earned trust.
3. A ballot that was lost is cast by nobody: it is neither 0 nor 100. Without a quorum the case is held for a person;
   where the answer was only unfinished, or time is up, or the server went away, it waits for another night.
4. Roles are asked one after the other over several cases, so that a server reads each role's rules once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dream.debate.asking import Asker, Spent, Told
from dream.debate.drafts import Draft, dates_meant, drafted
from dream.debate.exam import Trial
from dream.debate.prompts import BENCH, SCORES, Seat, drafting
from dream.debate.roles import Case
from dream.debate.twins import twin_reading
from dream.errors import ModelUnavailable, ReplyLost
from dream.model.calibration import Calibration, Reading
from dream.model.debate import QUORUM, Ballot, Decision, Role, Verdict, decide
from dream.model.note import Note
from dream.ports import ChatModel

BENCHFUL = 12
"""Cases that are judged together; a budget that ends leaves at most these without all their ballots."""
FIRST = 3
"""Cases of the first benchful, when nobody knows yet how long an answer takes."""
KINDS = ("chance", "vote", "score")
_VOTE = {"accept": 0.85, "unsure": 0.5, "reject": 0.15}
SEEN = 0.02
"""Probability that the watched words must have together for their ratio to mean anything."""

Step = Callable[[int], None]
Readings = dict[Role, dict[str, list[Reading]]]
"""Each kind of reading of cases whose answer is known, by role."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a night may spend on judging; 0 is no bound."""

    seconds: float = 0.0
    tokens: int = 0

    def over(self, spent: Spent, elapsed: float, more: float = 0.0) -> str:
        """Why it is spent, or ""; `more` seconds are about to be."""
        if self.seconds and elapsed + more > self.seconds:
            return "the night's time for judging was up"
        if self.tokens and spent.tokens >= self.tokens:
            return "the night's tokens for judging were used up"
        return ""


@dataclass(slots=True)
class Sitting:
    """What came of a night's cases, by cluster id.

    Attributes:
        carried: why a case waits for another night.
        readings: what the model said of each case, by role, before any trust: what calibration learns from.
        twins: the held node that a case repeats, where the rules left that unsure and the model did not.
    """

    judge: str
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    carried: dict[str, str] = field(default_factory=dict)
    drafts: dict[str, Draft] = field(default_factory=dict)
    readings: dict[str, dict[str, float]] = field(default_factory=dict)
    twins: dict[str, str] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    seconds: float = 0.0


class Court:
    """A model at the bench.

    Args:
        seconds: a clock that only moves forward.
        calibrations: what its readings are worth in each role; a role without trust is left to its instruments.
        quorum: ballots needed (two in CONSERVATIVE).
        draft: let the Archivist draft what is accepted.
        bar: reading above which the model's word makes two statements one, see `twins.bar`; 1 or more is never.
    """

    def __init__(
        self,
        model: ChatModel,
        seconds: Callable[[], float],
        calibrations: Mapping[Role, Calibration],
        *,
        budget: Budget = Budget(),
        quorum: int = QUORUM,
        draft: bool = True,
        bar: float = math.inf,
    ) -> None:
        self._asker = Asker(model, seconds)
        self._clock = seconds
        self._worth = {role: each for role, each in calibrations.items() if each.trust}
        self._budget = budget
        self._quorum = quorum
        self._draft = draft
        self._bar = bar

    @property
    def asker(self) -> Asker:
        """Who asks the model, with what was spent so far."""
        return self._asker

    def judge(self, cases: Sequence[Case], step: Step = lambda done: None) -> Sitting:
        """Verdicts for the cases, as far as the budget goes; each case gets one or is carried over."""
        sitting = Sitting(self._asker.name, spent=self._asker.spent)
        began = self._clock()
        why = ""
        start = 0
        while start < len(cases):
            some = cases[start : start + self._benchful(began)]
            start += len(some)
            if not why:
                try:
                    why = self._bench(some, sitting, began)
                except ModelUnavailable as error:
                    why = f"the model went away: {error.sentence}"
            for case in some:
                if case.cluster.id not in sitting.verdicts:
                    sitting.carried.setdefault(case.cluster.id, why)
            step(start)
        sitting.seconds = self._clock() - began
        return sitting

    def _benchful(self, began: float) -> int:
        """How many cases to judge together: few at first and near the end of the time, so that they get all ballots."""
        if not self._budget.seconds:
            return BENCHFUL
        pace = self._pace()
        if not pace:
            return FIRST
        left = self._budget.seconds - (self._clock() - began)
        return max(1, min(BENCHFUL, int(left / (pace * len(BENCH)))))

    def _bench(self, cases: Sequence[Case], sitting: Sitting, began: float) -> str:
        """Judge a benchful; why it stopped, or ""."""
        ballots: dict[str, list[Ballot]] = {}
        unfinished: set[str] = set()
        for seat in BENCH:
            for case in cases:
                cast = ballots.setdefault(case.cluster.id, [])
                finding = seat.instrument(case)
                vetoed = _settled(cast) or finding.refuses
                if vetoed or seat.role not in self._worth:
                    cast.append(finding)
                    continue
                why = self._budget.over(self._asker.spent, self._clock() - began, self._pace())
                if why:
                    return why
                try:
                    ballot, reading = self._ballot(seat, case, finding)
                    sitting.readings.setdefault(case.cluster.id, {})[seat.role.value] = reading
                except ReplyLost as lost:
                    ballot = replace(finding, score=None, reason=lost.sentence)
                    unfinished |= {case.cluster.id} if lost.unfinished else set()
                cast.append(ballot)
        for case in cases:
            verdict = self._verdict(ballots[case.cluster.id])
            if case.cluster.id in unfinished and verdict.reason.startswith("only "):
                sitting.carried[case.cluster.id] = "the model did not finish its answers"
                continue
            sitting.verdicts[case.cluster.id] = verdict
            if verdict.decision is Decision.ACCEPT:
                self._comparing(case, sitting, began)
            if self._draft and verdict.decision is not Decision.REJECT:
                self._drafting(case, sitting, began)
        return ""

    def _verdict(self, cast: Sequence[Ballot]) -> Verdict:
        verdict = decide(cast, judge=self._asker.name, quorum=self._quorum)
        number = sum(ballot.score is not None for ballot in cast)
        if number >= self._quorum or _settled(cast):
            return verdict
        return Verdict(
            Decision.HOLD, verdict.consensus, verdict.ballots, verdict.judge,
            f"only {number} of {self._quorum} ballots were cast",
        )  # fmt: skip

    def _pace(self) -> float:
        """Seconds the next question will take, by those before it."""
        spent = self._asker.spent
        return spent.seconds / spent.calls if spent.calls else 0.0

    def _ballot(self, seat: Seat, case: Case, finding: Ballot) -> tuple[Ballot, float]:
        worth = self._worth[seat.role]
        told = self._told(seat, case, finding, case.cluster.notes)
        reading = readings_of(told)[worth.reading]
        score = worth.moved(finding.score or 0, reading)
        said = f"{told.plain['vote']}: {told.plain['reason']}"
        return replace(finding, score=score, reason=" ".join(said.split())), reading

    def _told(self, seat: Seat, case: Case, finding: Ballot, notes: Sequence[Note]) -> Told:
        """The role's answer; a question that does not fit is split, and the half that doubts more counts."""
        try:
            return self._asker.ask(seat.question(case, finding, notes))
        except ReplyLost as lost:
            if not lost.unfinished or len(notes) < 2:
                raise
            halves = [notes[: len(notes) // 2], notes[len(notes) // 2 :]]
            answers = [self._told(seat, case, finding, half) for half in halves]
            return min(answers, key=lambda told: readings_of(told)[self._worth[seat.role].reading])

    def _comparing(self, case: Case, sitting: Sitting, began: float) -> None:
        """Whether it repeats what the rules left unsure; asked only of a model that has earned a say in it."""
        best = self._bar
        for node_id, text in case.twins if self._bar < 1 else ():
            if self._budget.over(self._asker.spent, self._clock() - began, self._pace()):
                return
            reading = twin_reading(self._asker, text, case.text)
            if reading > best:
                best, sitting.twins[case.cluster.id] = reading, node_id

    def _drafting(self, case: Case, sitting: Sitting, began: float) -> None:
        """What the Archivist drafts; without it a node has what the rules found."""
        if self._budget.over(self._asker.spent, self._clock() - began, self._pace()):
            return
        try:
            told = self._asker.ask(drafting(case.cluster.notes, dates_meant(case)))
        except ReplyLost:
            return
        sitting.drafts[case.cluster.id] = drafted(told.plain, case)


def readings_on(
    trials: Sequence[Trial], model: ChatModel, seconds: Callable[[], float], step: Step = lambda done: None
) -> tuple[Readings, Spent]:
    """Readings on trials; an answer that is lost reads as nothing.

    Raises:
        ModelUnavailable: the server went away.
    """
    asker = Asker(model, seconds)
    seats = {seat.role: seat for seat in BENCH}
    found: Readings = {role: {kind: [] for kind in KINDS} for role in Role}
    for number, trial in enumerate(sorted(trials, key=lambda each: each.role.value), 1):
        seat, case = seats[trial.role], trial.case
        try:
            told = asker.ask(seat.question(case, _NO_FINDING, case.cluster.notes))
        except ReplyLost:
            told = None
        for kind, reading in (readings_of(told) if told else dict.fromkeys(KINDS, 0.5)).items():
            found[trial.role][kind].append((reading, trial.keep))
        step(number)
    return found, asker.spent


def readings_of(told: Told) -> dict[str, float]:
    """The three ways to read an answer, in 0..1; without probabilities the vote stands in for them."""
    vote = _VOTE[told.plain["vote"]]
    yes, no = told.chances.get("accept", 0.0), told.chances.get("reject", 0.0)
    chance = yes / (yes + no) if yes + no >= SEEN else vote
    return {"chance": chance, "vote": vote, "score": told.plain["score"] / max(SCORES)}


_NO_FINDING = Ballot(Role.ARCHIVIST, 50, "none")


def _settled(cast: Sequence[Ballot]) -> bool:
    """Whether the Archivist's instruments have refused it: no vote can change that."""
    return any(ballot.refuses for ballot in cast)
