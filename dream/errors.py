"""What can go wrong, said once: a code, a sentence for people, and what to do next.

Expected outcomes (nothing due, a hold, a failed verification) are values, not errors.
"""

from __future__ import annotations


class DreamError(Exception):
    """Base of every error Dream raises on purpose.

    Args:
        sentence: what happened and why, in one sentence.
        hint: what the reader can do about it.

    `exit_code` is what the command line returns: 1 failed, 2 wrong usage, 3 refused with nothing lost.
    """

    code = "error"
    exit_code = 1

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class SettingsError(DreamError):
    """A setting has a value Dream cannot use."""

    code = "settings"
    exit_code = 2


class UsageError(DreamError):
    """The caller asked for something that makes no sense (a bad date, an empty text)."""

    code = "usage"
    exit_code = 2


class TranscriptFormatError(DreamError):
    """A transcript is not in a form Dream knows."""

    code = "transcript-format"


class NodeNotFound(DreamError):
    """No node, note, hold or night has the id that was asked for."""

    code = "not-found"


class Conflict(DreamError):
    """A change does not follow from the state it would change (stale, doubled, or impossible)."""

    code = "conflict"


class LedgerTampered(DreamError):
    """The log says something its signatures or hashes do not.

    Args:
        seq: first entry that does not hold, counted from 0; None where the fault is not in one entry.
    """

    code = "ledger-tampered"

    def __init__(self, sentence: str, hint: str = "", seq: int | None = None) -> None:
        super().__init__(sentence, hint)
        self.seq = seq


class LedgerSealed(DreamError):
    """The ledger refuses writes until a person has looked at it."""

    code = "ledger-sealed"
    exit_code = 3


class StoreBroken(DreamError):
    """A database file is damaged; it can be made again from the log."""

    code = "store-broken"


class StoreOlder(StoreBroken):
    """A database file of an older version; it is sound, and is made again from the log in the form of this one."""

    code = "store-older"


class Locked(DreamError):
    """Another process holds the lock; nothing was lost."""

    code = "locked"
    exit_code = 3


class ModeForbids(DreamError):
    """The current mode does not allow this action."""

    code = "mode-forbids"
    exit_code = 3


class ModelUnavailable(DreamError):
    """A model that was asked for is not there."""

    code = "model-unavailable"


class PromptCut(DreamError):
    """A question did not fit the window of the model, or the server cut it without a word."""

    code = "prompt-cut"


class ReplyLost(DreamError):
    """A model gave no usable answer, not even when asked again.

    Args:
        unfinished: it ran out of tokens or the question was cut: asked another way it may well answer.
    """

    code = "reply-lost"

    def __init__(self, sentence: str, hint: str = "", unfinished: bool = False) -> None:
        super().__init__(sentence, hint)
        self.unfinished = unfinished


class NightDeferred(DreamError):
    """The night waits for the model that should judge; the buffer is kept."""

    code = "night-deferred"
    exit_code = 3


class CycleFailed(DreamError):
    """A night stopped in a phase.

    Args:
        phase: one of orient, gather, consolidate, prune.
    """

    code = "cycle-failed"

    def __init__(self, sentence: str, hint: str = "", phase: str = "") -> None:
        super().__init__(sentence, hint)
        self.phase = phase
