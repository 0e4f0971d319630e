"""Passwords that something beside them betrays: a user's name, the sentence before or after, the head of a column."""

from __future__ import annotations

from dream.capture.redact_rule import Rule, compiled
from dream.capture.redact_values import MIXED, SURE, reference, shape, value_at


def paired(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The password beside a user's name: admin/X, root:X."""
    begin, stop, _ = value_at(text, end)
    value = text[begin:stop]
    if len(value) > 64 or reference(value) or "/" in value or text[stop : stop + 1] == "/":
        return None
    if compiled(r"[x*!]:\d|[\w-]{1,40}\.[a-z]{2,4}[#?]").match(value):
        return None  # a line of /etc/passwd, a page
    return (begin, stop) if shape(value) >= MIXED else None


def slashed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The password after a name and a slash that stand alone, where it is beyond doubt or the line speaks of access."""
    found = paired(text, start, end)
    if not found or shape(text[found[0] : found[1]]) == SURE:
        return found
    return found if compiled(ACCESS).search(text, max(0, start - 60), start) else None


def sure(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The value that follows, where its shape leaves little doubt."""
    found = paired(text, start, end)
    return found if found and _certain(text[found[0] : found[1]]) else None


def quoted_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    """What stands between the quotes that follow, or after a colon: two words or more; else one of a sure shape."""
    said = compiled(r"[\"'«“‘][ \u00a0]?([^\"«»“”\n]{4,120}?)[ \u00a0]?(?:[\"»”]|['’](?![a-zà-ÿ]))").match(text, end)
    if said and (" " in said[1] or _certain(said[1])):
        return said.span(1)
    if text[start:end].rstrip().endswith(":") and not compiled(r"(?i)session|account|compte|port").match(text, start):
        words = compiled(r"[a-zà-ÿ'’-]{1,20}(?: [a-zà-ÿ'’-]{1,20}){3,11}(?=[ \u00a0]?(?:[.,;!?\n]|\Z))").match(
            text, end
        )
        if words:
            return words.span()
    return sure(text, start, end)


def sentence_before(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The value in the sentence that ends just before: "It's X. That's the password."."""
    low = max(0, start - 100, text.rfind("\n", 0, start) + 1)
    if not compiled(r"[.!?…][ \u00a0]{1,2}$").search(text, low, start):
        return None
    for word in reversed(list(compiled(r"[^\s\"`«»“”<>|\u00a0]{6,80}").finditer(text, low, start))):
        begin, stop = word.start(), word.end()
        while stop > begin and text[stop - 1] in ",;:.)'":
            stop -= 1
        value = text[begin:stop]
        if not reference(value) and _certain(value):
            return begin, stop
    return None


def cell(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The cell of a table under a head that says password or secret."""
    begin, stop, _ = value_at(text, start)
    value = text[begin:stop]
    if stop > end or reference(value) or shape(value) < MIXED or text[stop:end].strip(" `*"):
        return None
    line = text.rfind("\n", 0, start) + 1
    rule = text.rfind("-|", max(0, start - 1500), line)
    rule = rule if rule >= 0 else text.rfind("--", max(0, start - 1500), line)
    foot = text.rfind("\n", 0, max(rule, 0))
    if rule < 0 or foot < 0 or "\n\n" in text[rule:start]:
        return None
    heads = text[text.rfind("\n", 0, foot) + 1 : foot].split("|")
    column = text.count("|", line, start)
    return (begin, stop) if column < len(heads) and compiled(HEAD).search(heads[column]) else None


def _certain(value: str) -> bool:
    level = shape(value)
    return level == SURE or (level == MIXED and len(value) >= 9)


ACCOUNT = (
    r"(?i)(?<![A-Za-z0-9_./-])(?:admin|root|pi|postgres|sa|guest|invit[ée]|administrat(?:or|eur)|deploy|demo"
    r"|ubuntu|test"
    r"|(?:login|identifiants?(?! client| unique| fiscal| interne)|credentials?|creds?|compte|account|connexion"
    r"|log(?:ged)? in)"
    r"(?: [a-zà-ÿ]{2,8}){0,2}[ :=]{1,3}[A-Za-z0-9._-]{2,32})[ \u00a0]?[/:|][ \u00a0]?(?=\S)"
)
LOGIN = (
    r"(?i)(?<![a-z])(?:log(?:ged)?[ -]?(?:in|on)|sign(?:ed)?[ -]in|(?:me |te |se |vous )?connect(?:er|e|ez|é)?(?:-toi"
    r"|-vous)?)"
    r"(?: [a-zà-ÿ'’-]{1,12}){0,3}? (?:as|en tant que|comme|avec(?: le compte| l['’]utilisateur)?|with(?: user)?) "
    r"[\"'`«]{0,2}[ \u00a0]?[\w.@-]{2,40}[ \u00a0]?[\"'`»]{0,2},? (?:with|avec|and|et|using|\+|&) (?:the |le )?(?=\S)"
)
NAMED = r"(?i)(?<![^\n:(,;])[ \u00a0]{0,2}[a-zà-ÿ][a-zà-ÿ0-9._@-]{1,24}"
ACCESS = r"(?i)log|connect|connex|acc[èe]s|ident|cred|compte|account|user|utilisateur|session|mot de passe|password|mdp"

HEAD = r"(?i)pass(?:word|wd|phrase|code)?\b|\bpwd|mdp|mot de passe|secret|token|jeton|\bpw\b|cl[ée]\b|\bkey\b|code"
WORD = r"(?:password|mots? de passe|mdp|pass ?phrase|pass ?code)"
NEXT = (
    r"(?i)" + WORD + r"[^.!?…\n]{0,120}[.!?…][ \u00a0]{1,2}(?:c['’]est|it['’]s|it is|voici|here|use|try|type|enter"
    r"|mets|remets"
    r"|utilise|tape|essaie|entre)(?: donc| plut[ôo]t| now| this)?[ :]{1,2}(?=\S)"
)
THAT = (
    r"(?i)(?<![a-z])(?:that['’]s|this is|it['’]s|c['’]est|voil[àa]) (?:the|my|our|her|his|their|le|mon|ton|son|notre"
    r"|leur) "
    r"(?:[\w-]{2,12} ){0,2}?" + WORD
)
BRIEF = r"(?i)(?<![a-z])(?:u|user|usr|login|id)[ ]?[:=][ ]?[\w.@-]{2,40}[ ,;/|]{1,3}(?:p|pw|pwd|mdp)[ ]?[:=][ ]?(?=\S)"
UNLOCK = r"(?i)(?<![a-z])(?:unlock|d[ée]verrouill)\w{0,3}(?: [\w'’-]{1,14}){1,4}? (?:with|using|avec) (?=\S)"
OPENS = (
    r"(?i)(?<![a-z])(?:keepass\w{0,3}|bitwarden|1password|lastpass|dashlane|vault|safe|coffre(?:-fort)?|wallet|trousseau"
    r"|keychain|keyring|volume|disk|disque|backup|sauvegarde|archive|luks|laptop|portable|phone|t[ée]l[ée]phone|account"
    r"|compte|session|portal|portail)\b"
    r"[^.!?\n\"'«“‘]{0,30}? (?:opens?|unlocks?|decrypts?|s['’]ouvre|se d[ée]verrouille|se d[ée]chiffre|se d[ée]bloque)"
    r" (?:with|by|using|avec|par)(?: (?:the|these|those|les|ces|la|cette) (?:words?|mots?|phrase))?"
    r"[ \u00a0]?:?[ \u00a0]?(?=\S)"
)
NETWORK = r"(?i)(?<![a-z])(?:wi-?fi|hotspot)(?:['’]s| is| est|,? c['’]est| ?:) (?=\S)"
WORDS = "password de·passe mdp passphrase pass·phrase passcode"

BESIDE = (
    Rule(
        "password",
        "prose",
        "admin root user pi login identifiant credential compte connexion cred postgres guest invité invite demo test"
        " deploy",
        ACCOUNT,
        "admin/{password}",
        paired,
    ),
    Rule(
        "password",
        "prose",
        "log·in login logged·in log·on sign·in signed·in connecte-toi connectez-vous se·connect",
        LOGIN,
        "log in as {l5} with {password}",
        paired,
    ),
    Rule("password", "prose", "/", NAMED + r" / (?=\S)", "accès : {l5} / {password}", slashed),
    Rule("password", "prose", WORDS, NEXT, "I lost the password. It's {password}", sure),
    Rule("password", "prose", WORDS, THAT, "It's {password}. That's the password", sentence_before),
    Rule("password", "prose", "·p: ·p= ·pw ·mdp", BRIEF, "u: {l5} p: {password}", paired),
    Rule("password", "prose", "unlock verrouill", UNLOCK, "unlock the phone with {password}", sure),
    Rule(
        "password",
        "prose",
        "opens·with open·with unlocks decrypts s'ouvre s’ouvre se·d",
        OPENS,
        "the keepass opens with '{password}'",
        quoted_words,
    ),
    Rule("password", "prose", "wifi wi-fi hotspot", NETWORK, "the wifi's {password}", sure),
    Rule(
        "password",
        "prose",
        "|-- |:-- |·-- |·:-- -|-",
        r"(?<=\|)[^|\n]{6,80}(?=\|)",
        "| user | password |\n|---|---|\n| ada | {password} |",
        cell,
    ),
)
