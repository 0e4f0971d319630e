"""The value beside a key or a word: where it ends in a sentence, and whether it has a secret's shape or a word's."""

from __future__ import annotations

from dream.capture.redact_checks import opaque, placeholder
from dream.capture.redact_rule import compiled

MASK = "\ufffc"  # stands for what is already redacted
QUOTES = {'"': '"', "'": "'", "`": "`", "«": "»", "“": "”", "‘": "’", "„": "“", "‹": "›", "「": "」"}
WORD, ODD, MIXED, SURE = range(4)  # what `shape` answers

# Said of a secret, or in its place: never one.
STATES = frozenset(
    """null none nil undefined true false yes no on off oui non empty vide aucun aucune rien str string int bool
    bytes text object number any optional required requis requise obligatoire missing manquant expired expirée
    expiré invalid invalide valid valide wrong incorrect correct hidden masqué secret password token key value
    changed changé reset same unchanged unknown default disabled enabled redacted sensitive confidential encrypted
    chiffré hashed plain weak strong fort faible prompt stdin env vault keychain keyring bitwarden keepass passwd
    pass pwd motdepasse mdp pw user username root admin bearer basic digest forgotten oublié short court long""".split()
)

# Names where a secret is kept, or takes its place.
REFERENCE = (
    r"(?i)\$(?:[({]|[A-Z_]\w*(?![\w!#$%&*+=?@^~]))|%[A-Z_]{2,}%|\{\{|\{[A-Z_.]{0,60}(?:![rs]|:[^}]{0,8})?(?:\}|$)"
    r"|%[sdrfxu](?![A-Z0-9])|<[A-Z!/%]|[#@]\{|!(?:vault|secret|ref|env)|\["
    r"(?!\S{0,200}\S\]\S)"
    r"|(?:process|os|import|self|this|ctx|req|request|res|args?|data|form|user|row|obj|cfg|conf|config"
    r"|settings|params?|props"
    r"|state|env|secrets?|vars?|local|inputs?|github|steps|credentials?)\.[A-Z_]|(?:getenv|environ|env|config"
    r"|settings)[(\[]"
    r"|(?:vault|ssm|arn|file|https?|s3|gs|op|aws|azure|keychain):|/(?:run|etc|var|home|opt|usr|mnt|tmp|secrets"
    r"|app|data)/"
    r"|\.{1,2}/|~/"
)
CALL = r"[A-Za-z_][\w.]{0,60}[(\[][\"']"
# An attribute, a call, an index.
NAME = (
    r"[A-Za-z_][A-Za-z0-9_]{0,60}(?:(?:\.|::|->)[A-Za-z_][A-Za-z0-9_]{0,60}){1,8}(?:\(.*|\[.*)?"
    r"|[A-Za-z_][A-Za-z0-9_.]{0,90}[(\[].*"
)

# Figures and names that mix letters and digits and are no secret: algorithms, versions, dates, units, files, products.
KNOWN = (
    r"(?i)(?:sha-?(?:1|2|3|224|256|384|512)(?:[:=].*)?|md5(?:[:=].*)?|utf-?(?:8|16|32)|aes-?\d{3}(?:-[a-z]+)?"
    r"|rsa-?\d{3,4}"
    r"|[hrep]s\d{3}|oauth-?[12](?:\.0)?|base-?(?:16|32|58|64)|argon2(?:id|i|d)?|pbkdf2|ed25519|x25519|p-?256"
    r"|secp256[kr]1"
    r"|https?/?[123]?(?:\.[01])?|ipv[46]|x86_64|arm64|amd64|tls-?v?1\.[0-3]|1password\d?|auth0|(?:bcrypt"
    r"|scrypt)[$-]?\d{1,6}|[\w./-]{0,60}(?::\d{1,5}){2}|(?:[a-z]=\d+,?){2,6}"
    r"|(?:rfc|iso|nist|cve|ansi|ieee|jira|pr|gh|issue|bug|ticket)[-_#]?\d[\d.-]*"
    r"|v?\d+(?:[.,:h/x_-]\d+)*[a-z%°€$£]{0,4}|v?\d+(?:\.\d+){1,3}(?:[-+][a-z]+[\d.]*){1,3}|\d{1,4}-[a-z]{3,}|\d+(?:st"
    r"|nd|rd|th|er|ère|e|ème|ms|px|rem|min)"
    r"|[a-z]{1,4}-?\d{1,2}"
    r"|(?:python|node|java|php|ruby|go|rust|postgres(?:ql)?|mysql|redis|mongo|ubuntu|debian|alpine|windows"
    r"|chrome|firefox"
    r"|claude|gpt|llama|gemma|qwen|mistral|vue|react|angular|django|rails|spring|win|ios|android|macos|pg"
    r"|postgresql|version"
    r"|step|étape|level|phase|page|port|day|jour|week|semaine|sprint|team|room|salle|lot"
    r"|q[1-4])[-_.]?v?\d[a-z\d._-]{0,20}"
    r"|[\w.-]{1,60}\.(?:py|js|ts|tsx|md|txt|json|ya?ml|toml|sh|sql|csv|html|css|rs|go|java|rb|log|env|pem|key"
    r"|pdf|png|jpg|zip|gz)"
    r"|[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,60})+|[A-Z]{2,6}-\d{1,6}|(?-i:[A-Z]{1,3}\d{3,5})|[a-z]{2,20}@[a-z]{2,30}"
    r"|[a-z_-]{2,40}-v\d{1,3}"
    r"|[a-z]{2,12}\d?(?:_[a-z]{2,20}){2,6}|\w{2,30}-(?:like|style|based|only|free|ready)"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"
)
SYMBOLS = "!@#$%^&*?+=~§£€"
CODE = r"-{0,2}[A-Za-z_][A-Za-z0-9_.-]{0,40}=.+|[#$@&%]\w+|[^\W\d]+[+?!]{1,3}\d?|.*[\w)][(\[{].*|\S*[/\\]\S*"
CAMEL = r"[A-Za-z0-9]{0,12}?(?:[A-Z][a-z]{2,20}){2,6}"  # a name of code
CHOSEN = r"[^\W\d_]{3,}(?:[-_.+][^\W\d_]{2,})*[-_.+]?\d{2,8}[!?*$]{0,3}|\d{2,6}[^\W\d_]{4,}"


# Where an unquoted value ends before its run of characters does: connection strings, queries, escapes, closing quotes.
CUT = r";(?=[A-Za-z ]{2,30}=)|&(?=[A-Za-z_.-]{1,30}=)|\\{1,4}[nrt\"]|'(?=[,;)\]}]|$)|[,;](?=[\"'])"
BARE = r"[^\s\"<>`«»“”「」|\u00a0\u202f\u2009\u3001\u3002\x00-\x1f]{1,400}"


def value_at(text: str, start: int) -> tuple[int, int, str]:
    """Bounds of the value that begins at `start` (equal where there is none), and the quote that opens it or ""."""
    size = len(text)
    while start < size and text[start] in " \t\u00a0\u202f":
        start += 1
    marks = compiled(r"(?:\x1b\[[0-9;]{0,20}m|\*\*|__|\*|\\{1,3}(?=[\"']))(?=\S)").match(text, start)
    if marks:
        start = marks.end()
    opener = text[start : start + 1]
    closer = QUOTES.get(opener)
    if closer:
        inner = start + 1
        while inner < size and text[inner] in " \u00a0\u202f":
            inner += 1
        limit = text.find("\n", inner, inner + 300)
        if text[inner : inner + 1] == closer:
            return inner, inner, opener
        stop = text.find(closer, inner, limit if limit >= 0 else inner + 300)
        if stop > inner:
            while stop - 1 > inner and text[stop - 1] in " \u00a0\u202f\\":
                stop -= 1
            return inner, stop, opener
        start = inner
    found = compiled(BARE).match(text, start)
    if not found:
        return start, start, ""
    stop = found.end()
    value = found.group()
    cut = None
    if ";" in value or "&" in value or "\\" in value or "'" in value or "," in value:
        cut = compiled(CUT).search(text, start, stop)
    if cut and cut.start() > start:
        stop = cut.start()
    while stop > start and text[stop - 1] in ".,;:)]}'…?*\\":
        if text[stop - 1] == ")" and text.count("(", start, stop) >= text.count(")", start, stop):
            break
        if text[stop - 1] == "?" and text[stop : stop + 1] in (",", ";", ".", ":"):
            break  # the sentence goes on after it
        if text[stop - 1] == "*" and text.find("*", text.rfind("\n", 0, start) + 1, start) < 0:
            break  # no emphasis that it could close
        stop -= 1
    if text[stop - 2 : stop] == "__":
        stop -= 2
    return start, max(start, stop), ""


def reference(value: str) -> bool:
    """Whether `value` names where a secret is kept, or stands in its place, instead of being it."""
    if MASK in value or compiled(REFERENCE).match(value) or compiled(CALL).match(value):
        return True
    if len(value) > 128:
        return False
    if placeholder(value):
        return True
    if value.startswith(("...", "…", "***", "•••")):
        return True
    return bool(compiled(NAME).fullmatch(value)) and not opaque(value) and shape(value) < SURE


def shape(value: str) -> int:
    """How much `value` looks like a secret: WORD (or figure, or name), ODD, MIXED like a password, SURE."""
    if len(value) > 128:
        return SURE if opaque(value[:64]) else WORD
    low = value.lower()
    if low in STATES or "://" in value or compiled(KNOWN).fullmatch(value.rstrip("!?+")):
        return WORD
    letters = sum(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    symbols = sum(char in SYMBOLS for char in value)
    inner = sum(char in SYMBOLS for char in value[1:-1])
    code = compiled(CODE).fullmatch(value)
    if letters and digits and (inner or (symbols and digits > 1)) and len(value) >= 6 and not code:
        return SURE
    if len(value) >= 12 and opaque(value) and (len(value) >= 30 or "/" not in value):
        return SURE
    if letters and digits and len(value) >= 6 and not compiled(CAMEL).fullmatch(value):
        if compiled(CHOSEN).fullmatch(value):
            return MIXED
        if code and not value.endswith("!"):
            return WORD
        return MIXED if digits > 1 or symbols or len(value) >= 10 else ODD
    if letters and inner and len(value) >= 6 and not code:
        return MIXED
    upper = sum(char.isupper() for char in value[1:])
    return ODD if upper and letters > upper + 1 and len(value) >= 8 and not code else WORD
