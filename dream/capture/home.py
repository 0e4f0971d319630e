"""Where the store lies and where the client keeps its transcripts; one answer for hooks, server, timer and CLI.

Promises an absolute path. `~` and a relative path both start at the user's home folder: a hook runs in the
project's folder, the timer in none, and both must name the same store. Refuses a folder that an update of the
package or of the plugin would delete.
"""

from __future__ import annotations

import os
import sys

KEY_BYTES = 32
ASKED = os.path.join("capture", "allowed")
"""Stands in a home while a person wants hooks to note there: made with the store, taken away with the program."""


class HomeRefused(ValueError):
    """`DREAM_HOME` names a place where the store would not survive."""


def user_home(environ: dict[str, str]) -> str:
    """The user's home folder, from the environment given and else from the system."""
    name = "USERPROFILE" if os.name == "nt" else "HOME"
    found = environ.get(name, "")
    return found if os.path.isabs(found) else os.path.expanduser("~")


def resolve_home(environ: dict[str, str]) -> str:
    """The store's folder: `DREAM_HOME`, or `.dream` in the user's home where that is unset or blank.

    Raises HomeRefused for a folder inside site-packages, the package, or a plugin's cache.
    """
    path = _absolute(environ.get("DREAM_HOME", "").strip() or "~/.dream", environ)
    _refuse_short_lived(path, environ)
    return path


def resolve_transcripts(environ: dict[str, str]) -> str:
    """The client's folder of transcripts: `DREAM_TRANSCRIPTS`, or `projects` in the client's own folder."""
    named = environ.get("DREAM_TRANSCRIPTS", "").strip()
    if named:
        return _absolute(named, environ)
    return os.path.join(_absolute(environ.get("CLAUDE_CONFIG_DIR", "").strip() or "~/.claude", environ), "projects")


def allow_notes(home: str) -> None:
    """Let hooks note from now on; called where a person makes a store (`dream init`, `dream cycle`)."""
    path = os.path.join(home, ASKED)
    if not os.path.exists(path):
        ensure_folder(os.path.dirname(path))
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def may_note(home: str, environ: dict[str, str]) -> bool:
    """Whether a person asked for memory here: made the store, or named its folder. A plugin alone is not enough."""
    return bool(environ.get("DREAM_HOME", "").strip()) or os.path.exists(os.path.join(home, ASKED))


def ensure_folder(path: str) -> None:
    """Make a folder and those above it that are missing, each for the user alone.

    `os.makedirs` gives its mode to the last folder only.
    """
    if os.path.isdir(path):
        return
    above = os.path.dirname(path)
    if above != path:
        ensure_folder(above)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:  # another process was quicker
        if not os.path.isdir(path):
            raise


def redact_key(home: str) -> bytes | None:
    """The key of the tags that stand for secrets (`keys/redact.key`, 0600), made at first use; None if damaged."""
    path = os.path.join(home, "keys", "redact.key")
    flags = getattr(os, "O_BINARY", 0)
    try:
        reader = os.open(path, os.O_RDONLY | flags)
    except FileNotFoundError:
        key = os.urandom(KEY_BYTES)
        ensure_folder(os.path.dirname(path))
        try:
            writer = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | flags, 0o600)
        except FileExistsError:  # another process made it between the two opens
            return redact_key(home)
        try:
            os.write(writer, key)
            os.fsync(writer)
        finally:
            os.close(writer)
        return key
    try:
        key = os.read(reader, KEY_BYTES + 1)
    finally:
        os.close(reader)
    return key if len(key) == KEY_BYTES else None


def _absolute(path: str, environ: dict[str, str]) -> str:
    if path == "~" or path.startswith(("~/", "~\\")):
        path = os.path.join(user_home(environ), path[2:])
    elif path.startswith("~"):
        path = os.path.expanduser(path)
    if not os.path.isabs(path):  # only then is the home folder asked for: without HOME that costs a module
        path = os.path.join(user_home(environ), path)
    return os.path.normpath(path)


def _refuse_short_lived(path: str, environ: dict[str, str]) -> None:
    real = os.path.realpath(path)
    parts = [part.lower() for part in real.replace("\\", "/").split("/")]
    for name in ("site-packages", "dist-packages"):
        if name in parts:
            raise HomeRefused(f"DREAM_HOME lies inside {name} ({path}); an update of the package would delete it.")
    for child in ("cache", "marketplaces"):
        if f"/plugins/{child}/" in "/".join(parts) + "/":
            raise HomeRefused(f"DREAM_HOME lies inside the plugin {child} ({path}); an update would delete it.")
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for root in (package, environ.get("CLAUDE_PLUGIN_ROOT", "")):
        if root and _inside(real, os.path.realpath(root)):
            raise HomeRefused(f"DREAM_HOME lies inside the plugin or package ({path}); an update would delete it.")


def _inside(path: str, folder: str) -> bool:
    if sys.platform in ("win32", "darwin"):
        path, folder = path.lower(), folder.lower()
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
