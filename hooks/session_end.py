"""SessionEnd leaves one marker line: see dream/capture/hooks.py. Never fails a session."""

import os
import sys

if os.environ.get("DREAM_INSIDE") != "1":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        from dream.capture.hooks import run

        run("SessionEnd")
    except Exception as fault:  # noqa: BLE001 - an incomplete copy of the plugin, or a Python it cannot run on
        sys.stderr.write("dream: %s\n" % fault)
