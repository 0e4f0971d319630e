"""The page of `dream explain`: what it says, what it stands on, what stands beside it, what happened to it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dream.cli_ledger import plain_entry
from dream.cli_page import Page

if TYPE_CHECKING:
    from rich.console import Console

    from dream.api import Explanation
    from dream.model.graph import Node


def page(why: Explanation, sources_gone: frozenset[str] = frozenset()) -> Page:
    """The answer for people and for `--json`; `sources_gone` are sessions whose transcript is no longer there."""
    plain: dict[str, Any] = {
        "id": why.id,
        "node": asdict(why.node) if why.node is not None else None,
        "notes": [asdict(note) for note in why.notes],
        "gone": list(why.gone),
        "sources_gone": sorted(sources_gone),
        "beside": [{"edge": asdict(edge), "node": asdict(node)} for edge, node in why.beside],
        "standing": [asdict(node) for node in why.standing],
        "history": [plain_entry(entry) for entry in why.history],
    }
    return Page(plain, lambda on: _draw(on, why, sources_gone))


def _draw(on: Console, why: Explanation, sources_gone: frozenset[str]) -> None:
    from rich.text import Text

    if why.node is not None:
        on.print(Text(why.node.text, style="bold"))
        for name, said in _facts(why.node):
            on.print(f"  {name:<12} {said}")
    on.print(Text("\nSaid", style="bold"))
    for note in why.notes:
        on.print(f"  {note.at[:16].replace('T', ' ')}  {note.origin}: {note.text}")
        place = f"session {note.session}" + (", its transcript is gone" if note.session in sources_gone else "")
        on.print(Text(f"    {note.id} · {place} · load {note.load} · {', '.join(note.signals)}", style="dim"))
    for gone in why.gone:
        on.print(f"  {gone}  (its text was forgotten)")
    if why.standing:
        on.print(Text("\nNodes that stand on it", style="bold"))
    for node in why.standing:
        on.print(f"  {node.text}  ({node.id}, {node.status})")
    if why.beside:
        on.print(Text("\nBeside it", style="bold"))
    for edge, node in why.beside:
        arrow = f"{edge.relation} → " if edge.source == why.id else f"← {edge.relation} "
        on.print(f"  {arrow}{node.text}  ({node.id})")
    if why.history:
        on.print(Text("\nHistory", style="bold"))
    for entry in why.history:
        night = f"night {entry.night}" if entry.night else "by day"
        on.print(f"  {entry.seq:>5}  {entry.at[:16].replace('T', ' ')}  {night}: {type(entry.change).__name__}")


def _facts(node: Node) -> list[tuple[str, str]]:
    since, until = node.valid_from, node.valid_to
    standing = [word for word, holds in (("standing rule", node.standing), ("pinned", node.pinned)) if holds]
    facts = [
        ("id", node.id),
        ("kind", f"{node.kind}, {node.status}, {node.tier}" + "".join(f", {word}" for word in standing)),
        ("project", node.project or "everywhere"),
        ("true", f"{since or 'always'} to {until or 'now'}"),
        ("learned", node.recorded_at[:16].replace("T", " ")),
        ("judged by", f"{node.judge}, consensus {node.consensus}"),
        ("dates", ", ".join(node.dates)),
        ("values", ", ".join(node.values)),
        ("replaced by", node.superseded_by or ""),
    ]
    return [(name, said) for name, said in facts if said]
