"""What waits for a person, the garden, the ledger, forgetting."""

from __future__ import annotations

from dream.errors import UsageError
from dream.model.branch import BranchStatus
from dream.web.answering import Response, to
from dream.web.pages import Ask, Shown

LOG_SHOWN = 50


def holds(ask: Ask) -> Shown:
    """Everything that waits, oldest first."""
    return Shown("holds.html", {"holds": ask.dream.holds()})


def hold(ask: Ask) -> Shown:
    """One verdict with its evidence beside it."""
    one, notes, touched = ask.dream.hold(ask.named["id"])
    return Shown("hold.html", {"hold": one, "notes": notes, "touched": touched})


def decide(ask: Ask) -> Response:
    """A person's word."""
    word, wanted = ask.request.form.get("decision", ""), ask.named["id"]
    if word == "accept":
        node = ask.dream.accept(wanted)
        return to(f"/node/{node.id}")
    if word == "reject":
        ask.dream.reject(wanted)
        return to("/holds")
    raise UsageError("Nothing was decided.", "Accept or reject.")


def garden(ask: Ask) -> Shown:
    """The branches, with the node each grows from."""
    branches = ask.dream.branches()
    roots = {}
    for each in branches:
        if each.root not in roots:
            roots[each.root] = ask.dream.root_of(each)
    order = [status.value for status in BranchStatus]
    shown = sorted(branches, key=lambda each: (order.index(each.status.value), each.settles_at, each.id))
    return Shown("garden.html", {"branches": shown, "roots": roots})


def ledger(ask: Ask) -> Shown:
    """The last entries, and a button that checks everything."""
    return Shown("ledger.html", {**_log(ask), "report": None})


def verify(ask: Ask) -> Shown:
    """Check it now."""
    from dream.compose import verify_store

    report = verify_store(ask.environ, full="full" in ask.request.form)
    return Shown("ledger.html", {**_log(ask), "report": report})


def _log(ask: Ask) -> dict[str, object]:
    entries = ask.dream.log(LOG_SHOWN)
    return {"entries": [(entry, type(entry.change).__name__) for entry in entries], "size": ask.dream.ledger_size}


def forget_plan(ask: Ask) -> Shown:
    """What would go, before anything goes."""
    wanted = ask.named["id"]
    if wanted.startswith("n-"):
        explained = ask.dream.explain(wanted)
        return Shown("forget.html", {"id": wanted, "text": explained.notes[0].text, "notes": explained.notes})
    node = ask.care.node(wanted)
    notes, _ = ask.dream.notes_of(node)
    return Shown("forget.html", {"id": wanted, "text": node.text, "notes": notes})


def forget(ask: Ask) -> Shown:
    """Forget it, and show the receipt."""
    if ask.request.form.get("sure") != "1":
        raise UsageError("Nothing was forgotten.", "Tick the box: forgetting cannot be undone.")
    done = ask.dream.forget(ask.named["id"])
    return Shown("forgotten.html", {"done": done, "says": _says(done.note)})


def _says(note: str) -> list[str]:
    """The lines of a signed receipt as sentences that can be told in another language; the receipt stays as it is."""
    origin, seq, *lines = note.partition("\n\n")[0].splitlines()
    return [f"receipt: {line}" for line in (origin, f"entry {seq}", *lines)]
