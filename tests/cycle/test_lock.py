"""One cycle at a time, with real processes (cases G05, B18)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from dream.adapters.system import FileLock
from dream.cycle.lock import alone
from dream.errors import Locked

ROOT = Path(__file__).resolve().parents[2]

HOLD = """
import sys, time, pathlib
from dream.adapters.system import FileLock
from dream.cycle.lock import alone
from dream.errors import DreamError
path, who, seconds = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
try:
    with alone(FileLock(path, who)):
        print("running", flush=True)
        time.sleep(seconds)
except DreamError as refused:
    print(refused.sentence, flush=True)
    sys.exit(refused.exit_code)
"""


def start(path: Path, who: str, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), who, str(seconds)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_g05_of_three_cycles_started_at_once_one_runs_and_two_say_by_whom_and_since_when(tmp_path: Path) -> None:
    started = [start(tmp_path / "cycle.lock", f"night {n}", 3) for n in range(3)]
    said = {process.pid: first_line(process) for process in started}
    codes = {process.pid: process.wait(20) for process in started}
    ran = [pid for pid, line in said.items() if line == "running"]
    assert len(ran) == 1
    assert sorted(codes.values()) == [0, 3, 3]
    for pid, line in said.items():
        if pid not in ran:
            assert "already running" in line
            assert f"pid {ran[0]}" in line
            assert "T" in line.rsplit(" at ", 1)[1]


def test_b18_a_killed_holder_frees_the_lock_though_its_text_is_still_there(tmp_path: Path) -> None:
    path = tmp_path / "cycle.lock"
    process = start(path, "night", 60)
    assert first_line(process) == "running"
    with pytest.raises(Locked):
        FileLock(path).acquire()
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    process.wait(10)
    lock = FileLock(path, "second")
    holder = lock.holder()
    assert holder is not None and holder.pid == process.pid, "the stale text is there"
    lock.acquire()
    taken = lock.holder()
    assert taken is not None and taken.pid == os.getpid()
    lock.release()


@pytest.mark.parametrize("pid", [1, 999_999_999])
def test_b18_a_text_naming_a_recycled_or_dead_pid_does_not_block(tmp_path: Path, pid: int) -> None:
    path = tmp_path / "cycle.lock"
    path.write_bytes(b"left over")
    beside = path.with_name("cycle.lock.holder")
    beside.write_text(json.dumps({"pid": pid, "since": "2026-01-01T00:00:00.000Z", "who": "x", "host": "h"}))
    with alone(FileLock(path)):
        pass


def test_a_damaged_text_beside_the_lock_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "cycle.lock"
    path.with_name("cycle.lock.holder").write_bytes(b"\xff\x00{")
    with FileLock(path) as lock, pytest.raises(Locked):
        path.with_name("cycle.lock.holder").write_bytes(b"\xff\x00{")
        assert lock.holder() is None
        FileLock(path).acquire()


def test_two_threads_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    path, inside, most = tmp_path / "writer.lock", 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            lock = FileLock(path)
            lock.acquire(30)
            inside += 1
            most = max(most, inside)
            time.sleep(0.0005)
            inside -= 1
            lock.release()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_taker_waits_as_long_as_it_said(tmp_path: Path) -> None:
    path = tmp_path / "writer.lock"
    process = start(path, "writer", 0.5)
    assert first_line(process) == "running"
    FileLock(path).acquire(timeout_s=10)
    process.wait(10)


def test_asking_whether_it_is_held_does_not_take_it(tmp_path: Path) -> None:
    path = tmp_path / "cycle.lock"
    lock = FileLock(path)
    assert not lock.held()
    with lock:
        assert lock.held()
        assert FileLock(path).held()
    assert not FileLock(path).held()


def test_a_lock_in_a_folder_that_is_not_there_yet_makes_it(tmp_path: Path) -> None:
    with FileLock(tmp_path / "mémoire été" / "cycle.lock"):
        assert (tmp_path / "mémoire été").is_dir()
