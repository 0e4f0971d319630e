"""A branch settles by what was said in its window, not before, and never on silence."""

from __future__ import annotations

import pytest

from dream.model.branch import Branch, BranchStatus, Foretold, Seen, is_stub, settle, stub

DURING, END, EXPIRY = "2026-03-10T01:05:00.000Z", "2026-03-24T01:05:00.000Z", "2026-04-09T01:05:00.000Z"


def branch(foretold: Foretold, **more: str) -> Branch:
    return Branch("b-1", "f-1", "p", "Had the cache been purged", foretold, ("n-1",), DURING, END, EXPIRY, **more)  # type: ignore[arg-type]


def test_nothing_is_decided_before_the_window_ends() -> None:
    open_branch = branch(Foretold.RECURS)
    assert settle(open_branch, Seen(again=("n-2",), alive=True), DURING) is open_branch


@pytest.mark.parametrize(
    ("foretold", "seen", "status"),
    [
        (Foretold.RECURS, Seen(again=("n-2",), alive=True), BranchStatus.RIGHT),
        (Foretold.RECURS, Seen(alive=True), BranchStatus.WRONG),
        (Foretold.CEASES, Seen(alive=True), BranchStatus.RIGHT),
        (Foretold.CEASES, Seen(again=("n-2",), alive=True), BranchStatus.WRONG),
        (Foretold.SAID, Seen(said=("n-3",), alive=True), BranchStatus.RIGHT),
        (Foretold.SAID, Seen(denied=("n-4",), alive=True), BranchStatus.WRONG),
        (Foretold.SAID, Seen(alive=True), BranchStatus.GROWING),
        (Foretold.CEASES, Seen(), BranchStatus.GROWING),
        (Foretold.RECURS, Seen(), BranchStatus.GROWING),
    ],
)
def test_the_end_of_the_window_decides_by_what_was_seen(foretold: Foretold, seen: Seen, status: BranchStatus) -> None:
    settled = settle(branch(foretold), seen, END)
    assert settled.status is status
    assert settled.evidence == (seen.again or seen.said or seen.denied if status is not BranchStatus.GROWING else ())


def test_silence_expires_a_branch_and_what_was_wrong_is_pruned_then() -> None:
    expired = settle(branch(Foretold.CEASES), Seen(), EXPIRY)
    assert expired.status is BranchStatus.EXPIRED
    assert settle(expired, Seen(), EXPIRY).status is BranchStatus.PRUNED


def test_a_branch_that_was_right_stays() -> None:
    right = settle(branch(Foretold.CEASES), Seen(alive=True), END)
    assert settle(right, Seen(), EXPIRY) is right


def test_a_redacted_branch_is_told_apart() -> None:
    assert is_stub(stub("b-1")) and not is_stub(branch(Foretold.SAID))
