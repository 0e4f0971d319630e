"""Four roles vote without seeing one another; their weighted score decides (decisions.md, seed 001).

Scores are whole hundredths. Accept above 70, hold for a person from 50 to 70, reject below 50. A veto caps the
verdict at hold; the Archivist's rejects, unless it is on a part of the claim. Fewer than the quorum is a hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

ACCEPT_ABOVE = 70
REJECT_BELOW = 50
QUORUM = 3


class Role(StrEnum):
    """Who judges."""

    ARCHIVIST = "archivist"
    SCEPTIC = "sceptic"
    OPTIMISER = "optimiser"
    DOMAIN_EXPERT = "domain_expert"


WEIGHT = {Role.ARCHIVIST: 25, Role.SCEPTIC: 30, Role.OPTIMISER: 20, Role.DOMAIN_EXPERT: 25}


class Decision(StrEnum):
    """What a verdict says."""

    ACCEPT = "accept"
    HOLD = "hold"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One role's vote: a score in hundredths, the reason in a sentence, and whether it vetoes. None abstains.

    Attributes:
        part: the veto is on a part of the claim (its date), so a person can mend it: nobody's refuses.
    """

    role: Role
    score: int | None
    reason: str
    veto: bool = False
    part: bool = False

    @property
    def refuses(self) -> bool:
        """Whether no other vote can change that it is refused: the Archivist found the whole claim unsaid."""
        return self.veto and not self.part and self.role is Role.ARCHIVIST


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the ballots came to; `judge` is `rules` or a model's name."""

    decision: Decision
    consensus: int
    ballots: tuple[Ballot, ...]
    judge: str
    reason: str


def consensus(ballots: Sequence[Ballot]) -> int:
    """The weighted mean of the ballots cast, rounded half up to whole hundredths; 0 where none was cast."""
    cast = [(WEIGHT[ballot.role], ballot.score) for ballot in ballots if ballot.score is not None]
    total = sum(weight for weight, _ in cast)
    if not total:
        return 0
    return (2 * sum(weight * score for weight, score in cast) + total) // (2 * total)


def decide(ballots: Sequence[Ballot], judge: str, quorum: int = QUORUM) -> Verdict:
    """The verdict of `ballots`."""
    score = consensus(ballots)
    cast = sum(ballot.score is not None for ballot in ballots)
    vetoes = [ballot for ballot in ballots if ballot.veto]
    lowest = min((b for b in ballots if b.score is not None), key=lambda b: b.score or 0, default=None)
    why = lowest.reason if lowest else "no role voted"
    if refused := [ballot for ballot in vetoes if ballot.refuses]:
        decision, why = Decision.REJECT, refused[0].reason
    elif score < REJECT_BELOW:
        decision = Decision.REJECT
    elif cast < quorum:
        decision, why = Decision.HOLD, f"only {cast} of {quorum} ballots were cast"
    elif vetoes:
        decision, why = Decision.HOLD, vetoes[0].reason
    elif score <= ACCEPT_ABOVE:
        decision = Decision.HOLD
    else:
        decision = Decision.ACCEPT
    return Verdict(decision, score, tuple(ballots), judge, why)
