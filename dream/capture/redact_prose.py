"""Passwords said in a sentence, in French and English: after their word, before it, beside a user's name."""

from __future__ import annotations

from dream.capture.redact_rule import Rule, compiled
from dream.capture.redact_values import MASK, MIXED, ODD, STATES, SURE, reference, shape, value_at

PHRASE = (
    r"(?:pass ?phrase|phrase (?:de (?:passe|r[ée]cup[ée]ration)|secr[èe]te)|(?:seed|recovery|secret) phrase"
    r"|mn[ée]monique|mnemonic)"
)
NOUN = (
    r"(?i)(?<![A-Za-z0-9-])(?:mots?[ _-]?de[ _-]?passe|mdp|pass ?words?|passwd|passwrd|pwd|pass ?code"
    r"|creds?|credentials?|identifiants?(?! (?:client|fisc|d[eu'’]|unique|intern|tech|num))"
    r"|code (?:d['’](?:acc[èe]s|entr[ée]e)|wi-?fi|secret|confidentiel|(?:pour|d[ue]) (?:le |la |l['’])?(?:coffre|porte"
    r"|portail|alarme|immeuble|wifi|box|cadenas|garage))"
    r"|combinaison (?:du|de la) (?:coffre|cadenas|valise)|digicode|wi-?fi (?:key|code)|cl[ée] (?:du )?wi-?fi|"
    r"s[ée]same|(?:secret|code) word|mot secret|(?:cl[ée]|key) wpa[23]?|wpa[23]?[ -](?:key|cl[ée])|(?:wi-?fi"
    r"|ssid)[^\n.]{0,60}? (?:cl[ée]"
    r"|key|code)|" + PHRASE[3:] + r"(?![A-Za-z0-9_À-ÿ])"
)
# A row of its own: the word stands in too many texts that speak of no password for so much to be compiled.
SHORT = (
    r"(?i)(?<![A-Za-z0-9-])(?:pass|p/?w|pswd|psw)(?=[\"'`*]{0,3} ?(?:[:=/]|['’]s |(?:is|was|est|sera|c['’]est)[^a-z])|"
    r" [^\s\d]{1,30}\d"
    r"| \d{1,9}[^\s\d]|(?<=pw) to | (?:de|du|des|pour|for|on|of) [a-zà-ÿ' ]{1,24} ?(?:=|:|(?:est|is|c['’]est)"
    r" ))(?![A-Za-z0-9_À-ÿ])"
)
# Between the word and what it names.
TIE = (
    r"(?i)(?:est|sont|c['’](?:est|[ée]tait)|it['’]s|that['’]s|sera|devient|vaut|reste|is|are|was|will be|to|as|par"
    r"|pour|en"
    r"|vers|remains"
    r"|becomes|=|==|:|->|→|=>|-|–|,|\?|a|[ée]t[ée]|got|has|been|be"
    r"|maintenant|now|toujours|still|d[ée]sormais|bien|simply|just|juste|set|reset|changed?|chang[ée]|mis"
    r"|fix[ée]|r[ée]initialis[ée]|remplac[ée]|voici|actuellement|n['’]est|pas|plus|isn['’]?t|wasn['’]?t|not"
    r"|currently|temporairement|donc|ok|[ée]tait|savoir|soit|namely|i\.e\.|reads|says|equals|[ée]gale?|dit|donne"
    r"|ressembl\w{1,5})[:,]?"
)
USERS = ("admin", "root", "user", "pi", "postgres", "sa", "guest", "invité", "demo", "test", "deploy", "administrator")
PLACE = (
    r"(?i)\b(?:in|on|at|from|via|with|of|by|dans|sur|chez|depuis|avec|servers?|serveur|host|machine|file|fichier"
    r"|branche?|version|table|service|cluster|pod|step|étape|env|module|package|repo|image|ticket|and|et|or"
    r"|ou|under|sous|behind|called|named|nomm[ée]e?|appel[ée]e?)[ \u00a0\"'`«“‘]{0,3}$"
)
# Without any of these a sentence holds no password that can be told from a word.
ODDITY = r"[0-9!#$%&*?@^~+\"'`«“„‘]|[a-zà-ÿ]{3}(?:-[a-zà-ÿ]{3,12}){3}"
FIRM = (
    r"(?i)est|c['’](?:est|[ée]tait)|is|was|vaut|reste|sera|becomes|remains|voici|[ée]tait|savoir|soit|namely|reads"
    r"|says|equals|[ée]gale?|dit|donne"
    r"|ressembl\w{1,5}"
)
RULED = (
    r"(?i)\b(?:must|should|needs?|requires?|at least|au moins|doit|doivent|minimum|policy|politique|hash|hach"
    r"|field|champ|colonne|column)\b"
)
GIVE = (
    r"(?i)(?<![a-zà-ÿ])(?:use|using|type|typing|enter|try|put|set|setting|picked|chose|went with|utilise[rz]?|tape[rz]?"
    r"|entre[rz]?|mets|mettez|mis|mettre|saisi[rst]?|saisissez|essaie|essaye[rz]?|rentre[rz]?|colle[rz]?|choisi"
    r"|donn[ée]|to|from|entre|with|avec|just|pick(?:ing|ed)?|choos(?:e|ing)|typed|entered|given|gets?|wants?|expects?"
    r"|accepts?|demande"
    r"|r[ée]clame|attend|accepte|faut|met|taper|saisir|entrer|mettons|disons|say)(?: (?:le|la|the|just|it to|à|sur|en"
    r"|:))?[ \u00a0:]{0,2}[\"'`«“*(]{0,2}[ \u00a0]?$"
)
AFTER = (
    r"(?i)(?:[ \u00a0\u202f]?[\"'`»”*)]{0,3}(?:,? (?:is|was|as|for|at|in|into|when|whenever|if|once|est|[ée]tait"
    r"|comme|en|pour"
    r"|quand|d[èe]s|si|lorsqu|au|dans|[àa]|sert|depuis|since|partout|everywhere)\b"
    r"|,? ?c['’](?:est|[ée]tait)|[ \u00a0]{1,3}[(–—-]|[,:] (?:the|my|our|her|his|their|your|le|mon|ton|son|notre|leur"
    r"|that"
    r"|voil[àa]|voici)|,? (?:instead of|au lieu d|[àa] la place|plut[ôo]t que|meets?|satisf|match|respecte|count|work"
    r"|unlock"
    r"|ouvre|marche|fonctionne|remain|reste|become|devien|serve|got|has been|a [ée]t[ée]|any ?more|again|puis|then"
    r"|et autre|or something|to something|et valide)|[ \u00a0](?:==?|->|→|=>|:|<-) ?))"
    r"[^.!?\n]{0,60}$"
)


def _end(text: str, start: int, reach: int) -> int:
    """Where the sentence at `start` ends, at most `reach` on; a question runs on into its answer."""
    stop = compiled(r"(?<!i\.e)(?<!e\.g)[.!…](?=\s)|\n(?!(?:\s{0,4}|\n[ \t]{0,8})[\"'`«]?\S{1,80}\s*(?:\n|$))").search(
        text, start, start + reach
    )
    return stop.start() if stop else min(len(text), start + reach)


ATTRIBUTE = r"(?i)\b(?:id|class|name|for|href|type|label|aria-\w{1,20}|data-\w{1,20})=[\"']?$"
DOTTED = r"(?:[^\W\d_]{3,20}\.){1,4}[^\W\d_]{3,20}\d{2,4}[!?*$]?"


def _elsewhere(value: str, said: bool) -> bool:
    """Whether the value names where the secret is kept. Words with points between and a figure after them are a name of
    code, or of a machine, unless they are `said` to be the password."""
    return reference(value) and not (said and MASK not in value and compiled(DOTTED).fullmatch(value))


def after(text: str, start: int, end: int) -> tuple[int, int] | None:
    """What follows the word: at once, after a tie, or later in the sentence when it can be nothing else."""
    phrase = compiled("(?i)" + PHRASE).match(text, start)
    limit = _end(text, end, 160)
    if not phrase and not compiled(ODDITY).search(text, end, limit):
        return None
    at, tied, firm, steps = end, False, False, 0
    skip = compiled(r"[\"'`*_)\]»]{0,4}").match(text, at)
    at = skip.end() if skip else at
    while at < limit and steps < 16:
        piece = compiled(r"\s*").match(text, at)
        at = piece.end() if piece else at
        begin, stop, quote = value_at(text, at)
        value = text[begin:stop]
        lead = compiled(r"(?:->|=>|==|[=:,?→–-])").match(text, at)
        if lead and not quote:
            at, tied, firm = lead.end(), True, lead.group()[-1] in ":=>→"
            continue
        if quote and not value:
            return None
        if not value or begin >= limit:
            at += 1
            continue
        if "{" in text[at:stop] or "}" in text[at:stop] or compiled(NOUN).match(text, begin):
            return None
        if (not quote and compiled(TIE).fullmatch(text[begin : stop + 1].strip())) or compiled(TIE).fullmatch(value):
            firm = firm or compiled(FIRM).fullmatch(value) is not None
            tied, at, steps = True, stop + (text[stop : stop + 1] in ":,?"), steps + 1
            continue
        if compiled(ATTRIBUTE).search(text, end, begin):
            at, steps = stop + 1, steps + 1
            continue
        if quote == "`" and text[begin - 2] == "=":
            return None  # what a shell runs
        if quote and " " in value:
            good = firm and len(value) < 160 and _spoken(value, 4 if phrase else 2, bool(phrase))
            return (begin, stop) if good and (phrase or text[max(0, start - 1) : start] not in ('"', "'")) else None
        if phrase and tied and not quote:
            words = compiled(r"[a-zà-ÿ]{2,12}(?: [a-zà-ÿ]{2,12}){3,23}").match(text, begin)
            if words and _spoken(words.group(), 4, firm):
                return begin, words.end()
        if value[0] == "(" and value[-1] == ")":
            begin, stop, value = begin + 1, stop - 1, value[1:-1]
        pair = compiled(r"[A-Za-z][\w.-]{1,20}[:/](?=[^/]{6})").match(value)
        if pair:
            begin += pair.end()
            value = text[begin:stop]
        pair = compiled(r"[A-Za-z][\w.-]{1,20}=(?=[^/=]{6})").match(value)
        if pair:
            value = value[pair.end() :]  # the name goes with it: it may be a part of the password
        if value.lower() in USERS:
            user = compiled(r",? (?:and|et|puis|then) ").match(text, stop)
            at, steps = user.end() if user else max(stop, at + 1), steps + 1
            tied = tied or user is not None
            continue
        if not _elsewhere(value, firm or not steps) and value.lower() not in STATES:
            level = shape(value)
            last = stop >= limit - 1 and not compiled(PLACE).search(text, end, begin)
            near = level >= MIXED and (steps < 2 or tied or last)
            if near or (level == SURE and not compiled(RULED).search(text, end, begin)):
                return begin, stop
            plain = len(value) > 3 and value.isalpha() and text[start - 1 : start] != quote
            named = compiled(r"(?i)pass|secret|token").search(value) or compiled(PLACE).search(text, end, begin)
            words = compiled(r"[a-zà-ÿ]{3,12}(?:-[a-zà-ÿ]{3,12}){3,7}").fullmatch(value)
            at_once = words and compiled("(?i)(?:" + FIRM[4:] + r"|[:=])[ \u00a0]{0,2}$").search(text, end, begin)
            if firm and not named and ((quote and (level >= ODD or plain)) or at_once):
                return begin, stop
        elif MASK in value or (firm and steps < 2):
            return None  # the value is there, and it is none
        tied = tied and compiled(r"(?i)(?:ok|the|le|la|this|ceci|ça)").fullmatch(value) is not None
        at, steps = max(stop, at + 1), steps + 1
        closing = compiled(r"[\"'`*)\]»”]{1,3}").match(text, at)
        at = closing.end() if closing else at
    return None


def before(text: str, start: int, end: int) -> tuple[int, int] | None:
    """What stands before the word: "X is the password", "use X when it asks for a password"."""
    low = max(0, start - 110, text.rfind("\n", 0, start) + 1)
    for full in compiled(r"[.!?…] (?=[A-ZÀ-Ý«\"])").finditer(text, low, start):
        low = full.end()
    if not compiled(ODDITY).search(text, low, start):
        return None
    words = list(compiled(r"[^\s\"`«»“”<>|\u00a0]{4,80}").finditer(text, low, start))
    for found in reversed(words[-12:]):
        begin, stop = found.start(), found.end()
        while stop > begin and text[stop - 1] in ",;:.)'*":
            stop -= 1
        lead = compiled(r"(?:-[pP])?[('*\[=]{1,3}").match(text, begin)
        begin = lead.end() if lead and lead.end() < stop else begin
        value = text[begin:stop]
        level = shape(value) if value.lower() not in STATES and not _elsewhere(value, True) else 0
        if level < MIXED:
            continue
        bond = compiled(AFTER).match(text[stop:start])
        given = compiled(GIVE).search(text, low, begin)
        alone = text[stop:start].startswith((" ", ",", '"', "'", "`", "»")) and "=" not in value[:-1]
        if level == SURE and alone and (given or start - stop <= 60):
            return begin, stop
        if bond and (given or 0 <= start - stop <= 30):
            return begin, stop
    return None


REMARK = STATES | frozenset(
    """trop too not pas est is are the must doit sont was has have à de du un une your votre this please field mot
    for""".split()
)


def _spoken(value: str, least: int, chosen: bool = False) -> bool:
    """Whether words between quotes can be a phrase that was chosen, not a remark about it; any words can where the
    sentence calls it a phrase, if its first is no remark."""
    words = value.lower().replace("'", " ").split()
    plain = all(word[0].isalnum() for word in words) and not compiled(r"[()\[\]{}=%<>|/]").search(value)
    said = words[:1] if chosen else words
    return plain and least <= len(words) <= 24 and not any(word.strip(".,!?") in REMARK for word in said)


def code(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The digits of a PIN or a door."""
    found = compiled(
        r"[\"'`«*#( ]{0,3}(\d(?:[ -]?\d){3,9}|(?=[A-F\d]{4,7}(?!\w))(?:\d{2,5}[A-F]\d{0,4}"
        r"|[A-F]\d{3,5}))[#*]?(?![\w:/%-]|\.\w)"
    ).match(text, end)
    return found.span(1) if found else None


DOOR = (
    r"(?i)(?<![a-z0-9_])(?:code (?:pin|secret|confidentiel|alarme|d['’](?:alarme|entr[ée]e)|d['’]acc[èe]s|de"
    r" v[ée]rification|sms|d[ue] "
    r"(?:la |l['’])?(?:coffre|porte|portail|alarme|immeuble|garage|cadenas|carte))"
    r"|pin(?: code)?|digicode|(?:alarm|door|gate|access|security|safe|entry|verification|one-time|lock) "
    r"(?:code|combination)|passcode|combinaison(?: du [a-z]+)?|otp)"
    r"(?:(?: [a-zà-ÿ'’]{1,14}){0,4}?(?: ?(?:est|is|was|:|=|→|->|c['’]est|to|vaut|of)| ?:) ?(?:maintenant |now |le "
    r"|the )?"
    r"|(?: code| code:)? ?(?=[\"'`«(# ]{0,2}\d{4,8}(?![\w:/%-]|\.\w)))"
)
LITERALS = (
    "mdp password pass·word passwd passcode pass·code pwd cred identifiant de·passe de_passe de-passe depasse "
    "combinaison digicode wifi wi-fi ssid code·secret d'acc d’acc d'entr d’entr confidentiel coffre porte portail "
    "alarme immeuble cadenas garage box passphrase pass·phrase phrase·de phrase·sec seed·phrase recovery·phrase "
    "secret·phrase mnemonic mnémonique sésame sesame passwrd secret·word code·word mot·secret wpa"
)
CODES = (
    "pin digicode combin otp passcode code·secret code·confid code·d code·alarm code·sms alarm·c door·c gate·c"
    " access·c "
    "security·c safe·c entry·c verification·c one-time·c lock·c"
)

PROSE = (
    Rule("password", "prose", LITERALS, NOUN, "my password is {password}", after),
    Rule("password", "prose", LITERALS, NOUN, "use {password} as the password", before),
    Rule("password", "prose", "pass pw p/w psw pswd", SHORT, "pass: {password}", after),
    Rule("password", "prose", "pass pw psw pswd", SHORT, "{password} is the pass: use it", before),
    Rule("pin", "prose", CODES, DOOR, "code PIN : {d4}", code),
)
