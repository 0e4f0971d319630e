"""Take texts out of the plain files under DREAM_HOME: buffer, archive, index, logs, what was set aside.

Lines of JSON that hold one of the texts go; in other text files the line is replaced; in a JSON document the string is
emptied. The log, the keys and the databases are not touched here: they have their own way to forget.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dream.ledger import durable
from dream.paths import Home

FORGOTTEN = "(forgotten)"
_OWN = frozenset({"ledger", "keys", "venv", "vectors.lance", "models", "scripts"})


def needles(texts: Iterable[str]) -> list[bytes]:
    """The forms in which a text can stand in a file: plain, and as a JSON string of either kind."""
    found: dict[bytes, None] = {}
    for text in texts:
        plain = text.encode("utf-8", "backslashreplace")
        found[plain] = None
        for ascii_only in (True, False):
            found[json.dumps(text, ensure_ascii=ascii_only)[1:-1].encode("utf-8", "backslashreplace")] = None
    return [each for each in found if each]


def holding(home: Home, wanted: list[bytes]) -> list[Path]:
    """Files that hold one of the forms, the log and the keys aside."""
    return [path for path in files(home) if _holds(path, wanted)]


def files(home: Home) -> Iterator[Path]:
    """The plain files under DREAM_HOME that may hold a text."""
    for path in sorted(home.root.rglob("*")):
        inside = path.relative_to(home.root)
        if inside.parts[0] in _OWN or path.is_symlink() or not path.is_file():
            continue
        if path.name.startswith(home.database.name) and not path.name.endswith((".bad", ".new")):
            continue
        yield path


def scrub(home: Home, texts: Iterable[str]) -> tuple[dict[str, int], list[str]]:
    """Take the texts out; how many places in which file, and the files that still hold one."""
    wanted = needles(texts)
    done: dict[str, int] = {}
    left: list[str] = []
    if not wanted:
        return done, left
    for path in holding(home, wanted):
        path = _still(home, path)
        name = path.relative_to(home.root).as_posix()
        if path.name.endswith((".bad", ".new")) and path.name.startswith(home.database.name):
            path.unlink()
            done[name] = 1
            continue
        fresh, count = _clean(path, path.read_bytes(), wanted)
        if count:
            durable.replace(path, fresh)
            done[name] = count
        if any(each in fresh for each in wanted):
            left.append(name)
    return done, left


def _still(home: Home, path: Path) -> Path:
    """A day's buffer is sealed first, as the night does: who is writing it sees that it moved and writes again."""
    if path.parent != home.capture or path.suffix != ".jsonl":
        return path
    folder = home.capture / "sealed"
    folder.mkdir(mode=0o700, exist_ok=True)
    number = 1
    while (sealed := folder / f"{path.stem}.forget-{os.getpid()}-{number:03d}.jsonl").exists():
        number += 1
    return path.rename(sealed)


def _holds(path: Path, wanted: list[bytes]) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return any(each in content for each in wanted)


def _clean(path: Path, content: bytes, wanted: list[bytes]) -> tuple[bytes, int]:
    if b"\0" in content[:4096]:
        return content, 0
    if path.suffix == ".json":
        try:
            value = json.loads(content)
        except ValueError:
            pass
        else:
            emptied, count = _emptied(value, wanted)
            return json.dumps(emptied, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace") + b"\n", count
    replacement = b"" if path.suffix == ".jsonl" else FORGOTTEN.encode() + b"\n"
    lines = content.splitlines(keepends=True)
    fresh = [replacement if any(each in line for each in wanted) else line for line in lines]
    count = sum(1 for old, new in zip(lines, fresh, strict=True) if old is not new)
    return b"".join(fresh), count


def _emptied(value: Any, wanted: list[bytes]) -> tuple[Any, int]:
    if isinstance(value, str):
        plain = value.encode("utf-8", "backslashreplace")
        return (FORGOTTEN, 1) if any(each in plain for each in wanted) else (value, 0)
    if isinstance(value, list):
        pairs = [_emptied(each, wanted) for each in value]
        return [each for each, _ in pairs], sum(count for _, count in pairs)
    if isinstance(value, dict):
        inner = {key: _emptied(each, wanted) for key, each in value.items()}
        return {key: each for key, (each, _) in inner.items()}, sum(count for _, count in inner.values())
    return value, 0
