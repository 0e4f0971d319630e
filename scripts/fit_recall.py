"""Fit the weights of recall's signals on corpora that may be fitted on, and say whether the fit is worth having.

    python scripts/fit_recall.py DATASET ... [--work DIR] [--folds N]

Each DATASET (see `eval_recall.py`) has an equal say, whatever its size; LongMemEval by sessions and by turns, half its
say each. A fit is a search along one weight at a time, up and down, for what puts the evidence first (recall@10, hit@5,
nDCG@10), less a little for each doubling or halving: a signal about which these corpora say nothing stays where its
reason put it. Weights stay above zero. Each conversation (each fact, where there is one) is left out once and ranked
with what was fitted without it; and what was fitted on one corpus is tried on the others. Only bare notes are ranked:
what a night makes of them follows their order. LoCoMo is not to be fitted on: its licence is non-commercial.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkout

checkout.use()

import numpy as np
from eval_recall import Case, Figures, Question, interval, mean, measure, played
from numpy.typing import NDArray

from dream.compose import open_house
from dream.compose_recall import Searching
from dream.model.hit import Query, Weights
from dream.settings import load

FITTED = ("lexical", "dense", "context", "session", "echo", "load", "statement", "speaker", "time", "answer", "recency")
STEPS = (0.5, 1 / math.sqrt(2), math.sqrt(2), 2.0)
PULL = 0.002
"""What a doubled or halved weight must earn, in the mean of the figures below."""
ROUNDS = 4
FIGURES = ("recall@10", "hit@5", "ndcg@10")


@dataclass(frozen=True)
class Asked:
    """A question with the signals of all its candidates.

    Attributes:
        signals: a row a candidate, a column each of `FITTED`; rest: the share of all other signals, at their weights.
        keys: the turn or session of each row.
        fold: conversations of one fold are left out together.
    """

    question: Question
    signals: NDArray[np.float64]
    rest: NDArray[np.float64]
    keys: list[str]
    fold: int


Sets = Mapping[str, Sequence[Asked]]


def main() -> int:
    """Parse the command line, play, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("datasets", type=Path, nargs="+", metavar="DATASET")
    parser.add_argument("--work", type=Path, help="keep the homes here and use them again")
    parser.add_argument("--folds", type=int, default=7, metavar="N")
    arguments = parser.parse_args()
    sets: dict[str, list[Asked]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for dataset in arguments.datasets:
            if "locomo" in dataset.name:
                parser.error("LoCoMo's licence is non-commercial: nothing that ships is fitted on it.")
            for number, case in enumerate(played(dataset, arguments.work or Path(scratch), 0)):
                for name, asked in _asked(case, dataset, number, arguments.folds):
                    sets.setdefault(name, []).append(asked)
    print(report(sets, arguments.folds))
    return 0


def report(sets: Sets, folds: int) -> str:
    """The fitted weights, and what they are worth on what was left out."""
    before = np.array([Weights().signals[name] for name in FITTED])
    lines = ["left out: present weights, fitted without it, difference with paired bootstrap 95 %"]
    fits = [fit({name: [e for e in each if e.fold != fold] for name, each in sets.items()}) for fold in range(folds)]
    worths, say = {}, _says(sets)
    for name, each in sets.items():
        old = [ranked(asked, before) for asked in each]
        new = [ranked(asked, fits[asked.fold]) for asked in each]
        worths[name] = _worth(new) - _worth(old)
        lines += _compared(name, old, new)
    for trained in sets:
        alone = fit({trained: sets[trained]})
        for name, each in sets.items():
            if name != trained:
                lines += _compared(
                    f"{trained} → {name}", [ranked(e, before) for e in each], [ranked(e, alone) for e in each]
                )
    found = fit(sets)
    lines.append(f"fitted on all: {dict(zip(FITTED, (round(float(each), 3) for each in found), strict=True))}")
    worth = sum(say[name] * worths[name] for name in sets)
    carries = worth > 0 and min(worths.values()) >= 0
    lines.append(
        f"worth {worth:+.4f} on what was left out, {min(worths.values()):+.4f} on the set it serves worst: "
        f"{'paste it' if carries else 'keep what is'}"
    )
    return "\n".join(lines)


def _compared(name: str, old: list[Figures], new: list[Figures]) -> list[str]:
    made = []
    for key in FIGURES:
        low, least, most = interval(new, old, key)
        made.append(
            f"  {name:40} {key:10} {mean(old)[key]:.3f} {mean(new)[key]:.3f}  {low:+.4f} [{least:+.4f}, {most:+.4f}]"
        )
    return made


def fit(sets: Sets) -> NDArray[np.float64]:
    """Weights that put the evidence of all sets first, near the present ones."""
    before = np.array([Weights().signals[name] for name in FITTED])
    say = _says(sets)

    def good(factors: NDArray[np.float64]) -> float:
        worths = {name: _worth([ranked(asked, before * factors) for asked in each]) for name, each in sets.items()}
        return sum(say[name] * worths[name] for name in sets) - PULL * float(np.sum(np.log2(factors) ** 2))

    best = np.ones(len(FITTED))
    reached = good(best)
    for _ in range(ROUNDS):
        at_first = reached
        for place in range(len(FITTED)):
            for step in STEPS:
                tried = best.copy()
                tried[place] *= step
                value = good(tried)
                if value > reached + 1e-9:
                    best, reached = tried, value
        if reached == at_first:
            break
    return before * best


def _says(sets: Iterable[str]) -> dict[str, float]:
    """What each set counts: the same for each corpus, shared among its sets."""
    corpora = [name.split(" by ")[0] for name in sets]
    return {name: 1 / len(set(corpora)) / corpora.count(name.split(" by ")[0]) for name in sets}


def ranked(asked: Asked, weights: NDArray[np.float64]) -> Figures:
    """The figures of a question with such weights."""
    order = np.argsort(-(asked.signals @ weights + asked.rest), kind="stable")
    return measure(list(dict.fromkeys(asked.keys[place] for place in order)), asked.question)


def _worth(rows: Sequence[Figures]) -> float:
    return sum(row[key] for row in rows for key in FIGURES) / (len(rows) * len(FIGURES)) if rows else 0.0


def _asked(case: Case, dataset: Path, number: int, folds: int) -> Iterable[tuple[str, Asked]]:
    """The questions of a case, those by sessions by turns too; under the name of their set."""
    weights = Weights()
    with open_house(load(case.environ)) as house:
        search = Searching(house.home, house.store, house.analyser)()  # type: ignore[arg-type]
        for question in case.questions:
            query = Query(question.text, asked_at=question.asked_at, zone=house.zone, nodes=False)
            weighed = search.weigh(query, [])
            if weighed is None:
                continue
            rows = list(weighed.scored.values())
            signals = np.array([[_signal(row.signals, name, weighed.present) for name in FITTED] for row in rows])
            others = [name for name in weighed.present if name not in FITTED]
            rest = np.array(
                [sum(weights.signals[name] * row.signals.get(name, 0.0) for name in others) for row in rows]
            )
            about = number if case.by_session else zlib.crc32(",".join(sorted(question.evidence)).encode())
            fold = about % folds
            turns = [row.notes[0].turn for row in rows]
            if case.by_session:
                sessions = [row.notes[0].session for row in rows]
                yield f"{dataset.name} by sessions", Asked(question, signals, rest, sessions, fold)
                said = Question(question.text, question.sort, question.asked_at, question.turns)
                yield f"{dataset.name} by turns", Asked(said, signals, rest, turns, fold)
            else:
                yield f"{dataset.parent.name} by turns", Asked(question, signals, rest, turns, fold)


def _signal(signals: Mapping[str, float], name: str, present: Sequence[str]) -> float:
    return min(1.0, signals.get(name, 0.0)) if name in present else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
