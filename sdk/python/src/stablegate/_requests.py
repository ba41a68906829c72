"""What the client and the asynchronous client share: requests, responses and retries, without sending anything."""

from __future__ import annotations

import json
import random
import secrets as random_bytes
import time
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, TypedDict, cast
from urllib.parse import urlsplit

import httpx

from ._errors import ApiError, ConnectionFailed
from ._signature import secret_bytes, sign_message
from .types import Network

BASE_PATH = "/api/v1/pay/"
FIRST_WAIT = 0.5
MAX_WAIT = 60.0
MIN_SKEW = 60.0
"""A smaller difference between the clocks, in seconds, does not explain a refused signature."""
UNAUTHENTICATED = 10002
INTERNAL = 10099
FINAL_STATUSES = ("paid", "expired", "cancelled")


class CreatedOrder(TypedDict):
    """A created order. What the payer selects is None if the request omits the currency or the network."""

    trade_id: str
    mch_order_id: str
    currency: str | None
    network: Network | None
    amount: float | None
    actual_amount: float | None
    address: str | None
    expiration_time: int
    expires_at: int
    payment_url: str
    """The payment page. Send the payer there."""


class Requests:
    """The requests of one client, and the difference between its clock and the server's."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        secret: str | Sequence[str] | None,
        sign_requests: bool,
        max_retries: int,
    ) -> None:
        if not base_url or not urlsplit(base_url).netloc:
            raise ValueError(f"base_url must be a URL such as https://pay.example.com; got {base_url!r}")
        if not api_key:
            raise ValueError("api_key is missing (back office, Settings → API keys)")
        given = [secret] if isinstance(secret, str) else list(secret or [])
        self.secrets = [one for one in given if one]
        for one in self.secrets:
            secret_bytes(one)
        self._signing_secret = self.secrets[0] if sign_requests and self.secrets else None
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._max_retries = max_retries
        self._skew = 0.0

    def build(self, path: str, body: Mapping[str, Any]) -> tuple[str, bytes, dict[str, str]]:
        """Returns the URL, the body and the headers of one attempt."""
        url = self._base_url + BASE_PATH + path
        content = json.dumps(body, default=_to_json, separators=(",", ":"), ensure_ascii=False).encode()
        headers = {"content-type": "application/json", "accept": "application/json", "x-api-key": self._api_key}
        if self._signing_secret is not None:
            id, timestamp = f"req_{uuid.uuid4()}", str(int(self.now()))
            text = f"POST {urlsplit(url).path}\n".encode() + content
            signature = f"v1,{sign_message(self._signing_secret, id, timestamp, text)}"
            headers |= {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature}
        return url, content, headers

    def now(self) -> float:
        """Returns the time of the server's clock, in Unix seconds, as far as it is known."""
        return time.time() + self._skew

    def learn_skew(self, response: httpx.Response, sent_at: float) -> bool:
        """
        Corrects the clock by the `Date` of a response that refused a request. Returns true if the clocks differ enough to explain a
        refused signature.
        """
        server_time = _read_date(response.headers.get("date"))
        if self._signing_secret is None or server_time is None or abs(server_time - sent_at) <= MIN_SKEW:
            return False
        self._skew = server_time - time.time()
        return True

    def wait_before(self, attempt: int, error: Exception) -> float | None:
        """Returns the seconds before the next attempt; None if another attempt is useless or would wait too long."""
        if attempt >= self._max_retries:
            return None
        backoff = FIRST_WAIT * 2**attempt * random.uniform(0.5, 1)
        if isinstance(error, ConnectionFailed):
            return None if error.code == "invalid_response" else backoff
        if not isinstance(error, ApiError) or (error.status != 429 and error.status < 500):
            return None
        wait = max(backoff, error.retry_after or 0)
        return wait if wait <= MAX_WAIT else None


def read_response(response: httpx.Response) -> Any:
    """Returns the `data` of a response. Raises ApiError or ConnectionFailed."""
    try:
        envelope = response.json()
    except ValueError:
        envelope = None
    if not isinstance(envelope, dict):
        envelope = {}
    code, status = envelope.get("code"), response.status_code
    if status == 200 and code == 0 and "data" in envelope:
        return envelope["data"]
    api_code = code if isinstance(code, int) and code != 0 else None
    if api_code is None and status != 429 and status < 500:
        message = f"The response with status {status} is not one of the Stablegate API. Check the base URL."
        raise ConnectionFailed("invalid_response", message)
    raise ApiError(
        INTERNAL if api_code is None else api_code,
        envelope.get("message") or f"The server responded with status {status}.",
        status=status,
        request_id=envelope.get("request_id") or response.headers.get("x-request-id"),
        errors=envelope.get("errors") or [],
        data=envelope.get("data"),
        retry_after=_read_retry_after(response.headers.get("retry-after")),
    )


def to_connection_error(path: str, error: httpx.HTTPError) -> ConnectionFailed:
    """Returns the error for an attempt without a response."""
    if isinstance(error, httpx.TimeoutException):
        return ConnectionFailed("timeout", f"{path}: no response in time.")
    return ConnectionFailed("network", f"{path}: {error or type(error).__name__}.")


def create_path(order: Mapping[str, Any]) -> str:
    """Returns the operation that creates an order. Without a currency or a network, the payer selects it."""
    return "order/add" if order.get("currency") and order.get("network") else "order/checkout"


def to_created_order(data: dict[str, Any]) -> CreatedOrder:
    """Returns the response of both operations that create an order in one shape."""
    created = dict(data)
    if "checkout_url" in created:
        created["payment_url"] = created.pop("checkout_url")
        created |= {"currency": None, "network": None, "actual_amount": None, "address": None}
    return cast(CreatedOrder, created)


def named(**names: str | None) -> dict[str, str]:
    """Returns the names of an object that were given."""
    return {name: value for name, value in names.items() if value is not None}


def with_number(request: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Adds a random number to a request that has none, so that its retries create one object."""
    return {**request, name: request.get(name) or f"sdk-{random_bytes.token_hex(14)}"}


def _to_json(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _read_retry_after(value: str | None) -> float | None:
    """Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3)."""
    if value is not None and value.isdigit():
        return float(value)
    date = _read_date(value)
    return None if date is None else max(0.0, date - time.time())


def _read_date(value: str | None) -> float | None:
    try:
        return parsedate_to_datetime(value).timestamp() if value else None
    except ValueError:
        return None
