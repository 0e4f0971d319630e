"""Commands that ask memory and tell it: search, remember, pin, explain, context."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from dream.model.hit import Answer, Hit

Commands = Any  # argparse's own type for sub-commands has no public name


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    ask = commands.add_parser("search", parents=[common], help="ask memory: hits with scores and sources")
    ask.add_argument("query", help="what to look for, in your own words")
    ask.add_argument("-k", type=int, default=5, metavar="N", help="how many hits at most (5)")
    ask.add_argument("--as-of", metavar="DATE", help="what was true on that date, by what had been said then")
    ask.add_argument("--project", metavar="DIR", help="look in the project of this folder and in what holds everywhere")
    ask.add_argument("--kind", action="append", metavar="K", help="only nodes of this kind; may be given again")
    ask.add_argument("--history", action="store_true", help="superseded and retracted facts too")
    ask.add_argument("--no-rerank", action="store_true", help="leave the reranker out")
    ask.add_argument("--explain", action="store_true", help="show each signal's share of the score")
    ask.set_defaults(run=search)

    keep = commands.add_parser("remember", parents=[common], help="keep a sentence now, without waiting for the night")
    keep.add_argument("text", help="the sentence; secrets are taken out before it is stored")
    keep.add_argument("--kind", metavar="K", help="kind of node (by its words)")
    keep.add_argument("--id", metavar="UUID", help="the same id again changes nothing, so a retry is safe")
    keep.add_argument("--project", metavar="DIR", help="where it holds: the project of this folder (everywhere)")
    keep.set_defaults(run=remember)

    hold = commands.add_parser("pin", parents=[common], help="keep a node at hand whatever its age")
    hold.add_argument("id", help="id of a node (f-…)")
    hold.add_argument("--off", action="store_true", help="let it age again")
    hold.set_defaults(run=pin)

    why = commands.add_parser("explain", parents=[common], help="why Dream believes this: sources, history, neighbours")
    why.add_argument("id", help="id of a node (f-…) or a note (n-…)")
    why.set_defaults(run=explain)

    page = commands.add_parser("context", parents=[common], help="what a session in this folder is greeted with")
    page.add_argument("--project", metavar="DIR", default=".", help="the folder (this one)")
    page.add_argument("--budget", type=int, metavar="N", help="length in tokens (setting context_tokens)")
    page.set_defaults(run=context)


def search(arguments: argparse.Namespace) -> Page:
    """`dream search`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        answer = dream.recall(
            arguments.query,
            k=arguments.k,
            as_of=arguments.as_of,
            history=arguments.history,
            folder=arguments.project,
            kinds=arguments.kind,
            rerank=not arguments.no_rerank,
        )
    plain = {
        "query": arguments.query,
        "hits": [_plain_hit(hit) for hit in answer.hits],
        "degraded": list(answer.degraded),
        "abstained": answer.abstained,
    }
    return Page(plain, lambda on: _draw_answer(on, answer, arguments.explain))


def _plain_hit(hit: Hit) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "id": hit.id,
        "text": hit.text,
        "score": round(hit.score, 4),
        "signals": {name: round(share, 4) for name, share in hit.signals},
        "kind": hit.kind,
        "status": hit.status,
        "stale": hit.stale,
        "superseded_by": hit.superseded_by,
        "valid_from": hit.valid_from,
        "valid_to": hit.valid_to,
        "project": hit.project,
        "at": hit.at,
        "sources": [asdict(note) for note in hit.sources],
    }
    return plain


def _draw_answer(on: Console, answer: Answer, explained: bool) -> None:
    from rich.padding import Padding
    from rich.text import Text

    if not answer.hits:
        on.print("Nothing is known about that." if not answer.abstained else "Nothing fits well enough to be said.")
    for number, hit in enumerate(answer.hits, 1):
        on.print(Text.assemble((f"{number}. ", "bold"), (hit.text, "bold")))
        facts = [hit.kind or "note", hit.id, f"score {hit.score:.2f}", *_standing(hit)]
        on.print(Padding(Text(" · ".join(map(str, facts)), style="dim"), (0, 0, 0, 3), expand=False))
        if explained:
            shares = "  ".join(f"{name} {share:.2f}" for name, share in hit.signals)
            on.print(Padding(Text(shares, style="cyan"), (0, 0, 0, 3), expand=False))
        for note in hit.sources[:3]:
            said = f"{note.at[:16].replace('T', ' ')}  {note.origin}: {note.text}"
            on.print(Padding(Text(said), (0, 0, 0, 3), expand=False))
        if len(hit.sources) > 3:
            on.print(
                Padding(
                    Text(f"and {counted(len(hit.sources) - 3, 'source')} more", style="dim"), (0, 0, 0, 3), expand=False
                )
            )
        on.print()
    if explained:
        for missing in answer.degraded:
            on.print(Text(f"Without {missing}", style="dim"))


def _standing(hit: Hit) -> Iterator[str]:
    if hit.status != "current":
        yield str(hit.status)
    if hit.stale:
        yield "out of date"
    if hit.valid_from:
        yield f"since {hit.valid_from[:10]}"
    if hit.valid_to:
        yield f"until {hit.valid_to[:10]}"


def remember(arguments: argparse.Namespace) -> Page:
    """`dream remember`: a sentence is kept in the buffer where another process holds the store."""
    from dream.api_saying import WAITS_HINT
    from dream.compose import open_dream, remember_unopened
    from dream.errors import Locked

    opened = False
    try:
        with open_dream(os.environ) as dream:
            opened = True
            kept = dream.remember(arguments.text, arguments.kind, arguments.id, arguments.project)
    except Locked as held:
        if opened:  # the verb has kept it already
            raise
        remember_unopened(os.environ, arguments.text, arguments.id, arguments.project)
        raise Locked(held.sentence, WAITS_HINT) from held
    plain = {"id": kept.node.id, "new": kept.new, "redacted": dict(kept.redacted), "node": asdict(kept.node)}
    plain["closed"] = [asdict(node) for node in kept.closed]
    plain["waits"] = kept.waits
    shown = [f"{'Remembered' if kept.new else 'Already remembered'}: {kept.node.text}"]
    if kept.waits:
        shown = [f"Kept in the buffer for the next night ({kept.waits}): {kept.node.text}"]
    if kept.redacted:
        shown.append(f"Taken out first: {', '.join(f'{n} × {kind}' for kind, n in kept.redacted.items())}.")
    shown += [f"No longer holds: {node.text}" for node in kept.closed]
    return Page(plain, lines(*shown, f"dream explain {kept.node.id}"))


def pin(arguments: argparse.Namespace) -> Page:
    """`dream pin`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        node = dream.pin(arguments.id, pinned=not arguments.off)
    return Page({"node": asdict(node)}, lines(f"{'Pinned' if node.pinned else 'No longer pinned'}: {node.text}"))


def explain(arguments: argparse.Namespace) -> Page:
    """`dream explain`."""
    from dream.cli_explain import page
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        why = dream.explain(arguments.id)
        return page(why, dream.sessions_gone(why.notes))


def context(arguments: argparse.Namespace) -> Page:
    """`dream context`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        bundle = dream.context(arguments.project, arguments.budget)
    plain = {
        "text": bundle.text,
        "tokens": bundle.tokens,
        "nodes": [node.id for node in bundle.nodes],
        "left_out": bundle.left_out,
    }
    return Page(plain, lines(bundle.text or "Nothing to say yet: no night has made an index."))
