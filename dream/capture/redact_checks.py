"""Validators of candidates, `(text, start, end)` → None or the bounds to remove, and the predicates they share."""

from __future__ import annotations

from dream.capture.redact_rule import compiled

# Words of a value that holds the place of a secret.
HOLDS_PLACE = (
    "your", "votre", "xxxx", "placeholder", "changeme", "change-me", "change_me", "replace", "insert", "dummy", "****",
    "....", "example-", "-example", "_example", "my-secret", "my_secret", "-here", "_here", "1234567890abcdef", "todo",
    "foobar",
)  # fmt: skip


def luhn(digits: str) -> bool:
    """The check of ISO/IEC 7812: cards, SIREN, SIRET."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = ord(digit) - 48
        if place % 2:
            value = value * 2 - 9 * (value > 4)
        total += value
    return total % 10 == 0


def placeholder(value: str) -> bool:
    """Whether `value` holds the place of a secret: `xxxxxxxx`, `your-key-here`, an ellipsis, almost no variety."""
    if len(set(value)) < min(5, len(value) // 2 + 1):
        return True
    low = value.lower()
    if value.endswith(("EXAMPLE", "EXAMPLEKEY")):  # the keys of the AWS documentation
        return True
    return any(word in low for word in HOLDS_PLACE) and not opaque(value)


def opaque(value: str) -> bool:
    """Whether `value` looks drawn at random: both cases and digits mixed all along, or long hexadecimal."""
    upper = lower = digit = turns = 0
    before = ""
    for char in value:
        kind = "d" if char.isdigit() else "u" if char.isupper() else "l" if char.isalpha() else before
        digit += kind == "d"
        upper += kind == "u"
        lower += kind == "l"
        turns += kind != before
        before = kind
    if digit and (upper or lower) and compiled(r"[0-9a-fA-F]{24,}").fullmatch(value):
        return True
    if not (upper and lower and turns * (4 if digit else 3) >= len(value)):
        return False
    if not digit and (len(value) < 20 or upper < 4):
        return False
    return (
        sum(map(len, compiled(r"[A-Z][a-z]{2,}|[a-z]{4,}").findall(value))) * 10 < len(value) * 7
    )  # words make a name of code


def token(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a token unless it holds a place, or is words; punctuation that ends the sentence is not part of it."""
    while end > start and text[end - 1] == ".":
        end -= 1
    value = text[start:end]
    if not compiled(r"[A-Z0-9]").search(value, min(12, len(value) // 2)):
        return None
    return None if placeholder(value.rpartition("_")[2] or value) else (start, end)


def mixed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a token whose prefix is too common a word to be proof: it must look drawn at random."""
    found = token(text, start, end)
    return found if found and opaque(text[found[0] : found[1]]) else None


def json_web_token(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept `header.payload.signature` whose header decodes to a JSON object that names an algorithm."""
    from dream.capture.redact_base64 import decode

    while text[end - 1] == ".":
        end -= 1
    header = decode(text[start:end].partition(".")[0]).lstrip()
    return (start, end) if header[:1] == b"{" and (b'"alg"' in header or b'"enc"' in header) else None


def basic(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept base64 of `user:password`."""
    from dream.capture.redact_base64 import decode

    return (start, end) if b":" in decode(text[start:end]) else None
