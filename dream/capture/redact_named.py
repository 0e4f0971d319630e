"""Numbers that the sentence calls by name: what is said to be someone's insurance number, bank account or passport goes
with or without a check digit that fits; people mistype. The same number without the name stays."""

from __future__ import annotations

from dream.capture.redact_checks import luhn
from dream.capture.redact_rule import Rule, compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dream.capture.redact_rule import Check

GAP = r"[ .\u00a0\u202f/-]?"
# Between the name and the number: a few words of one sentence.
MARKS = r"[ \u00a0,:=>→…(«\"'’`*#-]"
LINK = r"(?:" + MARKS + r"{1,4}(?:n[°ºo]\.?|no\.|[A-Za-zÀ-ÿ]{1,14}['’]?)){0,7}?" + MARKS + r"{0,5}"
NEAR = (
    r"(?:"
    + MARKS
    + r"{1,4}(?:n[°ºo]\.?|est|is|c['’]est|le|code|number|num[ée]ro|de|ma|carte)){0,4}?"
    + MARKS
    + r"{0,5}"
)
OPEN, CLOSE = r"(?<![A-Za-z0-9.])", r"(?![A-Za-z0-9])(?!-[A-Za-z])(?![.,]\d)"
# Between the number and a name that follows it.
BACK = (
    r"[ \u00a0,)»\"'’]{0,3}(?:c['’]est|est|is|that['’]s|=|:|->|comme|as|,|\()[ \u00a0]?(?:bien )?"
    r"(?:(?:mon|ma|le|la|notre|son|sa|my|the|our|his|her) )?(?:(?:num[ée]ro|n[°º]) (?:de |d['’])?(?:la |l['’])?)?$"
)
UNREAL = r"(?i)\bfau(?:x|sse)\b|bidon|factice|fictif|fake|dummy|invalid|erron|exemple|example|wrong|incorrect"
OTHER = (
    r"(?i)\b(?:commande|order|ticket|dossier|facture|invoice|version|build|port|commit|clients?|customers?|millions?"
    r"|euros?|champ|field|format|table|page|ligne|row)s?\b"
)
UNIT = (
    r"(?i) ?(?:€|\$|£|%|euros?\b|dollars?\b|rows?\b|lignes?\b|bytes?\b|octets?\b|m?s\b|[KMGT]?[ob]\b|caract|char"
    r"|chiffres|digits|users?\b|utilisat)"
)


def named(shape: str, digits: int, link: str = LINK, proof: str = "") -> Check:
    """The check of a name: the number of that shape that follows it in the sentence, or stands before it.

    Args:
        digits: fewest that the number has.
        proof: what must stand on the line before the name, where the name alone says too little.
    """
    follows = link + OPEN + "(" + shape + ")" + CLOSE
    precedes = OPEN + "(" + shape + ")" + BACK

    def check(text: str, start: int, end: int) -> tuple[int, int] | None:
        low = max(0, start - 70, text.rfind("\n", 0, start) + 1)
        if proof and not compiled(proof).search(text, low, end):
            return None
        found = compiled(follows).match(text, end)
        between = text[end : found.start(1)] if found else ""
        if not found or compiled(OTHER).search(between):
            found = compiled(precedes).search(text[low:start])
            if not found:
                return None
            between, offset = "", low
        else:
            offset = 0
        first, last = found.start(1) + offset, found.end(1) + offset
        tail = compiled(r"(?:[ \u00a0-][A-Z]{2,33})+").search(text, first, last)
        last = tail.start() if tail and tail.end() == last else last
        if sum(map(str.isdigit, text[first:last])) < digits or compiled(UNIT).match(text, last):
            return None
        return None if compiled(UNREAL).search(text[max(low, start - 30) : start] + between) else (first, last)

    return check


def canadian(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A social insurance number beside a word that also means other things: in three groups, or with its check."""
    found = named(r"\d{3}[ \u00a0-]?\d{3}[ \u00a0-]?\d{3}", 9)(text, start, end)
    if not found:
        return None
    number = text[found[0] : found[1]]
    return found if len(number) == 11 or luhn("".join(filter(str.isdigit, number))) else None


BANKING = r"(?i)bank|banque|bancaire|sort code|routing|wire|\biban\b|\brib\b|virement|transit|\bbic\b"
ACCOUNT = r"[A-Z]{0,4}[ \u00a0-]?\d(?:[ \u00a0-]?[0-9A-Z]){6,33}"
HELD = r"(?:[A-Z]{1,2}\d{6,8}|\d\d[A-Z]{2}\d{5}|\d{8,12}|[A-Z0-9]{9})"

# fmt: off
NAMED = (
    Rule("nir", "named numbers", "sécu secu social·security vitale",
         r"(?i)(?<![A-Za-z])(?:s[ée]cu(?:rit[ée] sociale)?(?![A-Za-zà-ÿ])|social security number|carte vitale)",
         "mon numéro de sécu c'est 1 {d2} 07 69 {d3} {d3} {d2}",
         named(r"\d(?:" + GAP + r"\d){4}" + GAP + r"(?:\d\d|2[ABab])(?:" + GAP + r"\d){6}(?:" + GAP + r"\d\d)?", 12)),
    Rule("sin", "named numbers", "NAS SIN", r"(?<![A-Za-z_.])(?:NAS|SIN)(?![A-Za-z_(])",
         "mon NAS est le {d3} {d3} {d3}", canadian),
    Rule("sin", "named numbers", "assurance social·insurance",
         r"(?i)assurance sociale|social insurance(?: number)?", "Numéro d'assurance sociale : {d9}",
         named(r"\d{3}[ \u00a0-]?\d{3}[ \u00a0-]?\d{3}", 9)),
    Rule("ssn", "named numbers", "SSN social·security", r"(?<![A-Za-z])(?:SSN|[Ss]ocial [Ss]ecurity(?: [Nn]umber)?)>",
         "her SSN: {d9}", named(r"\d{3}[ -]?\d\d[ -]?\d{4}", 9)),
    Rule("bank-account", "named numbers", "bancaire rib bank routing transit",
         r"(?i)(?<![A-Za-z])(?:coordonn[ée]es bancaires|compte bancaire|rib(?![A-Za-z])|bank (?:account|details)"
         r"(?: (?:number|no\.?))?|(?:routing|transit) (?:number|no\.?))",
         "mes coordonnées bancaires : CA-{d3}-{d5}-{d4}-{d7}", named(ACCOUNT, 8)),
    Rule("iban", "named numbers", "iban", r"(?i)(?<![A-Za-z])iban(?![A-Za-z])",
         "IBAN : FR{d2} {d4} {d4} {d4} 1", named(r"[A-Z]{2}\d\d(?:[ \u00a0-]?[0-9A-Z]){9,30}", 8)),
    Rule("bank-account", "named numbers", "account compte",
         r"(?i)(?<![A-Za-z])(?:account|compte)(?![A-Za-z])(?: (?:number|no\.?))?",
         "my bank is Desjardins, account number {d10}", named(ACCOUNT, 8, NEAR, BANKING)),
    Rule("bank-account", "named numbers", "sort·code", r"(?i)sort code", "sort code {d2}-{d2}-{d2}",
         named(r"\d\d[ -]\d\d[ -]\d\d|\d{6}", 6, NEAR)),
    Rule("card", "named numbers", "carte card CB",
         r"(?:(?i:(?<![a-z])(?:carte (?:bancaire|bleue|visa|de (?:cr[ée]dit|d[ée]bit|paiement))"
         r"|(?:credit|debit|bank|payment)[ -]card|card (?:number|no\.?)|num[ée]ro de (?:ma |la )?carte))"
         r"|(?<![A-Za-z0-9])CB)>",
         "ma carte bleue : 4{d3} {d4} {d4} {d4}", named(r"\d(?:[ \u00a0\u202f-]?\d){12,18}", 13)),
    Rule("card-code", "named numbers", "cryptogramme cvv cvc",
         r"(?i)(?<![A-Za-z\"'])(?:cryptogramme(?: visuel)?|cvv2?|cvc2?)(?![A-Za-z0-9\"'])", "CVV : {d3}",
         named(r"(?!123|000|999)\d{3,4}", 3, NEAR)),
    Rule("identity-number", "named numbers", "passeport passport d'identité identity licen permis",
         r"(?i)(?<![A-Za-z])(?:passe?port(?! ?photo)|carte d['’]identit[ée]|identity card|id card)(?![A-Za-z.])",
         "mon passeport, numéro {d2}XK{d5}", named(HELD, 4)),
    Rule("identity-number", "named numbers", "licen permis",
         r"(?i)permis de conduire|driv(?:er['’]?s?|ing) licen[cs]e(?: (?:number|no\.?))?",
         "permis de conduire n° {d2}AA{d5}",
         named(r"[A-Z]{0,2}\d[A-Z0-9]{1,11}(?:[ -]?[A-Z0-9]{2,7}){0,4}", 5)),
    Rule("identity-number", "named numbers", "fiscal tax",
         r"(?i)(?:num[ée]ro|r[ée]f[ée]rence|identifiant|n[°º]) fiscale?|tax (?:id|number)(?![A-Za-z])",
         "mon numéro fiscal est 30 {d2} {d3} {d3} {d3}",
         named(r"\d(?:[ \u00a0-]?\d){8,12}", 9)),
    Rule("identity-number", "named numbers", "756.", r"<756\.\d{4}\.\d{4}\.\d\d>", "756.{d4}.{d4}.{d2}"),
    Rule("identity-number", "named numbers", "insurance", r"(?i)national insurance(?: (?:number|no\.?))?",
         "national insurance number QQ {d2} {d2} {d2} C",
         named(r"[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-D]", 6)),
)
# fmt: on
