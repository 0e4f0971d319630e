"""Put a case before the four roles, blind, and give a verdict that names its judge."""

from __future__ import annotations

from dream.debate.roles import INSTRUMENTS, Case
from dream.model.debate import Verdict, decide


def judge_by_rules(case: Case, quorum: int = 3) -> Verdict:
    """The verdict of the instruments alone (decision 4)."""
    return decide([instrument(case) for instrument in INSTRUMENTS], judge="rules", quorum=quorum)
