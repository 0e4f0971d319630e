"""`dream` for those who have no `dream` on PATH: finds Dream's own Python and hands the command line over to it.

`run.py setup …` sets Dream up on this kind of system, `run.py uninstall …` removes what that made; everything else is
a command of `dream`. Standard library only, syntax of Python 3.9.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]  # a Python started with -I does not look beside the script

from dream_home import dream_home, own_python


def system() -> str:
    """Which setup script is this system's."""
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["setup"], ["uninstall"]):
        own = ["--uninstall"] if arguments[0] == "uninstall" else []
        return subprocess.call([sys.executable, str(HERE / f"setup_{system()}.py"), *own, *arguments[1:]])
    python, why = own_python(dream_home())
    if not python:
        script = f'"{sys.executable}" "{HERE / "run.py"}" setup'
        sys.stderr.write(f"{why} Nothing was done.\nSet it up first (it asks for nothing): {script}\n")
        return 1
    command = [python, "-I", "-X", "utf8", "-m", "dream", *arguments]
    if os.name != "nt":
        os.execv(python, command)  # noqa: S606
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
