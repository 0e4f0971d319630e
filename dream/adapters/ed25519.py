"""Ed25519 by `cryptography`: signs tree heads and verifies them."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Ed25519Verifier:
    """Verifies with any public key (`ports.Verifier`)."""

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether the signature holds; bytes of a wrong length are a signature that does not."""
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Ed25519Signer(Ed25519Verifier):
    """Signs with one private key (`ports.Signer`).

    Args:
        seed: 32 secret bytes (see `ledger.keys`).
        name: the key's name in a signed note; holds no space and no plus sign.
    """

    def __init__(self, seed: bytes, name: str) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._name = name
        self._public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @property
    def name(self) -> str:
        return self._name

    @property
    def public(self) -> bytes:
        return self._public

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)
