"""The hooks' own log, and the trace that says a hook ran. Neither raises, and neither holds what a person wrote."""

from __future__ import annotations

import os

from dream.capture.home import ensure_folder
from dream.capture.instants import of_epoch

ROTATE_BYTES = 1_000_000


def line(home: str, event: str, text: str, now: float) -> None:
    """Append one line to `logs/hooks.log`; at 1 MB the file becomes `hooks.log.1`. A full disk is not reported."""
    path = os.path.join(home, "logs", "hooks.log")
    record = f"{of_epoch(now)} {event} {' '.join(text.split())}\n"
    try:
        ensure_folder(os.path.dirname(path))
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, record.encode("utf-8", "replace"))
            full = os.fstat(descriptor).st_size > ROTATE_BYTES
        finally:
            os.close(descriptor)
        if full:
            os.replace(path, path + ".1")
    except OSError:  # the log is the last place to say so
        return


def seen(home: str, event: str, now: float) -> None:
    """Set the time of `capture/seen/EVENT` to this run, for `dream health`; where there is no store, leave no trace."""
    folder = os.path.join(home, "capture", "seen")
    try:
        if os.path.isdir(home):
            ensure_folder(folder)
            path = os.path.join(folder, event)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
            os.utime(path, (now, now))
    except OSError:
        return
