"""Values of every kind, made at run time from a seed: no whole secret stands in the project."""

from __future__ import annotations

import base64
import json
import re
import string
from random import Random

LETTERS = {
    "w": string.ascii_letters + string.digits,
    "A": string.ascii_uppercase + string.digits,
    "a": string.ascii_lowercase + string.digits,
    "h": "0123456789abcdef",
    "d": string.digits,
    "l": string.ascii_letters,
}
WORDS = ("brume", "falaise", "girofle", "harbour", "kettle", "lichen", "meadow", "noisette", "quince", "ruisseau")


def cook(recipe: str, seed: int) -> tuple[str, str]:
    """The text of a recipe and the longest value in it: `{w36}` is 36 letters and digits, `{iban}` one with its key."""
    random = Random(f"{recipe}/{seed}")
    made: list[str] = []

    def value(found: re.Match[str]) -> str:
        name = found.group(1)
        made.append(
            MAKERS[name](random)
            if name in MAKERS
            else "".join(random.choice(LETTERS[name[0]]) for _ in range(int(name[1:])))
        )
        return made[-1]

    text = re.sub(r"\{([A-Za-z][a-z0-9]*)\}", value, recipe)
    return text, max(reversed(made), key=len)


def digits(random: Random, count: int) -> str:
    return "".join(random.choice(string.digits) for _ in range(count))


def with_luhn(head: str) -> str:
    """`head` and the digit that makes it pass ISO/IEC 7812."""
    total = 0
    for place, digit in enumerate(reversed(head)):
        value = int(digit) * (1 if place % 2 else 2)
        total += value - 9 * (value > 9)
    return head + str(-total % 10)


def grouped(text: str, sizes: list[int], gap: str) -> str:
    out, at = [], 0
    for size in sizes:
        out.append(text[at : at + size])
        at += size
    return gap.join(part for part in out if part)


def card(random: Random) -> str:
    head = random.choice(["4", "51", "55", "2223"])
    number = with_luhn(head + digits(random, 15 - len(head)))
    return random.choice([number, grouped(number, [4] * 4, " "), grouped(number, [4] * 4, "-")])


def iban(random: Random) -> str:
    country, length = random.choice([("FR", 23), ("DE", 18), ("ES", 20), ("BE", 12), ("PL", 24)])
    body = digits(random, length)
    number = int("".join(str(int(char, 36)) for char in body + country + "00"))
    whole = f"{country}{98 - number % 97:02}{body}"
    return random.choice([whole, grouped(whole, [4] * 9, " "), grouped(whole, [4] * 9, "\u00a0"), whole.lower()])


def nir(random: Random) -> str:
    sex, year, month = random.choice("12"), digits(random, 2), f"{random.randint(1, 12):02}"
    head = sex + year + month + f"{random.randint(1, 95):02}" + digits(random, 6)
    whole = head + f"{97 - int(head) % 97:02}"
    return random.choice([whole, grouped(whole, [1, 2, 2, 2, 3, 3, 2], " ")])


def siret(random: Random) -> str:
    whole = with_luhn(with_luhn(digits(random, 8)) + "0001")
    return random.choice([whole, grouped(whole, [3, 3, 3, 5], " ")])


def ssn(random: Random) -> str:
    return f"{random.randint(100, 660)}-{random.randint(10, 99)}-{random.randint(1000, 9999)}"


def phone(random: Random) -> str:
    pairs = [digits(random, 2) for _ in range(4)]
    gap = random.choice([" ", ".", "-", "\u202f"])
    head = random.choice("123456")
    return random.choice(
        ["0" + head + gap + gap.join(pairs), f"+33 {head} " + " ".join(pairs), f"+33{head}" + "".join(pairs)]
    )


def ipv4(random: Random) -> str:
    return random.choice(["10", "172", "192", "80"]) + "." + ".".join(str(random.randint(1, 254)) for _ in range(3))


def ipv6(random: Random) -> str:
    return "2001:db8:" + ":".join(f"{random.randint(4096, 65535):x}" for _ in range(2)) + f"::{random.randint(2, 99)}"


def ipv6full(random: Random) -> str:
    return "2001:0db8:" + ":".join(f"{random.randint(4096, 65535):x}" for _ in range(6))


def mac(random: Random) -> str:
    return random.choice(":-").join(["02", *(f"{random.randint(16, 255):02x}" for _ in range(5))])


def mail(random: Random) -> str:
    return f"{random.choice(WORDS)}.{random.choice(WORDS)}@{random.choice(WORDS)}.example.org"


def password(random: Random) -> str:
    first, second = random.choice(WORDS), random.choice(WORDS)
    tail = "".join(random.choice(LETTERS["w"]) for _ in range(4))
    number = str(random.randint(10, 99))
    return random.choice(
        [
            first.capitalize() + number + random.choice("!#$%&*?") + tail,
            f"{first}-{second}-{number}",
            first.capitalize() + second.capitalize() + number + "!",
        ]
    )


def basic(random: Random) -> str:
    return base64.b64encode(f"svc:{password(random)}".encode()).decode()


def jwt(random: Random) -> str:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    signature = "".join(random.choice(LETTERS["w"]) for _ in range(43))
    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': digits(random, 6)})}.{signature}"


def pem(random: Random) -> str:
    kind = random.choice(["RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED "])
    alphabet = LETTERS["w"] + "+/"
    lines = ["".join(random.choice(alphabet) for _ in range(64)) for _ in range(5)]
    return "\n".join([f"-----BEGIN {kind}PRIVATE " + "KEY-----", *lines, f"-----END {kind}PRIVATE " + "KEY-----"])


def b32(random: Random) -> str:
    return "".join(random.choice(string.ascii_uppercase + "234567") for _ in range(31)) + "7"


MAKERS = {
    made.__name__: made
    for made in (card, iban, nir, siret, ssn, phone, ipv4, ipv6, ipv6full, mac, mail, password, basic, jwt, pem, b32)
}
