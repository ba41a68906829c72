from __future__ import annotations

from typing import Any


class StablegateError(Exception):
    """An error of this package. `code` is for programs, `message` for developers."""

    code: int | str
    message: str

    def __init__(self, code: int | str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ApiError(StablegateError):
    """An error that the API returned. `code` is one of those in docs/api.md, such as 10004."""

    code: int
    status: int
    """The HTTP status."""
    request_id: str | None
    """Identifies the request in the operator's logs."""
    errors: list[dict[str, str]]
    """One entry with `field` and `message` for each invalid field."""
    data: dict[str, Any] | None
    """For a conflict (10004): the `trade_id` or `refund_id` of the existing object, and its `status`."""
    retry_after: float | None
    """Seconds to wait before the next attempt; None if the response does not say so."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        status: int,
        request_id: str | None,
        errors: list[dict[str, str]],
        data: dict[str, Any] | None,
        retry_after: float | None,
    ) -> None:
        super().__init__(code, message)
        self.status = status
        self.request_id = request_id
        self.errors = errors
        self.data = data
        self.retry_after = retry_after


class ConnectionFailed(StablegateError):
    """
    A request that received no valid response. `code` is `timeout`, `network` or `invalid_response`. The server may have processed the
    request. Repeating it is safe.
    """

    code: str


class CallbackError(StablegateError):
    """
    A callback that must not be trusted. Respond with 401. `code` is `secret_missing`, `header_missing`, `timestamp_invalid`,
    `timestamp_out_of_range`, `signature_invalid` or `body_invalid`.
    """

    code: str


class WaitTimeout(StablegateError):
    """An order that did not reach a final status within the time of `wait_for_payment`. `code` is `wait_timeout`."""

    code: str
