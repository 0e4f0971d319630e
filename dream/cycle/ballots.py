"""What the roles voted in a night, cluster by cluster, for a person to read: `archive/nights/NIGHT.jsonl`.

One JSON object a line: the debate (as the archive of refusals keeps it), what became of it and the node it touched. It
is no part of memory: lost, a night still shows what it did, without the votes. `forget` empties it like any archive.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from dream.cycle.consolidate import debate_record
from dream.cycle.night import Plan
from dream.paths import Home

_NIGHT = re.compile(r"\d{4}-\d{2}-\d{2}(\.\d+)?")


def keep(home: Home, plan: Plan) -> None:
    """Write the ballots of a night; a disk that refuses costs them, not the night."""
    lines = []
    for each in plan.consolidated:
        told = json.loads(debate_record(each.cluster, each.verdict))
        told |= {"outcome": each.outcome.value, "reason": each.verdict.reason}
        told |= {"node": each.node.id if each.node else "", "closed": [node.id for node in each.closed]}
        lines.append(json.dumps(told, ensure_ascii=False, sort_keys=True) + "\n")
    path = home.archive / "nights" / f"{plan.oriented.night}.jsonl"
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.write_text("".join(lines), encoding="utf-8")
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)


def read(home: Home, night: str) -> list[dict[str, Any]]:
    """The clusters of a night with their ballots; empty where they were not kept."""
    if not _NIGHT.fullmatch(night):
        return []
    try:
        content = (home.archive / "nights" / f"{night}.jsonl").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return []
    found = []
    for line in content.splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict):
            found.append(told)
    return found
