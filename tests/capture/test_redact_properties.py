"""What holds for any text: redaction is idempotent, its spans rebuild its text, nothing else changes."""

from __future__ import annotations

from random import Random

import pytest
from redact_recipes import cook

from dream.capture.redact import RULES, redact, spans

KEY = bytes(range(32))
PROSE = (
    "On garde SQLite pour la base de recette.",
    "the deploy runs at 02:05 every night",
    "le mot de passe est dans le coffre",
    "password:",
    "mdp",
    "c'est",
    "is",
    "token =",
    "(voir plus bas)",
    "« ok »",
    "https://example.org/a?b=c&d=",
    "\n",
    "\t",
    "```",
    "<private>",
    "</private>",
    "&lt;",
    "\x1b[32m",
    "\\n",
    '\\"',
    "%3D",
    "\u200b",
    "=\n",
    "é",
    "中文",
    "😀",
    "\ud83d",
    "|",
    "**",
    "[redacted:github-token]",
    "[redacted:email#ab2c]",
    "[redacted:",
    "1.2.3.4",
    "12:34",
    "ghp_",
    "sk-ant-",
    "://",
    "@",
    "#",
    "Basic",
    "Bearer",
    "-----BEGIN PRIVATE " + "KEY-----",
    "AKIA",
    "admin/",
    "use",
    "as the password",
    "comme code du coffre",
    "PIN : 12",
)
JOINTS = ("", " ", " ", " ", "\n", ", ", ". ", ": ", "=", "/", '"', "'")


def mixture(seed: int) -> str:
    """A text put together at random from prose, marks, halves of secrets and whole ones."""
    random = Random(seed)
    parts: list[str] = []
    for _ in range(random.randint(3, 30)):
        if random.random() < 0.3:
            piece = cook(random.choice(RULES).example, random.randint(0, 99))[0]
            if random.random() < 0.3:
                piece = piece[: random.randint(1, len(piece))]
        else:
            piece = random.choice(PROSE)
        parts += (piece, random.choice(JOINTS))
    return "".join(parts)


@pytest.mark.parametrize("block", range(20))
@pytest.mark.parametrize("key", [None, KEY], ids=["no tags", "tags"])
def test_redacting_twice_changes_nothing_more(block: int, key: bytes | None) -> None:
    for seed in range(block * 40, block * 40 + 40):
        once, _ = redact(mixture(seed), key)
        twice, counts = redact(once, key)
        assert twice == once, seed
        assert not counts
        assert not spans(once)


@pytest.mark.parametrize("block", range(10))
def test_spans_are_in_order_and_rebuild_the_clean_text(block: int) -> None:
    for seed in range(1000 + block * 40, 1040 + block * 40):
        text = mixture(seed)
        found = spans(text)
        clean, counts = redact(text)
        at, pieces = 0, []
        for start, end, kind in found:
            assert at <= start < end <= len(text)
            pieces += (text[at:start], f"[redacted:{kind}]")
            at = end
        assert "".join([*pieces, text[at:]]) == clean
        assert sum(counts.values()) == len(found)


def test_a_secret_is_gone_wherever_it_stands_in_a_text() -> None:
    marked = [rule for rule in RULES if rule.family in ("GitHub", "Anthropic", "Stripe", "Slack", "JWT", "Google")]
    for seed in range(300):
        random = Random(seed)
        text, secret = cook(random.choice(marked).example, seed)
        around = " ".join(random.choice(PROSE[:12]) for _ in range(6))
        assert secret not in redact(f"{around} {text} {around}")[0], seed


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "\ud83d", "\x00", "a" * 5000, "é" * 5000, "[redacted:email]", "]" * 99]
)
def test_texts_without_a_secret_come_back_as_they_are(text: str) -> None:
    assert redact(text) == (text, {})
