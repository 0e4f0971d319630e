"""Addresses, forms and requests that make no sense are a sentence, change nothing, and lead nowhere else."""

from __future__ import annotations

import socket

import pytest

from dream.web.watch import Watch
from tests.web.conftest import Browser

ODD = """%00 f-%ff%fe %F0%9F%92%A9 %27%22%3E%3Cscript%3E -1 1e999 nan %7B%7B7*7%7D%7D %0d%0aSet-Cookie:x=y f-1%27-- n-
    .. 2026-99-99 ..%2f..%2fetc %5c""".split()
VIEWS = """/node/{} /hold/{} /night/{} /night/{}/undo?cascade=1 /forget/{} /static/{} /{} /search?q=x&as_of={}
    /search?q={} /graph.json?near={} /graph.json?as_of={} /graph.json?most={} /graph?project={}
    /nights?lang={}""".split()


def test_what_makes_no_sense_in_an_address_or_a_form_is_a_sentence_and_changes_nothing(browse: Browser) -> None:
    form, before = browse.token("/"), browse("/ledger")[1]
    for odd in (*ODD, "A" * 3000, "f-" + "0" * 3000):
        sent = [
            (f"/hold/{odd}", {"decision": "accept"}),
            (f"/node/{odd}/pin", {"pinned": "1"}),
            (f"/forget/{odd}", {"sure": "1"}),
            (f"/night/{odd}/undo", {"plan": odd}),
            ("/night/2026-09-19/undo", {"plan": odd}),
            ("/mode", {"mode": odd}),
            ("/mode", {"mode": "NORMAL", "hours": odd}),
        ]
        answers = [browse(view.format(odd)) for view in VIEWS]
        answers += [browse(path, words | {"form": form}) for path, words in sent]
        for status, page, headers in answers:
            assert status < 500 and "Traceback" not in page and "Set-Cookie" not in headers, (odd, status, page[:200])
            assert "json" in headers["Content-Type"] or "<script>" not in page, odd
    assert browse("/ledger")[1] == before


@pytest.mark.parametrize("path", ["//evil.example/", "/%0d%0aSet-Cookie:x=y", "/%5cevil.example", "///evil.example"])
def test_a_redirect_stays_on_this_site_and_in_its_header(browse: Browser, path: str) -> None:
    status, _, headers = browse(f"{path}?lang=fr")
    assert status == 303 and headers["Location"][:1] == "/" and headers["Location"][1:2] not in {"/", "\\"}
    assert headers["Set-Cookie"].startswith("dream-lang=fr;") and ("%0D%0A" in headers["Location"]) == ("%0d" in path)


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"POST /mode HTTP/1.1\r\nContent-Length: -7\r\n", b" 403 "),
        (b"POST /mode HTTP/1.1\r\nContent-Length: x\r\n", b" 403 "),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n", b"414"),
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\n", b" 403 "),
        (b"PUT / HTTP/1.1\r\n", b" 405 "),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 300, b" 431 "),
    ],
    ids=["less than no length", "a length in letters", "a long line", "two hosts", "another verb", "many headers"],
)
def test_a_request_that_is_none_is_refused_and_the_server_stands(
    site: Watch, browse: Browser, capfd: pytest.CaptureFixture[str], said: bytes, answered: bytes
) -> None:
    assert site.listener is not None
    name, value = next(iter(browse.cookies.items()))
    with socket.create_connection(("127.0.0.1", site.listener.port), timeout=60) as line:
        line.sendall(said + f"Host: 127.0.0.1:{site.listener.port}\r\nCookie: {name}={value}\r\n\r\n".encode())
        head = line.makefile("rb").read(400)
    assert answered in head, head
    assert "Traceback" not in capfd.readouterr().err
    assert browse("/nights")[0] == 200
