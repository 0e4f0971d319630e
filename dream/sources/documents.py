"""A file that a person hands over, to turns: text, Markdown, a transcript of the client, or exported conversations.

Promises that the same content gives the same turns whatever the file is called, and that a file which is none of these
is refused with the reason, not half read. An export is JSON: a conversation or a list of them, each with its messages
under `messages` or `chat_messages`, each of those with `role` or `sender`, and `text` or `content`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from dream.capture.instants import instant
from dream.capture.transcript import new_report, read_turns
from dream.errors import UsageError

LARGEST = 8 * 1024 * 1024
"""Bytes of a file; reading one takes about a second a megabyte."""
SPEAKERS = {"user": "user", "human": "user", "assistant": "assistant"}

Turn = dict[str, str]


def turns_of(name: str, content: bytes, at: str) -> list[Turn]:
    """The turns of a file.

    Args:
        name: for messages, and for its ending: `.jsonl` is a transcript, `.json` an export, anything else is text.
        at: the instant of what names none.

    Raises:
        UsageError: it is too long, no text, or not what its ending says.
    """
    if len(content) > LARGEST:
        sentence = f"{name} has {len(content) // 1024} KB; {LARGEST // 1024} are read at once."
        raise UsageError(sentence, "Split it, and give the parts.")
    text = _decoded(name, content)
    if name.lower().endswith(".jsonl"):
        return _transcript(name, content, at)
    if name.lower().endswith(".json"):
        return list(_export(name, text, at))
    digest = _digest(text)
    return [_turn(f"file:{digest}", f"file:{digest[:12]}", "file", text, at)] if text.strip() else []


def _decoded(name: str, content: bytes) -> str:
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is no text in UTF-8.", "Save it as UTF-8 text, then give it again.") from error
    if "\0" in text:
        raise UsageError(f"{name} is no text.", "Give text, Markdown, a transcript (.jsonl) or an export (.json).")
    return text


def _transcript(name: str, content: bytes, at: str) -> list[Turn]:
    report = new_report()
    turns = list(read_turns(content.splitlines(keepends=True), report, f"file:{_digest_of(content)[:12]}", at))
    if not turns and content.strip():
        raise UsageError(f"{name} holds no turn of a conversation.", "A transcript is the client's own .jsonl file.")
    return turns


def _export(name: str, text: str, at: str) -> Iterator[Turn]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} is no JSON.", "Export it anew, or give it as text under another ending.") from error
    found = 0
    for conversation in value if isinstance(value, list) else [value]:
        said = conversation.get("messages", conversation.get("chat_messages")) if isinstance(conversation, dict) else 0
        if not isinstance(said, list):
            continue
        told = json.dumps(conversation, sort_keys=True)
        session = _named(conversation, ("uuid", "id")) or f"file:{_digest(told)[:12]}"
        for place, message in enumerate(said):
            turn = _message(message, session, place, at) if isinstance(message, dict) else None
            if turn is not None:
                found += 1
                yield turn
    if not found:
        raise UsageError(f"{name} holds no conversation.", "An export has `messages` with a `role` and a `text`.")


def _message(message: dict[str, Any], session: str, place: int, at: str) -> Turn | None:
    speaker = SPEAKERS.get(_named(message, ("role", "sender")))
    text = _spoken(message.get("text") or message.get("content"))
    if speaker is None or not text.strip():
        return None
    stamp = instant(message.get("created_at") or message.get("timestamp") or message.get("at"))
    name = _named(message, ("uuid", "id")) or f"{session}/{place}"
    return _turn(f"file:{_digest(session + name + text)}", session, speaker, text, stamp or at)


def _spoken(content: object) -> str:
    """A message's text: a string, or the text of its blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n\n".join(str(each["text"]) for each in blocks if isinstance(each, dict) and each.get("text"))


def _turn(uuid: str, session: str, origin: str, text: str, at: str) -> Turn:
    role = "user" if origin == "user" else "assistant"
    return {"uuid": uuid, "session": session, "role": role, "origin": origin, "text": text, "at": at, "branch": ""}


def _named(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((value[key] for key in keys if isinstance(value.get(key), str)), "")


def _digest(text: str) -> str:
    return _digest_of(text.encode("utf-8", "surrogatepass"))


def _digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
