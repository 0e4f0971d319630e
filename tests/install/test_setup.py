"""Setting up and taking away, as processes in a user's own home."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.conftest import ROOT, SCRIPTS, Run, snapshot

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays the setup of Linux")


def record(user: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((user / ".dream" / "install.json").read_text(encoding="utf-8"))
    return found


def test_a11_after_the_setup_nothing_that_is_registered_names_the_plugins_folder(
    user: Path, run: Run, dream_python: str, tmp_path: Path
) -> None:
    plugin = tmp_path / "cache" / "dream"
    shutil.copytree(SCRIPTS, plugin / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "hooks", plugin / "hooks")
    done = run(str(plugin / "scripts" / "run.py"), "setup", "--python", dream_python)
    assert done.returncode == 0 and "Dream is set up" in done.stdout, done.stderr
    shutil.rmtree(plugin)
    units = user / ".config" / "systemd" / "user"
    for path in [
        units / "dream.service",
        units / "dream.timer",
        user / ".dream" / "install.json",
        user / ".dream" / "bin" / "dream",
    ]:
        assert str(plugin) not in path.read_text(encoding="utf-8"), path
    command = [str(user / ".dream" / "scripts" / "scheduler.py"), "--set", f"DREAM_HOME={user / '.dream'}"]
    played = run(*command)
    assert played.returncode == 0
    assert "nothing is pending" in (user / ".dream" / "logs" / "scheduler.log").read_text(encoding="utf-8")
    again = run(str(user / ".dream" / "scripts" / "run.py"), "setup")
    assert again.returncode == 0, "the stable copy can register the timer again without the plugin"


def test_the_setup_makes_the_store_for_its_owner_alone_and_can_be_repeated(
    user: Path, run: Run, dream_python: str
) -> None:
    assert run("setup_linux.py", "--python", dream_python).returncode == 0
    assert stat.S_IMODE((user / ".dream").stat().st_mode) == 0o700
    key = (user / ".dream" / "keys" / "ledger.key").read_bytes()
    before = snapshot(user)
    assert run("setup_linux.py", "--python", dream_python).returncode == 0
    after = snapshot(user)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert changed <= {".dream/install.json", ".dream/writer.lock"}, "a second run writes the record, and nothing else"
    assert (user / ".dream" / "keys" / "ledger.key").read_bytes() == key


def test_removing_leaves_the_home_as_it_was_but_for_the_memory(user: Path, run: Run, dream_python: str) -> None:
    (user / ".config").mkdir()
    (user / ".config" / "other.conf").write_text("mine\n", encoding="utf-8")
    before = snapshot(user)
    assert run("setup_linux.py", "--python", dream_python).returncode == 0
    assert run("run.py", "remember", "The office is in Lyon.").returncode == 0
    memory = {
        name: held
        for name, held in snapshot(user).items()
        if not name.startswith(
            (".dream/scripts", ".dream/bin", ".dream/install.json", ".dream/capture", ".config/systemd")
        )
    }
    done = run("run.py", "uninstall")
    assert done.returncode == 0 and "the memory is still in" in done.stdout
    assert snapshot(user) == memory
    kept = run("run.py", "uninstall", "--memory")
    assert kept.returncode == 1 and snapshot(user) == memory, "without a terminal and without --yes nothing goes"
    assert run("run.py", "uninstall", "--memory", "--yes").returncode == 0
    rest = {name: held for name, held in snapshot(user).items() if name not in {".local", ".local/state"}}
    assert rest == before, "what listed those two folders went with the program"


def test_what_dream_knows_is_written_out_before_its_memory_goes_byte_for_byte_as_export_has_it(
    user: Path, run: Run, dream_python: str, tmp_path: Path
) -> None:
    before = snapshot(user)
    assert run("setup_linux.py", "--python", dream_python, "--no-timer").returncode == 0
    assert run("run.py", "remember", "The office is in Lyon.").returncode == 0
    assert run("run.py", "export", str(tmp_path / "by-hand")).returncode == 0
    held = snapshot(user)
    inside = run("run.py", "uninstall", "--memory", "--yes", "--export", str(user / ".dream" / "out"))
    assert inside.returncode == 1 and "inside the memory" in inside.stderr and snapshot(user) == held
    (tmp_path / "a-file").write_text("", encoding="utf-8")
    failed = run("run.py", "uninstall", "--memory", "--yes", "--export", str(tmp_path / "a-file"))
    assert failed.returncode == 1 and "export failed" in failed.stderr
    assert {name: value for name, value in snapshot(user).items() if "writer.lock" not in name} == {
        name: value for name, value in held.items() if "writer.lock" not in name
    }, "nothing goes where the export did not succeed"
    done = run("run.py", "uninstall", "--memory", "--yes", "--export", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "by-hand")
    assert "The office is in Lyon." in (tmp_path / "out" / "graph.json").read_text(encoding="utf-8")
    assert snapshot(user) == before


def test_at_a_terminal_removing_asks_for_a_folder_first_and_then_for_the_word(
    user: Path, run: Run, dream_python: str, environ: dict[str, str], tmp_path: Path
) -> None:
    import pty

    assert run("setup_linux.py", "--python", dream_python, "--no-timer").returncode == 0
    assert run("run.py", "remember", "The office is in Lyon.").returncode == 0

    def answering(*answers: str) -> int:
        ours, theirs = pty.openpty()
        os.write(ours, "".join(f"{each}\n" for each in answers).encode())
        command = [sys.executable, str(SCRIPTS / "run.py"), "uninstall", "--memory"]
        done = subprocess.run(command, env=environ, cwd=tmp_path, stdin=theirs, capture_output=True, timeout=120)
        os.close(ours)
        os.close(theirs)
        return done.returncode

    assert answering("out", "no") == 1
    assert (tmp_path / "out" / "graph.json").is_file() and (user / ".dream" / "keys").is_dir()
    assert answering("", "delete") == 0
    assert not (user / ".dream").exists()


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["words", "json"])
def test_dream_can_remove_the_very_environment_it_runs_in(
    more: tuple[str, ...], user: Path, run: Run, environ: dict[str, str]
) -> None:
    own = user / ".dream" / "venv" / "own"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(own)], check=True)
    packages = next(own.glob("lib/python*/site-packages"))
    (packages / "checkout.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    for place in (Path(each) for each in sys.path if each.endswith(("site-packages", "dist-packages"))):
        for package in place.iterdir():  # links, which go with the environment
            if not (packages / package.name).exists():
                (packages / package.name).symlink_to(package)
    assert run("setup_linux.py", "--no-timer", "--python", str(own / "bin" / "python")).returncode == 0
    command = [str(user / ".dream" / "bin" / "dream"), "uninstall", *more]
    done = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the memory is still in" in done.stdout
    assert not own.exists()


def test_removing_twice_and_removing_what_was_never_there_is_no_error(user: Path, run: Run) -> None:
    done = run("run.py", "uninstall")
    assert done.returncode == 0 and "nothing was removed" in done.stdout
    assert snapshot(user) == {}


def test_a_home_of_its_own_reaches_the_timer(user: Path, run: Run, dream_python: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "mémoire 100%"
    done = run(
        "setup_linux.py", "--python", dream_python, DREAM_HOME=str(elsewhere), CLAUDE_CONFIG_DIR="/elsewhere/claude"
    )
    assert done.returncode == 0, done.stderr
    service = (user / ".config" / "systemd" / "user" / "dream.service").read_text(encoding="utf-8")
    assert f'"DREAM_HOME={elsewhere}"'.replace("%", "%%") in service
    assert '"CLAUDE_CONFIG_DIR=/elsewhere/claude"' in service
    assert run("run.py", "health", DREAM_HOME=str(elsewhere)).returncode == 0
    assert run("run.py", "health").returncode == 1, "the default home was not set up"


def test_no_timer_registers_none_and_health_says_so(user: Path, run: Run, dream_python: str) -> None:
    assert run("setup_linux.py", "--python", dream_python, "--no-timer").returncode == 0
    assert not (user / ".config").exists() and "timer" not in record(user)


def test_a09_a_python_that_only_opens_a_shop_is_refused(user: Path, run: Run, tmp_path: Path) -> None:
    stub = tmp_path / "python3"
    stub.write_text("#!/bin/sh\necho 'Python was not found' >&2\nexit 49\n", encoding="utf-8")
    stub.chmod(0o755)
    done = run("setup_linux.py", "--python", str(stub))
    assert done.returncode == 1 and "does not start" in done.stderr
    assert not (user / ".dream" / "install.json").exists()


def test_a09_health_names_a_stub_that_hooks_would_run_on(
    user: Path, run: Run, dream_python: str, tmp_path: Path
) -> None:
    assert run("setup_linux.py", "--python", dream_python, "--no-timer").returncode == 0
    folder = tmp_path / "path"
    folder.mkdir()
    stub = folder / "python3"
    stub.write_text("#!/bin/sh\necho 'Python was not found' >&2\nexit 49\n", encoding="utf-8")
    stub.chmod(0o755)
    done = run("run.py", "doctor", PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert str(stub) in done.stdout and "stub" in done.stdout


def test_an_update_that_cannot_open_the_store_leaves_everything_as_it_was(
    user: Path, run: Run, dream_python: str, tmp_path: Path
) -> None:
    import installation

    assert run("setup_linux.py", "--python", dream_python).returncode == 0
    assert run("run.py", "remember", "The office is in Lyon.").returncode == 0
    before = snapshot(user)
    broken = tmp_path / "broken"
    broken.write_text(
        '#!/bin/sh\ncase "$*" in *verify*) echo "the store is too new" >&2; exit 1;; esac\nexit 0\n', encoding="utf-8"
    )
    broken.chmod(0o755)
    with pytest.raises(installation.SetupFailed, match="could not verify the store: the store is too new"):
        installation.rehearse(user / ".dream", str(broken))
    assert snapshot(user) == before
    copy = installation.rehearse(user / ".dream", dream_python)
    assert copy is not None and (copy / "ledger").is_dir()


def test_without_an_installation_the_command_line_says_that_nothing_was_done(user: Path, run: Run) -> None:
    done = run("run.py", "remember", "The office is in Lyon.")
    assert done.returncode == 1 and "not set up" in done.stderr and "Nothing was done" in done.stderr
    assert snapshot(user) == {}


@pytest.mark.slow
def test_from_nothing_a_real_environment_is_made_and_used(user: Path, run: Run, environ: dict[str, str]) -> None:
    done = run("run.py", "setup", "--lean")
    if done.returncode and "could not be installed" in done.stderr:
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    python = str(record(user)["python"])
    assert python.startswith(str(user / ".dream" / "venv")) and Path(python).is_absolute()
    shown = subprocess.run(
        [str(user / ".dream" / "bin" / "dream"), "health"], env=environ, capture_output=True, check=True
    )
    assert b"Store" in shown.stdout
    loaded = "import dream, fastmcp, sys; print(dream.__file__)"
    where = subprocess.run([python, "-I", "-c", loaded], capture_output=True, text=True, check=True).stdout
    assert where.startswith(str(user / ".dream" / "venv")), "it runs what was installed, not this checkout"
    assert run("run.py", "uninstall", "--memory", "--yes").returncode == 0
    assert not (user / ".dream").exists()
