"""How fast each view of the page answers over a store of N nodes: p50 and p95 per view, over real HTTP on 127.0.0.1,
and the processor time that a view costs, which other work on the machine does not change much.

The store is made for it in a throw-away folder: three notes and up to three edges a node, words by Zipf's law, sixty
nights. `--json` prints one object.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dream.compose import open_house
from dream.model import change as c
from dream.model.graph import Edge, Hold, Node, NodeKind, Relation
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.settings import load
from dream.web.watch import Watch

NIGHTS = 60
WORDS = 20_000
TIES = (Relation.USES, Relation.PART_OF, Relation.RELATES_TO, Relation.DEPENDS_ON)
ROUNDS = 40
TARGET_MS = 300.0


def main() -> int:
    """Make the store, ask each view, print what it took; 1 where a view is over the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000, help="how many nodes (10000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = {name: value for name, value in os.environ.items() if not name.startswith("DREAM_")}
        named = {"DREAM_HOME": "home", "DREAM_STATE": "state", "DREAM_TRANSCRIPTS": "transcripts"}
        environ = own | {name: str(Path(folder) / part) for name, part in named.items()}
        environ |= {"DREAM_TZ": "Europe/Paris", "DREAM_METRICS_ENABLED": "0", "DREAM_OLLAMA_HOST": "http://127.0.0.1:9"}
        words = _fill(environ, given.nodes)
        found = dict(_ask(environ, words))
    plain = {"nodes": given.nodes, "views": found, "worst_p95_ms": max(each["p95_ms"] for each in found.values())}
    if given.json:
        print(json.dumps(plain))
    else:
        for name, each in found.items():
            clock, work = (
                f"p50 {each[f'{kind}p50_ms']:6.0f}  p95 {each[f'{kind}p95_ms']:6.0f}" for kind in ("", "cpu_")
            )
            print(f"{name:<12} on the clock, ms: {clock}   of the processor: {work}")
    return int(plain["worst_p95_ms"] > TARGET_MS)


def _fill(environ: dict[str, str], number: int) -> list[str]:
    draw = random.Random(8)
    words = ["".join(draw.choice("bcdfglmnprstv") + draw.choice("aeiou") for _ in range(3)) for _ in range(WORDS)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(WORDS)))
    begun = datetime.now(UTC) - timedelta(days=4 * NIGHTS)
    ids: list[str] = []
    with open_house(load(environ), create=True) as house:
        for night in range(NIGHTS):
            day = begun + timedelta(days=4 * night)
            changes: list[c.Change] = []
            for place in range(number // NIGHTS):
                node, notes = _node(draw, words, weights, day, night, place)
                changes += [c.NotesAdded(f"s-{night}", notes), c.NodeAdded(node)]
                ties = {(draw.choice(TIES), draw.choice(ids[-3000:])) for _ in range(3)} if ids else set()
                for relation, other in sorted(ties):
                    key = make_id("e", node.id, relation.value, other)
                    changes.append(c.EdgeAdded(Edge(key, node.id, relation, other, node.recorded_at)))
                ids.append(node.id)
            at = _instant(day)
            counts = (("sessions", 1), ("notes", 3 * (number // NIGHTS)), ("added", number // NIGHTS))
            changes += [c.NoteHeld(Hold(make_id("h", str(night)), node, 60, "unsure", at))] if night % 6 == 0 else []
            name = day.date().isoformat()
            house.ledger.commit([*changes, c.CycleRecorded(name, at, at, "rules", counts)], night=name)
    return words


def _node(
    draw: random.Random, words: list[str], weights: list[float], day: datetime, night: int, place: int
) -> tuple[Node, tuple[Note, ...]]:
    at, project = _instant(day + timedelta(seconds=place)), f"project-{night % 8}"
    turn = f"t-{night}-{place}"
    texts = [" ".join(draw.choices(words, cum_weights=weights, k=11)).capitalize() + "." for _ in range(3)]
    notes = tuple(
        Note(
            make_id("n", turn, str(n)), text, at, f"s-{night}", turn, n, Origin.USER, 40, ("value",), project, "", "fr"
        )
        for n, text in enumerate(texts)
    )
    kind = draw.choice(list(NodeKind))
    node = Node(make_id("f", notes[0].id), kind, texts[0], project, tuple(n.id for n in notes), at, at, at[:10])
    return node, notes


def _instant(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _ask(environ: dict[str, str], words: list[str]) -> Iterator[tuple[str, dict[str, float]]]:
    watch = Watch(environ, "bench")
    port = watch.serve(0)
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    line.request("GET", f"/?token={watch.token}")
    answer = line.getresponse()
    answer.read()
    cookie = str(answer.getheader("Set-Cookie")).split(";")[0]

    def get(path: str) -> tuple[float, float, bytes]:
        began, spent = time.perf_counter(), time.process_time()
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        asked.request("GET", path, headers={"Cookie": cookie})
        body = asked.getresponse().read()
        return (time.perf_counter() - began) * 1000, (time.process_time() - spent) * 1000, body

    nodes = [node["id"] for node in json.loads(get("/graph.json")[2])["nodes"]]
    nights = [name.decode() for name in re.findall(rb"/night/([\d.-]+)", get("/nights")[2])]
    holds = [name.decode() for name in re.findall(rb"/hold/(h-[0-9a-f]+)", get("/holds")[2])]
    views = {
        "today": ["/"],
        "nights": ["/nights"],
        "night": [f"/night/{night}" for night in nights],
        "undo": [f"/night/{nights[0]}/undo"],
        "undo, oldest": [f"/night/{nights[-1]}/undo"],
        "undo, cascade": [f"/night/{nights[-1]}/undo?cascade=1"],
        "holds": ["/holds"],
        "hold": [f"/hold/{hold}" for hold in holds],
        "search": [f"/search?q={words[n]}+{words[n * 3 + 40]}+{words[n * 7 + 200]}" for n in range(20, 60)],
        "node": [f"/node/{node}" for node in nodes],
        "graph": ["/graph"],
        "graph.json": ["/graph.json", "/graph.json?kind=fact", "/graph.json?project=project-3", "/graph.json?most=400",
                       f"/graph.json?near={nodes[0]}"],
        "garden": ["/garden"],
        "ledger": ["/ledger"],
        "forget": [f"/forget/{node}" for node in nodes],
        "metrics": ["/metrics"],
    }  # fmt: skip
    for name, paths in views.items():
        get(paths[0])
        took = [get(paths[number % len(paths)])[:2] for number in range(ROUNDS)]
        figures = {}
        for kind, place in (("", 0), ("cpu_", 1)):
            found = sorted(each[place] for each in took)
            figures[f"{kind}p50_ms"] = round(found[ROUNDS // 2], 1)
            figures[f"{kind}p95_ms"] = round(found[-(-ROUNDS * 95 // 100) - 1], 1)
        yield name, figures
    watch.close()


if __name__ == "__main__":
    sys.exit(main())
