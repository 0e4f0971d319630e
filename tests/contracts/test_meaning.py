"""Models of meaning around a real store: another one is built beside, and what is forgotten is in no vector (B12)."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ollama_wire import serving

from dream.api import Dream
from dream.compose import open_house
from dream.errors import ModelUnavailable
from dream.house import House
from dream.model.change import NotesAdded
from dream.model.hit import Query
from dream.model.ids import make_id
from dream.model.note import Note, Origin
from dream.settings import load

TEXTS = ["the harbour is quiet", "a garden of roses", "trains leave at nine", "the printer hums"]
KINDS = ["matrix", "lance"]


def vectors(size: int) -> Any:
    """A wire model: how often each of `size` letters stands in a text."""
    return lambda texts: [[1.0, *(float(t.lower().count(chr(97 + at))) for at in range(size - 1))] for t in texts]


class Failing:
    """A wire model whose server goes away after some texts."""

    def __init__(self, size: int, lasts: int) -> None:
        self.plain, self.left = vectors(size), lasts

    def __call__(self, texts: list[str]) -> Any:
        self.left -= len(texts)
        return self.plain(texts) if self.left >= 0 else []


class World:
    """One home, and a server of models that a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.models: dict[str, Any] = {"small": vectors(8), "wide": vectors(12)}
        self.address = ""

    @contextmanager
    def house(self, embedder: str, kind: str = "matrix", redis: str = "1") -> Iterator[House]:
        environ = {
            "DREAM_HOME": str(self.folder / "home"), "DREAM_STATE": str(self.folder / "state"), "DREAM_TZ": "UTC",
            "DREAM_TRANSCRIPTS": str(self.folder / "none"), "DREAM_REDIS_PORT": redis, "DREAM_EMBEDDER": embedder,
            "DREAM_VECTORS": kind, "DREAM_OLLAMA_HOST": self.address,
        }  # fmt: skip
        with open_house(load(environ), create=True) as house:
            yield house

    def say(self, house: House, *texts: str) -> list[Note]:
        start = house.ledger.size * 100
        made = []
        for place, text in enumerate(texts, start):
            turn, at = f"turn-{place}", f"2026-03-01T10:00:{place % 60:02d}.000Z"
            made.append(Note(make_id("n", turn, "0"), text, at, "s1", turn, 0, Origin.USER, 50, (), "p"))
        house.ledger.commit([NotesAdded("s1", tuple(made))])
        return made

    def folders(self, kind: str = "matrix") -> list[str]:
        root = self.folder / "home" / ("vectors" if kind == "matrix" else "vectors.lance")
        return sorted(path.name for path in root.iterdir()) if root.is_dir() else []


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    with serving(made.models) as (address, _):
        made.address = address
        yield made


def dense(house: House, text: str = "harbour") -> tuple[bool, tuple[str, ...]]:
    """Whether meaning took part, and what the answer lacks of it."""
    answer = house.searching().search(Query(text))
    took_part = any(name == "dense" for hit in answer.hits for name, _ in hit.signals)
    return took_part, tuple(each for each in answer.degraded if each.startswith("dense"))


def test_b12_another_model_is_built_beside_and_the_old_one_answers_until_it_is_whole(world: World) -> None:
    with world.house("ollama:small") as house:
        world.say(house, *TEXTS)
        assert house.embedding() == len(TEXTS)
        assert dense(house) == (True, ())
    world.models["wide"] = Failing(12, lasts=2)
    with world.house("ollama:wide") as house:
        with pytest.raises(ModelUnavailable):
            house.embedding()
        took_part, lacks = dense(house)
        assert took_part and "wide" in lacks[0] and "ollama-small (8 dimensions)" in lacks[0]
        assert "ollama-small" in world.folders()
        world.models["wide"] = vectors(12)
        assert house.embedding() == len(TEXTS)
        assert world.folders() == ["ollama-wide"]
    with world.house("ollama:wide") as house:
        assert dense(house) == (True, ())


def test_b12_a_server_that_now_gives_another_size_is_refused_with_both_and_built_anew(world: World) -> None:
    with world.house("ollama:small") as house:
        notes = world.say(house, *TEXTS)
        house.embedding()
    world.models["small"] = vectors(12)
    with world.house("ollama:small") as house:
        _, lacks = dense(house, "roses")
        assert "8 dimensions" in lacks[0] and "12" in lacks[0]
        assert house.searching().search(Query("roses")).hits[0].id == notes[1].id
        world.say(house, "a fifth sentence")
        assert house.embedding() == len(TEXTS) + 1
        assert dense(house) == (True, ()) and world.folders() == ["ollama-small"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_forgotten_is_in_no_vector_of_any_model(world: World, kind: str) -> None:
    if kind == "lance" and importlib.util.find_spec("lancedb") is None:
        pytest.skip("lancedb is not installed (requirements/plugin.txt)")
    with world.house("ollama:small", kind) as house:
        notes = world.say(house, *TEXTS)
        house.embedding()
        found = house.searching().search(Query("roses"))
        assert found.hits[0].id == notes[1].id and not any("dense" in each for each in found.degraded)
    with world.house("none", kind) as house:  # the model is not even at hand any more
        vector = np.asarray(vectors(8)([TEXTS[1]])[0])
        vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        raw = (np.rint(vector * 32_767).astype(np.int16) if kind == "matrix" else vector).tobytes()

        def held() -> bool:
            files = [path for path in (world.folder / "home").rglob("*") if path.is_file()]
            return any(raw in path.read_bytes() for path in files)

        assert held()
        Dream(house).forget(notes[1].id)
        assert not held()
    with world.house("ollama:small", kind) as house:
        assert house.embedding() == 0
        assert dense(house) == (True, ())


def test_the_other_kind_of_index_goes_once_the_one_that_is_asked_for_is_whole(world: World) -> None:
    pytest.importorskip("lancedb", reason="lancedb is not installed (requirements/plugin.txt)")
    with world.house("ollama:small", "lance") as house:
        world.say(house, *TEXTS)
        house.embedding()
    assert (world.folders("lance"), world.folders()) == (["ollama-small"], [])
    with world.house("ollama:small") as house:
        house.embedding()
    assert (world.folders("lance"), world.folders()) == ([], ["ollama-small"])


def test_d12_a_model_that_is_not_there_is_told_and_words_answer(world: World) -> None:
    with world.house("bge-m3") as house:
        notes = world.say(house, *TEXTS)
        answer = house.searching().search(Query("roses"))
        assert answer.hits[0].id == notes[1].id
        assert any("bge-m3 is not there yet" in each for each in answer.degraded)
        with pytest.raises(ModelUnavailable):
            house.embedding()


def test_f08_a_stranger_on_the_caches_port_is_told_of_once_and_never_sent_a_question(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    with world.house("ollama:small", redis=world.address.rsplit(":", 1)[1]) as house:  # what speaks HTTP there
        world.say(house, *TEXTS)
        house.embedding()
        for text in ("roses", "harbour", "printer", "trains", "roses"):
            assert dense(house, text) == (True, ())
            world.say(house, f"something new about {text}")
    told = [line for line in capsys.readouterr().err.splitlines() if "hot cache" in line]
    assert len(told) == 1 and "in memory" in told[0]


def test_a_reranker_takes_part_where_a_folder_with_its_weights_is_there(world: World) -> None:
    from dream.adapters.sentence import installed

    with world.house("none") as house:
        world.say(house, *TEXTS)
        answer = house.searching().search(Query("roses"))
        assert "rerank: no reranker is installed" in answer.degraded
    if not installed():
        pytest.skip("sentence-transformers is not installed (requirements.txt, with torch)")
    from tiny_models import tiny_reranker

    tiny_reranker(world.folder / "home" / "models" / "ms-marco-MiniLM-L-6-v2")
    with world.house("none") as house:
        until = time.monotonic() + 120  # the first question does not wait for the load
        while True:
            answer = house.searching().search(Query("roses"))
            if not any(each.startswith("rerank") for each in answer.degraded):
                break
            assert time.monotonic() < until, answer.degraded
        assert any(name == "rerank" for hit in answer.hits for name, _ in hit.signals)
