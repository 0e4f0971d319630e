"""`<private>…</private>`: what a person said must never be stored.

Nested blocks end with the outer one; an unclosed one runs to the end. Talk about the tag (`<private>` alone between
quotes) is no block.
"""

from __future__ import annotations

from dream.capture.redact_rule import compiled

TAG = r"(?i)(?:<|&lt;|\\u003c|%3c)\s{0,4}(/?)\s{0,4}private\s{0,4}(?:>|&gt;|\\u003e|%3e)"
QUOTED = ("``", '""', "''", "«»", "“”", "‘’")


def blocks(text: str) -> list[tuple[int, int, str]]:
    """Spans of the blocks, tags included."""
    found: list[tuple[int, int, str]] = []
    depth = opened = 0
    for tag in compiled(TAG).finditer(text):
        if text[max(0, tag.start() - 1) : tag.start()] + text[tag.end() : tag.end() + 1] in QUOTED:
            continue
        if not tag.group(1):
            opened = tag.start() if not depth else opened
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                found.append((opened, tag.end(), "private"))
    if depth:
        found.append((opened, len(text), "private"))
    return found
