"""The plain files of a store under the rules of today: buffers, changelogs, indexes, archives, what was set aside.

Promises that a file in which the rules find nothing keeps its bytes and its time, that JSON stays JSON and ids stay
ids, and that a line of the buffer is dropped whole where its text must never be stored. The log, the keys, the
databases and the settings have no business here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dream.capture import buffer
from dream.ledger import durable, scrub
from dream.paths import Home

Clean = Callable[[str], str]
Denied = Callable[[str], bool]
FOLDERS = frozenset({"archive", "capture", "index", "logs"})
PLAIN = frozenset("id ids uuid turn session at project branch origin lang notes digest root cluster night".split())
"""Keys of JSON whose values are no sentences."""


def clean_files(home: Home, clean: Clean, denied: Denied) -> dict[str, int]:
    """Clean them, the day's buffers sealed first so that no hook writes meanwhile; how many places of which file."""
    buffer.seal(str(home.root))
    done: dict[str, int] = {}
    for path in files(home):
        before = path.read_bytes()
        if b"\0" in before[:4096]:
            continue
        after, count = cleaned(path.name, before, clean, denied)
        if count:
            durable.replace(path, after)
            done[path.relative_to(home.root).as_posix()] = count
    return done


def files(home: Home) -> Iterator[Path]:
    """The files that may hold sentences."""
    for path in scrub.files(home):
        inside = path.relative_to(home.root).parts
        if inside[0] in FOLDERS and inside[:2] != ("capture", "cursors"):
            yield path


def cleaned(name: str, content: bytes, clean: Clean, denied: Denied) -> tuple[bytes, int]:
    """A file's bytes as they should be, and in how many places they were not."""
    text = content.decode("utf-8", "surrogateescape")
    if name.endswith(".json"):
        try:
            value = json.loads(text)
        except ValueError:
            return _prose(text, clean, denied)
        fresh = _walked(value, clean)
        if fresh == value:
            return content, 0
        return (json.dumps(fresh, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogateescape"), 1
    if ".jsonl" not in name:
        return _prose(text, clean, denied)
    lines = text.splitlines(keepends=True)
    fresh_lines = [_line(line, clean, denied) for line in lines]
    count = sum(old != new for old, new in zip(lines, fresh_lines, strict=True))
    return "".join(fresh_lines).encode("utf-8", "surrogateescape"), count


def _line(line: str, clean: Clean, denied: Denied) -> str:
    try:
        value = json.loads(line)
    except ValueError:
        return "" if denied(line) else clean(line)
    if isinstance(value, dict) and isinstance(value.get("text"), str) and denied(value["text"]):
        return ""
    fresh = _walked(value, clean)
    return line if fresh == value else json.dumps(fresh, ensure_ascii=False, separators=(",", ":")) + "\n"


def _walked(value: Any, clean: Clean) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_walked(each, clean) for each in value]
    if isinstance(value, dict):
        return {key: each if key in PLAIN else _walked(each, clean) for key, each in value.items()}
    return value


def _prose(text: str, clean: Clean, denied: Denied) -> tuple[bytes, int]:
    fresh = clean(text)
    if denied(fresh):
        lines = fresh.splitlines(keepends=True)
        fresh = "".join(f"{scrub.FORGOTTEN}\n" if denied(line) else line for line in lines)
    return fresh.encode("utf-8", "surrogateescape"), int(fresh != text)
