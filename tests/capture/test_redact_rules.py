"""Each row of the tables finds the value that its own recipe makes, whatever stands beside it."""

from __future__ import annotations

import base64
import json

import pytest
from redact_recipes import cook

from dream.capture.redact import RULES, redact
from dream.capture.redact_rule import Rule
from dream.capture.redact_tokens import TOKENS

SEEDS = range(4)
IDS = [f"{number}-{rule.name}" for number, rule in enumerate(RULES)]
WHOLE = [rule for rule in TOKENS if not rule.expression.count("([") and rule.name != "jwt"]


def gone(text: str, secret: str) -> bool:
    """Whether no run of twelve characters of the secret is left."""
    clean, _ = redact(text)
    size = min(12, len(secret))
    return not any(secret[at : at + size] in clean for at in range(len(secret) - size + 1))


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_a_rule_finds_what_its_recipe_makes(rule: Rule) -> None:
    assert rule.example, "a row brings the recipe of its example"
    for seed in SEEDS:
        text, secret = cook(rule.example, seed)
        assert gone(text, secret), text
        assert gone(f"Voici ce que j'ai : {text}", secret), text


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_a_rule_is_tried_only_where_its_literal_stands(rule: Rule) -> None:
    assert rule.literals + rule.cased
    text = cook(rule.example, 1)[0]
    counted = [word for word in rule.literals if word[0] in "#:-" and len(word) == 2]
    assert counted or any(word in text.lower() for word in rule.literals) or any(word in text for word in rule.cased)


@pytest.mark.parametrize("rule", WHOLE, ids=[rule.name for rule in WHOLE])
@pytest.mark.parametrize(
    "frame",
    [
        "({})", "«{}»", "« {} »", "{}.", "{},", "{}…", "<b>{}</b>", "|{}|", "`{}`", "**{}**", "'{}';", "clé：{}。",
        "é{}é", "={}", "[{}](x)", "\x1b[1;31m{}\x1b[0m", "a\\n{}\\nb", '\\"{}\\"', "%22{}%22", "&quot;{}&quot;",
        "{}\u200b", "token={}&a=b", "\\u001b[32m{}",
    ],
)  # fmt: skip
def test_a_token_is_found_beside_any_mark(rule: Rule, frame: str) -> None:
    token, _ = cook(rule.example, 7)
    clean, _ = redact(frame.replace("{}", token))
    assert token[4:] not in clean


@pytest.mark.parametrize("rule", WHOLE, ids=[rule.name for rule in WHOLE])
def test_a_token_is_found_through_what_hides_it(rule: Rule) -> None:
    token, secret = cook(rule.example, 3)
    half = len(token) // 2
    hidden = {
        "zero width": token[:half] + "\u200b" + token[half:],
        "soft hyphen": token[:6] + "\u00ad" + token[6:half] + "\u2060" + token[half:],
        "colour": token[:half] + "\x1b[0m\x1b[31m" + token[half:],
        "percent": "".join(f"%{ord(char):02X}" for char in token),
        "JSON escape": json.dumps({"k": token})[:-1].replace("_", "\\u005f").replace("-", "\\u002d"),
        "base64": base64.b64encode(token.encode()).decode(),
        "base64 of a line": base64.urlsafe_b64encode(f"token: {token}\n".encode()).decode(),
        "folded": token[:half] + "\n" + token[half:],
        "folded and indented": token[:half] + "\r\n    " + token[half:],
        "quoted-printable": token[:half] + "=\n" + token[half:],
        "shell": token[:half] + "\\\n" + token[half:],
    }
    for way, text in hidden.items():
        clean, counts = redact(f"voici {text} merci")
        assert clean.startswith("voici ") and clean.endswith(" merci"), way
        assert counts, way
        assert token[half : half + 8] not in clean or "percent" in way, way
        assert text[3:-3] not in clean, way
    assert secret


PLAIN = [rule for rule in WHOLE if rule.example.count("{") == 1]


@pytest.mark.parametrize("rule", PLAIN, ids=[rule.name for rule in PLAIN])
def test_a_placeholder_of_a_token_stays(rule: Rule) -> None:
    token, secret = cook(rule.example, 2)
    for text in (
        token.replace(secret, "x" * len(secret)),
        token.replace(secret, "*" * len(secret)),
        token.replace(secret, "..."),
        token.replace(secret, "<your-token>"),
    ):
        assert redact(f"remplace {text} ici")[0] == f"remplace {text} ici"
