"""Secrets that their neighbour betrays: private keys, headers, URLs, cookies, assignments, command lines."""

from __future__ import annotations

from dream.capture.redact_checks import basic, opaque
from dream.capture.redact_rule import Rule, compiled
from dream.capture.redact_values import CHOSEN, MIXED, ODD, STATES, SURE, reference, shape, value_at

HEX = r"[a-f0-9]{16,128}|[A-F0-9]{16,128}"


def pem(text: str, start: int, end: int) -> tuple[int, int] | None:
    """From the BEGIN line to the END line; without one, as far as lines of base64 go, however they are folded."""
    stop = text.find("PRIVATE KEY", end, end + 20000)
    if stop >= 0 and compiled(r"END [A-Z0-9 ]{0,36}$").search(text, max(end, stop - 40), stop):
        tail = compiled(r"PRIVATE KEY(?: BLOCK)? ?-{0,5}").match(text, stop)
        held = compiled(r"[A-Za-z0-9+/=]{16}").search(text, end, stop)
        return (start, tail.end() if tail else stop) if held else None
    body = compiled(
        r"(?:[ \t>|*\"'+]{0,8}(?:[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,}"
        r"|[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9 ]))?"
        r"(?:\\{1,4}[nr]|\s)){0,400}(?:[ \t>|*\"'+]{0,8}[A-Za-z0-9+/=]{16,})?"
    ).match(text, end)
    stop = max(end, body.end() if body else end)
    while stop > end and text[stop - 1].isspace():
        stop -= 1
    return (start, stop) if compiled(r"[A-Za-z0-9+/=]{16}").search(text, end, stop) else None


def credential(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The token of a header or a cookie."""
    value = text[start:end].rstrip(".,;:")
    if reference(value) or len(value) < 8:
        return None
    drawn = opaque(value) or shape(value) >= MIXED or compiled(HEX).fullmatch(value)
    return (start, start + len(value)) if drawn else None


def quoted(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A value in quotes right after a name; where that may be a thing's, its shape must leave no doubt."""
    value = text[start:end]
    header = compiled(r"(?i)[a-z0-9][-_](?:secret|token|key)[ ]{1,3}\"$").search(text, max(0, start - 24), start)
    drawn = opaque(value) or shape(value) >= (MIXED if header else SURE) or compiled(HEX).fullmatch(value)
    return (start, end) if drawn and not reference(value) else None


def url_password(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The password of a URL; variables and the word that holds its place stay."""
    value = text[start:end]
    return None if reference(value) or value.lower() in STATES else (start, end)


NOT_ITSELF = (
    r"(?:file|path|url|uri|name|_id|dir|type|length|len|policy|hint|field|count|ttl|limit|size|expir\w*"
    r"|rotation\w*|age|timeout|min|max"
    r"|format|regex|pattern|label|title|header|placeholder|help|error|column|hash|digest|version|algorithm|alg"
    r"|usage|used)s?$"
)
OTHER_KEYS = (
    r"(?:primary|foreign|public|pub|cache|partition|sort|object|s3|row|dedup|idempotency|host|shard|routing|group"
    r"|query|translation|i18n|react|map|dict|json|sort|hot|short|registry|ssh|fingerprint)[ _.-]?keys?"
)
STRONG = r"(?:pass(?:w|$|_|phrase|code)|pass\b|pwd|mdp|secret|mot.?de.?passe)"


def assigned(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The value after `key =` or `key:` when it has a secret's shape for that key."""
    head = text[max(0, start - 64) : start].rstrip(" \t\u00a0")
    bare = head.rstrip("\"'`])\\*")
    if not any(word in bare[-40:].lower() for word in KEY_WORDS):
        return None
    named = compiled(KEY).search(bare)
    if not named or text[end : end + 2] == "//" or "://" in bare[max(0, named.start() - 12) :]:
        return None  # an address has rules of its own
    left = named.start()
    while left and len(bare) - left < 56 and (bare[left - 1].isalnum() or bare[left - 1] in "_.-"):
        left -= 1
    full = bare[left:]
    key = full.lower()
    begin, stop, quote = value_at(text, end)
    value = text[begin:stop]
    if (
        len(value) < 4
        or " " in value
        or value.lower() in STATES
        or reference(value)
        or compiled(NOT_ITSELF).search(key)
    ):
        return None
    level = shape(value)
    if compiled(STRONG).search(key):
        shell = text[start:end] == "=" and begin == end + len(quote) and compiled(r"[A-Z0-9_]{3,60}").fullmatch(full)
        exact = compiled(r"[a-z_.-]{0,20}(?:password|passwd|pwd|mdp|passphrase|mot de passe)").fullmatch(key)
        plain = value.isalpha() and ((shell and not quote) or (exact and quote in tuple("\"'") and value[0].islower()))
        figure = value.isdigit() and exact and (quote or shell)
        odd = level == ODD and (quote or shell) and not compiled(KEY).search(value)
        return (begin, stop) if level >= MIXED or odd or plain or figure or compiled(HEX).fullmatch(value) else None
    if value.isdigit() or compiled(OTHER_KEYS).search(key):
        return None
    if compiled(HEX).fullmatch(value):
        return begin, stop
    drawn = level >= MIXED and len(value) >= 12 and not compiled(CHOSEN).fullmatch(value)
    return (begin, stop) if len(value) >= 8 and (level == SURE or drawn) else None


def flagged(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The value of a command line's option."""
    begin, stop, quote = value_at(text, end)
    value = text[begin:stop]
    if len(value) < 4 or " " in value or value[0] == "-" or value.lower() in STATES or reference(value):
        return None
    return (begin, stop) if quote or shape(value) >= ODD or compiled(HEX).fullmatch(value) else None


def element(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The text of an XML element, or of a value beside a name."""
    value = text[start:end]
    word = value.lower() in STATES or (value.isalpha() and value.islower())
    return None if word or reference(value) else (start, end)


def beside_key_id(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The forty characters that go with an AWS key id on the same lines."""
    near = text[max(0, start - 160) : start] + " " + text[end : end + 160]
    return (start, end) if opaque(text[start:end]) and compiled(r"<(?:AKIA|ASIA)[A-Z0-9]{16}>").search(near) else None


ABOUT = (
    r"(?i)secr[eè]t|token|jeton|cl[ée]s?(?![a-zà-ÿ])|\bkeys?\b|api|password|passwd|mot de passe|mdp|credential"
    r"|identifiant|cookie|\bpat\b|session"
)
OTHER = (
    r"(?i)hash|\bsha|md5|digest|fingerprint|empreinte|publi[cq]|commit|checksum|etag|uuid|\bid\b|integrity"
    r"|condensat|somme de|cache|primary"
    r"|primaire|foreign|object|objet|\bs3\b|partition|idempot|file|fichier|https?://\S*$|[/=]$|branch|image"
    r"|cursor|version|\bnode|nœud|\bsite\b|publishable"
)


def told(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A run drawn at random, in a sentence that calls it a key, a token or a secret shortly before."""
    value = text[start:end].rstrip("=.-")
    cue = text[max(0, start - 70, text.rfind("\n", 0, start) + 1) : start].rpartition(". ")[2]
    if not compiled(ABOUT).search(cue) or compiled(OTHER).search(cue) or reference(value):
        return None
    if compiled(HEX).fullmatch(value):
        return (start, end) if len(value) >= 24 and compiled(ABOUT).search(cue[-36:]) else None
    mixed = opaque(value) and compiled(r"[a-z]").search(value) and compiled(r"[A-Z]").search(value)
    found = mixed and value.count("/") <= 3 and value.count(".") <= 2
    return (start, start + len(text[start:end].rstrip(".-"))) if found else None


def seed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The base32 seed of a one-time password, where the line says so."""
    cue = text[max(0, start - 70) : start] + " " + text[end : end + 40]
    found = compiled(r"(?i)totp|hotp|otp|2fa|mfa|second facteur|two.factor|authenticator|graine|\bseed\b").search(cue)
    return (start, end) if found and compiled(r"[2-7]").search(text, start, end) else None


KEY_WORDS = ("pass", "pwd", "mdp", "secret", "token", "jeton", "key", "clé", "credential", "psk", "_auth", "appid")
KEY = (
    r"(?i)(?:pass(?:word|wd|phrase|code|wort)?|pwd|mdp|mots?[ _-]?de[ _-]?passe|secret|token|jeton|api[ ._-]?key"
    r"|access[_-]?key"
    r"|[a-z0-9][_-]key(?![a-z])|(?:account|auth|signing|encryption|master|subscription|private|license|shared"
    r"|client|app|service)[_-]?key"
    r"|credentials?|psk|_auth(?=$)|appid(?=$)|cl[ée] (?:d['’])?api)[A-Za-z0-9_-]{0,24}$"
)
FLAG = (
    r"(?i)(?<!\S)(?:--?(?:pass(?:word|wd|phrase)?|pwd|token|secret|(?:api|account|access|master|secret)-?key"
    r"|auth-?token|access-?token"
    r"|client-?secret|requirepass|masterauth)(?:[ =])"
    r"|sshpass[ ]-p[ ]?|requirepass[ ]|htpasswd[ ]-[A-Za-z]{0,6}b[A-Za-z]{0,6}[ ]\S{1,60}[ ]\S{1,40}[ ]"
    r"|ssh-keygen[ ][^\n|;]{0,80}?(?-i:-N)[ ]?|ldap[a-z]{3,8}[ ][^\n|;]{0,120}?-w[ ]?|(?:7z[a-z]?|unrar)[ ][^\n"
    r"|;]{0,60}?-p"
    r"|(?:zip|sqlcmd|bcp|isql)[ ][^\n|;]{0,80}?(?-i:-P)[ ]?|(?:mongo[a-z]{0,8}|az|influx)[ ][^\n|;]{0,80}?-p[ ]"
    r"|net user[ ]\S{1,40}[ ]|smbclient[ ][^\n|;]{0,80}?-U[ ]?[\w.-]{1,40}%|echo[ ][\"']?::add-mask::"
    r"|kinit[ ]\S{1,40}[ ]<<<[ ]"
    r"|identified by[ ]|with (?:encrypted )?password[ ]|(?:docker|podman"
    r"|helm)[ ][^\n|;]{0,80}?login[^\n|;]{0,80}? -p[ =]?|redis-cli[ ][^\n|;]{0,60}?-a[ ]?|mysql"
    r"(?:dump|admin)?[ ][^\n|;]{0,60}?(?<!-)-p(?!ort|assword)(?=\S)"
    r"|(?:curl|wget|http)[ ][^\n|]{0,120}?(?:-u|--user)[ =][\"']?[^\s:\"']{1,60}:)"
)

# fmt: off
CONTEXT = (
    Rule("private-key", "private keys", "PRIVATE",
         r"-{2,5} ?BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{2,5}", "{pem}", pem),
    Rule("private-key", "private keys", "PuTTY-User-Key-File",
         r"Private-Lines: \d{1,3}\s{1,2}(?:[A-Za-z0-9+/=]{1,80}\s?){1,60}",
         "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{w64}\n{w40}"),
    Rule("basic-auth", "headers", "basic",
         r"(?i)\bbasic[ \t]{1,3}([A-Za-z0-9+/_-]{6,400}={0,2})",
         "Authorization: Basic {basic}", basic),
    Rule("bearer-token", "headers", "bearer",
         r"(?i)\bbearer[ \t:\"'=]{1,3}([A-Za-z0-9._~+/=-]{8,4000})", "Authorization: Bearer {w40}", credential),
    Rule("bearer-token", "headers", "authorization",
         r"(?i)authorization[\"']?[ :=]{1,3}[\"']?(?:token|key|apikey|apitoken)[ =]{1,2}"
         r"([A-Za-z0-9._~+/=-]{8,400})", "Authorization: token {w40}", credential),
    Rule("session-cookie", "cookies", "cookie .sid sid= sessionid session sessid",
         r"(?i)(?:connect\.sid|session[a-z_-]{0,8}|[a-z_-]{0,10}(?<![a-z])sid|[a-z]{0,5}sessi?on_?id|phpsessid"
         r"|auth[a-z_-]{0,8}|remember[a-z_-]{0,12})"
         r"[=:] ?(?:s(?:%3A|:))?([A-Za-z0-9%._~+/-]{16,400})", "Cookie: sessionid={w32}", credential),
    Rule("url-password", "URLs", "://",
         r"://[^\s/:@\"'<>`]{0,80}:([^\s/\"'<>`]{1,200})@(?=[A-Za-z0-9\[$%{-])",
         "postgres://app:{w14}@db.example.net/x", url_password),
    Rule("url-password", "URLs", "://",
         r"://([^\s/:@\"'<>`]{16,200})@(?=[A-Za-z0-9\[])",
         "https://{w32}@git.example.org/x", credential),
    Rule("secret", "assignments", " ".join(KEY_WORDS), r"=>|==?|:=?", "api_key = '{w32}'", assigned),
    Rule("secret", "assignments",
         "·-a ·-p ·-u ldap keygen net·user add-mask kinit htpasswd --pass --pwd --token --secret --api --auth"
         " --access --client --user identified",
         FLAG, "--password {password}", flagged),
    Rule("secret", "assignments", "</",
         r"(?i)<[a-z_:.-]{0,30}(?:password|passwd|pwd|secret|token|api-?key|passphrase)[a-z_-]{0,10}>"
         r"([^<\s]{4,200})</", "<password>{password}</password>", element),
    Rule("secret", "assignments", "value",
         r"(?i)(?:password|passwd|pwd|secret|token|api_?key"
         r"|pass)[A-Za-z0-9_]{0,20}[\"']?,?\s{1,20}[\"']?value[\"']?\s?[:=]\s?[\"']?([^\"'\s,}]{4,200})",
         "name: DB_PASSWORD\n  value: {password}", element),
    Rule("secret", "assignments", "value",
         r"(?i)value[\"']?\s?[:=]\s?[\"']?([^\"'\s,}]{4,200})[\"']?,?\s{1,20}(?:- )?[\"']?(?:name"
         r"|key)[\"']?\s?[:=]\s?[\"']?"
         r"[A-Za-z0-9_.-]{0,30}(?:password|passwd|secret|token|api_?key)",
         "value: {password}\n  name: DB_PASSWORD", element),
    Rule("secret", "assignments", 'secret·" token·" key·"',
         r"(?i)(?:secret|token|api[_-]?key)[ ]{1,3}[\"]([^\"\s]{8,200})[\"]", 'proxy_set_header X-Secret "{w32}";',
         quoted),
    Rule("secret", "assignments", "?key= &key= ?code= &code=",
         r"[?&](?:key|code)=([A-Za-z0-9_-]{24,200})(?![A-Za-z0-9_-])",
         "https://api.example.org/v1?key={w40}", credential),
    Rule("password", "assignments", ":543 :*:",
         r"(?<!\S)[\w.*-]{1,80}:(?:543\d|\*):[\w*-]{1,60}:[\w*.@-]{1,60}:(\S{4,100})(?!\S)",
         "db.example.net:5432:app:app:{password}", element),
    Rule("aws-secret-key", "AWS", "AKIA ASIA",
         r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])", "AKIA{A16} {w40}", beside_key_id),
    Rule("otp-seed", "one-time passwords", "otp 2fa mfa facteur factor authenticator graine seed",
         r"<[A-Z2-7]{16,64}>", "la graine TOTP est {b32}", seed),
    Rule("secret", "assignments", "secret token jeton clé cle key api password passe mdp credential cookie pat",
         r"(?<![A-Za-z0-9_+/.-])[A-Za-z0-9_+/.-]{20,300}={0,2}", "the secret for that is, I think, {w40}", told),
)
# fmt: on
