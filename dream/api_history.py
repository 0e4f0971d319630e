"""History's verbs: what a night did, undo, merge, unmerge, forget. What was shown of the old state is written anew."""

from __future__ import annotations

from pathlib import Path

from dream.capture.deny import deny, normal_words
from dream.cycle import nights as history
from dream.cycle.nights import Night, Undo
from dream.errors import Conflict, NodeNotFound
from dream.house import House
from dream.ledger import merging
from dream.ledger.forget import Forgotten
from dream.model.change import Entry
from dream.model.graph import Node
from dream.recall.index import build_index


class History:
    """The verbs over one opened house."""

    def __init__(self, house: House) -> None:
        self._house = house

    def nights(self) -> list[Night]:
        """Every night so far, oldest first."""
        return history.nights(self._house.store)

    def night(self, name: str) -> Night:
        """One night by its id, or `last`.

        Raises:
            NodeNotFound: there is no such night.
        """
        nights = self.nights()
        found = nights[-1:] if name == "last" else [night for night in nights if night.night == name]
        if not found:
            raise NodeNotFound(f"There is no night {name!r}.", "`dream nights` lists them.")
        return found[0]

    def changelog(self, night: str) -> str:
        """The Markdown of a night; "" where the file is gone."""
        path: Path = self._house.home.logs / f"{self.night(night).night}.md"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def diff(self, night: str) -> list[Entry]:
        """The entries of a night, in their order.

        Raises:
            NodeNotFound: there is no such night.
        """
        return history.diff(self._house.ledger, self._house.store, self.night(night).night)

    def undo(self, night: str, cascade: bool = False, dry_run: bool = False, shown: str = "") -> Undo:
        """Take a night back, and with `cascade` what was built on it; a dry run only says what that would be.

        Args:
            shown: the `mark` of the plan that a person agreed to; anything else is refused.

        Raises:
            NodeNotFound: there is no such night.
            Conflict: it was undone already; something depends on it and `cascade` is not asked for; or it would not
                do what was shown.
        """
        house, name = self._house, self.night(night).night
        trail = house.trail
        if dry_run:
            named = (trail, house.home.ledger) if trail is not None else None
            return history.plan(house.ledger, house.store, name, cascade=cascade, trail=named)
        try:
            done = history.undo(house.ledger, house.store, name, cascade=cascade, shown=shown)
        except Conflict:
            if shown and trail is not None:
                trail.clear()  # should it be what was wrong, the next look is right
            raise
        self._show_anew()
        return done

    def rejudge(self) -> int:
        """Let the next night judge again what an undo forbade; says how many clusters."""
        return history.rejudge(self._house.ledger, self._house.store)

    def merge(self, kept: str, absorbed: str) -> Node:
        """Make two nodes one: the words of `kept`, the evidence of both.

        Raises:
            NodeNotFound: one of them is not there.
            UsageError: they are one already.
        """
        merging.merge(self._house.ledger, self._house.store, kept, absorbed)
        self._show_anew()
        node = self._house.store.node(kept)
        if node is None:
            raise NodeNotFound(f"There is no node {kept!r} any more.", "`dream ledger log` says what became of it.")
        return node

    def unmerge(self, node: str, cascade: bool = False) -> list[Node]:
        """Take back the last standing merge of a node; the two nodes as they are then.

        Raises:
            NodeNotFound: the node was never merged, or that was taken back.
            Conflict: the merged node has changed since, and `cascade` is not asked for.
        """
        store = self._house.store
        standing = [
            each for each in merging.audit(store) if each.unmerged is None and node in (each.kept, each.absorbed)
        ]
        merging.unmerge(self._house.ledger, store, node, cascade=cascade)
        self._show_anew()
        pair = (standing[-1].kept, standing[-1].absorbed) if standing else (node,)
        return [found for each in pair if (found := store.node(each)) is not None]

    def forget(self, some_id: str) -> Forgotten:
        """Remove a node or a note, all that holds its text, and learn it never again; a person asks for this.

        Raises:
            NodeNotFound: there is nothing with that id.
            LedgerSealed, Locked: nothing was forgotten.
        """
        house = self._house
        key, root = house.redact_key, str(house.home.root)

        def deny_text(text: str) -> None:
            if key is not None and normal_words(text):
                deny(root, text, key, house.clock.now())

        done = house.ledger.forget(house.store, some_id, deny=deny_text, transcripts=house.host_files)
        house.unlearning()
        self._show_anew()
        return done

    def _show_anew(self) -> None:
        house = self._house
        build_index(house.home, house.store, house.analyser, target=house.settings.context_tokens, empty=True)
