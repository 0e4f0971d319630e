"""Secrets that their neighbour betrays: private keys, headers, URLs, cookies, assignments."""

from __future__ import annotations

from dream.capture.redact_checks import basic, opaque
from dream.capture.redact_rule import Rule, compiled
from dream.capture.redact_values import STATES, reference, shape, value_at


def pem(text: str, start: int, end: int) -> tuple[int, int] | None:
    """From the BEGIN line to the END line; without one, as far as the body goes: lines of base64, escaped or quoted or not."""
    stop = text.find("PRIVATE KEY", end, end + 20000)
    if stop >= 0 and compiled(r"END [A-Z0-9 ]{0,36}$").search(text, max(end, stop - 40), stop):
        tail = compiled(r"PRIVATE KEY(?: BLOCK)? ?-{0,5}").match(text, stop)
        return (start, tail.end()) if tail else (start, stop)
    body = compiled(
        r"(?:[ \t>|*\"'+]{0,8}(?:[A-Za-z-]{3,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9 ]))?(?:\\{1,4}[nr]|\s)){0,400}(?:[A-Za-z0-9+/=]{16,})?"
    ).match(text, end)
    return start, max(end, body.end() if body else end)


def credential(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept the token of a header."""
    value = text[start:end].rstrip(".,;:")
    if reference(value) or len(value) < 8 or not (opaque(value) or shape(value) >= 2 or len(value) >= 20):
        return None
    return start, start + len(value)


def url_password(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept the password of a URL; variables and the word that holds its place stay."""
    value = text[start:end]
    if (
        reference(value)
        or value.lower() in STATES
        or value.lower() in ("pass", "passwd", "pwd", "motdepasse", "mdp", "pw")
    ):
        return None
    return start, end


def assigned(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept the value after `key =` or `key:` when it is a secret's shape for that key."""
    key = text[start:end].rstrip(" \t:=>\"'`]\\").lower()
    begin, stop, quote = value_at(text, end)
    value = text[begin:stop]
    if (
        len(value) < 4
        or reference(value)
        or compiled(r"(?:file|path|url|uri|name|id|dir|type|length|policy|hint|field|count|ttl)$").search(key)
    ):
        return None
    if " " in value or value.lower() in STATES:
        return None
    word = compiled(r"pass|pwd|mdp|secret|mot.de").search(key)
    level = shape(value)
    if word:
        env = compiled(r"[A-Z0-9_]*(?:PASS|PASSWORD|PWD|PASSWD|SECRET)[A-Z0-9_]*\s*=\s*").match(text, start)
        return (begin, stop) if level >= 1 or (env and len(value) >= 5) else None
    if compiled(r"[0-9]+").fullmatch(value):
        return None
    if compiled(r"[a-f0-9]{16,}|[A-F0-9]{16,}").fullmatch(value):
        return begin, stop
    return (
        (begin, stop)
        if len(value) >= 8 and (level >= 3 or (level >= 2 and len(value) >= 12 and opaque(value)))
        else None
    )


KEY = (
    r"(?i)(?:pass(?:word|wd|phrase|code|wort)?|pwd|mdp|mot[ _-]de[ _-]passe|secret|token|jeton|api[ _-]?key|apikey|access[_-]?key|secret[_-]?key|"
    r"private[_-]?key|account[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|client[_-]?secret|credentials?|license[_-]?key)"
    r"[A-Za-z0-9_-]{0,24}(?:\\?[\"'`\]]){0,3}[ \t\u00a0]{0,3}(?::=|=>|==|=|:)(?!=)"
)

# fmt: off
CONTEXT = (
    Rule("private-key", "private keys", "PRIVATE",
         r"-{2,5} ?BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{2,5}", "", pem),
    Rule("private-key", "private keys", "LS0tLS1CRUdJTi", r"LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]{40,20000}"),
    Rule("basic-auth", "headers", "basic", r"(?i)\bbasic[ \t]{1,3}([A-Za-z0-9+/_-]{6,400}={0,2})", "", basic),
    Rule("bearer-token", "headers", "bearer", r"(?i)\bbearer[ \t:\"'=]{1,3}([A-Za-z0-9._~+/=-]{8,4000})", "", credential),
    Rule("session-cookie", "cookies", "cookie connect.sid sessionid",
         r"(?i)(?:connect\.sid|session[a-z_-]{0,8}|sid|jsessionid|phpsessid|auth[a-z_-]{0,8}|remember[a-z_-]{0,12})=(?:s(?:%3A|:))?([A-Za-z0-9%._~+/-]{16,400})",
         "", credential),
    Rule("url-password", "URLs", "://", r"://[^\s/:@\"'<>`]{0,80}:([^\s/\"'<>`]{1,200})@(?=[A-Za-z0-9\[$%{-])", "", url_password),
    Rule("secret", "assignments", "pass pwd mdp secret token jeton key credential", KEY, "", assigned),
)
# fmt: on
