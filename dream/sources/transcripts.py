"""The night's sweep of transcript folders: what hooks missed, each file from where it was last read.

Promises to stream (neither a file nor its turns are ever whole in memory), to leave sessions in which something was
written within the quiet time, to read a truncated or replaced transcript anew, to leave a cut last line for the next
time, and to go on past any file it cannot read. Turns that a hook captured already come again; their notes have the
same ids. Marks nothing itself: `Manifest.record(swept.path, swept.mark)` when the turns are safe.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from dream.capture.instants import of_epoch
from dream.capture.notes import notes_of
from dream.sources.branches import dead_uuids
from dream.sources.folders import transcript_files
from dream.sources.manifest import Manifest, Mark
from dream.sources.projects import Projects
from dream.sources.reading import Turn, Turns, last_activity, lines_between, outline
from dream.sources.report import SweepReport


@dataclass(frozen=True, slots=True)
class Swept:
    """One transcript with something new in it.

    Attributes:
        path: absolute; the key of its mark.
        session: the client's session id that the file lives under (a resumed copy holds lines of the older one too).
        cwd: the folder the session was started in, "" where no line names one.
        project: the key of that folder.
        turns: the new turns, in order; may be none.
        dead: uuids of turns on dead branches, of the whole file: hooks may have captured some of them earlier, or may
            yet; `SweepReport.dead_turns` has those of unchanged transcripts too.
        mark: what the manifest is to remember once the turns are safe.
        projects: keys of folders.
    """

    path: str
    session: str
    cwd: str
    project: str
    turns: Turns
    dead: frozenset[str]
    mark: Mark
    projects: Projects

    def project_of(self, turn: Turn) -> str:
        """The key of the folder a turn was said in: the user may have gone elsewhere than where the session began."""
        return self.projects.key(turn["cwd"]) if turn["cwd"] else self.project


def sweep(
    roots: Path | Sequence[Path],
    manifest: Manifest,
    now: str,
    quiet_minutes: int = 30,
    report: SweepReport | None = None,
) -> Iterator[Swept]:
    """Yield the transcripts under `roots` that hold something new, oldest activity first.

    Args:
        now: an instant; a session with activity later than `quiet_minutes` before it is left for another night.
        report: filled as the sweep goes on.
    """
    report = report if report is not None else SweepReport()
    projects = Projects(manifest)
    report.dead.update(manifest.dead())
    for _, path in sorted(_changed(roots, manifest, now, quiet_minutes, report)):
        try:
            swept = _read(path, manifest, report, projects)
        except OSError as refused:  # it may be gone since it was listed
            report.failed.append(f"{path} ({refused.strerror or type(refused).__name__})")
            continue
        report.read += 1
        report.dead[path] = swept.dead
        yield swept


def notes(swept: Swept, key: bytes | None = None) -> Iterator[dict[str, Any]]:
    """The notes of a swept transcript's new turns that stand on no dead branch, redacted and graded, in order.

    Args:
        key: as `dream.capture.notes.notes_of` has it.
    """
    for turn in swept.turns:
        if turn["uuid"] not in swept.dead:
            yield from notes_of(turn, swept.project_of(turn), key)


def waiting(roots: Path | Sequence[Path], manifest: Manifest, now: str, quiet_minutes: int = 30) -> tuple[int, int]:
    """(transcripts a sweep would read now, sessions with something new, the active ones included); for the gates."""
    report = SweepReport()
    ready = sum(1 for _ in _changed(roots, manifest, now, quiet_minutes, report))
    return ready, ready + report.active


def _changed(
    roots: Path | Sequence[Path], manifest: Manifest, now: str, quiet_minutes: int, report: SweepReport
) -> Iterator[tuple[datetime, str]]:
    """Transcripts with something new in which nobody writes: (last activity, path)."""
    quiet_since = datetime.fromisoformat(now) - timedelta(minutes=quiet_minutes)
    for path in transcript_files([roots] if isinstance(roots, Path) else roots, report.failed):
        report.seen += 1
        try:
            found = Path(path).stat()
            mark = manifest.get(path)
            if mark is not None and (mark.size, mark.mtime) == (found.st_size, found.st_mtime_ns):
                report.unchanged += 1
                continue
            last = last_activity(path, found.st_size, found.st_mtime_ns)
        except OSError as refused:
            report.failed.append(f"{path} ({refused.strerror or type(refused).__name__})")
            continue
        if last > quiet_since:
            report.active += 1
        else:
            yield last, path


def _read(path: str, manifest: Manifest, report: SweepReport, projects: Projects) -> Swept:
    before = manifest.get(path)
    found = outline(path, before.offset if before else 0)
    same = before is not None and found.digest_before == before.head
    report.replaced += before is not None and not same
    report.overlong += found.overlong
    project = projects.key(found.cwd)
    session = found.session or Path(path).stem
    dead = dead_uuids(found.prompts, lambda: lines_between(path, 0, found.end)) | {found.taken_back} - {""}
    mark = Mark(
        size=found.size,
        mtime=found.mtime,
        offset=found.offset,
        line=found.line,
        head=found.digest,
        session=session,
        cwd=found.cwd,
        project=project,
        dead=tuple(sorted(dead)),
    )
    # A branch that came back to life was left out when it was read: then all is read again.
    on = before is not None and same and dead.issuperset(before.dead)
    start = before.offset if before is not None and on else 0
    turns = Turns(path, start, found.end, Path(path).stem, of_epoch(found.mtime / 1e9), found.cwd, report)
    return Swept(path, session, found.cwd, project, turns, dead, mark, projects)
