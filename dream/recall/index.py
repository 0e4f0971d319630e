"""The index files that SessionStart prints: `MEMORY.md` for what holds everywhere, `projects/<key>.md` for a project.

1. Dream owns the bytes between its two markers and no others: what a person wrote around them stays as it is, byte
   for byte. Markers that do not pair up refuse the write (B24).
2. A store that suddenly has nothing to say does not wipe an index that has (B20); the report says so and is not 0.
3. A file is replaced whole or not at all.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dream.model.graph import Node, NodeStatus, Tier
from dream.paths import Home
from dream.ports import Analyser, GraphReader, NodeFilter
from dream.recall.lines import Chosen, choose, line

BEGIN = b"<!-- dream:begin -->"
END = b"<!-- dream:end -->"
TARGET = 500
LIMIT = 1_850
"""Tokens of both files together; the host's cut is at 2,000 with the fence around them."""
EVERYWHERE_SHARE = 0.35
_HEAD = 40
_FADED = (Tier.DARK, Tier.COLD)
_KEY = re.compile(r"[A-Za-z0-9_-]{0,80}")
_ID = re.compile(rb"\((f-[0-9a-f]{24})\)")


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What became of the files.

    Attributes:
        written: paths whose text changed or was confirmed.
        kept: (path, why it was left as it is).
    """

    written: tuple[Path, ...]
    kept: tuple[tuple[Path, str], ...]

    @property
    def result(self) -> int:
        """0 where every file says what the store says, 1 where one was left alone."""
        return 1 if self.kept else 0


def build_index(
    home: Home,
    reader: GraphReader,
    analyser: Analyser,
    *,
    night: str = "",
    vitality: Mapping[str, float] | None = None,
    target: int = TARGET,
    empty: bool = False,
) -> IndexReport:
    """Write the index files of all projects that have nodes, or have a file.

    Args:
        night: date shown in the heading.
        vitality: score by node id; without it tier, load and recency order the lines.
        empty: the store is meant to have nothing (after an undo), so files may become empty.
    """
    by_project: dict[str, list[Node]] = {"": []}
    for node in reader.nodes(NodeFilter()):
        by_project.setdefault(node.project, []).append(node)
    folder = home.index / "projects"
    for path in folder.glob("*.md") if folder.is_dir() else ():
        by_project.setdefault(path.stem, [])
    written: list[Path] = []
    kept: list[tuple[Path, str]] = []
    for project, nodes in sorted(by_project.items()):
        if not _KEY.fullmatch(project):
            kept.append((folder, f"{project!r} is not a project key: no file is named after it"))
            continue
        share = 1 - EVERYWHERE_SHARE if project else EVERYWHERE_SHARE
        chosen = choose(nodes, analyser, int(target * share) - _HEAD, int(LIMIT * share) - _HEAD, vitality)
        path = folder / f"{project}.md" if project else home.index / "MEMORY.md"
        why = _write(path, chosen, reader, project, night, empty)
        if why:
            kept.append((path, why))
        elif path.exists():
            written.append(path)
    return IndexReport(tuple(written), tuple(kept))


def strike(home: Home, node_ids: Iterable[str]) -> int:
    """Take the lines of these nodes out of every index file (after `forget` or `undo`); how many went."""
    gone = {each.encode() for each in node_ids}
    struck = 0
    for path in (home.index / "MEMORY.md", *(home.index / "projects").glob("*.md")):
        if not path.is_file():
            continue
        lines = path.read_bytes().splitlines(keepends=True)
        left = [each for each in lines if not (each.startswith(b"- ") and gone.intersection(_ID.findall(each)))]
        if len(left) < len(lines):
            struck += len(lines) - len(left)
            _replace(path, b"".join(left))
    return struck


def render(chosen: Chosen, project: str, night: str) -> str:
    """The text between the markers."""
    of = f"this project ({project})" if project else "every project"
    parts = [f"# Dream, {of}{f', night of {night}' if night else ''}"]
    for section in chosen.sections:
        parts += [f"## {section.title}", *(line(node) for node in section.nodes)]
    if chosen.left_out:
        parts.append(f"({chosen.left_out} more left out: `dream search` finds them)")
    return "\n".join(parts) + "\n"


def splice(existing: bytes, block: bytes) -> bytes | None:
    """`existing` with what stands between its markers replaced; None where the markers are broken.

    A file without markers keeps all its bytes and gets the block after them.
    """
    begins, ends = existing.count(BEGIN), existing.count(END)
    framed = BEGIN + b"\n" + block + END
    if not begins and not ends:
        gap = b"" if not existing or existing.endswith(b"\n") else b"\n"
        return existing + gap + framed + b"\n"
    start, stop = existing.find(BEGIN), existing.find(END)
    if begins != 1 or ends != 1 or stop < start:
        return None
    return existing[:start] + framed + existing[stop + len(END) :]


def _write(path: Path, chosen: Chosen, reader: GraphReader, project: str, night: str, empty: bool) -> str:
    """Write one file; say why not where it was left alone."""
    existing = path.read_bytes() if path.is_file() else b""
    if not chosen.count:
        listed = [each.decode() for each in _ID.findall(existing)]
        if not listed and (not existing or BEGIN in existing):
            return ""
        if not empty and not _all_gone(listed, reader):
            return f"the store has no active node here, the index has {len(existing.splitlines())} lines: left alone"
    text = splice(existing, render(chosen, project, night).encode())
    if text is None:
        return "its dream markers do not pair up: left alone; put one begin before one end, or delete both"
    if text != existing:
        _replace(path, text)
    return ""


def _all_gone(listed: list[str], reader: GraphReader) -> bool:
    """Whether the store knows each listed node as closed or faded: then having nothing to say is the truth."""
    known = [reader.node(each) for each in listed]
    return bool(known) and all(
        node is not None and (node.status is not NodeStatus.CURRENT or node.tier in _FADED) for node in known
    )


def _replace(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".index-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
