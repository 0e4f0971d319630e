"""Commands of the record: ledger verify, restore, log, prove, check."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dream.cli_page import Page, counted, lines, table
from dream.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from dream.model.change import Entry

Commands = Any


def add(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Register the commands of this module."""
    book = commands.add_parser("ledger", help="the signed log: verify, restore, log, prove, check")
    acts = book.add_subparsers(dest="act", required=True, metavar="ACT")
    check = acts.add_parser("verify", parents=[common], help="is the log what was signed, and the store what it says?")
    check.add_argument("--full", action="store_true", help="every body and every row")
    check.set_defaults(run=ledger_verify)
    back = acts.add_parser("restore", parents=[common], help="make the store again from the log, or as it was then")
    back.add_argument("--to", metavar="SEQ|INSTANT", help="the last entry to take in (all)")
    back.set_defaults(run=ledger_restore)
    tail = acts.add_parser("log", parents=[common], help="the last entries, newest first")
    tail.add_argument("-n", type=int, default=20, metavar="N", help="how many (20)")
    tail.set_defaults(run=ledger_log)

    shown = acts.add_parser("prove", parents=[common], help="print a proof that others can check without the log")
    of = shown.add_mutually_exclusive_group(required=True)
    of.add_argument("seq", nargs="?", type=int, metavar="SEQ", help="that this entry is in the signed log")
    of.add_argument("--consistency", type=int, metavar="SIZE", help="that the log of SIZE entries is its beginning")
    shown.set_defaults(run=ledger_prove)
    proof = acts.add_parser("check", parents=[common], help="check such a proof; needs no store")
    proof.add_argument("file", metavar="FILE", help="what `prove` printed; - is standard input")
    proof.add_argument("--key", metavar="FILE|LINE", help="the public key you trust (this store's key.pub, if there)")
    proof.add_argument("--checkpoint", metavar="FILE", help="a checkpoint you kept, of which the proof must be")
    proof.set_defaults(run=ledger_check)


def ledger_verify(arguments: argparse.Namespace) -> Page:
    """`dream ledger verify`: exit code 1 where something does not hold."""
    from dream.cli_progress import working
    from dream.compose import verify_store

    with working("checking the ledger and the store", quiet=arguments.json or not arguments.full):
        report = verify_store(os.environ, arguments.full)
    plain = {
        "ok": report.ok,
        "full": report.full,
        "size": report.size,
        "root": report.root,
        "faults": [asdict(fault) for fault in report.faults],
        "remarks": list(report.remarks),
        "counts": dict(report.counts),
    }
    checked = " and ".join(f"{number} {what}" for what, number in report.counts if number)
    shown = [f"All holds: {checked or 'nothing was new'} checked, {counted(report.size, 'entry', 'entries')} signed."]
    if not report.ok:
        shown = [part for fault in report.faults for part in (fault.sentence, f"  {fault.hint}")]
    return Page(plain, lines(*shown, *report.remarks), exit_code=0 if report.ok else 1)


def ledger_restore(arguments: argparse.Namespace) -> Page:
    """`dream ledger restore`."""
    from dream.cli_progress import working
    from dream.compose import restore_store

    with working("making pgt.sqlite again from the log", quiet=arguments.json):
        done = restore_store(os.environ, arguments.to)
    shown = [f"pgt.sqlite is rebuilt from {done.entries} of {counted(done.size, 'entry', 'entries')}."]
    if done.pinned:
        shown.append("It stays as it was then and takes no writes until `dream ledger restore` brings it to the end.")
    return Page(asdict(done), lines(*shown))


def ledger_log(arguments: argparse.Namespace) -> Page:
    """`dream ledger log`."""
    from dream.compose import open_dream

    with open_dream(os.environ) as dream:
        entries = dream.log(arguments.n)
        total = dream.ledger_size
    plain = [plain_entry(entry) for entry in entries]

    def draw(on: Console) -> None:
        rows = [(str(e.seq), e.at[:19].replace("T", " "), e.night, told(e)) for e in entries]
        on.print(table({"seq": "right", "at": "left", "night": "left", "change": "fold"}, rows))
        on.print(f"\n{counted(total, 'entry', 'entries')} in all.")

    return Page({"entries": plain, "size": total}, draw)


def plain_entry(entry: Entry) -> dict[str, Any]:
    """An entry as `--json` shows it; `change` is None where it was redacted."""
    change = entry.change
    told = {"kind": type(change).__name__, **asdict(change)} if change is not None else None
    return {"seq": entry.seq, "log": entry.log, "at": entry.at, "night": entry.night, "change": told}


def told(entry: Entry) -> str:
    """One line on what an entry did."""
    change = entry.change
    if change is None:
        return "(redacted)"
    for name in ("node", "after", "hold", "branch", "edge", "notes", "cluster", "night"):
        part = getattr(change, name, None)
        if part is None:
            continue
        text = getattr(getattr(part, "proposal", part), "text", None) or getattr(part, "premise", None)
        if text is None:
            text = counted(len(part), "note") if isinstance(part, tuple) else getattr(part, "id", str(part))
        return f"{type(change).__name__}  {text}"
    return type(change).__name__


def ledger_prove(arguments: argparse.Namespace) -> Page:
    """`dream ledger prove`: the proof is JSON for people too, to be sent as it is."""
    from dream.compose_ledger import prove_entry, prove_start

    if arguments.consistency is not None:
        proof = prove_start(os.environ, arguments.consistency)
    else:
        proof = prove_entry(os.environ, arguments.seq)
    return Page(proof, lambda on: on.out(json.dumps(proof, ensure_ascii=False, indent=1), highlight=False))


def ledger_check(arguments: argparse.Namespace) -> Page:
    """`dream ledger check`: exit code 1 where the proof does not hold."""
    from dream.compose_ledger import check_proof

    proof = _json_of(arguments.file)
    kept = Path(arguments.checkpoint).read_text(encoding="utf-8") if arguments.checkpoint else ""
    done, key, by = check_proof(os.environ, proof, _key_of(arguments.key), kept)
    plain = {"ok": done.ok, "sentence": done.sentence, "key": key, "key_from": by}
    whose = {
        "given": f"Signed by the key you gave, {_short(key)}.",
        "store": f"Signed by this store's key, {_short(key)}.",
        "proof": f"The key is the one the proof itself names, {_short(key)}: compare it with one you trust (--key).",
    }
    missed = "It was held against this store's key; a proof of another store needs that one's key (--key)."
    more = [whose[by]] if done.ok else [missed] if by == "store" else []
    return Page(plain, lines(done.sentence, *more), exit_code=0 if done.ok else 1)


def _json_of(name: str) -> Any:
    """What a file, or standard input for `-`, says in JSON.

    Raises:
        UsageError: it is no JSON.
    """
    try:
        return json.loads(sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8"))
    except ValueError as error:
        where = "Standard input" if name == "-" else name
        raise UsageError(f"{where} is no JSON: {error}.", "Give what `dream ledger prove` printed.") from error


def _key_of(told: str | None) -> str:
    """A verifier line as it stands, or out of a file; "" where none was given."""
    if not told:
        return ""
    return Path(told).read_text(encoding="utf-8").strip() if Path(told).is_file() else told


def _short(key: str) -> str:
    return "+".join(key.split("+", 2)[:2])
