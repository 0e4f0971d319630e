"""A request as values and an answer as values; the border to WSGI, with the headers that every answer carries.

1. Only this machine's own names may be asked for, and only its own pages may ask (DNS rebinding, F03): 403 before
   anything of the request is read.
2. No answer may be framed, sniffed, cached or load anything from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote
from wsgiref.types import StartResponse, WSGIEnvironment

from dream.mcp.guard import allowed

LARGEST_FORM = 64_000
STRANGER = "Only this machine may speak to Dream.\nSeule cette machine peut parler à Dream."
SAFE = (
    ("Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
     "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),  # with none at all a browser sends `Origin: null` with every form
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked; `form` is empty but for a POST."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    accept: str = ""
    languages: str = ""
    etag: str = ""
    port: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer."""

    body: bytes
    media: str = "text/html; charset=utf-8"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


Answers = Callable[[Request], Response]


def text(said: str, status: int = 200) -> Response:
    """A plain sentence."""
    return Response(f"{said}\n".encode(), "text/plain; charset=utf-8", status)


def to(path: str, *headers: tuple[str, str]) -> Response:
    """Go to a page of this site, whatever the path holds; what was sent is not sent again."""
    return Response(b"", status=303, headers=(("Location", "/" + quote(path.lstrip("/\\"))), *headers))


def application(answer: Answers) -> Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]:
    """A WSGI application over a function from request to response."""

    def serve(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        response = answer(_request(environ)) if _own(environ) else text(STRANGER, 403)
        headers = [("Content-Type", response.media), ("Content-Length", str(len(response.body))), *SAFE]
        names = {name for name, _ in response.headers}
        if "Cache-Control" not in names:
            headers.append(("Cache-Control", "no-store"))
        start(f"{response.status} {HTTPStatus(response.status).phrase}", [*headers, *response.headers])
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else response.body]

    return serve


def _own(environ: WSGIEnvironment) -> bool:
    hosts = environ.get("dream.hosts", [environ.get("HTTP_HOST", "")])
    told = [(b"host", str(host).encode("latin-1", "replace")) for host in hosts]
    if "HTTP_ORIGIN" in environ:
        told.append((b"origin", str(environ["HTTP_ORIGIN"]).encode("latin-1", "replace")))
    return allowed(told) and environ.get("HTTP_SEC_FETCH_SITE", "none") in {"none", "same-origin"}


def _request(environ: WSGIEnvironment) -> Request:
    form: dict[str, str] = {}
    if environ["REQUEST_METHOD"] == "POST":
        try:
            size = max(0, min(LARGEST_FORM, int(environ.get("CONTENT_LENGTH") or 0)))
        except ValueError:
            size = 0
        form = _pairs(environ["wsgi.input"].read(size).decode("utf-8", "replace"))
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(str(environ.get("HTTP_COOKIE", "")))
    except CookieError:
        cookies = SimpleCookie()
    return Request(
        str(environ["REQUEST_METHOD"]),
        str(environ.get("PATH_INFO", "/")).encode("latin-1").decode("utf-8", "replace"),
        _pairs(str(environ.get("QUERY_STRING", ""))),
        form,
        {name: morsel.value for name, morsel in cookies.items()},
        str(environ.get("HTTP_ACCEPT", "")),
        str(environ.get("HTTP_ACCEPT_LANGUAGE", "")),
        str(environ.get("HTTP_IF_NONE_MATCH", "")),
        str(environ.get("SERVER_PORT", "")),
    )


def _pairs(encoded: str) -> dict[str, str]:
    try:
        return {name: values[-1] for name, values in parse_qs(encoded, max_num_fields=50).items()}
    except ValueError:
        return {}
