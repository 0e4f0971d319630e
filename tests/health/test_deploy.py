"""What ships in `deploy/`: rules that fire when they should, a dashboard in Grafana's schema, queries that answer."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
PROMTOOL = shutil.which("promtool")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed (apt-get install prometheus)")


@needs_promtool
@pytest.mark.parametrize("words", [("check", "rules", "alerts.yml"), ("check", "config", "prometheus.yml"),
                                   ("test", "rules", "alerts_test.yml")])  # fmt: skip
def test_promtool_accepts_rules_configuration_and_the_tests_of_the_rules(words: tuple[str, ...]) -> None:
    done = subprocess.run([str(PROMTOOL), *words], cwd=DEPLOY, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_test_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    alerts = set(re.findall(r"alert: (\w+)", (DEPLOY / "alerts.yml").read_text(encoding="utf-8")))
    asked = (DEPLOY / "alerts_test.yml").read_text(encoding="utf-8").split("- eval_time:")[1:]
    told = [(re.search(r"alertname: (\w+)", each), "exp_alerts" in each) for each in asked]
    seen = {(found[1], fires) for found, fires in told if found is not None}
    assert seen == {(name, fires) for name in alerts for fires in (True, False)}


def left_out(ours: Any, theirs: Any, at: str = "") -> list[str]:
    """Paths of what a schema did not take over as it stands."""
    if isinstance(ours, dict):
        if not isinstance(theirs, dict):
            return [at]
        return [each for key, value in ours.items() for each in left_out(value, theirs.get(key), f"{at}/{key}")]
    if isinstance(ours, list):
        if not isinstance(theirs, list) or len(ours) != len(theirs):
            return [at]
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [each for number, (one, two) in pairs for each in left_out(one, two, f"{at}/{number}")]
    return [] if ours == theirs else [at]


def test_the_dashboard_is_one_in_grafana_s_own_schema() -> None:
    """Read into Grafana's published model and written again, nothing of it is missing: the model knows every member."""
    plugins = pytest.importorskip("grafana_foundation_sdk.cog.plugins", reason="requirements/dev.txt brings it")
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.models.dashboard import Dashboard, Panel

    plugins.register_default_plugins()
    plain = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    read = Dashboard.from_json(plain)
    assert not left_out(plain, json.loads(json.dumps(read, cls=JSONEncoder)))
    assert read.panels and all(isinstance(panel, Panel) and panel.targets for panel in read.panels)
    wrong = json.loads(json.dumps(plain).replace('"expr"', '"query_text"'))
    assert left_out(wrong, json.loads(json.dumps(Dashboard.from_json(wrong), cls=JSONEncoder)))


def test_no_two_panels_of_the_dashboard_lie_on_one_another() -> None:
    panels = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        own = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not own & taken and max(x for x, _ in own) < 24, panel["title"]
        taken |= own
