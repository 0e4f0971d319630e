"""One suite for every vector index: the mapped matrix and LanceDB find alike (B10, B12, B13)."""

from __future__ import annotations

import errno
import importlib.util
import math
import random
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dream.adapters.vector_matrix import MatrixVectors
from dream.errors import DreamError

SIZE = 8
KINDS = ["matrix", "lance"]


def unit(seed: int, size: int = SIZE) -> list[float]:
    draw = random.Random(seed)
    made = [draw.gauss(0, 1) for _ in range(size)]
    length = math.sqrt(sum(each * each for each in made))
    return [each / length for each in made]


def open_index(kind: str, folder: Path, model: str = "toy") -> Any:
    if kind == "matrix":
        return MatrixVectors(folder, model)
    if importlib.util.find_spec("lancedb") is None:
        pytest.skip("lancedb is not installed (requirements/plugin.txt)")
    from dream.adapters.lance import LanceVectors

    return LanceVectors(folder, model)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def index(kind: str, tmp_path: Path) -> Any:
    return open_index(kind, tmp_path / "vectors")


def test_an_empty_index_finds_nothing(index: Any) -> None:
    assert (index.watermark(), dict(index.nearest(unit(1), 5)), index.cosines(unit(1), ["n-1"])) == (0, {}, {})


def test_the_nearest_come_first_with_their_cosine(index: Any) -> None:
    index.write([(f"n-{seed}", "p", unit(seed)) for seed in range(20)], [], 7)
    found = index.nearest(unit(3), 4)
    assert next(iter(found)) == "n-3" and found["n-3"] == pytest.approx(1.0, abs=2e-3)
    assert list(found.values()) == sorted(found.values(), reverse=True) and len(found) == 4
    assert index.watermark() == 7
    assert index.cosines(unit(3), ["n-3", "n-none"]) == {"n-3": pytest.approx(1.0, abs=2e-3)}


def test_a19_only_the_projects_asked_for_are_searched(index: Any) -> None:
    index.write([(f"n-{seed}", "a" if seed % 2 else "b", unit(seed)) for seed in range(10)], [], 1)
    assert all(int(each[2:]) % 2 for each in index.nearest(unit(2), 10, ("a",)))
    assert index.nearest(unit(2), 10, ('it\'s "quoted"',)) == {}


def test_writing_again_replaces_and_what_went_is_gone(index: Any) -> None:
    index.write([("n-1", "p", unit(1)), ("n-2", "p", unit(2))], [], 1)
    index.write([("n-1", "p", unit(9))], ["n-2"], 2)
    index.write([("n-1", "p", unit(9))], ["n-2"], 2)
    assert dict(index.nearest(unit(9), 5)) == {"n-1": pytest.approx(1.0, abs=2e-3)}
    assert index.watermark() == 2


def test_another_process_sees_what_was_written(index: Any, kind: str, tmp_path: Path) -> None:
    other = open_index(kind, tmp_path / "vectors")
    index.write([("n-1", "p", unit(1))], [], 1)
    assert set(other.nearest(unit(1), 5)) == {"n-1"}
    index.write([("n-2", "p", unit(2))], [], 2)
    assert set(other.nearest(unit(1), 5)) == {"n-1", "n-2"} and other.watermark() == 2


def test_b12_another_size_is_refused_with_both_sizes_and_nothing_is_lost(index: Any) -> None:
    index.write([("n-1", "p", unit(1))], [], 1)
    for act in (lambda: index.nearest(unit(1, 12), 5), lambda: index.write([("n-2", "p", unit(2, 12))], [], 2)):
        with pytest.raises(DreamError) as refused:
            act()
        assert "8" in refused.value.sentence and "12" in refused.value.sentence and "dream cycle" in refused.value.hint
    assert set(index.nearest(unit(1), 5)) == {"n-1"} and index.watermark() == 1


def test_b12_another_model_is_built_beside_and_the_old_one_stays(index: Any, kind: str, tmp_path: Path) -> None:
    index.write([("n-1", "p", unit(1))], [], 1)
    with pytest.raises(DreamError):
        open_index(kind, tmp_path / "vectors", "other").nearest(unit(1), 5)
    beside = open_index(kind, tmp_path / "beside", "other")
    beside.write([("n-1", "p", unit(1, 12))], [], 1)
    assert set(beside.nearest(unit(1, 12), 5)) == set(index.nearest(unit(1), 5)) == {"n-1"}


def test_b10_many_small_writes_do_not_pile_up_on_disk(index: Any, kind: str, tmp_path: Path) -> None:
    times = 300 if kind == "matrix" else 120
    for number in range(times):
        index.write([(f"n-{number}", "p", unit(number, 256))], [], number + 1)
    if kind == "lance":  # as of a day later: until then old versions are kept for readers
        from dream.adapters.lance import LanceVectors

        index = LanceVectors(tmp_path / "vectors", "toy", old=timedelta(0))
    index.tidy()
    size = sum(file.stat().st_size for file in (tmp_path / "vectors").rglob("*") if file.is_file())
    assert size < 5 * times * 256 * 4
    assert len(index.nearest(unit(1, 256), times + 10)) == times


def test_what_was_taken_out_is_in_no_file_and_no_version(index: Any, kind: str, tmp_path: Path) -> None:
    rows = [(f"n-{seed}", "p", unit(seed, 64)) for seed in range(60)]
    index.write(rows[:40], [], 1)
    index.write(rows[40:], [], 2)
    gone = rows[7]

    def on_disk(row: tuple[str, str, list[float]]) -> bool:
        whole = np.asarray(row[2], dtype=np.float32)
        raw = (np.rint(whole * 32_767).astype(np.int16) if kind == "matrix" else whole).tobytes()
        files = [file.read_bytes() for file in (tmp_path / "vectors").rglob("*") if file.is_file()]
        return any(raw in held or (row[0].encode() in held and kind == "matrix") for held in files)

    assert on_disk(gone) and on_disk(rows[8])
    index.write([], [gone[0]], 3)
    assert not on_disk(gone) and on_disk(rows[8])
    assert len(index.nearest(unit(1, 64), 100)) == 59 and index.watermark() == 3


def test_of_many_vectors_the_nearest_are_found_without_comparing_all(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    themes = draw.standard_normal((300, 128))
    made = themes[draw.integers(0, 300, 12_000)] + 0.7 * draw.standard_normal((12_000, 128))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    index = MatrixVectors(tmp_path / "vectors", "toy")
    index.write([(f"n-{at}", "even" if at % 2 == 0 else "odd", row) for at, row in enumerate(made)], [], 1)
    for asked in made[:20]:
        exact = np.argsort(-(made @ asked))
        found = [int(each[2:]) for each in index.nearest(asked, 50)]
        assert len(set(found) & set(exact[:50].tolist())) >= 49
        inside = [int(each[2:]) for each in index.nearest(asked, 20, ("odd",))]
        assert inside and all(at % 2 for at in inside)
        assert len(set(inside) & set([at for at in exact.tolist() if at % 2][:20])) >= 19


WRITER = """
import sys
from pathlib import Path
from dream.adapters.lance import LanceVectors
index, who = LanceVectors(Path(sys.argv[1]), "toy"), int(sys.argv[2])
for number in range(int(sys.argv[3])):
    index.write([(f"n-{who}-{number}", "p", [1.0, float(who), float(number)])], [], number + 1)
"""


def test_b09_processes_that_write_at_once_while_it_is_tidied_lose_no_row(tmp_path: Path) -> None:
    index = open_index("lance", tmp_path / "vectors")
    index.write([("n-first", "p", [1.0, 0.0, 0.0])], [], 1)
    command = [sys.executable, "-c", WRITER, str(tmp_path / "vectors")]
    writers = [subprocess.Popen([*command, str(who), "12"]) for who in range(3)]
    while any(writer.poll() is None for writer in writers):
        index.tidy()
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert len(index.nearest([1.0, 1.0, 1.0], 100)) == 1 + 3 * 12


def test_b13_a_folder_that_takes_nothing_is_named_and_nothing_is_deleted(kind: str, tmp_path: Path) -> None:
    (tmp_path / "vectors").write_text("not a folder", "utf-8")
    index = open_index(kind, tmp_path / "vectors")
    with pytest.raises(DreamError) as refused:
        index.write([("n-1", "p", unit(1))], [], 1)
    assert str(tmp_path / "vectors") in refused.value.sentence
    assert (tmp_path / "vectors").read_text("utf-8") == "not a folder"


def test_b13_a_file_system_without_rename_costs_the_write_and_not_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_index("matrix", tmp_path / "vectors")
    index.write([("n-1", "p", unit(1))], [], 1)

    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(Path, "rename", unsupported)
    with pytest.raises(DreamError):
        index.write([("n-2", "p", unit(2))], [], 2)
    monkeypatch.undo()
    assert set(index.nearest(unit(1), 5)) == {"n-1"}
