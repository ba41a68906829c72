from __future__ import annotations

import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence

from ._errors import CallbackError
from ._signature import sign_message
from .types import Event

_UNIX_SECONDS = re.compile(r"[0-9]{1,12}")


def verify_callback(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> Event:
    """
    Verifies the signature of a callback with the secret of your API key, and returns its event. Deliveries repeat: handle an event with
    the same effect once, by its `id` or by the order's `trade_id`.

    `body` is the raw body as it was received, before it is parsed. `headers` can have names in any case. `secrets` is `whsec_…`; several
    while you replace a secret. `now` is Unix seconds, for tests. Raises CallbackError.
    """
    id, timestamp, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    _check_time(timestamp, tolerance_seconds, time.time() if now is None else now)
    raw = body.encode() if isinstance(body, str) else bytes(body)
    is_signed = False
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = f"v1,{sign_message(secret, id, timestamp, raw)}".encode()
        for signature in signatures.split(" "):
            is_signed = hmac.compare_digest(expected, signature.encode()) or is_signed
    if not is_signed:
        message = "No signature of the callback matches the secret and the raw body."
        raise CallbackError("signature_invalid", message)
    return _read_event(raw)


def _header(headers: Mapping[str, str], name: str) -> str:
    value = next((text for key, text in headers.items() if key.lower() == name), "")
    if not value:
        raise CallbackError("header_missing", f"The header {name} is missing.")
    return value


def _check_time(timestamp: str, tolerance_seconds: float, now: float) -> None:
    if not _UNIX_SECONDS.fullmatch(timestamp):
        raise CallbackError("timestamp_invalid", f'webhook-timestamp must be Unix seconds; got "{timestamp[:40]}".')
    age = int(now) - int(timestamp)
    if abs(age) > tolerance_seconds:
        difference = f"{abs(age)} seconds {'old' if age > 0 else 'in the future'}"
        message = f"The callback is {difference}; at most {tolerance_seconds} are allowed."
        raise CallbackError("timestamp_out_of_range", message)


def _read_event(raw: bytes) -> Event:
    try:
        event: Event = json.loads(raw)
        if isinstance(event["id"], str) and isinstance(event["type"], str) and isinstance(event["data"], dict):
            return event
    except (ValueError, KeyError, TypeError):
        pass
    raise CallbackError("body_invalid", "The body is signed, but is not an event in the standard format.")
