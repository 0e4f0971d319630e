"""The keys of the folders that sessions ran in, as long as Dream remembers them."""

from __future__ import annotations

from pathlib import Path

from dream.capture.project import project_key
from dream.sources.manifest import Manifest


class Projects:
    """Folder to project key; a folder that is gone keeps the key it had while its repository could be asked."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._keys: dict[str, str] = {}

    def key(self, cwd: str) -> str:
        """The key of `cwd`, "" for none."""
        if cwd not in self._keys:
            known = self._manifest.project_of(cwd)
            self._keys[cwd] = known if known and not _is_there(cwd) else project_key(cwd)
        return self._keys[cwd]


def _is_there(folder: str) -> bool:
    try:
        return Path(folder).is_dir()
    except OSError:
        return False
