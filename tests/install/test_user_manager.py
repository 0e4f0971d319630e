"""The timer on a real systemd user manager, in namespaces of its own: nothing of this machine's is seen or touched.

Needs root (to mount), unshare, dbus-daemon and systemd itself; skipped with a reason where one is missing or the
manager does not come up.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.conftest import SCRIPTS

MANAGER = next((path for path in ("/lib/systemd/systemd", "/usr/lib/systemd/systemd") if Path(path).exists()), "")
NEEDED = ("unshare", "dbus-daemon", "systemctl")
NO_MANAGER = 77
PLAY = r"""
set -u
mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && mkdir -p -m 700 "$XDG_RUNTIME_DIR" || exit 77
umount -R /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 cgroup2 /sys/fs/cgroup && mount -t proc proc /proc || exit 77
mkdir "/sys/fs/cgroup/$CGROUP" && echo 0 > "/sys/fs/cgroup/$CGROUP/cgroup.procs" || exit 77
dbus-daemon --session --address="$DBUS_SESSION_BUS_ADDRESS" --fork --nopidfile || exit 77
"$MANAGER" --user --log-target=null &
for _ in $(seq 150); do
  case "$(systemctl --user is-system-running 2>/dev/null)" in running|degraded) up=1; break;; esac
  sleep 0.2
done
[ -n "${up:-}" ] || exit 77
wait_for() { for _ in $(seq 300); do eval "$1" && return 0; sleep 0.2; done; echo "NEVER: $1"; return 1; }
log="$HOME/.dream/logs/scheduler.log"
mkdir -p "$HOME/.local/share/systemd/timers"
touch -d '2 days ago' "$HOME/.local/share/systemd/timers/stamp-dream.timer"
"$PYTHON" "$SCRIPTS/setup_linux.py" --python "$DREAM_PYTHON" || exit 1
wait_for '[ -s "$log" ]'
wait_for '[ "$(systemctl --user is-active dream.service)" = inactive ]'
echo "FIRST $(wc -l < "$log") $(systemctl --user show dream.service -P Result)"
echo "TIMER $(systemctl --user is-enabled dream.timer) $(systemctl --user is-active dream.timer)"
echo "HEALTH $("$PYTHON" "$SCRIPTS/run.py" health | grep 'Next night')"
echo "NEXT $(systemctl --user show dream.timer -P NextElapseUSecRealtime)"
"$PYTHON" "$SCRIPTS/setup_linux.py" --python "$DREAM_PYTHON" >/dev/null
sleep 1
echo "AGAIN $(wc -l < "$log")"
"$PYTHON" "$SCRIPTS/run.py" uninstall
echo "GONE $(systemctl --user is-active dream.timer) $(systemctl --user list-unit-files --no-legend 'dream.*' | wc -l)"
echo 0 > /sys/fs/cgroup/cgroup.procs
kill -9 -1  # all of this pid namespace but its first process, which is this shell
wait
left() { ! find "/sys/fs/cgroup/$CGROUP" -depth -type d -exec rmdir {} + 2>/dev/null; }
for _ in $(seq 20); do left || break; sleep 0.1; done
"""


def test_g02_a_real_user_manager_makes_up_a_missed_night_once_and_forgets_the_timer_when_dream_is_removed(
    user: Path, environ: dict[str, str], dream_python: str, tmp_path: Path
) -> None:
    if not MANAGER or not sys.platform.startswith("linux") or os.getuid() != 0 or not all(map(shutil.which, NEEDED)):
        pytest.skip("needs root, systemd, unshare and dbus-daemon")
    group = f"dream-test-{os.getpid()}"
    seen = {
        **environ, "XDG_RUNTIME_DIR": "/run/user/0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/0/bus",
        "MANAGER": MANAGER, "CGROUP": group, "PYTHON": sys.executable, "SCRIPTS": str(SCRIPTS), "TZ": "Europe/Paris",
        "DREAM_PYTHON": dream_python,
    }  # fmt: skip
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--cgroup", "bash", "-c", PLAY]
    done = subprocess.run(command, env=seen, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == NO_MANAGER or "unshare failed" in done.stderr:
        pytest.skip(f"no user manager comes up here: {done.stderr.strip()[-200:]}")
    told = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in done.stdout.splitlines() if line[:4].isupper()}
    said = done.stdout + done.stderr
    assert "NEVER:" not in said and "02:05 every night, by" in said, said
    assert told["FIRST"] == "1 success", "the night of two days ago was made up, once"
    assert told["TIMER"] == "enabled active"
    assert told["NEXT"].split()[2].startswith(("02:05", "03:05")), told["NEXT"]
    assert told["HEALTH"].endswith("by systemd"), "`dream health` sees that it runs"
    assert told["AGAIN"] == "1", "setting up again plays nothing twice"
    assert told["GONE"] == "inactive 0"
    assert not (user / ".local" / "share" / "systemd" / "timers" / "stamp-dream.timer").exists()
