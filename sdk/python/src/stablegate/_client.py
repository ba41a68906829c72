from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Self, Unpack

import httpx

from ._callback import verify_callback
from ._errors import ApiError, CallbackError, StablegateError, WaitTimeout
from ._requests import (
    FINAL_STATUSES,
    UNAUTHENTICATED,
    CreatedOrder,
    Requests,
    create_path,
    named,
    read_response,
    to_connection_error,
    to_created_order,
    with_number,
)
from .types import (
    Event,
    Link,
    LinkAddRequest,
    Order,
    OrderCheckoutRequest,
    OrderListRequest,
    PaymentMethodsMethod,
    Refund,
    RefundAddRequest,
)


class _Base:
    """The part of both clients that sends nothing."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        secret: str | Sequence[str] | None,
        sign_requests: bool,
        max_retries: int,
    ) -> None:
        self._requests = Requests(base_url, api_key, secret, sign_requests, max_retries)

    def verify_callback(
        self,
        body: bytes | str,
        headers: Mapping[str, str],
        *,
        tolerance_seconds: float = 300,
        now: float | None = None,
    ) -> Event:
        """
        Verifies the signature of a callback and returns its event. Deliveries repeat: deliver the goods once for each `trade_id`. Respond
        with 200 afterward, and with 401 if this raises CallbackError. `body` is the raw body as it was received, before it is parsed.
        """
        secrets = self._requests.secrets
        if not secrets:
            raise CallbackError("secret_missing", "The client has no secret to verify callbacks.")
        return verify_callback(body, headers, secrets, tolerance_seconds=tolerance_seconds, now=now)


class OrderPage:
    """A page of orders, newest first. Iterating over it returns the orders of all pages that follow, too."""

    orders: list[Order]
    next_cursor: str | None

    def __init__(self, client: Stablegate, request: Mapping[str, Any], data: dict[str, Any]) -> None:
        self._client = client
        self._request = request
        self.orders = data["orders"]
        self.next_cursor = data["next_cursor"]

    def __iter__(self) -> Iterator[Order]:
        page = self
        yield from page.orders
        while page.next_cursor is not None:
            page = self._client.list(**{**self._request, "cursor": page.next_cursor})
            yield from page.orders


class Stablegate(_Base):
    """A client of the merchant API. Threads can share it. Keep it on your server."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        secret: str | Sequence[str] | None = None,
        *,
        sign_requests: bool = True,
        timeout: float = 20.0,
        max_retries: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """
        `base_url` is the address of your installation, such as `https://pay.example.com`. `secret` (`whsec_…`) verifies callbacks and
        signs requests. With several secrets, each of them verifies callbacks, and the first one, which must belong to the API key, signs
        requests. `timeout` is in seconds, for each step of an attempt (connect, send, receive). `max_retries` is the number of further
        attempts after network errors, 429 and 5xx. `transport` replaces the transport of httpx.
        """
        super().__init__(base_url, api_key, secret, sign_requests, max_retries)
        self._http = httpx.Client(timeout=timeout, transport=transport)

    def create(self, **order: Unpack[OrderCheckoutRequest]) -> CreatedOrder:
        """
        Creates an order. Without a currency or a network, the payer selects it on the payment page. A repeated call with the same
        `mch_order_id` and the same terms returns the same order.
        """
        return to_created_order(self.call(create_path(order), order))

    def retrieve(self, trade_id: str | None = None, *, mch_order_id: str | None = None) -> Order:
        """Returns an order with its status, transfers and callback."""
        result: Order = self.call("order/detail", named(trade_id=trade_id, mch_order_id=mch_order_id))
        return result

    def list(self, **filter: Unpack[OrderListRequest]) -> OrderPage:
        """Returns a page of orders, newest first."""
        return OrderPage(self, filter, self.call("order/list", filter))

    def cancel(self, trade_id: str | None = None, *, mch_order_id: str | None = None) -> Order:
        """
        Cancels a pending order. Repeats are safe. An order that is paid, being paid or expired is refused with code 10004.
        """
        result: Order = self.call("order/cancel", named(trade_id=trade_id, mch_order_id=mch_order_id))
        return result

    def refund(self, **refund: Unpack[RefundAddRequest]) -> Refund:
        """
        Requests a refund. No money moves: send `claim_url` to the customer, and approve the claim in the back office. Without
        `mch_refund_id`, the call uses a random number, so that its own retries create one refund. Set it to make repeated calls safe.
        """
        result: Refund = self.call("refund/add", with_number(refund, "mch_refund_id"))
        return result

    def create_link(self, **link: Unpack[LinkAddRequest]) -> Link:
        """
        Creates a payment link, a template from which each payer creates an order. Without `mch_link_id`, the call uses a random number, so
        that its own retries create one link. Set it to make repeated calls safe.
        """
        result: Link = self.call("link/add", with_number(link, "mch_link_id"))
        return result

    def retrieve_link(self, link_id: str | None = None, *, mch_link_id: str | None = None) -> Link:
        """Returns a payment link with the number of its orders."""
        result: Link = self.call("link/detail", named(link_id=link_id, mch_link_id=mch_link_id))
        return result

    def list_methods(self) -> Sequence[PaymentMethodsMethod]:
        """Returns the networks and currencies for which you can create orders now."""
        result: Sequence[PaymentMethodsMethod] = self.call("payment-methods", {})["methods"]
        return result

    def wait_for_payment(
        self,
        trade_id: str | None = None,
        *,
        mch_order_id: str | None = None,
        max_wait: float = 1800.0,
        interval: float = 3.0,
    ) -> Order:
        """
        Waits until an order is paid, expired or cancelled, and returns it. Check its `status`. An expired order can still be paid late:
        rely on callbacks to deliver goods. The times are in seconds. Raises WaitTimeout.
        """
        ends_at = time.monotonic() + max_wait
        while True:
            order = self.retrieve(trade_id, mch_order_id=mch_order_id)
            if order["status"] in FINAL_STATUSES:
                return order
            time.sleep(_next_wait(order, ends_at, max_wait, interval))

    def call(self, path: str, request: Mapping[str, Any]) -> Any:
        """Calls any operation of the API by its path, such as `refund/detail`, and returns the `data` of the response."""
        attempt = 0
        while True:
            try:
                return self._attempt(path, request)
            except StablegateError as error:
                wait = self._requests.wait_before(attempt, error)
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(self, path: str, request: Mapping[str, Any]) -> Any:
        """Makes one attempt, and a second one if the signature was refused because the clocks differ."""
        sent_at = self._requests.now()
        response = self._exchange(path, request)
        try:
            return read_response(response)
        except ApiError as error:
            if error.code != UNAUTHENTICATED or not self._requests.learn_skew(response, sent_at):
                raise
        return read_response(self._exchange(path, request))

    def _exchange(self, path: str, request: Mapping[str, Any]) -> httpx.Response:
        url, content, headers = self._requests.build(path, request)
        try:
            return self._http.post(url, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise to_connection_error(path, error) from error

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncOrderPage:
    """A page of orders, newest first. Iterating over it with `async for` returns the orders of all pages that follow, too."""

    orders: list[Order]
    next_cursor: str | None

    def __init__(self, client: AsyncStablegate, request: Mapping[str, Any], data: dict[str, Any]) -> None:
        self._client = client
        self._request = request
        self.orders = data["orders"]
        self.next_cursor = data["next_cursor"]

    async def __aiter__(self) -> AsyncIterator[Order]:
        page = self
        for order in page.orders:
            yield order
        while page.next_cursor is not None:
            page = await self._client.list(**{**self._request, "cursor": page.next_cursor})
            for order in page.orders:
                yield order


class AsyncStablegate(_Base):
    """The client of the merchant API for asyncio, with the same methods. Keep it on your server."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        secret: str | Sequence[str] | None = None,
        *,
        sign_requests: bool = True,
        timeout: float = 20.0,
        max_retries: int = 3,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """
        `base_url` is the address of your installation, such as `https://pay.example.com`. `secret` (`whsec_…`) verifies callbacks and
        signs requests. With several secrets, each of them verifies callbacks, and the first one, which must belong to the API key, signs
        requests. `timeout` is in seconds, for each step of an attempt (connect, send, receive). `max_retries` is the number of further
        attempts after network errors, 429 and 5xx. `transport` replaces the transport of httpx.
        """
        super().__init__(base_url, api_key, secret, sign_requests, max_retries)
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)

    async def create(self, **order: Unpack[OrderCheckoutRequest]) -> CreatedOrder:
        """
        Creates an order. Without a currency or a network, the payer selects it on the payment page. A repeated call with the same
        `mch_order_id` and the same terms returns the same order.
        """
        return to_created_order(await self.call(create_path(order), order))

    async def retrieve(self, trade_id: str | None = None, *, mch_order_id: str | None = None) -> Order:
        """Returns an order with its status, transfers and callback."""
        result: Order = await self.call("order/detail", named(trade_id=trade_id, mch_order_id=mch_order_id))
        return result

    async def list(self, **filter: Unpack[OrderListRequest]) -> AsyncOrderPage:
        """Returns a page of orders, newest first."""
        return AsyncOrderPage(self, filter, await self.call("order/list", filter))

    async def cancel(self, trade_id: str | None = None, *, mch_order_id: str | None = None) -> Order:
        """
        Cancels a pending order. Repeats are safe. An order that is paid, being paid or expired is refused with code 10004.
        """
        result: Order = await self.call("order/cancel", named(trade_id=trade_id, mch_order_id=mch_order_id))
        return result

    async def refund(self, **refund: Unpack[RefundAddRequest]) -> Refund:
        """
        Requests a refund. No money moves: send `claim_url` to the customer, and approve the claim in the back office. Without
        `mch_refund_id`, the call uses a random number, so that its own retries create one refund. Set it to make repeated calls safe.
        """
        result: Refund = await self.call("refund/add", with_number(refund, "mch_refund_id"))
        return result

    async def create_link(self, **link: Unpack[LinkAddRequest]) -> Link:
        """
        Creates a payment link, a template from which each payer creates an order. Without `mch_link_id`, the call uses a random number, so
        that its own retries create one link. Set it to make repeated calls safe.
        """
        result: Link = await self.call("link/add", with_number(link, "mch_link_id"))
        return result

    async def retrieve_link(self, link_id: str | None = None, *, mch_link_id: str | None = None) -> Link:
        """Returns a payment link with the number of its orders."""
        result: Link = await self.call("link/detail", named(link_id=link_id, mch_link_id=mch_link_id))
        return result

    async def list_methods(self) -> Sequence[PaymentMethodsMethod]:
        """Returns the networks and currencies for which you can create orders now."""
        result: Sequence[PaymentMethodsMethod] = (await self.call("payment-methods", {}))["methods"]
        return result

    async def wait_for_payment(
        self,
        trade_id: str | None = None,
        *,
        mch_order_id: str | None = None,
        max_wait: float = 1800.0,
        interval: float = 3.0,
    ) -> Order:
        """
        Waits until an order is paid, expired or cancelled, and returns it. Check its `status`. An expired order can still be paid late:
        rely on callbacks to deliver goods. The times are in seconds. Raises WaitTimeout.
        """
        ends_at = time.monotonic() + max_wait
        while True:
            order = await self.retrieve(trade_id, mch_order_id=mch_order_id)
            if order["status"] in FINAL_STATUSES:
                return order
            await asyncio.sleep(_next_wait(order, ends_at, max_wait, interval))

    async def call(self, path: str, request: Mapping[str, Any]) -> Any:
        """Calls any operation of the API by its path, such as `refund/detail`, and returns the `data` of the response."""
        attempt = 0
        while True:
            try:
                return await self._attempt(path, request)
            except StablegateError as error:
                wait = self._requests.wait_before(attempt, error)
                if wait is None:
                    raise
            await asyncio.sleep(wait)
            attempt += 1

    async def _attempt(self, path: str, request: Mapping[str, Any]) -> Any:
        """Makes one attempt, and a second one if the signature was refused because the clocks differ."""
        sent_at = self._requests.now()
        response = await self._exchange(path, request)
        try:
            return read_response(response)
        except ApiError as error:
            if error.code != UNAUTHENTICATED or not self._requests.learn_skew(response, sent_at):
                raise
        return read_response(await self._exchange(path, request))

    async def _exchange(self, path: str, request: Mapping[str, Any]) -> httpx.Response:
        url, content, headers = self._requests.build(path, request)
        try:
            return await self._http.post(url, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise to_connection_error(path, error) from error

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _next_wait(order: Order, ends_at: float, max_wait: float, interval: float) -> float:
    left = ends_at - time.monotonic()
    if left <= 0:
        message = f"The order {order['trade_id']} is still {order['status']} after {max_wait} seconds."
        raise WaitTimeout("wait_timeout", message)
    return min(interval, left)
