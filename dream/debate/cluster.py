"""Notes that will be judged together: the sentences of one turn that make one statement, or a proposal and its yes.

1. Only prose that carries load is judged; a sentence that only completes its neighbour goes with it.
2. A question, a task, a greeting makes no cluster; what the assistant proposed makes one when the user says yes.
3. The text of a cluster is extractive: words of its notes, without lead-ins such as `by the way`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from dream.capture.salience import JUDGED, asks_for_work, opens_with
from dream.model.ids import make_id
from dream.model.note import Note, Origin

LONGEST = 480
"""Bytes of a cluster's text: 120 tokens of four bytes (the Optimiser's limit)."""

ASIDE = frozenset({"question", "task", "chatter", "hypothetical", "transient", "hearsay", "injection"})

_LEAD = re.compile(
    r"""(?ix)^\s*(?:
    \((?:contexte|context|background|fyi|rappel|reminder|info|note|nb|btw|aside|hors\s+sujet|off\s+topic)\)\s*[:,-]?
    |(?:au\s+fait|btw|by\s+the\s+way|fyi|pour\s+info(?:rmation)?|pour\s+m[ée]moire
      |pour\s+(?:l'historique|la\s+chronique|le\s+compte\s+rendu|l'archive|les\s+archives|le\s+journal)
      |for\s+the\s+(?:record|log|books|archives?|minutes)|au\s+passage|à\s+propos|d'ailleurs
      |one\s+(?:more\s+)?thing|un\s+truc|une\s+chose|autre\s+chose|before\s+(?:you|we|i)\s+(?:start|begin|forget)
      |before\s+anything(?:\s+else)?|(?:a\s+)?note\s+before\s+we\s+start|juste\s+avant|ah\s+oui|oh\s+yes
      |while\s+i\s+(?:remember|think\s+of\s+it)|tant\s+que\s+j'y\s+pense|first\s+(?:of\s+all|things\s+first)|to\s+(?:start|begin)\s+with|avant\s+(?:toute\s+chose|tout)
      |pour\s+commencer|tout\s+d'abord|d'abord|avant\s+qu'on\s+(?:attaque|commence|s'y\s+mette)|tiens|écoute|listen|look
      |avant\s+(?:de\s+commencer|que\s+j'oublie)|petite\s+(?:info|note|précision)|quick\s+(?:note|one)|side\s+note
      |note\s+au\s+passage|also|aussi|oh(?:\s+and)?|ah(?:\s+et)?|ok(?:ay)?|bon|alors|donc|so|well|hey|salut|hi|hello|bonjour
      )\s*(?:[:,;.!—–-]+\s*)+
    |(?:au\s+fait|btw|by\s+the\s+way|fyi)\s+
    )"""
)
_LAST_COMMA = re.compile(r"\s*[,;—–]\s+(?=[^,;—–]*\Z)")
_CONDITION = re.compile(r"(?i)\s*(?:if|when|whenever|si|quand|lorsque|d[èe]s\s+que)\b")
"""What follows a condition is what holds under it (`if you need a label, ask Nadia`)."""
_DIGIT = re.compile(r"\d")
_ANAPHORA = re.compile(
    r"(?i)(?:it|its|it's|that|that's|this|these|those|they|they're|he|she|her|him|them|there|so|because|otherwise|which"
    r"|c'est|ça|ca|cela|celui|celle|ceux|il|elle|ils|elles|donc|sinon|parce|car|ce|lui|leur)\b"
)


@dataclass(frozen=True, slots=True)
class Cluster:
    """One statement and the notes it stands on.

    Attributes:
        id: `c-…`, from its notes.
        text: what would be remembered, at most 480 bytes.
        said_at: when its first note was said.
        origin: the least trusted source among the notes that say it.
        mention: it is not judged, only held against what is known (see `mentions`).
    """

    id: str
    notes: tuple[Note, ...]
    text: str
    said_at: str
    project: str
    origin: Origin
    signals: frozenset[str]
    load: int
    lang: str
    mention: bool = False


def clusters(notes: Sequence[Note]) -> list[Cluster]:
    """The clusters of one session's notes, in the order they were said.

    Args:
        notes: all notes of the session, chatter included, ordered by time, turn and index.
    """
    found: list[Cluster] = []
    turns = [list(group) for _, group in groupby(notes, key=lambda note: note.turn)]
    proposal: list[Note] = []
    for turn in turns:
        if turn[0].origin is Origin.ASSISTANT:
            proposal = _proposal(turn)
            continue
        rest = turn
        if turn[0].origin is Origin.USER and proposal:
            if opens_with(turn[0].text, "NO"):
                rest = turn[1:]
            elif opens_with(turn[0].text, "YES"):
                found.append(_cluster(proposal, (*proposal, turn[0])))
                rest = turn[1:]
        proposal = []
        found.extend(_cluster(group, tuple(group)) for group in _statements(rest))
    return found


UNMEANT = frozenset({"chatter", "question", "injection", "hearsay", "hypothetical", "rejection", "redacted"})
"""Signals of a sentence that is no evidence for anything, even where it says the words of a fact."""


def mentions(notes: Sequence[Note], judged: Iterable[Cluster]) -> list[Cluster]:
    """Each user's sentence that is not judged but may say again what is held (`bill Rosalie, the accountant`).

    Nothing new ever comes of a mention; it only shows that something held is still so.
    """
    taken = {note.id for cluster in judged for note in cluster.notes}
    return [
        dataclasses.replace(single(note), mention=True)
        for note in notes
        if note.origin is Origin.USER and note.id not in taken and not UNMEANT & set(note.signals)
    ]


def _proposal(turn: Sequence[Note]) -> list[Note]:
    """The sentence with which the assistant proposes something, where the turn has one."""
    proposing = [note for note in turn if "proposal" in note.signals and {"value", "name"} & set(note.signals)]
    if not proposing:
        return []
    stated = [note for note in proposing if "question" not in note.signals]
    return [max(stated or proposing, key=lambda note: ("value" in note.signals, note.load))]


def _statements(turn: Sequence[Note]) -> Iterable[list[Note]]:
    """Groups of neighbouring sentences that make one statement each."""
    group: list[Note] = []
    question: Note | None = None
    for note in turn:
        if "question" in note.signals:
            if group:
                yield group
            group, question = [], note if len(note.text.split()) <= 6 else None
            continue
        if question is not None and "task" not in note.signals:
            group, question = [question], None
        question = None
        aside = ASIDE & set(note.signals)
        if group and not aside and _goes_with(note, group):
            group.append(note)
            continue
        if group:
            yield group
        group = []
        told = "past" in note.signals and len(note.text.split()) <= 6
        if (note.load >= JUDGED or told or _answers(note, turn)) and not aside & {"task"}:
            group = [note]
    if group and any("question" not in note.signals for note in group):
        yield group


def _answers(note: Note, turn: Sequence[Note]) -> bool:
    """Whether it answers a short question asked just before it (`the calendar? Priya.`)."""
    before = [other for other in turn if other.index == note.index - 1]
    return (
        bool(before)
        and "question" in before[0].signals
        and len(before[0].text.split()) <= 6
        and "task" not in note.signals
    )


def _goes_with(note: Note, group: Sequence[Note]) -> bool:
    """Whether a sentence completes the statement before it rather than making one of its own."""
    if "question" in group[-1].signals:
        return True
    size = sum(len(other.text.encode()) for other in group) + len(note.text.encode())
    if size > LONGEST // 2:
        return False
    if len(group) == 1 and len(group[0].text.split()) <= 6 and {"past", "update"} & set(group[0].signals):
        return True  # a change told in a word or two, then what it comes to
    if "past" in note.signals and {"update", "decision"} & set(group[-1].signals):
        return True  # what the change did away with
    if _dates(note) and {"update", "decision", "retract", "name"} & set(group[-1].signals):
        return True
    slight = not {"value", "name"} & set(note.signals) and note.load >= JUDGED and len(note.text.split()) <= 10
    return slight or _ANAPHORA.match(note.text) is not None


def _dates(note: Note) -> bool:
    """Whether a short sentence only tells when it was (`We switched eleven days ago.`)."""
    short = len(note.text.split()) <= 9 and not _DIGIT.search(note.text)
    return short and "event" in note.signals and "name" not in note.signals


def _cluster(said: Sequence[Note], notes: tuple[Note, ...]) -> Cluster:
    text = shorten(" ".join(note.text for note in said))
    signals = frozenset(signal for note in said for signal in note.signals)
    return Cluster(
        id=make_id("c", *(note.id for note in notes)),
        notes=notes,
        text=text,
        said_at=notes[0].at,
        project=notes[0].project,
        origin=said[0].origin,
        signals=signals - {"question"} if len(said) > 1 else signals,
        load=max(note.load for note in said),
        lang=next((note.lang for note in said if note.lang), ""),
    )


def _without_requests(text: str) -> str:
    """The text without the requests that hang on its end (`…, mets-le en bas du gabarit`)."""
    while (comma := _LAST_COMMA.search(text)) is not None:
        before, after = text[: comma.start()], text[comma.end() :]
        if not asks_for_work(after) or len(before.split()) < 3 or _CONDITION.match(before):
            break
        text = before
    return text


def shorten(text: str) -> str:
    """Take lead-ins off the front and requests off the end; cut at a word to 480 bytes, with an ellipsis."""
    text = _without_requests(text)
    previous = None
    while previous != text:
        previous = text
        stripped = _LEAD.sub("", text, count=1)
        text = stripped if len(stripped.split()) >= 2 else text
    if len(text.encode()) <= LONGEST:
        return text
    cut = text.encode()[: LONGEST - 3].decode("utf-8", "ignore")
    return cut[: cut.rfind(" ")] + "…"


def single(note: Note) -> Cluster:
    """The cluster of one note that a person gave directly."""
    return _cluster([note], (note,))
