"""The sample sessions played in a throw-away home, and its pages served; a client that has the cookie."""

from __future__ import annotations

import http.client
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("jinja2", reason="the pages need jinja2 (requirements/plugin.txt)")

from dream.web.watch import Watch
from tests.surfaces.line import NIGHTS, Line, script


@dataclass
class Browser:
    """A client of one site: keeps cookies, follows nothing."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def __call__(
        self, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> tuple[int, str, dict[str, str]]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        body = None
        if form is not None:
            body = urlencode(form)
            named["Content-Type"] = "application/x-www-form-urlencoded"
        line.request("GET" if form is None else "POST", path, body, named)
        answer = line.getresponse()
        page = answer.read().decode()
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
        line.close()
        return answer.status, page, dict(answer.getheaders())

    def token(self, path: str) -> str:
        """The token of the forms on a page."""
        found = re.search(r'name="form" value="([0-9a-f]+)"', self(path)[1])
        assert found is not None, f"{path} has no form"
        return found[1]


@pytest.fixture(scope="session")
def _lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web")
    written = script("write_samples").write(folder / "sessions")
    line = Line(folder)
    for path, night in zip(written, NIGHTS, strict=True):
        there = line.transcripts / path.parent.name / path.name
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, there)
        assert line("cycle", "--now", f"2026-{night}T02:05:00+02:00", "--json").code == 0
    return folder


def served(folder: Path) -> Watch:
    """The pages of a home; no metrics port is taken."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DREAM_")}
    environ |= Line(folder).environ | {"DREAM_METRICS_ENABLED": "0", "DREAM_OLLAMA_HOST": "http://127.0.0.1:9"}
    watch = Watch(environ, "test")
    watch.serve(0)
    return watch


@pytest.fixture
def site(_lived: Path, tmp_path: Path) -> Iterator[Watch]:
    """Pages over a copy of the played samples."""
    folder = tmp_path / "copy"
    shutil.copytree(_lived, folder)
    watch = served(folder)
    yield watch
    watch.close()


@pytest.fixture
def browse(site: Watch) -> Browser:
    """A client that came with the token."""
    assert site.listener is not None
    browser = Browser(site.listener.port)
    assert browser(f"/?token={site.token}")[0] == 303
    return browser
