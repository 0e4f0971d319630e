"""A keyed SHA-256 (RFC 2104) on the interpreter's own module: `import hmac` would load OpenSSL into every hook."""

from __future__ import annotations

from dream.capture.digest import sha256

BLOCK = 64


def keyed_sha256(key: bytes, message: bytes) -> bytes:
    """The 32 bytes of HMAC-SHA-256 of `message` under `key`."""
    if len(key) > BLOCK:
        key = sha256(key).digest()
    key = key.ljust(BLOCK, b"\0")
    inner = sha256(bytes([byte ^ 0x36 for byte in key]) + message).digest()
    return sha256(bytes([byte ^ 0x5C for byte in key]) + inner).digest()
