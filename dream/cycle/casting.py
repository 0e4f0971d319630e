"""What a node is cast as: its kind, its dates, the day it holds from and the day it ends; pure."""

from __future__ import annotations

import re

from dream.debate.cluster import Cluster
from dream.debate.faults import tells_a_fault
from dream.model.frame import Frame
from dream.model.graph import Node, NodeKind
from dream.model.relative import Dated

DATES = 3
"""Dates a node carries at most, those in its text included."""
_ISO = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")


def kind_of(cluster: Cluster, frame: Frame) -> NodeKind:
    """What a statement is about, by its signals; half-lives go by it."""
    signals = cluster.signals
    for kind, holds in (
        (NodeKind.ERROR, _went_wrong(cluster)),
        (NodeKind.EVENT, bool(frame.dates) and "update" not in signals),
        (NodeKind.PERSON, "person" in signals and bool(frame.names)),
        (NodeKind.PREFERENCE, "preference" in signals),
        (NodeKind.DECISION, bool({"decision", "update"} & signals)),
        (NodeKind.PROCESS, bool({"rule", "norm"} & signals)),
        (NodeKind.CODE, bool(frame.codes)),
    ):
        if holds:
            return kind
    return NodeKind.FACT


def _went_wrong(cluster: Cluster) -> bool:
    """Whether it tells of a fault; a rule about one is a rule, and `sans casse` tells of none."""
    signals = cluster.signals
    return "error" in signals and not {"rule", "norm", "decision"} & signals and tells_a_fault(cluster.text)


def begins(dated: tuple[Dated, ...]) -> str:
    """The day a statement holds from: the one it says so of, else the first it names that is no end, "" for none."""
    days = [date for date in dated if date.granularity in ("day", "instant") and date.role != "until"]
    return next((date.iso for date in days if date.role == "from"), days[0].iso if days else "")


def information(frame: Frame) -> int:
    """How much a statement says: what one would keep of two that say the same."""
    return len(frame.topic) + 2 * len(frame.values) + len(frame.dates)


def dates_of(text: str, dates: tuple[str, ...]) -> tuple[str, ...]:
    """Distinct dates beyond those in the text, so that text and list hold DATES at most."""
    inside = set(_ISO.findall(text))
    kept: list[str] = []
    for date in dates:
        if date not in inside and date not in kept:
            kept.append(date)
    return tuple(sorted(inside & set(dates))) + tuple(kept[: max(0, DATES - len(inside))])


def not_before(old: Node, moment: str | None) -> str | None:
    """When the old one ended: never before it began (E02)."""
    if moment is None or (old.valid_from is not None and moment < old.valid_from):
        return old.valid_from
    return moment
