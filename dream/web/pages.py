"""The pages: an address to a view, a view's values to a template, a language, a person's own time zone.

A view is a function from `Ask` to `Shown` or a `Response`; it decides nothing, the verbs do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import jinja2
from markupsafe import Markup, escape

from dream import __version__
from dream.errors import DreamError
from dream.model.time import to_datetime
from dream.web.answering import Request, Response, to
from dream.web.phrases import told
from dream.web.words import LANGUAGES, language, said

if TYPE_CHECKING:
    from dream.api import Dream
    from dream.api_care import Care
    from dream.mcp.opened import Store

YEAR = 31_536_000
FORBIDDEN, MISSING, WRONG = 403, 404, 400
JUDGES = {"rules": "the rules", "person": "a person"}
_TICKS = re.compile(r"`([^`]+)`")
_DIGEST = re.compile(r"(?<=.)-[0-9a-f]{8}$")


@dataclass(frozen=True, slots=True)
class Ask:
    """What a view gets: the verbs, the request, and what the address named."""

    dream: Dream
    care: Care
    request: Request
    environ: dict[str, str]
    named: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """A template and its values."""

    template: str
    values: dict[str, Any]
    status: int = 200


View = Callable[[Ask], Shown | Response]


def routes() -> list[tuple[str, re.Pattern[str], View]]:
    """(method, address, view), the first that fits."""
    from dream.web import views_care as care
    from dream.web import views_days as days
    from dream.web import views_memory as memory

    table: list[tuple[str, str, View]] = [
        ("GET", "/", days.today),
        ("POST", "/mode", days.mode),
        ("GET", "/nights", days.nights),
        ("GET", "/night/{night}", days.night),
        ("GET", "/night/{night}/undo", days.undo_plan),
        ("POST", "/night/{night}/undo", days.undo),
        ("GET", "/holds", care.holds),
        ("GET", "/hold/{id}", care.hold),
        ("POST", "/hold/{id}", care.decide),
        ("GET", "/search", memory.search),
        ("GET", "/node/{id}", memory.node),
        ("POST", "/node/{id}/pin", memory.pin),
        ("GET", "/graph", memory.graph),
        ("GET", "/graph.json", memory.graph_json),
        ("GET", "/garden", care.garden),
        ("GET", "/ledger", care.ledger),
        ("POST", "/ledger", care.verify),
        ("GET", "/forget/{id}", care.forget_plan),
        ("POST", "/forget/{id}", care.forget),
    ]
    return [
        (method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[\\w.-]+)", address)), view)
        for method, address, view in table
    ]


class Pages:
    """All pages over one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._routes = routes()
        loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
        self._templates = jinja2.Environment(
            loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )

    def answer(self, request: Request, form: str) -> Response:
        """The page; `form` is the token that forms on it carry."""
        chosen = request.query.get("lang", "")
        if request.method == "GET" and chosen in LANGUAGES:
            return to(request.path, ("Set-Cookie", f"dream-lang={chosen}; SameSite=Strict; Path=/; Max-Age={YEAR}"))
        tongue = language(request.cookies.get("dream-lang", ""), request.languages)
        zone = "UTC"
        try:
            with self._store.verbs() as (dream, care):
                zone = dream.zone
                shown = self._view(Ask(dream, care, request, dict(self._store.environ)))
                if isinstance(shown, Response):
                    return shown
                return self._draw(shown, request, form, tongue, zone)
        except DreamError as error:
            status = {"not-found": MISSING, "usage": WRONG, "mode-forbids": FORBIDDEN}.get(error.code, 409)
            sorry = Shown("sorry.html", {"sentence": error.sentence, "hint": error.hint}, status)
        except OSError as error:
            why = error.strerror or type(error).__name__
            sorry = Shown("sorry.html", {"sentence": f"The system refused: {why}.", "hint": ""}, 500)
        return self._draw(sorry, request, form, tongue, zone)

    def _view(self, ask: Ask) -> Shown | Response:
        method = "GET" if ask.request.method == "HEAD" else ask.request.method
        for wanted, address, view in self._routes:
            match = address.fullmatch(ask.request.path)
            if match is not None and wanted == method:
                return view(Ask(ask.dream, ask.care, ask.request, ask.environ, match.groupdict()))
        return Shown("sorry.html", {"sentence": "There is no such page.", "hint": ""}, MISSING)

    def _draw(self, shown: Shown, request: Request, form: str, tongue: str, zone: str) -> Response:
        place = ZoneInfo(zone)

        def when(instant: str) -> str:
            """An instant as the clock on the wall says it."""
            return to_datetime(instant).astimezone(place).strftime("%Y-%m-%d %H:%M") if instant else "–"

        def coded(text: str) -> Markup:
            """Text with what stands in backticks set as code."""
            return Markup(_TICKS.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 -- escaped right here

        def project(key: str) -> str:
            """A project as people call it: its key without the digest that tells two of one name apart."""
            return _DIGEST.sub("", key) if key else said("everywhere", tongue)

        def one(name: str) -> str:
            """The word for one of what `name` counts."""
            single = said(f"1 {name}", tongue)
            return said(name, tongue) if single == f"1 {name}" else single

        def t(text: str, **figures: object) -> str:
            return said(text, tongue).format(**figures) if figures else said(text, tongue)

        def judge(name: str) -> str:
            """Who judged: a model by its name, others in words."""
            return said(JUDGES.get(name, name), tongue)

        values = {
            "t": t, "say": lambda text: coded(told(text, tongue)), "coded": coded, "project": project, "judge": judge,
            "one": one, "section": _section(request.path),
            "when": when, "day": lambda instant: when(instant)[:10], "lang": tongue, "form": form,
            "here": request.path, "version": __version__, "zone": zone, **shown.values,
        }  # fmt: skip
        page = self._templates.get_template(shown.template).render(values)
        return Response(page.encode(), status=shown.status)


def _section(path: str) -> str:
    """The entry of the menu that a page belongs to, "" where to none."""
    top = path.split("/")[1]
    return {"night": "/nights", "hold": "/holds"}.get(top, "")
