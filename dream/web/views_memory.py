"""Search, one node, the graph."""

from __future__ import annotations

import json
from typing import Any

from dream.errors import UsageError
from dream.model.graph import NodeKind, Tier
from dream.model.hit import Hit
from dream.model.time import days_between, parse_moment
from dream.operations import Outline
from dream.web.answering import Response, to
from dream.web.pages import Ask, Shown

HITS = 10
MOST_DRAWN = 400
USUALLY_DRAWN = 150
HISTORY_SHOWN = 100
BARS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("words", ("lexical", "context", "session")),
    ("meaning", ("dense",)),
    ("neighbours", ("activation",)),
    ("rereading", ("rerank",)),
)
"""The four signals as a page shows them, and what feeds each; the rest is summed up as circumstances."""
_WIDE, _HIGH = 600.0, 140.0


def search(ask: Ask) -> Shown:
    """A question, its hits, and what each signal gave."""
    query = ask.request.query
    asked, as_of = query.get("q", "").strip(), query.get("as_of", "").strip()
    answer = ask.dream.recall(asked, k=HITS, as_of=as_of or None) if asked else None
    hits = [{"hit": hit, "bars": _bars(hit)} for hit in answer.hits] if answer else []
    return Shown("search.html", {"asked": asked, "as_of": as_of, "answer": answer, "hits": hits})


def _bars(hit: Hit) -> list[tuple[str, float]]:
    shares = dict(hit.signals)
    bars = [(name, sum(shares.pop(each, 0.0) for each in fed)) for name, fed in BARS]
    return [*bars, ("circumstances", sum(shares.values()))]


def node(ask: Ask) -> Shown | Response:
    """All about one node."""
    wanted = ask.named["id"]
    if wanted.startswith("n-"):
        explained = ask.dream.explain(wanted)
        return Shown("note.html", {"note": explained.notes[0], "standing": explained.standing})
    found = ask.care.node(wanted)
    notes, gone = ask.dream.notes_of(found)
    history = ask.dream.history(wanted)
    course = ask.dream.course(found, notes)
    return Shown(
        "node.html",
        {
            "node": found,
            "notes": notes,
            "gone": gone,
            "beside": ask.dream.neighbours(wanted),
            "history": [(entry, type(entry.change).__name__) for entry in history[-HISTORY_SHOWN:]],
            "older": max(0, len(history) - HISTORY_SHOWN),
            "course": course,
            "curve": _curve(list(course.points), course.at),
            "writes": ask.dream.standing().allows.writes,
        },
    )


def _curve(points: list[tuple[str, float]], now: str) -> dict[str, Any]:
    """The course as coordinates of an SVG line."""
    begun = points[0][0]
    span = max(1e-9, days_between(begun, points[-1][0]))

    def x(at: str) -> float:
        return round(days_between(begun, at) / span * _WIDE, 1)

    return {
        "line": " ".join(f"{x(at)},{round(_HIGH * (1 - value), 1)}" for at, value in points),
        "now": x(now),
        "first": begun,
        "last": points[-1][0],
        "wide": _WIDE,
        "high": _HIGH,
    }


def pin(ask: Ask) -> Response:
    """Keep a node at hand, or let it age again."""
    wanted = ask.named["id"]
    ask.dream.pin(wanted, ask.request.form.get("pinned") == "1")
    return to(f"/node/{wanted}")


def graph(ask: Ask) -> Shown:
    """The filters and the place where the graph is drawn, with a list for who cannot see it."""
    return Shown(
        "graph.html",
        {
            "query": dict(ask.request.query),
            "kinds": [kind.value for kind in NodeKind],
            "tiers": [tier.value for tier in Tier],
            "projects": ask.dream.projects(),
            "most": MOST_DRAWN,
        },
    )


def graph_json(ask: Ask) -> Response:
    """Nodes and edges as the drawing library takes them."""
    query = ask.request.query
    near = query.get("near", "")
    try:
        most = max(1, min(MOST_DRAWN, int(query.get("most", USUALLY_DRAWN))))
    except ValueError as error:
        raise UsageError(f"{query['most']!r} is no number.", f"Give 1 to {MOST_DRAWN}.") from error
    if near:
        drawing = ask.dream.around(near, 2, most)
    else:
        as_of = query.get("as_of", "").strip()
        project = query.get("project", "*")
        wanted = Outline(
            kind=NodeKind(query["kind"]) if query.get("kind") in set(NodeKind) else "",
            tier=Tier(query["tier"]) if query.get("tier") in set(Tier) else "",
            project=None if project == "*" else project,
            as_of=parse_moment(as_of) if as_of else "",
        )
        drawing = ask.dream.sketch(wanted, most)
    plain = {
        "nodes": [
            {"id": dot.id, "kind": dot.kind, "tier": dot.tier, "status": dot.status, "text": dot.text,
             "degree": dot.degree, "project": dot.project}
            for dot in drawing.dots
        ],
        "edges": [
            {"source": line.source, "target": line.target, "relation": line.relation, "live": line.live}
            for line in drawing.lines
        ],
        "fits": drawing.fits,
        "near": near,
    }  # fmt: skip
    return Response(json.dumps(plain, ensure_ascii=False).encode(), "application/json; charset=utf-8")
