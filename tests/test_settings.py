"""Settings: environment over config.json over default; a value that cannot be used is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dream.errors import SettingsError
from dream.settings import Loaded, load, variables


def loaded(home: Path, written: Any = None, **environ: str) -> Loaded:
    home.mkdir(exist_ok=True)
    if written is not None:
        (home / "config.json").write_text(json.dumps(written), encoding="utf-8")
    return load({"DREAM_HOME": str(home), **environ})


def test_the_variables_of_the_first_dream_keep_their_names_and_defaults(tmp_path: Path) -> None:
    """Seed 001."""
    settings = loaded(tmp_path / "h").settings
    assert settings.redis_host == "127.0.0.1"
    assert settings.redis_port == 6379
    assert settings.consolidation_model == settings.counterfactual_model == "gemma4:12b"
    assert settings.metrics_port == 9464
    assert settings.metrics_enabled is True
    assert settings.preload_embedder is False  # kept, off by default: decision 16
    assert {"DREAM_HOME", "DREAM_REDIS_HOST", "DREAM_REDIS_PORT", "DREAM_METRICS_ENABLED"} <= set(variables())


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    home = tmp_path / "h"
    first = loaded(home, {"quiet_minutes": 5, "notes": "salient"}, DREAM_QUIET_MINUTES="7")
    assert (first.settings.quiet_minutes, first.settings.notes) == (7, "salient")
    sources = {row.key: row.source for row in first.rows}
    assert (sources["quiet_minutes"], sources["notes"], sources["tz"]) == ("environment", "config.json", "default")


@pytest.mark.parametrize(
    ("variable", "value", "needed"),
    [
        ("DREAM_REDIS_PORT", "0", "65535"),
        ("DREAM_REDIS_PORT", "six", "whole number"),
        ("DREAM_METRICS_ENABLED", "maybe", "1 or 0"),
        ("DREAM_TZ", "Europe/Atlantis", "time zone"),
        ("DREAM_NOTES", "-3", "salient"),
        ("DREAM_JUDGE", " ", "word"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_what_is_needed(
    tmp_path: Path, variable: str, value: str, needed: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        loaded(tmp_path / "h", **{variable: value})
    assert variable in refused.value.sentence and needed in refused.value.sentence


def test_a_value_in_the_file_is_named_by_its_key(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"metrics_port in config\.json"):
        loaded(tmp_path / "h", {"metrics_port": "high"})


@pytest.mark.parametrize("content", ["[1]", "{", "\x00"])
def test_a_file_that_is_no_object_is_refused_and_named(tmp_path: Path, content: str) -> None:
    home = tmp_path / "h"
    home.mkdir()
    (home / "config.json").write_text(content)
    with pytest.raises(SettingsError, match=r"config\.json"):
        loaded(home)


def test_unknown_keys_are_told_and_do_not_stop_a_night(tmp_path: Path) -> None:
    assert loaded(tmp_path / "h", {"quiet_minutes": 5, "quite_minutes": 9}).unknown == ("quite_minutes",)


def test_true_and_false_in_the_file_are_flags(tmp_path: Path) -> None:
    assert loaded(tmp_path / "h", {"metrics_enabled": False}).settings.metrics_enabled is False


def test_the_home_cannot_be_moved_by_the_file_that_lies_in_it(tmp_path: Path) -> None:
    found = loaded(tmp_path / "h", {"home": "/elsewhere"})
    assert found.settings.home == tmp_path / "h"
    assert found.unknown == ("home",)


@pytest.mark.parametrize("folder", ["site-packages", "plugins/cache"])
def test_a_home_that_an_update_would_delete_is_refused(tmp_path: Path, folder: str) -> None:
    """Case B22."""
    with pytest.raises(SettingsError, match="update"):
        load({"DREAM_HOME": str(tmp_path / folder / "dream")})
