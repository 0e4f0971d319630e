"""A judge as the mode allows it: what would be admitted waits for a person where the mode admits nothing.

What a person gave by hand while writes had to wait is that person's word: in a mode that admits, it is let in as it
would have been at once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.model.debate import Decision, Verdict
from dream.model.mode import ALLOWS, Mode

BY_HAND = "by hand"
"""Session of notes that a person gave directly; the judge of their nodes is `person`."""

Judge = Callable[[Case], Verdict]


def under(mode: Mode, judge: Judge | None = None) -> Judge:
    """The judge of a night in this mode; None is the instruments, with the mode's quorum."""
    allows = ALLOWS[mode]

    def sit(case: Case) -> Verdict:
        if case.cluster.notes[0].session == BY_HAND:
            verdict = Verdict(Decision.ACCEPT, 100, (), "person", "a person asked to keep it")
        else:
            verdict = judge_by_rules(case, allows.quorum) if judge is None else judge(case)
        if verdict.decision is Decision.ACCEPT and not allows.admits:
            reason = f"mode {mode}: what would be accepted waits for you"
            return dataclasses.replace(verdict, decision=Decision.HOLD, reason=reason)
        return verdict

    return sit
