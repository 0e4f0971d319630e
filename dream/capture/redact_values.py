"""The value beside a key or a word: where it ends in a sentence, and whether it is a secret's shape or an ordinary word's."""

from __future__ import annotations

from dream.capture.redact_checks import opaque, placeholder
from dream.capture.redact_rule import compiled

MASK = "\ufffc"  # stands for every character of what is already redacted
QUOTES = {'"': '"', "'": "'", "`": "`", "«": "»", "“": "”", "‘": "’", "„": "“", "‹": "›"}

# Said of a password, or in its place: never one.
STATES = frozenset(
    "null none nil undefined true false yes no on off empty vide aucun aucune rien string str int bool bytes text object number any "
    "optional required requis obligatoire missing manquant expired expirée expiré invalid invalide valid valide wrong incorrect "
    "correct hidden masqué secret password token key value changed changé reset same unchanged unknown default disabled enabled "
    "redacted sensitive confidential encrypted chiffré hashed plain weak strong fort faible prompt stdin env vault keychain keyring".split()
)  # fmt: skip

REFERENCE = (
    r"\$|%[A-Za-z_]+%|\{\{|\{[A-Za-z_.]*\}|<[A-Za-z!/]|<%|#\{|@\{|!(?:vault|secret|ref|env)|\[|\("
    r"|(?i:process\.|os\.|import\.|env[.(\[]|environ|getenv|config[.(\[]|settings[.(\[]|self\.|this\.|secrets?[.(\[]|vault:|ssm:|arn:|args?\.|ctx\.|req\.|request\.|data\.|params?[.(\[]"
    r"|file:|/(?:run|etc|var|home|opt|usr|mnt|tmp|secrets)/|\./|\.\./|~/|https?://)"
)
KNOWN_WORDS = (
    r"(?i)(?:sha-?(?:1|2|3|224|256|384|512)|md5|utf-?(?:8|16|32)|aes-?(?:128|192|256)(?:-[a-z]+)?|rsa-?\d{3,4}|hs256|hs512|rs256|es256|oauth-?[12](?:\.0)?|oidc|"
    r"base-?(?:16|32|58|64)|argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|ed25519|x25519|p-?256|secp256[kr]1|http/?[123](?:\.[01])?|ipv[46]|"
    r"python-?[23](?:\.\d+)*|node-?\d+|x86_64|arm64|amd64|[kc]8s|ec2|s3|2fa|mfa|e2e|i18n|l10n|a11y|tls-?v?1\.[0-3]|rfc-?\d+|"
    r"\d+[a-z]{1,4}|\d+(?:st|nd|rd|th|er|e|ème)|[a-z]{1,3}\d{1,2}|v?\d+(?:\.\d+)+[a-z0-9.-]*|\d{4}-\d\d-\d\d.*|\d\d?[:h]\d\d.*|1password|web3|log4j)"
)


def value_at(text: str, start: int) -> tuple[int, int, str]:
    """Bounds of the value that begins at `start`, and the quote that opens it ("" for none). An empty value has equal bounds."""
    size = len(text)
    while start < size and text[start] in " \t\u00a0\u202f":
        start += 1
    marks = compiled(r"(?:\*\*|__|\*|\\(?=[\"']))").match(text, start)
    if marks and text[marks.end() : marks.end() + 1].strip():
        start = marks.end()
    opener = text[start : start + 1]
    if opener in QUOTES and opener:
        inner = start + 1
        while inner < size and text[inner] in " \u00a0\u202f" and opener in "«“":
            inner += 1
        stop = text.find(QUOTES[opener], inner, inner + 300)
        line = text.find("\n", inner, inner + 300)
        if stop > inner and (line < 0 or stop < line):
            while text[stop - 1] in " \u00a0\u202f\\" and stop - 1 > inner:
                stop -= 1
            return inner, stop, opener
        start = inner
    found = compiled(r"[^\s\"<>`«»“”|\u00a0\u202f\u2009\x00-\x1f]{1,400}").match(text, start)
    if not found:
        return start, start, ""
    stop = found.end()
    cut = compiled(r";(?=[A-Za-z ]{2,30}=)|&(?=[A-Za-z_.-]{1,30}=)|;$|\\[nrt\"]|',|'\)|',|'$|\",").search(
        text, start, stop
    )
    if cut:
        stop = cut.start()
    while stop > start and text[stop - 1] in ".,;:)]}'…?*\\":
        if text[stop - 1] == ")" and text.count("(", start, stop) >= text.count(")", start, stop):
            break
        stop -= 1
    return start, stop, ""


def reference(value: str) -> bool:
    """Whether `value` names where a secret is kept, or stands for one, instead of being it."""
    if MASK in value or compiled(REFERENCE).match(value) or placeholder(value):
        return True
    if compiled(r"[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->)[A-Za-z_][A-Za-z0-9_]*)+(?:\(.*)?").fullmatch(
        value
    ) and not opaque(value):
        return True  # an attribute or a call
    return bool(compiled(r"[A-Za-z_][A-Za-z0-9_.]*\(.*").fullmatch(value)) or value.startswith(
        ("...", "…", "***", "•••")
    )


def shape(value: str) -> int:
    """How much `value` looks like a secret: 0 an ordinary word or figure, 1 odd, 2 a password's mixture, 3 beyond doubt."""
    letters = sum(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    symbols = sum(char in "!@#$%^&*?+=~§£€" for char in value)
    if compiled(KNOWN_WORDS).fullmatch(value) or value.lower() in STATES or "://" in value:
        return 0
    if letters and digits and symbols and len(value) >= 6:
        return 3
    if len(value) >= 16 and opaque(value):
        return 3
    if compiled(
        r"[^\W\d_]{3,}(?:[-_.][^\W\d_]{2,})*[-_.]?\d{2,6}",
    ).fullmatch(value) or (letters and digits and len(value) >= 6):
        return 2
    if (
        letters
        and symbols
        and len(value) >= 6
        and value[0] not in "#@$"
        and not compiled(r"[A-Za-z_]+=.*|[^\W\d_]+[!?]+").fullmatch(value)
    ):
        return 2
    upper = sum(char.isupper() for char in value[1:])
    return 1 if upper and letters > upper + 1 and len(value) >= 8 else 0
