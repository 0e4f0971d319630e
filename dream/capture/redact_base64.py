"""Base64 read without its module, for start-up cost: only short runs are ever decoded."""

from __future__ import annotations

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
VALUES = {char: value for value, char in enumerate(ALPHABET)}
VALUES["-"], VALUES["_"] = 62, 63
LIMIT = 4096


def decode(run: str) -> bytes:
    """What a run in either alphabet stands for, at most its first 4,096 characters; padding is skipped."""
    out = bytearray()
    bits = held = 0
    for char in run[:LIMIT]:
        value = VALUES.get(char)
        if value is None:
            continue
        held = (held << 6 | value) & 0xFFFF
        bits += 6
        if bits >= 8:
            bits -= 8
            out.append(held >> bits & 0xFF)
    return bytes(out)
