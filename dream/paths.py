"""Where everything lies under DREAM_HOME; nothing here touches the disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Home:
    """The layout of one store. `root` is absolute (see `dream.capture.home`, which decides it)."""

    root: Path

    @property
    def ledger(self) -> Path:
        """Truth: segments and the signed checkpoint."""
        return self.root / "ledger"

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def database(self) -> Path:
        """Projection: notes, nodes, edges, full text."""
        return self.root / "pgt.sqlite"

    @property
    def vectors(self) -> Path:
        """Projection: LanceDB, a folder for each model; only where `vectors` is set to lance."""
        return self.root / "vectors.lance"

    @property
    def matrix(self) -> Path:
        """Projection: the same vectors as mapped files, a folder for each model."""
        return self.root / "vectors"

    @property
    def models(self) -> Path:
        """Models that `dream init --models` fetched, a folder each."""
        return self.root / "models"

    @property
    def state_database(self) -> Path:
        """Metrics and access counts of all processes; operational, unsigned."""
        return self.root / "state.sqlite"

    @property
    def trail(self) -> Path:
        """Which entries name an id; made from the log where it is missing."""
        return self.root / "trail.sqlite"

    @property
    def capture(self) -> Path:
        """Today's buffer (`YYYY-MM-DD.jsonl`), `cursors/`, `sealed/`."""
        return self.root / "capture"

    @property
    def manifest(self) -> Path:
        """What of each transcript has been read."""
        return self.root / "processed" / "manifest.json"

    @property
    def archive(self) -> Path:
        """Cold nodes and rejected debates."""
        return self.root / "archive"

    @property
    def index(self) -> Path:
        """What SessionStart prints: `MEMORY.md` for everywhere, `projects/<key>.md`, `status.json`."""
        return self.root / "index"

    @property
    def logs(self) -> Path:
        """Changelogs (`YYYY-MM-DD.md`), `nightly.log`, `hooks.log`."""
        return self.root / "logs"

    @property
    def config(self) -> Path:
        return self.root / "config.json"

    @property
    def health(self) -> Path:
        return self.root / "health.json"

    @property
    def cycle_lock(self) -> Path:
        return self.root / "cycle.lock"

    @property
    def writer_lock(self) -> Path:
        return self.root / "writer.lock"
