"""A trail names every entry that names an id, is of one log, and is thrown away at the first doubt."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.adapters.memory_trail import MemoryTrail
from dream.adapters.sqlite_trail import SqliteTrail
from dream.errors import DreamError
from dream.ports import Step, Trail


@pytest.fixture(params=["sqlite", "memory"])
def trail(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Trail]:
    if request.param == "memory":
        yield MemoryTrail()
        return
    made = SqliteTrail(tmp_path / "trail.sqlite")
    yield made
    made.close()


STEPS = (
    Step((("f-1", 0), ("e-1", 0)), 0, b"zero"),
    Step((), 1, b"one"),
    Step((("f-1", 2), ("f-2", 0), ("f-2", 2)), 2, b"two"),
)


def test_it_names_the_entries_of_an_id_from_a_place_on(trail: Trail) -> None:
    assert trail.mark() == (0, "")
    trail.extend(0, STEPS)
    assert trail.mark() == (3, hashlib.sha256(b"two").hexdigest())
    assert trail.naming(("f-1",), 0) == {0, 2}
    assert trail.naming(("f-1", "e-1", "f-9"), 1) == {2}
    assert trail.naming((), 0) == set()
    assert trail.naming([f"f-{number}" for number in range(1500)], 0) == {0, 2}


def test_it_goes_on_where_it_stood_and_only_there(trail: Trail) -> None:
    trail.extend(0, STEPS)
    trail.extend(0, [Step((("f-7", 0),), 0, b"other")])
    assert trail.naming(("f-7",), 0) == set() and trail.mark()[0] == 3
    trail.extend(3, [Step((("f-7", 3),), 3, b"three")])
    assert trail.naming(("f-7",), 0) == {3} and trail.mark() == (4, hashlib.sha256(b"three").hexdigest())
    trail.extend(4, [])
    assert trail.mark()[0] == 4
    trail.clear()
    assert (trail.mark(), trail.naming(("f-1", "f-7"), 0)) == ((0, ""), set())


def test_what_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Step]:
        yield STEPS[0]
        raise OSError("the log went away")

    trail = SqliteTrail(tmp_path / "trail.sqlite")
    with pytest.raises(OSError, match="went away"):
        trail.extend(0, broken())
    assert (trail.mark(), trail.naming(("f-1",), 0)) == ((0, ""), set())
    trail.close()


def test_a_damaged_file_is_an_error_once_and_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "trail.sqlite"
    path.write_bytes(b"no database at all, but long enough to be read as one" * 40)
    trail = SqliteTrail(path)
    with pytest.raises(DreamError, match="trail"):
        trail.mark()
    trail.extend(0, STEPS)
    assert trail.mark()[0] == 3
    trail.close()


def test_a_file_that_cannot_be_made_is_an_error_of_dream_s(tmp_path: Path) -> None:
    trail = SqliteTrail(tmp_path / "missing" / "trail.sqlite")
    with pytest.raises(DreamError, match="trail"):
        trail.mark()
