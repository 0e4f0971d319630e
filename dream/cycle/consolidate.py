"""Clusters to changes: each is judged, compared with what is held, and added, said again, put in its place or refused.

Pure but for the working memory of one night (`Known`); nothing is written here.
1. A cluster that is refused or held alters no node.
2. Two nodes are never made one across different values (decision 2); a newer value closes the older one's validity.
3. What a person firmly says against what is held stands beside it, tied by an edge, until one of the two is over.
4. What was said earlier than the newest word on its subject becomes history, not the present.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dream.cycle.casting import begins, dates_of, information, kind_of, not_before
from dream.debate.cluster import LONGEST, Cluster
from dream.debate.frames import FrameReader
from dream.debate.known import Kin, Known
from dream.debate.roles import Case
from dream.debate.tribunal import judge_by_rules
from dream.debate.twins import unsure
from dream.model import change as c
from dream.model import identity
from dream.model.debate import Decision, Verdict
from dream.model.frame import Frame
from dream.model.graph import Edge, Hold, Node, NodeKind, NodeStatus, Relation
from dream.model.identity import Kinship
from dream.model.ids import make_id
from dream.model.relative import Dated, resolve, rewrite
from dream.model.time import to_local_date
from dream.model.unresolved import unresolved

Judge = Callable[[Case], Verdict]
EVEN = 50
"""Confidence of a contradiction between two statements of one person: which of them holds is an even chance."""

NEAR = 0.1
"""How much less close than the closest a node may be to be replaced with it."""

_EVERYWHERE = re.compile(
    r"(?i)\b(?:in|across|for)\s+(?:all|any|every)\s+(?:of\s+)?(?:my\s+|our\s+)?(?:projects?|repos?(?:itories)?)\b"
    r"|\b(?:dans|pour|sur)\s+tous\s+(?:mes|nos|les)\s+(?:projets|dépôts|depots)\b"
)


SAID_BEFORE = identity.Relation(Kinship.SAME, 0.0, "the model found it said before")


class Outcome(StrEnum):
    """What became of a cluster."""

    ADDED = "added"
    SAID_AGAIN = "said_again"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    HELD = "held"
    REJECTED = "rejected"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class Consolidated:
    """A judged cluster, what became of it, the changes that says, and the nodes it touched (new or old).

    Attributes:
        opposed: nodes that it denies and that stand all the same.
    """

    cluster: Cluster
    verdict: Verdict
    outcome: Outcome
    changes: tuple[c.Change, ...]
    node: Node | None = None
    closed: tuple[Node, ...] = ()
    opposed: tuple[Node, ...] = ()


class Consolidation:
    """One night's consolidation.

    Args:
        known: current nodes; grows with what is accepted.
        zone: IANA zone in which relative dates are read.
        now: instant at which what is accepted is recorded.
        judge: from a case to a verdict.
        entities: more that a statement names, by cluster id, found in its notes.
        waits: why a cluster waits for a person whatever its verdict, by its id.
        twins: the node that a model found a cluster to repeat, by the cluster's id, where the rules find none.
        compares: put before the judge what the rules leave unsure of being the same.
    """

    def __init__(
        self,
        reader: FrameReader,
        known: Known,
        zone: str,
        now: str,
        judge: Judge = judge_by_rules,
        entities: Mapping[str, tuple[str, ...]] | None = None,
        waits: Mapping[str, str] | None = None,
        twins: Mapping[str, str] | None = None,
        compares: bool = False,
    ) -> None:
        self._reader = reader
        self._known = known
        self._zone = zone
        self._now = now
        self._judge = judge
        self._entities = entities or {}
        self._waits = waits or {}
        self._twins = twins or {}
        self._compares = compares

    def consolidate(self, cluster: Cluster) -> Consolidated:
        """Judge one cluster and say what follows."""
        dated = resolve(cluster.text, cluster.said_at, self._zone)
        frame = self._reader.read_dated(cluster.text, dated, sorted(cluster.signals))
        text = rewrite(cluster.text, dated)
        text = text if len(text.encode()) <= LONGEST else cluster.text
        kin = self._known.kin(frame, cluster.project, cluster.said_at)
        replaced = _foremost([k for k in kin if k.relation.kinship in (Kinship.SUPERSEDES, Kinship.RETRACTS)])
        same = next((k for k in kin if k.relation.kinship is Kinship.SAME), None)
        if same is None and not kin:
            same = self._twin(cluster)
        contradicts = [k for k in kin if k.relation.kinship is Kinship.CONTRADICTS and same is None]
        case = Case(
            cluster=cluster,
            text=text,
            values=frame.anchors,
            topic=len(frame.topic),
            unresolved=unresolved(cluster.text, dated),
            contradicts=tuple(k.node.text for k in contradicts),
            familiar=self._known.familiar(frame),
            held=tuple(k.node.text for k in kin[:3]),
            twins=self._unsure(frame, cluster.project) if self._compares and not kin else (),
        )
        verdict = self._judge(case)
        if verdict.decision is Decision.REJECT:
            return Consolidated(cluster, verdict, Outcome.REJECTED, (self._rejection(cluster, verdict),))
        waits = self._waits.get(cluster.id)
        if waits is not None:
            verdict = dataclasses.replace(verdict, decision=Decision.HOLD, reason=waits)
        if same is not None and not replaced and not case.unresolved and waits is None:
            return self._say_again(cluster, verdict, frame, text, dated, same)
        node = self._node(cluster, verdict, frame, text, dated)
        if verdict.decision is Decision.HOLD:
            return self._hold(cluster, verdict, node, replaced, contradicts)
        if replaced and all(k.relation.kinship is Kinship.RETRACTS for k in replaced):
            return self._retract(cluster, verdict, frame, node, replaced)
        newer = [k for k in replaced if k.node.evidence_at > cluster.said_at]
        if newer:
            return self._history(cluster, verdict, node, newer[0].node)
        return self._add(cluster, verdict, frame, node, replaced, same, contradicts)

    def remind(self, cluster: Cluster) -> Consolidated | None:
        """What a mention says again of what is held; None where it says nothing of it."""
        dated = resolve(cluster.text, cluster.said_at, self._zone)
        frame = self._reader.read_dated(cluster.text, dated, sorted(cluster.signals))
        if not frame.anchors or not (frame.topic or frame.names or frame.codes):
            return None  # `two seconds`
        kin = self._known.kin(frame, cluster.project, cluster.said_at)
        if not kin or kin[0].relation.kinship is not Kinship.SAME:
            return None
        change, after = self._revision(cluster, frame, kin[0].node.text, dated, kin[0].node)
        verdict = Verdict(Decision.ACCEPT, kin[0].node.consensus, (), "rules", "it says again what is held")
        return Consolidated(cluster, verdict, Outcome.SAID_AGAIN, (change,), after) if change else None

    def _twin(self, cluster: Cluster) -> Kin | None:
        """The node that a model found it to repeat, where it is still held."""
        node = self._known.node(self._twins.get(cluster.id, ""))
        return Kin(node, SAID_BEFORE) if node is not None else None

    def _unsure(self, frame: Frame, project: str) -> tuple[tuple[str, str], ...]:
        return tuple((node.id, node.text) for node in unsure(frame, self._known.held(project)))

    def _node(self, cluster: Cluster, verdict: Verdict, frame: Frame, text: str, dated: tuple[Dated, ...]) -> Node:
        said_on = to_local_date(cluster.said_at, self._zone).isoformat()
        dates = dates_of(text, tuple(date.iso for date in dated))
        kind = kind_of(cluster, frame)
        return Node(
            id=make_id("f", *(note.id for note in cluster.notes)),
            kind=kind,
            text=text,
            project="" if _EVERYWHERE.search(text) else cluster.project,
            notes=tuple(note.id for note in cluster.notes),
            recorded_at=self._now,
            evidence_at=cluster.notes[-1].at,
            valid_from=begins(dated) or said_on,
            origin=cluster.origin,
            dates=dates,
            values=frame.values,
            entities=tuple(sorted({*(" ".join(name) for name in frame.names), *self._entities.get(cluster.id, ())})),
            standing="rule" in cluster.signals and kind in (NodeKind.PREFERENCE, NodeKind.PROCESS, NodeKind.DECISION),
            load=cluster.load,
            consensus=verdict.consensus,
            judge=verdict.judge,
        )

    def _say_again(
        self, cluster: Cluster, verdict: Verdict, frame: Frame, text: str, dated: tuple[Dated, ...], same: Kin
    ) -> Consolidated:
        change, after = self._revision(cluster, frame, text, dated, same.node)
        return Consolidated(cluster, verdict, Outcome.SAID_AGAIN, (change,) if change else (), after)

    def _revision(
        self, cluster: Cluster, frame: Frame, text: str, dated: tuple[Dated, ...], node: Node
    ) -> tuple[c.NodeRevised | None, Node]:
        fresh = tuple(note.id for note in cluster.notes if note.id not in node.notes)
        if not fresh:
            return None, node
        frames = self._known.frames(node.id)
        richer = information(frame) > max((information(other) for other in frames), default=0)
        kept = text if richer and not cluster.mention else node.text
        after = dataclasses.replace(
            node,
            text=kept,
            notes=(*node.notes, *fresh),
            evidence_at=max(node.evidence_at, cluster.notes[-1].at),
            dates=dates_of(kept, (*node.dates, *(date.iso for date in dated))),
            values=tuple(sorted({*node.values, *frame.values})),
            entities=tuple(sorted({*node.entities, *(" ".join(name) for name in frame.names)})),
            load=max(node.load, cluster.load),
            standing=node.standing or ("rule" in cluster.signals and node.kind is not NodeKind.EVENT),
        )
        self._known.put(after, [*frames, frame])
        return c.NodeRevised(node, after), after

    def _add(
        self,
        cluster: Cluster,
        verdict: Verdict,
        frame: Frame,
        node: Node,
        replaced: list[Kin],
        same: Kin | None,
        contradicts: Sequence[Kin],
    ) -> Consolidated:
        changes: list[c.Change] = []
        if same is not None and all(kin.node.id != same.node.id for kin in replaced):
            change, after = self._revision(cluster, frame, node.text, (), same.node)
            node = after
            changes += [change] if change else []
        else:
            self._known.put(node, [frame])
            changes.append(c.NodeAdded(node))
        closed = self._with_copies(replaced, frame, node)
        for old in closed:
            changes += self._close(old, NodeStatus.SUPERSEDED, node)
        opposed = [kin.node for kin in contradicts if all(kin.node.id != old.id for old in closed)]
        for other in opposed:
            edge = self._edge(node, Relation.CONTRADICTS, other)
            changes.append(c.EdgeAdded(dataclasses.replace(edge, confidence=EVEN)))
        outcome = Outcome.SUPERSEDED if closed else Outcome.ADDED
        return Consolidated(cluster, verdict, outcome, tuple(changes), node, tuple(closed), tuple(opposed))

    def _with_copies(self, replaced: list[Kin], frame: Frame, node: Node) -> list[Node]:
        """What is replaced, and the repeats of it that were never made one with it."""
        found = {kin.node.id: kin.node for kin in replaced}
        for kin in replaced:
            for copy in self._known.copies(kin.node, frame):
                if copy.id != node.id and copy.evidence_at <= node.evidence_at:
                    found.setdefault(copy.id, copy)
        return list(found.values())

    def _retract(
        self, cluster: Cluster, verdict: Verdict, frame: Frame, node: Node, replaced: list[Kin]
    ) -> Consolidated:
        changes: list[c.Change] = []
        closed = self._with_copies(replaced, frame, node)
        for before in closed:
            notes = (*before.notes, *(note.id for note in cluster.notes if note.id not in before.notes))
            ended = not_before(before, node.valid_from)
            after = dataclasses.replace(before, status=NodeStatus.RETRACTED, valid_to=ended, notes=notes)
            changes.append(c.NodeRevised(before, after))
            self._known.drop(before.id)
        return Consolidated(cluster, verdict, Outcome.RETRACTED, tuple(changes), None, tuple(closed))

    def _history(self, cluster: Cluster, verdict: Verdict, node: Node, newer: Node) -> Consolidated:
        """It was so once: said before what is held now, read later."""
        past = dataclasses.replace(
            node, status=NodeStatus.SUPERSEDED, valid_to=not_before(node, newer.valid_from), superseded_by=newer.id
        )
        changes = (c.NodeAdded(past), c.EdgeAdded(self._edge(newer, Relation.SUPERSEDES, past)))
        return Consolidated(cluster, verdict, Outcome.HISTORY, changes, past)

    def _hold(
        self, cluster: Cluster, verdict: Verdict, node: Node, replaced: list[Kin], contradicts: list[Kin]
    ) -> Consolidated:
        hold = Hold(
            id=make_id("h", cluster.id),
            proposal=node,
            consensus=verdict.consensus,
            reason=verdict.reason,
            held_at=self._now,
            supersedes=tuple(kin.node.id for kin in replaced),
            contradicts=tuple(kin.node.id for kin in contradicts),
            ballots=tuple((b.role.value, b.score, b.reason) for b in verdict.ballots if b.score is not None),
            judge=verdict.judge,
        )
        return Consolidated(cluster, verdict, Outcome.HELD, (c.NoteHeld(hold),), node)

    def _close(self, old: Node, status: NodeStatus, new: Node) -> list[c.Change]:
        after = dataclasses.replace(old, status=status, valid_to=not_before(old, new.valid_from), superseded_by=new.id)
        self._known.drop(old.id)
        return [c.NodeRevised(old, after), c.EdgeAdded(self._edge(new, Relation.SUPERSEDES, old))]

    def _edge(self, source: Node, relation: Relation, target: Node) -> Edge:
        return Edge(
            id=make_id("e", source.id, relation.value, target.id),
            source=source.id,
            relation=relation,
            target=target.id,
            recorded_at=self._now,
            notes=source.notes[-1:],
            valid_from=source.valid_from,
        )

    @staticmethod
    def _rejection(cluster: Cluster, verdict: Verdict) -> c.DebateRejected:
        debate = debate_record(cluster, verdict)
        return c.DebateRejected(
            cluster=cluster.id,
            notes=tuple(note.id for note in cluster.notes),
            consensus=verdict.consensus,
            reason=verdict.reason,
            digest=hashlib.sha256(debate.encode()).hexdigest(),
            judge=verdict.judge,
        )


def debate_record(cluster: Cluster, verdict: Verdict) -> str:
    """The whole debate as one JSON text: what the archive keeps of a rejection."""
    return json.dumps(
        {
            "cluster": cluster.id,
            "text": cluster.text,
            "notes": [note.id for note in cluster.notes],
            "consensus": verdict.consensus,
            "decision": verdict.decision.value,
            "judge": verdict.judge,
            "ballots": [
                {"role": b.role.value, "score": b.score, "reason": b.reason, "veto": b.veto} for b in verdict.ballots
            ],
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def _foremost(replaced: list[Kin]) -> list[Kin]:
    """Only the closest: a sentence of change speaks of one subject, the others merely resemble it."""
    best = max((kin.relation.strength for kin in replaced), default=0.0)
    return [kin for kin in replaced if kin.relation.strength >= best - NEAR]
