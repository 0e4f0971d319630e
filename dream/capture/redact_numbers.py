"""Numbers that stand for a person or an account: check digits decide where there are any, the sentence elsewhere."""

from __future__ import annotations

from dream.capture.redact_checks import luhn
from dream.capture.redact_rule import Rule, compiled

GAP = r"[ .\u00a0\u202f-]"  # between groups of digits, as people write them

# Length of an IBAN by country (ISO 13616 registry).
IBAN_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 "
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 "
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 "
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
)

BANK = (
    r"(?i)iban|vire(?:r|z|ment)|\brib\b|transfer|refund|rembours|bank|banque|wire|pay(?:out|ee|ment|er)|compte\b"
    r"|account"
)
NOT_BANK = r"(?i)product|produit|r[ée]f[ée]rence|\bref\b|article|sku|checksum|\bcode\b|invalid"


def before(text: str, start: int, reach: int = 40) -> str:
    """What stands before `start` on its line, at most `reach` characters."""
    low = max(0, start - reach)
    return text[max(low, text.rfind("\n", low, start) + 1) : start]


def iban(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a number as long as its country's, with the check of ISO 7064; without it only as a form fills it in."""
    run = text[start:end]
    country = run[:2].upper()
    place = IBAN_LENGTHS.find(country)
    if place < 0:
        return None
    length = int(IBAN_LENGTHS[place + 2 : place + 4])
    taken, stop = "", start
    for at in range(start, end):
        if text[at].isalnum():
            if len(taken) == length:
                if text[at - 1].isalnum():
                    return None
                break
            taken += text[at].upper()
            stop = at + 1
    if len(taken) != length or not taken[4:].strip("0"):
        return None
    moved = taken[4:] + taken[:4]
    if int("".join(str(int(char, 36)) for char in moved)) % 97 == 1:
        return start, stop
    cue = before(text, start)
    if compiled(NOT_BANK).search(cue) or compiled(NOT_BANK).search(text[stop : stop + 40]):
        return None
    grouped = compiled(r"\w{4}(?:[ \u00a0\u202f-]\w{4})+[ \u00a0\u202f-]?\w{0,4}").fullmatch(text[start:stop])
    return (start, stop) if grouped or compiled(BANK).search(cue) else None


NUMBERED = (
    r"(?i)order|commande|track|suivi|colis|invoice|facture|ticket|snowflake|epoch|timestamp|\bid\b"
    r"|num[ée]ro de s[ée]rie|serial|isbn|build"
)


def card(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept 13 to 19 digits of a card network, grouped as printed or not at all, with the check of ISO/IEC 7812."""
    raw = text[start:end]
    digits = "".join(char for char in raw if char.isdigit())
    size = len(digits)
    first = digits[:1]
    two = int(digits[:2]) if size > 1 else 0
    network = (
        (first == "4" and size in (13, 16, 19))
        or (51 <= two <= 55 and size == 16)
        or (2221 <= int(digits[:4]) <= 2720 and size == 16)
        or (two in (34, 37) and size == 15)
        or (two in (30, 36, 38, 39) and size == 14)
        or (two in (35, 60, 62, 64, 65, 81) and size in (16, 19))
        or (two in (50, 56, 57, 58, 63, 67) and size in (16, 18, 19))
    )
    if not network or not luhn(digits) or len(set(digits)) < 2:
        return None
    if size == len(raw) and compiled(NUMBERED).search(before(text, start, 24)):
        return None
    groups = [len(part) for part in compiled(r"\d+").findall(raw)]
    return (start, end) if len(groups) == 1 or groups in ([4, 4, 4, 4], [4, 6, 5], [4, 6, 4], [4, 4, 4, 4, 3]) else None


def nir(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a French social security number: 13 places and the key 97 - n mod 97, Corsica as 2A and 2B."""
    raw = "".join(char for char in text[start:end] if char.isalnum()).upper()
    if len(raw) != 15 or raw[0] not in "123478":
        return None
    month = int(raw[3:5])
    if not (1 <= month <= 12 or 20 <= month <= 42 or month >= 50):
        return None
    number = raw[:13].replace("2A", "19").replace("2B", "18")
    return (start, end) if number.isdigit() and 97 - int(number) % 97 == int(raw[13:]) else None


def siret(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a SIRET, or a SIREN that is named so, with the check of ISO/IEC 7812; La Poste's go by their sum."""
    digits = "".join(char for char in text[start:end] if char.isdigit())
    cue = compiled(r"(?i)sire[nt]").search(before(text, start))
    if len(digits) == 9:
        return (start, end) if cue and luhn(digits) else None
    if len(digits) != 14 or not luhn(digits[:9]):
        return None
    if not luhn(digits) and not (digits[:9] == "356000000" and sum(map(int, digits)) % 5 == 0):
        return None
    shaped = compiled(r"(?:\d{3}" + GAP + r"){3}\d{5}").fullmatch(text[start:end])
    return (start, end) if cue or shaped else None


def ssn(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept an American social security number by its form, unless it is called an order or the like."""
    area, group, serial = text[start : start + 3], text[start + 4 : start + 6], text[start + 7 : end]
    if area in ("000", "666") or group == "00" or serial == "0000":
        return None
    return None if compiled(NUMBERED).search(before(text, start)) else (start, end)


CALL = (
    r"(?i)t[ée]l|phone|portable|mobile|gsm|num[ée]ro|appel|call|sms|\bfax|joindre|joign|whatsapp|astreinte|ligne"
    r"|contact|cell|ring|rappel|texto|standard|numb|dial|support line|reach"
)
NOT_CALL = (
    r"(?i)order|commande|invoice|facture|dossier|siret|siren|track|suivi|colis|isbn|epoch|timestamp|ticket|compte"
    r"|\bid\b|snowflake"
)
NUMBER_OF = (
    r"(?i)(?:num[ée]ro|number|n[°º]|no\.?) (?:de |du |d['’]|of )?(?:the |la |l['’])?(?:licen[cs]e|dossier|contrat"
    r"|police|s[ée]rie|r[ée]f[ée]rence|adh[ée]rent|abonn|client|membre|permis|lot|article|version)"
    r"|(?:licen[cs]e|case|policy|contract|serial|member|customer|client|reference|file|patent|part)"
    r" (?:number|no\.|n[°º])"
)
CALLED = r"(?i)[\"' ,(]{0,4}(?:standard|mobile|portable|perso|cell|bureau|office|home)"


def phone(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a telephone number: French by its form, foreign by `+` and length or by a word that says so."""
    while end > start and not text[end - 1].isdigit():
        end -= 1
    if text[start] == "(" and ")" not in text[start:end]:
        start += 1
    raw = text[start:end]
    if compiled(r"\d{1,3}(?:\.\d{1,3}){3}|\+?\d+\.\d+").fullmatch(raw):
        return None  # an address, a decimal figure
    if compiled(r"[-/_][A-Za-z]").match(text, end) or compiled(r"(?:19|20)\d\d[-/ ]\d{4,6}").fullmatch(raw):
        return None  # a reference
    digits = "".join(char for char in raw if char.isdigit())
    cue = before(text, start, 48)
    other = compiled(NUMBER_OF).search(cue)
    if (other and raw[0] != "+") or (compiled(NOT_CALL).search(cue) and not compiled(CALL).search(cue)):
        return None
    called = compiled(CALL).search(cue) or compiled(CALLED).match(text, end)
    if raw[0] == "+" or compiled(r"00[1-9]").match(raw):
        return (start, end) if 9 + (raw[0] != "+") <= len(digits) <= 15 else None
    if compiled(r"0[1-9](?:[ .\u00a0\u202f-]?\d\d){4}").fullmatch(raw):
        return (start, end) if called or len(raw) == 14 else None
    if compiled(r"\(?[2-9]\d\d\)?[ .-]\d{3}[-.]\d{4}").fullmatch(raw):
        return start, end
    return (start, end) if called and 9 <= len(digits) <= 12 and len(digits) < len(raw) else None


NIR = (
    r"(?<![A-Za-z0-9])[123478](?:" + GAP + r"?\d\d){2}" + GAP + r"?(?:\d\d|2[ABab])(?:" + GAP + r"?\d{3}){2}"
    + GAP + r"?\d\d(?![A-Za-z0-9])"
)  # fmt: skip

# fmt: off
NUMBERS = (
    Rule("iban", "IBAN", "#9", r"<[A-Za-z]{2}\d\d(?:[ \u00a0\u202f-]?[A-Za-z0-9]){11,32}", "{iban}", iban),
    Rule("nir", "identifiers", "#9", NIR, "{nir}", nir),
    Rule("siret", "identifiers", "#9",
         r"<\d{3}(?:" + GAP + r"?\d{3}){2}(?:" + GAP + r"?\d{5})?>",
         "SIRET {siret}", siret),
    Rule("ssn", "identifiers", "#9", r"(?<![A-Za-z0-9-])\d{3}-\d\d-\d{4}(?![A-Za-z0-9-])", "SSN {ssn}", ssn),
    Rule("card", "cards", "#9", r"(?<![A-Za-z0-9.-])\d(?:[ \u00a0\u202f-]?\d){12,18}(?![A-Za-z0-9-])", "{card}", card),
    Rule("phone", "telephones", "#9",
         r"(?<![A-Za-z0-9.+/_-])(?:\+|\(|)\d(?:[ .\u00a0\u202f\u2009-]{0,2}\(?\d\)?){7,16}(?![A-Za-z0-9])",
         "tél. {phone}", phone),
)
# fmt: on
