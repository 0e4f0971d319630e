"""Every setting, once: variable, key in config.json, default, one sentence of help.

Promises: settings are read once, at composition, and passed down as one frozen value; the environment wins over
config.json, which wins over the default; a value Dream cannot use is a `SettingsError` that names where it stands.
Refuses: reading anything but the environment it is given and the one config.json.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from platformdirs import user_state_path

from dream.capture.home import HomeRefused, resolve_home, resolve_transcripts, user_home
from dream.errors import SettingsError

Read = Callable[[str], Any]

MARKS: Mapping[str, str] = {
    "DREAM_INSIDE": "Set by Dream on processes it starts itself; hooks that see it exit at once.",
    "DREAM_PYTHON": "Names the Python that starts the server's launcher where `python3` on PATH is none.",
}
"""Variables that are signals between processes, not settings."""


def _flag(text: str) -> bool:
    word = text.strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError("1 or 0")


def _between(low: int, high: int) -> Read:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ValueError(f"a whole number from {low} to {high}") from None
        if not low <= number <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return number

    return read


def _word(text: str) -> str:
    if not text.strip():
        raise ValueError("a word")
    return text.strip()


def _text(text: str) -> str:
    return text.strip()


def _name_or_none(text: str) -> str:
    return text.strip()


@functools.cache
def _zones() -> frozenset[str]:
    """Every zone the system knows; looking takes 40 ms, so a server does it once."""
    return frozenset(available_timezones())


def _zone(text: str) -> str:
    if text and text not in _zones():
        raise ValueError("the name of a time zone such as Europe/Paris, or nothing for the machine's own")
    return text


def _one_of(*words: str) -> Read:
    def read(text: str) -> str:
        if text in words:
            return text
        raise ValueError(" or ".join(words))

    return read


def _row(variable: str, default: str, read: Read, explained: str) -> dict[str, Any]:
    return {"variable": variable, "default": default, "read": read, "help": explained}


@dataclass(frozen=True, slots=True)
class Settings:
    """The table. A field's name is its key in config.json (`home` excepted: the file lies in it)."""

    home: Path = field(metadata=_row("DREAM_HOME", "~/.dream", Path, "Root of the store."))
    transcripts: Path = field(
        metadata=_row(
            "DREAM_TRANSCRIPTS", "~/.claude/projects", Path, "Folder of Claude's transcripts, swept at night."
        )
    )
    cowork: Path | None = field(
        metadata=_row(
            "DREAM_COWORK",
            "",
            _text,
            "Folder of Cowork's local sessions; empty is the application's own, unless transcripts is set; off: none.",
        )
    )
    state: Path = field(
        metadata=_row("DREAM_STATE", "", Path, "Folder for a copy of the last checkpoint; empty is the user's own.")
    )
    tz: str = field(metadata=_row("DREAM_TZ", "", _zone, "Time zone of relative dates; empty is the machine's own."))
    judge: str = field(
        metadata=_row("DREAM_JUDGE", "auto", _word, "Who judges at night: auto, rules, or the name of a model.")
    )
    notes: str = field(
        metadata=_row(
            "DREAM_NOTES", "all", _one_of("all", "salient"), "Which notes stay searchable: all, or the salient ones."
        )
    )
    quiet_minutes: int = field(
        metadata=_row(
            "DREAM_QUIET_MINUTES", "30", _between(0, 1440), "A session active this recently is left for the next night."
        )
    )
    context_tokens: int = field(
        metadata=_row(
            "DREAM_CONTEXT_TOKENS", "500", _between(50, 2000), "Length the session's index aims at, in tokens."
        )
    )
    capture_prompts: bool = field(
        metadata=_row("DREAM_CAPTURE_PROMPTS", "0", _flag, "Let the UserPromptSubmit hook capture the turn before.")
    )
    redis_host: str = field(metadata=_row("DREAM_REDIS_HOST", "127.0.0.1", _word, "Host of the optional hot cache."))
    redis_port: int = field(
        metadata=_row("DREAM_REDIS_PORT", "6379", _between(1, 65535), "Port of the optional hot cache.")
    )
    ollama_host: str = field(
        metadata=_row("DREAM_OLLAMA_HOST", "http://127.0.0.1:11434", _word, "Where Ollama listens, on this machine.")
    )
    num_ctx: int = field(
        metadata=_row("DREAM_NUM_CTX", "4096", _between(512, 1_000_000), "Window of the judging model, in tokens.")
    )
    consolidation_model: str = field(
        metadata=_row("DREAM_CONSOLIDATION_MODEL", "gemma4:12b", _word, "Model that judges at night, served by Ollama.")
    )
    counterfactual_model: str = field(
        metadata=_row("DREAM_COUNTERFACTUAL_MODEL", "gemma4:12b", _word, "Model of the garden, served by Ollama.")
    )
    sanitize_model: str = field(
        metadata=_row(
            "DREAM_SANITIZE_MODEL",
            "gemma4:e4b",
            _name_or_none,
            "Model that reads notes for private things; empty is none.",
        )
    )
    embedder: str = field(
        metadata=_row(
            "DREAM_EMBEDDER",
            "auto",
            _word,
            "What compares meaning: auto, packaged, none, ollama:MODEL, or a folder of a sentence-transformers model.",
        )
    )
    reranker: str = field(
        metadata=_row(
            "DREAM_RERANKER",
            "auto",
            _word,
            "What reads question and text together: auto (where its weights are there), none, or a model's folder.",
        )
    )
    vectors: str = field(
        metadata=_row("DREAM_VECTORS", "matrix", _one_of("matrix", "lance"), "What keeps vectors: matrix or lance.")
    )
    judge_minutes: int = field(
        metadata=_row("DREAM_JUDGE_MINUTES", "60", _between(0, 1440), "Minutes a night may judge; 0 is no bound.")
    )
    judge_tokens: int = field(
        metadata=_row("DREAM_JUDGE_TOKENS", "0", _between(0, 10**9), "Tokens a night may judge with; 0 is no bound.")
    )
    away_nights: int = field(
        metadata=_row("DREAM_AWAY_NIGHTS", "3", _between(0, 365), "Nights that wait for a model that is away.")
    )
    garden_window_days: int = field(
        metadata=_row("DREAM_GARDEN_WINDOW_DAYS", "14", _between(1, 365), "Days until a counterfactual branch settles.")
    )
    garden_expiry_days: int = field(
        metadata=_row("DREAM_GARDEN_EXPIRY_DAYS", "30", _between(1, 3650), "Days until one that was wrong is pruned.")
    )
    metrics_port: int = field(
        metadata=_row("DREAM_METRICS_PORT", "9464", _between(1, 65535), "Port of the metrics, on 127.0.0.1.")
    )
    metrics_enabled: bool = field(metadata=_row("DREAM_METRICS_ENABLED", "1", _flag, "0 closes the metrics endpoint."))
    preload_embedder: bool = field(
        metadata=_row(
            "DREAM_PRELOAD_EMBEDDER", "0", _flag, "Load the embedder when the server starts instead of at first use."
        )
    )

    def zone(self) -> ZoneInfo | None:
        """The configured zone, or None for the machine's own."""
        return ZoneInfo(self.tz) if self.tz else None


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as `dream config` prints it; `source` is environment, config.json or default."""

    key: str
    variable: str
    value: str
    default: str
    source: str
    help: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings with where each came from, and keys of config.json that no setting has."""

    settings: Settings
    rows: tuple[Row, ...]
    unknown: tuple[str, ...] = ()


def variables() -> tuple[str, ...]:
    """Every DREAM_* variable that is a setting."""
    return tuple(each.metadata["variable"] for each in dataclasses.fields(Settings))


def load(environ: Mapping[str, str]) -> Loaded:
    """Read the environment and config.json once.

    Raises:
        SettingsError: a value that cannot be used, or a config.json that is not a JSON object.
    """
    try:
        home = Path(resolve_home(dict(environ)))
    except HomeRefused as error:
        raise SettingsError(str(error), "Name a folder of your own, or leave DREAM_HOME unset for ~/.dream.") from error
    written = _config(home / "config.json")
    values: dict[str, Any] = {}
    rows: list[Row] = []
    for each in dataclasses.fields(Settings):
        variable, default = each.metadata["variable"], each.metadata["default"]
        text, source = default, "default"
        if each.name in written and each.name != "home":
            text, source = _as_text(written[each.name]), "config.json"
        if variable in environ:
            text, source = environ[variable], "environment"
        values[each.name] = _read(each.name, variable, each.metadata["read"], text, source)
        if each.name == "home":
            values["home"] = home
        elif each.name == "transcripts":
            told = {**environ, variable: text} if source == "config.json" else dict(environ)
            values["transcripts"] = Path(resolve_transcripts(told))
        elif each.name == "cowork":
            values["cowork"] = _cowork(text, environ, "DREAM_TRANSCRIPTS" in environ or "transcripts" in written)
        elif each.name == "state":
            values["state"] = Path(text).expanduser() if text.strip() else user_state_path("dream", appauthor=False)
        rows.append(Row(each.name, variable, _as_text(values[each.name]), default, source, each.metadata["help"]))
    known = {each.name for each in dataclasses.fields(Settings)} - {"home"}
    return Loaded(Settings(**values), tuple(rows), tuple(sorted(written.keys() - known)))


def _read(name: str, variable: str, read: Read, text: str, source: str) -> Any:
    try:
        return read(text)
    except ValueError as error:
        place = variable if source == "environment" else f"{name} in config.json"
        raise SettingsError(f"{place} is {text!r}, which is not {error}.", f"Set it to {error}.") from error


def _cowork(text: str, environ: Mapping[str, str], transcripts_named: bool) -> Path | None:
    """Where Claude's desktop application keeps Cowork's local sessions, on each system."""
    if text.lower() == "off" or (not text and transcripts_named):
        return None
    if text:
        return Path(text).expanduser()
    user = Path(user_home(dict(environ)))
    if sys.platform == "darwin":
        apps = user / "Library" / "Application Support"
    elif sys.platform == "win32":
        apps = Path(environ.get("APPDATA") or user / "AppData" / "Roaming")
    else:
        apps = Path(environ.get("XDG_CONFIG_HOME") or user / ".config")
    return apps / "Claude" / "local-agent-mode-sessions"


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def _config(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except NotADirectoryError as error:
        raise SettingsError(f"{path.parent} is a file, not a folder.", "Name a folder with DREAM_HOME.") from error
    except PermissionError as error:
        hint = "Give yourself the right to read it, or name another folder with DREAM_HOME."
        raise SettingsError(f"{path} may not be read.", hint) from error
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read: {error}.", "Mend the file or remove it.") from error
    if not isinstance(plain, dict):
        raise SettingsError(f"{path} is not a JSON object.", "Write it as {} with settings inside, or remove it.")
    return {name: value for name, value in plain.items() if value is not None}
