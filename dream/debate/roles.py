"""The four roles with their instruments: deterministic checks that vote alone where no model is configured.

Each role looks at the same case and at nothing of the others. Weights are in `model/debate.py`. Where a model judges
(issue 6), the findings here go into its prompt, and a veto here caps its vote.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dream.debate.cluster import Cluster
from dream.model.debate import Ballot, Role
from dream.model.note import Origin

TOKENS = 120
"""Longest statement the Optimiser lets through; a token is ceil(UTF-8 bytes / 4)."""
PERSONAL = frozenset({"email", "phone", "ip", "ipv6", "address"})
"""Kinds of redaction beside which a sentence may still say something worth keeping."""

ANCHORS = frozenset({"save", "rule", "norm", "decision", "update", "retract", "preference", "repeat", "label"})
"""Signals by which a sentence without a value still says something that lasts."""

FIRM = frozenset({"save", "decision", "correction"})
"""Signals by which a person's contradiction of what is held is kept beside it, not only asked about."""

_WORD = re.compile(r"\w+")
_TAG = re.compile(r"\[redacted:([a-z0-9-]+)")


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster with what is known about it before anyone votes.

    Attributes:
        text: what would be remembered (dates put in after the words that say them).
        unresolved: words that name a day no calendar has.
        contradicts: texts of live nodes that deny it, without a word of change in it.
        familiar: share of its topic that the project's own nodes and notes speak of, 0..100.
        values: figures, names and identifiers it holds.
        held: texts of the live nodes closest to it, for a role that reads.
        twins: live nodes that may say the same though the rules do not find it, as (id, text), closest first.
    """

    cluster: Cluster
    text: str
    values: int
    topic: int
    unresolved: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    familiar: int = 0
    held: tuple[str, ...] = ()
    twins: tuple[tuple[str, str], ...] = ()


def tokens(text: str) -> int:
    """ceil(UTF-8 bytes / 4)."""
    return -(-len(text.encode()) // 4)


def archivist(case: Case) -> Ballot:
    """Facts stand in their notes word for word, and their dates resolve."""
    said = " ".join(note.text for note in case.cluster.notes)
    if not _stands_in(case.cluster.text, said):
        return Ballot(Role.ARCHIVIST, 0, "it says words that its notes do not", veto=True)
    removed = set(_TAG.findall(case.cluster.text))
    if removed - PERSONAL or (removed and not case.values and case.topic <= 3):
        return Ballot(Role.ARCHIVIST, 10, "what it said was a secret and has been removed", veto=True)
    if case.unresolved:
        reason = f"the date {case.unresolved[0]!r} is in no calendar"
        return Ballot(Role.ARCHIVIST, 45, reason, veto=True, part=True)
    if not case.topic and not case.values:
        return Ballot(Role.ARCHIVIST, 20, "it names nothing one could look up")
    if not case.values and not ANCHORS & case.cluster.signals:
        return Ballot(Role.ARCHIVIST, 15, "it holds no value, name or date, and no word that says it lasts")
    return Ballot(Role.ARCHIVIST, 90 if case.values or case.topic >= 2 else 65, "it stands in its notes word for word")


_DOUBT = (
    ("injection", 0, "it gives orders to the assistant"),
    ("one_off", 10, "it holds for one time only"),
    ("hypothetical", 15, "it is a supposition, not a fact"),
    ("hearsay", 20, "it is hearsay"),
    ("rejection", 20, "it turns something down"),
    ("transient", 25, "it is true for the moment only"),
    ("task", 25, "it asks for work now and states nothing lasting"),
    ("question", 25, "it asks and does not state"),
)


def sceptic(case: Case) -> Ballot:
    """Suppositions, orders, passing states, hearsay and contradictions are hunted down."""
    for signal, score, reason in _DOUBT:
        if signal in case.cluster.signals:
            return Ballot(Role.SCEPTIC, score, reason, veto=signal == "injection")
    if case.contradicts and case.cluster.origin is Origin.USER and FIRM & case.cluster.signals:
        reason = f"the person says it firmly, and it denies what is held: {case.contradicts[0]}"
        return Ballot(Role.SCEPTIC, 60, reason)
    if case.contradicts:
        return Ballot(Role.SCEPTIC, 40, f"it denies what is held: {case.contradicts[0]}", veto=True)
    if case.cluster.origin not in (Origin.USER, Origin.ASSISTANT):
        return Ballot(Role.SCEPTIC, 30, f"its only witness is a {case.cluster.origin}", veto=True)
    witnesses = {note.origin for note in case.cluster.notes}
    if case.cluster.origin is Origin.ASSISTANT and Origin.USER not in witnesses:
        return Ballot(Role.SCEPTIC, 35, "only the assistant said it")
    return Ballot(Role.SCEPTIC, 90, "nothing speaks against it")


def optimiser(case: Case) -> Ballot:
    """What is kept is short."""
    size = tokens(case.text)
    if size > TOKENS:
        return Ballot(Role.OPTIMISER, 20, f"it has {size} tokens, more than {TOKENS}", veto=True)
    return Ballot(Role.OPTIMISER, 95 if size <= 40 else 80, f"it has {size} tokens")


def domain_expert(case: Case) -> Ballot:
    """What is kept matters to the work at hand."""
    score = min(100, 35 + case.cluster.load * 6 // 10 + case.familiar // 5)
    return Ballot(Role.DOMAIN_EXPERT, score, f"load {case.cluster.load}, {case.familiar} % familiar to the project")


INSTRUMENTS: tuple[Callable[[Case], Ballot], ...] = (archivist, sceptic, optimiser, domain_expert)


def _stands_in(text: str, said: str) -> bool:
    """Whether every word of `text` stands in `said`, in its order."""
    words = iter(_WORD.findall(said))
    return all(any(word == other or other.startswith(word) for other in words) for word in _WORD.findall(text))
