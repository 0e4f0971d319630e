"""Who may speak to the server over HTTP: a page on the web may not, even when its name was made to point here.

A browser sends the name it asked for (`Host`) and where its page came from (`Origin`). Both must be this machine's own
names (DNS rebinding: a hostile name that resolves to 127.0.0.1 still shows in `Host`). Refused with 403, before
anything of the request is read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

OWN_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


class OwnMachineOnly:
    """ASGI middleware in front of an application."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not allowed(scope.get("headers", ())):
            await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"Only this machine may speak to Dream.\n"})
            return
        await self._app(scope, receive, send)


def allowed(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the one `Host` is this machine's and each `Origin`, where there is one, too."""
    hosts = [value.decode("latin-1") for name, value in headers if name.lower() == b"host"]
    origins = [value.decode("latin-1") for name, value in headers if name.lower() == b"origin"]
    return len(hosts) == 1 and _own(f"//{hosts[0]}") and all(_own(origin) for origin in origins)


def _own(address: str) -> bool:
    try:
        found = urlsplit(address)
        found.port  # noqa: B018 - raises on a port that is none
    except ValueError:
        return False
    return found.hostname in OWN_NAMES and not found.username and not found.password
