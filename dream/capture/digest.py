"""SHA-256 without the load of OpenSSL that `import hashlib` brings (3 ms of a hook's 30); where the interpreter has no
module of its own for it, `hashlib` it is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

__all__ = ["sha256"]
