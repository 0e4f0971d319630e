"""What the breaker looks at, each measured where it can be and unknown where it cannot.

A probe costs a quick check of the ledger and a question to the model server, never a model; what takes longer (mean
vitality) is kept until the memory or the day has changed.
"""

from __future__ import annotations

import json
import os
from datetime import timedelta

from dream.capture import buffer
from dream.cycle.status import read_status
from dream.errors import DreamError
from dream.house import House
from dream.model.graph import Node
from dream.model.mode import Readings
from dream.model.time import days_between, format_instant, to_datetime
from dream.model.vitality import WINDOW_DAYS, Mean, contradicting, mean_vitality, vitality
from dream.operations import LoadedModel
from dream.ports import NodeFilter, NoteFilter

GIGA = 1e9
HOUR = timedelta(hours=1)
ALIVE = timedelta(minutes=10)
"""A process that has not been heard of for longer is not counted."""
SEARCH = "search"
NIGHT = "night"
VITALITY = "vitality"
PROCESS = "process:"
PEAK = "ram_peak"
OWN_MODELS = ("gemma4:e4b",)


def take(house: House) -> Readings:
    """All readings now."""
    now = house.clock.now()
    searches = sorted(house.operations.state.since(SEARCH, _before(now, HOUR)))
    consensus, clusters = _night(house)
    memory, models, available, up = _memory(house, now)
    ledger_ok, why = _ledger(house)
    mean = mean_alive(house) if ledger_ok is not False else Mean(None, 0, "")
    good = read_status(house.home).last_good_night
    return Readings(
        search_p95_ms=percentile(searches, 95) if searches else None,
        searches=len(searches),
        consensus=consensus,
        clusters=clusters,
        memory_gb=memory,
        models_gb=models,
        available_gb=available,
        vitality=mean.value,
        exempt=mean.exempt,
        ledger_ok=ledger_ok,
        ledger_why=why,
        ollama_up=up,
        disk_gb=house.operations.machine.free(str(house.home.root)) / GIGA,
        night_age_days=days_between(good, now) if good else None,
    )


def percentile(ordered: list[float], hundredth: int) -> float:
    """The nearest rank: the smallest value that `hundredth` of 100 do not exceed. `ordered` is not empty."""
    return ordered[max(0, -(-len(ordered) * hundredth // 100) - 1)]


def _before(now: str, span: timedelta) -> str:
    return format_instant(to_datetime(now) - span)


def _night(house: House) -> tuple[float | None, int]:
    """Mean consensus of the last night over what it accepted and held, and over how many clusters."""
    mark = house.operations.state.get(NIGHT)
    try:
        plain = json.loads(mark[0]) if mark else {}
        return plain.get("consensus"), int(plain.get("clusters", 0))
    except (ValueError, AttributeError):
        return None, 0


def be_seen(house: House, now: str) -> None:
    """Let the other processes count this one's memory too."""
    house.operations.state.put(f"{PROCESS}{os.getpid()}", "", now)


def alive(house: House, now: str = "") -> list[int]:
    """Pids of the processes that looked at this store lately (`now` is an instant, "" the clock's)."""
    since = _before(now or house.clock.now(), ALIVE)
    named = house.operations.state.named(PROCESS).items()
    told = [(name.removeprefix(PROCESS), at) for name, (_, at) in named]
    return [int(pid) for pid, at in told if at >= since and pid.isdigit()]


def _memory(house: House, now: str) -> tuple[float, float, float, bool]:
    """(Dream and its models, the models alone, what is available) in GB, and whether a model server answers."""
    state = house.operations.state
    be_seen(house, now)
    pids = alive(house, now)
    for name in state.named(PROCESS):
        if name.removeprefix(PROCESS) not in map(str, pids):
            state.drop(name)
    taken, available, _ = house.operations.machine.memory(pids)
    loaded = house.operations.models.loaded()
    own = sum(model.ram for model in loaded or () if _own(model, house))
    whole = max(taken, house.operations.machine.peak() if len(pids) <= 1 else taken)
    last = state.get(PEAK)
    if last is None or float(last[0]) < (whole + own) / 1e6:
        state.put(PEAK, str(round((whole + own) / 1e6, 1)), now)
    return (taken + own) / GIGA, own / GIGA, available / GIGA, loaded is not None


def _own(model: LoadedModel, house: House) -> bool:
    """Whether Dream loads this model; `gemma4` and `gemma4:latest` are one."""
    settings = house.settings
    names = (settings.consolidation_model, settings.counterfactual_model, settings.sanitize_model, *OWN_MODELS)
    return _tagged(model.name) in {_tagged(name) for name in names}


def _tagged(name: str) -> str:
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


def _ledger(house: House) -> tuple[bool | None, str]:
    """Whether ledger and store hold; None where another process writes too long to tell."""
    if house.ledger.sealed is not None:
        return False, house.ledger.sealed.sentence
    try:
        report = house.operations.verify()
    except DreamError:
        return None, ""
    return report.ok, "" if report.ok else report.faults[0].sentence


def mean_alive(house: House) -> Mean:
    """Mean vitality over what is alive; worked out once for each state of the memory and each day."""
    state, now = house.operations.state, house.clock.now()
    key = f"{house.ledger.size} {now[:10]}"
    kept = state.get(VITALITY)
    if kept is not None:
        try:
            plain = json.loads(kept[0])
            if plain["key"] == key:
                return Mean(plain["value"], plain["nodes"], plain["exempt"])
        except (ValueError, KeyError, TypeError):
            state.drop(VITALITY)
    mean = _mean(house, now)
    plain = {"key": key, "value": mean.value, "nodes": mean.nodes, "exempt": mean.exempt}
    state.put(VITALITY, json.dumps(plain), now)
    return mean


def _mean(house: House, now: str) -> Mean:
    since = _before(now, timedelta(days=WINDOW_DAYS))
    store = house.store
    recent = store.notes(NoteFilter(since=since))
    days = {note.at[:10] for note in recent}
    days |= {str(note["at"])[:10] for note in buffer.read_today(str(house.home.root))}
    used = house.operations.state.uses(since)
    at = {note.id: note.at for note in recent}

    def uses(node: Node) -> list[str]:
        """Repeats older than the window weigh little and are left out; the night counts them all."""
        return [*(at[note] for note in node.notes[1:] if note in at), *used.get(node.id, ())]

    near = [node for node in store.nodes(NodeFilter()) if node.evidence_at >= since or node.id in used]
    scored = []
    for node in near:
        doubts = [edge.confidence for edge in contradicting(node.id, store.edges(node.id))]
        scored.append((node, vitality(node, now, uses(node), contradictions=doubts), uses(node)))
    return mean_vitality(scored, days, now)
