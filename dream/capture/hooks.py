"""The five events of the host. Each ends with exit code 0 and prints nothing but SessionStart's JSON.

- SessionStart: takes in what no hook saw (sessions of this project newer than the last good night), then prints the
  prepared index.
- Stop, PreCompact: take the new turns of the transcript into the day's buffer.
- UserPromptSubmit: does so too, and only when `DREAM_CAPTURE_PROMPTS=1`. The prompt itself is not yet in the transcript
  and comes with the next Stop; what this adds is the turn before it, where Escape kept Stop from firing.
- SessionEnd: one marker line (the host gives it 1.5 seconds).

Until a person has made a store (`dream init`) or named its folder (`DREAM_HOME`) nothing is read, noted or printed.
`DREAM_INSIDE=1` (set where Dream itself starts Claude) makes every hook return at once. Trouble goes to
`logs/hooks.log`, without a word of what the session said.
"""

from __future__ import annotations

import os
import sys
import time

STDIN_SECONDS = 1.5
HOST_CHARACTERS = 10_000
CATCH_UP_SECONDS = 0.4
CATCH_UP_FILES = 5


class Refused(ValueError):
    """Standard input is not what a host sends."""


def on_session_start(payload: dict[str, object], home: str, now: float) -> str:
    """The JSON object to print, or ""."""
    from dream.capture.greeting import greeting
    from dream.capture.project import project_key

    caught_up = _catch_up(payload, home, now) if os.path.isdir(home) else 0
    project = project_key(_field(payload, "cwd"))
    import json

    output = ""
    for size in (8_000, 6_000, 4_000, 2_500):
        text = greeting(home, project, now, caught_up, size)
        if not text:
            return ""
        output = json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}})
        if len(output) <= HOST_CHARACTERS:  # escapes are long; which form the host counts is not known, so both hold
            break
    return output


def on_stop(payload: dict[str, object], home: str, now: float) -> str:
    """Capture since the cursor; never anything to print, so the host can never take it as an order."""
    from dream.capture import log
    from dream.capture.catch import capture

    transcript = _field(payload, "transcript_path")
    if not transcript:
        raise Refused("no transcript_path")
    _, warning = capture(home, transcript, _field(payload, "session_id"), _field(payload, "cwd"), now)
    if warning:
        log.line(home, "Stop", warning, now)
    return ""


def on_pre_compact(payload: dict[str, object], home: str, now: float) -> str:
    """As Stop: the host may compact the context next."""
    return on_stop(payload, home, now)


def on_user_prompt_submit(payload: dict[str, object], home: str, now: float) -> str:
    """As Stop, for the turn before, where the user asked for it."""
    if os.environ.get("DREAM_CAPTURE_PROMPTS") != "1" or not os.path.exists(_field(payload, "transcript_path")):
        return ""
    return on_stop(payload, home, now)


def on_session_end(payload: dict[str, object], home: str, now: float) -> str:
    """One marker line."""
    from dream.capture.buffer import mark
    from dream.capture.instants import of_epoch

    session = _field(payload, "session_id")
    if not session:
        raise Refused("no session_id")
    mark(home, "session-end", session, of_epoch(now), of_epoch(now)[:10])
    return ""


_EVENTS = {
    "SessionStart": on_session_start,
    "Stop": on_stop,
    "PreCompact": on_pre_compact,
    "UserPromptSubmit": on_user_prompt_submit,
    "SessionEnd": on_session_end,
}


def run(event: str) -> None:
    """A whole hook process: standard input to standard output. Does not return."""
    if os.environ.get("DREAM_INSIDE") == "1":
        os._exit(0)
    import _thread  # part of the interpreter itself

    home = ""
    try:
        from dream.capture.home import may_note, resolve_home

        environ = dict(os.environ)
        home = resolve_home(environ)
        if not may_note(home, environ):
            os._exit(0)
        waiting = [True]
        _thread.start_new_thread(_watch, (home, event, waiting))
        raw = sys.stdin.buffer.read()
        waiting.clear()
        output = _EVENTS[event](_payload(raw), home, time.time())
        if output:
            sys.stdout.buffer.write(output.encode("ascii"))
            sys.stdout.buffer.flush()
        from dream.capture.log import seen

        seen(home, event, time.time())
    except Exception as fault:  # noqa: BLE001 - the last frame of the process: a hook never fails a session
        _report(home, event, fault)
    finally:
        os._exit(0)  # at once: no clean-up has anything to do here


def _watch(home: str, event: str, waiting: list[bool]) -> None:
    """End the process where the host does not close standard input."""
    time.sleep(STDIN_SECONDS)
    if waiting:
        _report(home, event, Refused("standard input was not closed"))
        os._exit(0)


def _payload(raw: bytes) -> dict[str, object]:
    import json

    try:
        payload = json.loads((raw[3:] if raw.startswith(b"\xef\xbb\xbf") else raw).decode())
    except UnicodeDecodeError:
        raise Refused("standard input is not UTF-8") from None
    except (ValueError, RecursionError):
        raise Refused("standard input is not JSON" if raw.strip() else "standard input is empty") from None
    if not isinstance(payload, dict):
        raise Refused("standard input is not a JSON object")
    return payload


def _field(payload: dict[str, object], name: str) -> str:
    found = payload.get(name)
    return found if isinstance(found, str) else ""


def _catch_up(payload: dict[str, object], home: str, now: float) -> int:
    """Capture the newest transcripts beside this session's that changed since the last good night; how many it took."""
    from dream.capture.greeting import DAY, last_good_night

    folder = os.path.dirname(_field(payload, "transcript_path"))
    since = last_good_night(home) or now - DAY
    try:
        with os.scandir(folder or os.devnull) as found:
            entries = [(entry.stat(), entry.path) for entry in found if entry.name.endswith(".jsonl")]
    except OSError:
        return 0
    newest = sorted(
        ((stat.st_mtime, stat.st_size, path) for stat, path in entries if stat.st_mtime > since), reverse=True
    )
    deadline = time.monotonic() + CATCH_UP_SECONDS
    taken = 0
    for _, size, path in newest[:CATCH_UP_FILES]:
        taken += _take(home, path, size, now, deadline - time.monotonic())
    return taken


def _take(home: str, path: str, size: int, now: float, budget: float) -> int:
    from dream.capture import cursor

    if budget <= 0 or cursor.load(cursor.path_of(home, path)).get("size") == size:
        return 0
    from dream.capture import log
    from dream.capture.catch import capture

    try:
        notes, warning = capture(home, path, os.path.basename(path)[: -len(".jsonl")], "", now, budget)
    except OSError:
        return 0
    if warning:
        log.line(home, "SessionStart", warning, now)
    return 1 if notes else 0


def _report(home: str, event: str, fault: Exception) -> None:
    """Log the fault; of one that might quote what was being read, its kind alone."""
    text = type(fault).__name__
    if isinstance(fault, OSError):
        text += f": {fault.strerror or fault} {fault.filename or ''}"
    elif isinstance(fault, Refused) or not home:
        text += f": {fault}"
    if home:
        from dream.capture.log import line

        line(home, event, text, time.time())
    else:
        sys.stderr.write(f"dream: {text}\n")
