from __future__ import annotations

import base64
import binascii
import hashlib
import hmac


def sign_message(secret: str, id: str, timestamp: str, body: bytes) -> str:
    """Returns the base64 HMAC-SHA256 of a message as Standard Webhooks defines it: over `{id}.{timestamp}.{body}`."""
    digest = hmac.new(secret_bytes(secret), f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def secret_bytes(secret: str) -> bytes:
    """Returns the bytes of a secret. Refuses a public key (`whpk_…`), which must never be used as a secret."""
    try:
        if secret.startswith("whsec_") and len(secret) > len("whsec_"):
            return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        pass
    raise ValueError("The secret must be whsec_ followed by base64 (back office, Settings → API keys)")
