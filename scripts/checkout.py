"""Lets a measuring program run from a checkout, whichever Python starts it.

`use()` puts the project on the path. Where the packages are missing it starts the program again with the `.venv` that
`bootstrap.py` made, or says how to make one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("cryptography", "networkx", "rank_bm25", "platformdirs", "rich", "snowballstemmer")
"""Packages of requirements/base.txt by the name they are imported with."""


def use() -> None:
    """Make `import dream` work, or end with a sentence."""
    sys.path.insert(0, str(ROOT))
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not missing:
        return
    own = ROOT / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if own.is_file() and Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
        os.execv(str(own), [str(own), *sys.argv])  # noqa: S606 -- the same program, with its packages
    sys.exit(
        f"The package {missing[0]} is missing. Run `python3 scripts/bootstrap.py night --sample` once, "
        "which makes .venv, or `pip install -r requirements/base.txt`."
    )
