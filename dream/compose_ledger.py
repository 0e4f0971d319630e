"""The part of the composition root that proves: entries and older trees, to those who hold no store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dream.adapters.ed25519 import Ed25519Verifier
from dream.ledger import keys, proofs
from dream.paths import Home
from dream.settings import load

if TYPE_CHECKING:
    from dream.ledger.proofs import Checked


def prove_entry(environ: Mapping[str, str], seq: int) -> dict[str, Any]:
    """The proof that an entry is in the log; see `proofs.prove`. Needs no secret key."""
    return proofs.prove(Home(load(environ).settings.home), Ed25519Verifier(), seq)


def prove_start(environ: Mapping[str, str], size: int) -> dict[str, Any]:
    """The proof that the log of `size` entries is its beginning; see `proofs.prove_consistency`."""
    return proofs.prove_consistency(Home(load(environ).settings.home), Ed25519Verifier(), size)


def check_proof(environ: Mapping[str, str], proof: Any, key: str, kept: str) -> tuple[Checked, str, str]:
    """Check a proof; what was found, the key it was checked with, and where that is from: given, store or proof."""
    by = "given"
    if not key:
        own = keys.public(Home(load(environ).settings.home))
        key, by = (own.line(), "store") if own is not None else ("", "proof")
    named = key or (str(proof.get("key", "")) if isinstance(proof, dict) else "")
    return proofs.check(proof, Ed25519Verifier(), key, kept), named, by
