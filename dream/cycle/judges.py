"""Who judges tonight: the rules, or a model that is there and has earned trust; else the night waits (decision 4).

1. `auto` is the configured model where this house has ever seen it, or finds it now; else the rules.
2. A configured model that is away defers the night, before anything is read; after `away_nights` such nights the rules
   judge, and what they judged is judged again once the model is back.
3. A model is asked questions with known answers before it first judges, and again when its weights change. One that
   does no better than chance does not judge: the instruments vote alone and the night says so.

`court.json` holds what was learned of models; it is no memory, and without it they are asked anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from dream.debate.asking import Asker
from dream.debate.court import KINDS, Budget, Court, readings_on
from dream.debate.exam import TRIALS, VERSION
from dream.debate.twin_trials import PAIRS
from dream.debate.twin_trials import VERSION as PAIRS_VERSION
from dream.debate.twins import bar, readings_of_pairs
from dream.errors import ModelUnavailable, NightDeferred
from dream.house import House
from dream.model.calibration import Calibration, Reading, best_reading, calibrate
from dream.model.debate import Role
from dream.model.time import to_local_date
from dream.paths import Home
from dream.ports import ChatModel

RULES, AUTO = "rules", "auto"
EXAM = len(TRIALS) + len(PAIRS)
"""Questions with known answers that a model is asked at most before it judges."""
Step = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges.

    Attributes:
        judge: the name the night records, `rules` or the model's.
        court: None where the rules judge.
        model: the model behind it, to be released after the night.
        stands_in: the model the rules judge for while it is away, "" for none.
        sentences: what the changelog tells of the choice.
    """

    judge: str = RULES
    court: Court | None = None
    model: ChatModel | None = None
    stands_in: str = ""
    sentences: tuple[str, ...] = ()


def seat(
    house: House, named: str, now: str, quorum: int, *, dry: bool = False, step: Step = lambda done: None
) -> Bench:
    """Choose the judge; a model is loaded and, the first time, examined.

    Args:
        named: auto, rules, or a model's name.
        dry: nothing is written: a night deferred is not counted.

    Raises:
        NightDeferred: the model is away; nothing was read.
    """
    if named == RULES:
        return Bench()
    name = house.settings.consolidation_model if named == AUTO else named
    learned = _read(house.home)
    try:
        model = house.chat(name)
        digest = model.prepare()
        known = _known(learned, name, digest)
        if known is None:
            readings, spent = readings_on(TRIALS, model, house.clock.monotonic, step)
            plain = {role.value: kinds for role, kinds in readings.items()}
            known = {"digest": digest, "exam": VERSION, "readings": plain, "seconds": round(spent.seconds)}
        if known.get("pairs_exam") != PAIRS_VERSION:
            known = {**known, **_compared(model, house, known, step)}
    except ModelUnavailable as error:
        if named == AUTO and name not in learned["models"]:
            return Bench()
        return _away(house, name, now, learned, error, dry)
    learned["models"][name] = known
    learned["away"] = {}
    if not dry:
        _write(house.home, learned)
    worth = calibrations_of(learned, name)
    if not any(each.trust for each in worth.values()):
        model.release()
        told = f"{name} told known cases apart no better than chance ({describe(worth)})"
        return Bench(sentences=(f"{told}: the rules judged alone.",))
    settings = house.settings
    budget = Budget(settings.judge_minutes * 60.0, settings.judge_tokens)
    above = bar(_pairs(known["pairs"]))
    court = Court(model, house.clock.monotonic, worth, budget=budget, quorum=quorum, bar=above)
    return Bench(name, court, model)


def _compared(model: ChatModel, house: House, known: Mapping[str, Any], step: Step) -> dict[str, Any]:
    """What a model says of known pairs of statements; one that no role trusts is not asked."""
    worth = calibrations_of({"models": {"": known}, "taught": {}}, "")
    heard = any(each.trust for each in worth.values())
    if not heard:
        step(EXAM)
        return {"pairs_exam": PAIRS_VERSION, "pairs": []}
    pairs = readings_of_pairs(PAIRS, Asker(model, house.clock.monotonic), lambda done: step(len(TRIALS) + done))
    return {"pairs_exam": PAIRS_VERSION, "pairs": pairs}


def gardener(house: House, bench: Bench | None = None) -> Asker | None:
    """The garden's model, where it is one that has earned trust and is there; the judge itself where they are one.

    One large model is in memory at a time: a judge that is another model is released first.
    """
    name = house.settings.counterfactual_model
    if bench is not None and bench.court is not None and bench.judge == name:
        return bench.court.asker
    if not any(each.trust for each in learned_of(house.home).get(name, {}).values()):
        return None
    if bench is not None and bench.model is not None:
        bench.model.release()
    try:
        model = house.chat(name)
        model.prepare()
    except ModelUnavailable:
        return None
    return Asker(model, house.clock.monotonic)


def calibrations_of(learned: Mapping[str, Any], name: str) -> dict[Role, Calibration]:
    """By role, from the known cases and from what people decided."""
    plain = learned["models"].get(name, {}).get("readings", {})
    readings = {role: {kind: _pairs(plain.get(role.value, {}).get(kind, ())) for kind in KINDS} for role in Role}
    taught = learned["taught"].get(name, {})
    best = best_reading(readings.values())
    return {role: calibrate(best, [*readings[role][best], *_pairs(taught.get(role.value, ()))]) for role in Role}


def describe(worth: Mapping[Role, Calibration]) -> str:
    """`archivist 0.88, sceptic 0.91 …`: how well each role ranks; 0.5 is chance."""
    return ", ".join(f"{role.value.replace('_', ' ')} {each.auc:.2f}" for role, each in worth.items())


def remember_readings(home: Home, hold: str, model: str, readings: Mapping[str, float]) -> None:
    """Keep what a model read of a case that waits for a person, so that the decision can teach."""
    folder = home.archive / "readings"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / f"{hold}.json").write_text(json.dumps({"model": model, "readings": dict(readings)}), encoding="utf-8")


def teach(home: Home, hold: str, accepted: bool) -> bool:
    """A person decided: what the model had read of the case is now of a known case; whether there was anything."""
    path = home.archive / "readings" / f"{hold}.json"
    try:
        told = json.loads(path.read_bytes())
        pairs = {str(role): [float(reading), accepted] for role, reading in told["readings"].items()}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    learned = _read(home)
    of_model = learned["taught"].setdefault(str(told["model"]), {})
    for role, pair in pairs.items():
        of_model.setdefault(role, []).append(pair)
    _write(home, learned)
    path.unlink()
    return True


def learned_of(home: Home) -> dict[str, dict[Role, Calibration]]:
    """What this house holds of each model it has seen."""
    learned = _read(home)
    return {name: calibrations_of(learned, name) for name in learned["models"]}


def _away(house: House, name: str, now: str, learned: dict[str, Any], error: ModelUnavailable, dry: bool) -> Bench:
    """Defer the night, or let the rules stand in after too many."""
    date = to_local_date(now, house.zone).isoformat()
    dates = learned["away"].get(name, [])
    dates = dates if date in dates else [*dates, date]
    learned["away"] = {name: dates}
    if not dry:
        _write(house.home, learned)
    if len(dates) > house.settings.away_nights:
        told = (
            f"{name} has been away for {len(dates)} nights: the rules judged, and it will judge again when it is back."
        )
        return Bench(stands_in=name, sentences=(told,))
    raise NightDeferred(
        f"The night waits for {name} ({len(dates)} of {house.settings.away_nights} nights): {error.sentence} "
        "Nothing was read, the buffer is kept.",
        error.hint,
    ) from error


def _known(learned: Mapping[str, Any], name: str, digest: str) -> dict[str, Any] | None:
    """What is held of these very weights, by the questions of this version."""
    held = learned["models"].get(name)
    fits = isinstance(held, dict) and held.get("digest") == digest and held.get("exam") == VERSION
    return held if fits else None


def _pairs(plain: Any) -> list[Reading]:
    return [(float(reading), bool(label)) for reading, label in plain]


def _read(home: Home) -> dict[str, Any]:
    empty: dict[str, Any] = {"models": {}, "away": {}, "taught": {}}
    try:
        plain = json.loads((home.root / "court.json").read_bytes())
        whole = {name: plain[name] for name in empty}
        for name in whole["models"]:
            calibrations_of(whole, name)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return empty
    return whole if all(isinstance(each, dict) for each in whole.values()) else empty


def _write(home: Home, learned: dict[str, Any]) -> None:
    path = home.root / "court.json"
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(learned, ensure_ascii=False, sort_keys=True), encoding="utf-8")
    fresh.replace(path)


def plain_of(worth: Mapping[Role, Calibration]) -> dict[str, dict[str, Any]]:
    """Calibrations as plain values, rounded."""
    return {
        role.value: {name: round(v, 3) if isinstance(v, float) else v for name, v in asdict(each).items()}
        for role, each in worth.items()
    }
