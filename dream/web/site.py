"""The site: metrics and `/who` for programs, the pages for the person who has the start-up token.

1. A page is shown to who came with the token, which becomes a cookie that scripts cannot read and other sites cannot
   send. The token stands in `web.token`, readable by the owner alone, and is new with every start.
2. What alters anything is a POST with the form's own token; a GET alters nothing.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from dream import __version__
from dream.errors import DreamError
from dream.health.port import store_tag
from dream.web.answering import Request, Response, application, text, to

if TYPE_CHECKING:
    from dream.mcp.opened import Store
    from dream.web.pages import Pages

STATIC = Path(__file__).parent / "static"
MEDIA = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
SESSIONS = 50
TOKEN_FILE = "web.token"  # noqa: S105 -- the name of a file


class Site:
    """One per process.

    Args:
        what: what this process is, for `/who`.
    """

    def __init__(self, store: Store, what: str) -> None:
        self._store, self._what = store, what
        self.token = secrets.token_urlsafe(24)
        self._secret = secrets.token_bytes(32)
        self._sessions: deque[str] = deque(maxlen=SESSIONS)
        self._pages: Pages | None = None
        self.app = application(self.answer)

    def write_token(self, home: Path) -> None:
        """Leave the token where the owner, and nobody else, can read it."""
        path = home / TOKEN_FILE
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(self.token + "\n")

    def answer(self, request: Request) -> Response:
        """Answer one request; an error of Dream's is a page, never a trace."""
        if request.method not in {"GET", "HEAD", "POST"}:
            return _refused("Only GET and POST.", 405, request)
        if request.path == "/who":
            return self._who()
        if request.path == "/metrics":
            return self._metrics(request)
        if request.path.startswith("/static/"):
            return _static(request)
        return self._page(request)

    def _who(self) -> Response:
        tag = store_tag(self._store.settings().settings.home)
        plain = {"dream": __version__, "pid": os.getpid(), "what": self._what, "store": tag}
        return Response(json.dumps(plain).encode(), "application/json")

    def _metrics(self, request: Request) -> Response:
        from dream.compose import exposition

        try:
            with self._store.verbs() as (dream, _):
                measured = dream.measured()
        except (DreamError, OSError) as error:
            return text(f"# {error}", 503)
        media, body = exposition(measured, request.accept)
        return Response(body, media)

    def _page(self, request: Request) -> Response:
        cookie = f"dream-{request.port}"
        offered = request.query.get("token", "")
        if offered:
            if not hmac.compare_digest(offered.encode(), self.token.encode()):
                wrong = "That token is not the one of this start. `dream web` shows the right address."
                return _refused(wrong, 403, request)
            session = secrets.token_urlsafe(24)
            self._sessions.append(session)
            return to("/", ("Set-Cookie", f"{cookie}={session}; HttpOnly; SameSite=Strict; Path=/"))
        session = request.cookies.get(cookie, "")
        if not any(hmac.compare_digest(session.encode(), known.encode()) for known in self._sessions):
            return _refused("This page opens with the address that `dream web` shows.", 401, request)
        form = hmac.new(self._secret, session.encode(), "sha256").hexdigest()
        if request.method == "POST" and not hmac.compare_digest(request.form.get("form", "").encode(), form.encode()):
            old = "This form is out of date. Go back, load the page again, and send it once more."
            return _refused(old, 403, request)
        return self._shown().answer(request, form)

    def _shown(self) -> Pages:
        if self._pages is None:
            from dream.web.pages import Pages

            self._pages = Pages(self._store)
        return self._pages


def _refused(sentence: str, status: int, request: Request) -> Response:
    """A plain sentence in the reader's language."""
    from dream.web.phrases import told
    from dream.web.words import language

    return text(told(sentence, language(request.cookies.get("dream-lang", ""), request.languages)), status)


def _static(request: Request) -> Response:
    name = request.path.removeprefix("/static/")
    path = STATIC / name
    if "/" in name or "\\" in name or path.suffix not in MEDIA or not path.is_file():
        return _refused("There is no such file.", 404, request)
    tag = f'"{__version__}-{path.stat().st_mtime_ns:x}"'
    headers = (("Cache-Control", "private, no-cache"), ("ETag", tag))
    if request.etag == tag:
        return Response(b"", MEDIA[path.suffix], 304, headers)
    return Response(path.read_bytes(), MEDIA[path.suffix], headers=headers)
