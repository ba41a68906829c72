# Generated from the OpenAPI document by sdk/api-types.test.ts. Do not edit.
# To update it: npx vitest run --project unit sdk/api-types -u
"""The objects of the Stablegate API, as dictionaries."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Callback(TypedDict):
    """The delivery of the latest callback of the order."""

    status: Literal["none", "pending", "delivered", "failed"]
    """The status of the delivery. `none`: there is no callback."""
    attempts: int
    """The number of attempts so far."""
    last_http_status: int | None
    """The HTTP status of the last attempt, or null."""
    delivered_at: int | None
    """Time when your server acknowledged the callback, in Unix seconds."""


class CheckoutCreated(TypedDict):
    """An order whose payer selects the method."""

    trade_id: str
    """The id of the order."""
    mch_order_id: str
    """Your order number."""
    amount: float | None
    """The number of tokens, whichever currency the payer selects; null if the order has a fiat price."""
    expiration_time: int
    """Time when the order expires, in Unix seconds."""
    expires_at: int
    """Equal to `expiration_time`."""
    checkout_url: str
    """The page on which the payer selects a method and pays. Send the payer there."""


class Deposit(TypedDict):
    """A final transfer to a customer's deposit address, or one that a reorg removed after it was final."""

    deposit_id: str
    """The id of the deposit. Credit each id once."""
    deposit_address_id: str
    """The id of the deposit address."""
    customer_ref: str
    """Your reference for the customer."""
    network: Network
    currency: Literal["USDT", "USDC"]
    """The currency that was received."""
    amount: float
    """The amount that was received."""
    status: Literal["confirmed", "reversed"]
    """`reversed`: a reorg deeper than the required confirmations removed the transfer. The deposit becomes `confirmed` again once the chain includes the transfer again and the transfer is final."""
    address: str
    """The receiving address."""
    from_address: str
    """The sender's address. Exchanges send from their own addresses."""
    tx_hash: str
    """The hash of the transaction."""
    confirmations: int
    """Confirmations when the transfer became final."""
    seen_at: int
    """Time when the transfer was first seen, in Unix seconds."""
    confirmed_at: int
    """Time when the transfer became final, in Unix seconds."""
    reversed_at: int | None
    """Time when a reorg removed the transfer, in Unix seconds; null while it is confirmed."""
    explorer_url: str
    """The transaction in a block explorer."""


class DepositAddress(TypedDict):
    """A permanent address of one customer."""

    deposit_address_id: str
    """The id of the deposit address."""
    customer_ref: str
    """Your reference for the customer."""
    network: Network
    currencies: list[Literal["USDT", "USDC"]]
    """Currencies that the address accepts."""
    address: str
    """The address to which the customer sends tokens."""
    deposit_url: str
    """A page for the customer with the address and the latest transfers."""
    created_at: int
    """Creation time, in Unix seconds."""


class DepositAddressRequest(TypedDict):
    customer_ref: str
    """Your reference for the customer. The same reference always gets the same address."""
    network: OfferedNetwork
    notify_url: NotRequired[str]
    """The URL for the callback `deposit.confirmed`, at a public address. A new value replaces the stored one. Without it, no callbacks are sent, but `event/list` and `deposit/list` still return the deposits."""


class DepositList(TypedDict):
    """A page of deposits."""

    deposits: list[Deposit]
    """Newest first."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class DepositListRequest(TypedDict):
    customer_ref: NotRequired[str]
    """Returns only deposits of this customer."""
    network: NotRequired[KnownNetwork | Literal[""] | None]
    """Returns only deposits on this network, which may be disabled now."""
    currency: NotRequired[Literal["USDT", "USDC"] | Literal[""] | None]
    """Returns only deposits in this currency."""
    cursor: NotRequired[str]
    """The `next_cursor` of the previous page."""
    limit: NotRequired[int | str]
    """The maximum number of deposits on the page."""


class Event(TypedDict):
    """The body of a callback. An event has the same bytes in every attempt and in `event/list`."""

    id: str
    """The id of the event, the same in every attempt and in the header `webhook-id`."""
    type: Literal["payment.confirmed", "payment.detected", "payment.underpaid", "payment.overpaid", "payment.reversed", "payment.claimed", "order.expired", "order.cancelled", "deposit.confirmed", "deposit.reversed", "refund.completed"]
    """The type of the event."""
    timestamp: str
    """Time of the event."""
    data: Order | Deposit | Refund
    """The order, or the deposit, or the refund at the time of the event."""


class EventList(TypedDict):
    """A page of events."""

    events: list[Event]
    """Events, oldest first."""
    next: int
    """The value of `after` for the next request."""


class EventListRequest(TypedDict):
    after: NotRequired[int | str]
    """The `next` of the previous response."""
    limit: NotRequired[int | str]
    """The maximum number of events in the response."""


# A network. Case-insensitive; aliases such as `erc20` are accepted.
KnownNetwork: TypeAlias = "Literal[\"ethereum\", \"erc20\", \"eth\", \"mainnet\", \"bsc\", \"bep20\", \"bnb\", \"binance\", \"polygon\", \"matic\", \"pol\", \"arbitrum\", \"arb\", \"optimism\", \"op\", \"base\", \"avalanche\", \"avax\", \"celo\", \"plasma\", \"xpl\", \"tron\", \"trc20\", \"trx\", \"solana\", \"sol\", \"spl\"]"


class Link(TypedDict):
    """A payment link: a template from which each payer creates an order."""

    link_id: str
    """The id of the link."""
    mch_link_id: str | None
    """Your number of the link."""
    url: str
    """The page on which a payer starts a payment."""
    status: Literal["open", "used_up", "expired", "closed"]
    """`open`: payers can start a payment. `used_up`: `max_uses` orders are open or paid; an order that expires unpaid opens the link again. `expired` and `closed`: no more payments can be started, and open orders can still be paid."""
    network: str | None
    """The network; null if the payer selects it."""
    currency: Literal["USDT", "USDC"] | None
    """The currency; null if the payer selects it."""
    amount: float | None
    """The fixed amount in tokens; null if the payer enters the amount, or if it is in `fiat`."""
    fiat: str | None
    """The fiat currency of the amounts; null if they are in tokens."""
    fiat_amount: float | None
    """The fixed price in `fiat`; null if the payer enters the amount, or if it is in tokens."""
    min_amount: float | None
    """The minimum of an amount that the payer enters."""
    max_amount: float | None
    """The maximum of an amount that the payer enters."""
    subject: str | None
    """Text shown to the payer."""
    note_label: str | None
    """The label of the field in which the payer can enter a note."""
    notify_url: str | None
    """The URL for callbacks about its orders."""
    redirect_url: str | None
    """The URL to which the payer returns."""
    max_uses: int | None
    """The maximum number of orders that are open or paid; null for any number."""
    uses: int
    """The number of its orders that are open or paid."""
    paid_orders: int
    """The number of its orders that are paid."""
    created_at: int
    """Creation time, in Unix seconds."""
    expires_at: int | None
    """Time when the link expires, in Unix seconds; null if it does not expire."""
    closed_at: int | None
    """Time when the link was closed, in Unix seconds."""


class LinkAddRequest(TypedDict):
    currency: NotRequired[Literal["USDT", "USDC"] | Literal[""] | None]
    """The currency of the payments, case-insensitive. If it is omitted, the payer selects it."""
    network: NotRequired[OfferedNetwork | Literal[""] | None]
    """The network of the payments. If it is omitted, the payer selects it."""
    amount: NotRequired[float | str | Decimal]
    """The fixed amount in tokens. Without `amount` and `fiat_amount`, the payer enters the amount."""
    fiat: NotRequired[str]
    """The ISO 4217 code of the currency of the amounts, case-insensitive; without it, they are in tokens."""
    fiat_amount: NotRequired[float | str | Decimal]
    """The fixed price in `fiat`, instead of `amount`."""
    min_amount: NotRequired[float | str | Decimal]
    """The minimum of an amount that the payer enters."""
    max_amount: NotRequired[float | str | Decimal]
    """The maximum of an amount that the payer enters."""
    subject: NotRequired[str]
    """Text shown to the payer, on the receipt and in lists."""
    note_label: NotRequired[str]
    """The label of a field in which the payer can enter a note. Without it, there is no such field."""
    mch_link_id: NotRequired[str]
    """Your number of the link, permanently unique. A repeated request with the same terms returns the same link."""
    notify_url: NotRequired[str]
    """The URL for callbacks about its orders, at a public address."""
    redirect_url: NotRequired[str]
    """The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query."""
    expires_in: NotRequired[int | str]
    """The seconds until the link expires; 0 for a link that does not expire. The default is 7 days."""
    max_uses: NotRequired[int | str]
    """The maximum number of orders that are open or paid. An order that expires unpaid can be replaced. The default is any number."""


class LinkCloseRequest(TypedDict):
    link_id: NotRequired[str]
    """The id of the link. Required unless `mch_link_id` is set."""
    mch_link_id: NotRequired[str]
    """Your number of the link. Required unless `link_id` is set."""


class LinkDetailRequest(TypedDict):
    link_id: NotRequired[str]
    """The id of the link. Required unless `mch_link_id` is set."""
    mch_link_id: NotRequired[str]
    """Your number of the link. Required unless `link_id` is set."""


class LinkList(TypedDict):
    """A page of payment links."""

    links: list[Link]
    """Newest first."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class LinkListRequest(TypedDict):
    status: NotRequired[Literal["open", "used_up", "expired", "closed"] | Literal[""] | None]
    """Returns only links with this status."""
    cursor: NotRequired[str]
    """The `next_cursor` of the previous page."""
    limit: NotRequired[int | str]
    """The maximum number of links on the page."""


class Merchant(TypedDict):
    """The merchant that owns the API key."""

    merchant_id: str
    """The id of the merchant, as in the header `X-Webhook-Merchant-Id` of callbacks."""
    mch_id: str
    """Equal to `merchant_id`, for clients of the hosted service."""
    name: str
    """The name of the merchant."""
    status: Literal[1]
    """Always 1 (active), because a revoked key is refused."""


class MerchantDetailRequest(TypedDict):
    pass


# A network.
Network: TypeAlias = "str"


# An enabled network. Case-insensitive; aliases such as `erc20` are accepted.
OfferedNetwork: TypeAlias = "str"


class Order(TypedDict):
    """An order with its transfers and its callback."""

    trade_id: str
    """The id of the order."""
    mch_order_id: str
    """Your order number."""
    currency: Literal["USDT", "USDC"] | None
    """The currency of the payment. Null until the payer has selected a method."""
    network: Network | None
    """Null until the payer has selected a method."""
    amount: float | None
    """The amount that you requested, or your fiat price converted to tokens. Null until the payer has selected a method, if the order has a fiat price."""
    actual_amount: float | None
    """The amount that the payer must send. On a shared address it can exceed `amount` by up to 0.009999, because orders are distinguished by their exact amounts. Null until the payer has selected a method."""
    address: str | None
    """The receiving address. Null until the payer has selected a method, or if the integrity check of the address failed."""
    expiration_time: int
    """Time when the order expires, in Unix seconds."""
    expires_at: int
    """Equal to `expiration_time`."""
    payment_url: str
    """The payment page. Send the payer there."""
    fiat: NotRequired[str]
    """The currency of the fiat price. Absent if the order has none."""
    fiat_amount: NotRequired[float]
    """The fiat price. Absent if the order has none."""
    rate: NotRequired[str | None]
    """The price of one token in `fiat`, as a decimal string. Null until the payer has selected a method."""
    rate_source: NotRequired[str | None]
    """The source of the rate."""
    rate_at: NotRequired[int | None]
    """Time of the rate, in Unix seconds."""
    status: Literal["pending", "confirming", "paid", "expired", "cancelled"]
    """The status of the order."""
    exception: Literal["underpaid", "overpaid", "late", "manual"] | None
    """An irregularity in the payment, or null. It is independent of the status and can change after `paid`."""
    paid_amount: float
    """The sum of the confirmed transfers."""
    tx_hash: str | None
    """The hash of the transaction that settled the order, or null."""
    transfers: list[Transfer]
    """Transfers that are credited to the order, oldest first."""
    callback: Callback
    notify_url: str | None
    """The URL for callbacks, as specified at creation. Characters that a URI must not contain are percent-encoded."""
    redirect_url: str | None
    """The URL to which the payer returns, as specified at creation. Characters that a URI must not contain are percent-encoded."""
    subject: str | None
    """The subject, as specified at creation."""
    metadata: dict[str, Any] | None
    """The metadata, byte for byte as specified at creation."""
    created_at: int
    """Creation time, in Unix seconds."""
    version: int
    """Increases with every change to the order. Of two responses or callbacks, the one with the higher version is newer."""
    paid_at: int | None
    """Time when the order became paid, in Unix seconds."""


class OrderAddRequest(TypedDict):
    currency: Literal["USDT", "USDC"]
    """The currency, case-insensitive."""
    network: OfferedNetwork
    amount: NotRequired[float | str | Decimal]
    """The amount in tokens: a number or a decimal string with at most 6 decimals, parsed exactly. Required unless `fiat_amount` is set."""
    fiat: NotRequired[str]
    """The ISO 4217 code of the currency of `fiat_amount`, case-insensitive. Set both instead of `amount`."""
    fiat_amount: NotRequired[float | str | Decimal]
    """The price in `fiat`: a number or a decimal string, with at most the decimals of the currency's minor unit. It can convert to at most 1,000,000,000 tokens."""
    mch_order_id: str
    """Your order number, permanently unique. A repeated request with the same terms returns the same order."""
    notify_url: NotRequired[str]
    """The URL for callbacks, at a public address. Without it, no callbacks are sent, but `event/list` still returns the events."""
    redirect_url: NotRequired[str]
    """The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query."""
    expires_in: NotRequired[int | str]
    """Seconds until the order expires. The default is your setting, initially 1800."""
    locale: NotRequired[str]
    """The language of the payment page, as a language tag such as `de` or `zh-CN`. If it is omitted or not available, the language of the payer's browser is used. Payers can switch."""
    subject: NotRequired[str]
    """Text shown to the payer, on the receipt and in lists."""
    metadata: NotRequired[dict[str, Any] | Literal[""] | None]
    """A JSON object of at most 2048 bytes, counted as sent, without repeated keys. It is returned byte for byte and never shown to payers. An empty array counts as `{}`."""


class OrderCancelRequest(TypedDict):
    trade_id: NotRequired[str]
    """The id of the order, from the response of `order/add`."""
    mch_order_id: NotRequired[str]
    """Your order number. If both ids are set, they must identify the same order."""


class OrderCheckoutRequest(TypedDict):
    currency: NotRequired[Literal["USDT", "USDC"] | Literal[""] | None]
    """The currency of the payment, case-insensitive. If it is omitted, the payer selects it."""
    network: NotRequired[OfferedNetwork | Literal[""] | None]
    """The network of the payment. If it is omitted, the payer selects it."""
    amount: NotRequired[float | str | Decimal]
    """The amount in tokens: a number or a decimal string with at most 6 decimals, parsed exactly. Required unless `fiat_amount` is set."""
    fiat: NotRequired[str]
    """The ISO 4217 code of the currency of `fiat_amount`, case-insensitive. Set both instead of `amount`."""
    fiat_amount: NotRequired[float | str | Decimal]
    """The price in `fiat`: a number or a decimal string, with at most the decimals of the currency's minor unit. It can convert to at most 1,000,000,000 tokens."""
    mch_order_id: str
    """Your order number, permanently unique. A repeated request with the same terms returns the same order."""
    notify_url: NotRequired[str]
    """The URL for callbacks, at a public address. Without it, no callbacks are sent, but `event/list` still returns the events."""
    redirect_url: NotRequired[str]
    """The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query."""
    expires_in: NotRequired[int | str]
    """Seconds until the order expires. The default is your setting, initially 1800."""
    locale: NotRequired[str]
    """The language of the payment page, as a language tag such as `de` or `zh-CN`. If it is omitted or not available, the language of the payer's browser is used. Payers can switch."""
    subject: NotRequired[str]
    """Text shown to the payer, on the receipt and in lists."""
    metadata: NotRequired[dict[str, Any] | Literal[""] | None]
    """A JSON object of at most 2048 bytes, counted as sent, without repeated keys. It is returned byte for byte and never shown to payers. An empty array counts as `{}`."""


class OrderCreated(TypedDict):
    """The response of `order/add`."""

    trade_id: str
    """The id of the order."""
    mch_order_id: str
    """Your order number."""
    currency: Literal["USDT", "USDC"]
    """The currency of the payment."""
    network: Network
    amount: float
    """The amount that you requested, or your fiat price converted to tokens."""
    actual_amount: float
    """The amount that the payer must send. On a shared address it can exceed `amount` by up to 0.009999, because orders are distinguished by their exact amounts."""
    address: str
    """The receiving address."""
    expiration_time: int
    """Time when the order expires, in Unix seconds."""
    expires_at: int
    """Equal to `expiration_time`."""
    payment_url: str
    """The payment page. Send the payer there."""


class OrderDetailRequest(TypedDict):
    trade_id: NotRequired[str]
    """The id of the order, from the response of `order/add`."""
    mch_order_id: NotRequired[str]
    """Your order number. If both ids are set, they must identify the same order."""


class OrderList(TypedDict):
    """A page of orders."""

    orders: list[Order]
    """Orders, newest first. A page can have fewer orders than `limit`, or none, and still be followed by another page."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class OrderListRequest(TypedDict):
    status: NotRequired[Literal["pending", "confirming", "paid", "expired", "cancelled"] | Literal[""] | None]
    """Returns only orders with this status."""
    network: NotRequired[KnownNetwork | Literal[""] | None]
    """Returns only orders on this network, which may be disabled now."""
    currency: NotRequired[Literal["USDT", "USDC"] | Literal[""] | None]
    """Returns only orders in this currency."""
    created_from: NotRequired[int | str]
    """Returns only orders created at this time or later, in Unix seconds."""
    created_to: NotRequired[int | str]
    """Returns only orders created before this time, in Unix seconds."""
    cursor: NotRequired[str]
    """The `next_cursor` of the previous page."""
    limit: NotRequired[int | str]
    """The maximum number of orders on the page."""


class PaymentMethodsMethod(TypedDict):
    """A network and its currencies."""

    network: Network
    currencies: list[Literal["USDT", "USDC"]]
    """Currencies that you can accept on the network."""


class PaymentMethods(TypedDict):
    """The payment methods that you can accept now."""

    methods: list[PaymentMethodsMethod]
    """Enabled networks that have no problem and on which you have an active receiving address."""


class PaymentMethodsRequest(TypedDict):
    pass


class PluginActivateRequest(TypedDict):
    pass


class Refund(TypedDict):
    """A refund of an order, or of a transfer that credits no order. The customer claims it by entering an address, the merchant approves it and pays from the own wallet, and Stablegate detects the transfer."""

    refund_id: str
    """The id of the refund."""
    mch_refund_id: str | None
    """Your number of the refund."""
    trade_id: str | None
    """The id of the order; null if the refund is for a transfer that credits no order."""
    mch_order_id: str | None
    """Your order number."""
    status: Literal["requested", "claimed", "approved", "sent", "completed", "cancelled", "expired"]
    """`requested`: the claim link is open. `claimed`: the customer entered an address. `approved`: you approved it and are expected to pay. `sent`: your transfer was seen. `completed`: it is final. `cancelled` and `expired`: it is not paid."""
    version: int
    """Increases with every change of the refund."""
    currency: Literal["USDT", "USDC"]
    """The currency of the refund."""
    amount: float
    """The amount of the refund."""
    fiat: str | None
    """The fiat currency, if the refund was requested in fiat."""
    fiat_amount: float | None
    """The fiat amount, if the refund was requested in fiat."""
    reason: str | None
    """The reason, which the customer sees."""
    network: str | None
    """The network that the customer chose; null before the claim."""
    address: str | None
    """The address that the customer entered; null before the claim."""
    tx_hash: str | None
    """The hash of the transaction that pays the refund; null before it was seen."""
    explorer_url: str | None
    """The transaction in a block explorer."""
    claim_url: str
    """The page on which the customer claims the refund. Send it only to the customer."""
    created_at: int
    """Creation time, in Unix seconds."""
    expires_at: int
    """Time when the claim link expires, in Unix seconds."""
    claimed_at: int | None
    """Time of the claim, in Unix seconds."""
    approved_at: int | None
    """Time of the approval, in Unix seconds."""
    sent_at: int | None
    """Time of the block that contains the transfer, in Unix seconds."""
    completed_at: int | None
    """Time when the transfer became final, in Unix seconds."""
    ended_at: int | None
    """Time when the refund was cancelled or expired, in Unix seconds."""


class RefundAddRequest(TypedDict):
    trade_id: NotRequired[str]
    """The `trade_id` of the order. Required unless `mch_order_id` is set."""
    mch_order_id: NotRequired[str]
    """Your order number. Required unless `trade_id` is set."""
    amount: NotRequired[float | str | Decimal]
    """The amount to refund in the order's currency. Without `amount` and `fiat_amount`, everything that is left is refunded."""
    fiat_amount: NotRequired[float | str | Decimal]
    """The amount to refund in the order's fiat currency, instead of `amount`. It is converted at the rate of the order and can be at most the price of the order."""
    mch_refund_id: NotRequired[str]
    """Your number of the refund, permanently unique. A repeated request with the same terms returns the same refund."""
    reason: NotRequired[str]
    """The reason, which the customer sees."""
    email: NotRequired[str]
    """The customer's email address. It is required if your settings ask customers for it before a claim."""
    expires_in: NotRequired[int | str]
    """The seconds until the claim link expires. The default is 30 days."""


class RefundCancelRequest(TypedDict):
    refund_id: NotRequired[str]
    """The id of the refund. Required unless `mch_refund_id` is set."""
    mch_refund_id: NotRequired[str]
    """Your number of the refund. Required unless `refund_id` is set."""


class RefundDetailRequest(TypedDict):
    refund_id: NotRequired[str]
    """The id of the refund. Required unless `mch_refund_id` is set."""
    mch_refund_id: NotRequired[str]
    """Your number of the refund. Required unless `refund_id` is set."""


class RefundList(TypedDict):
    """A page of refunds."""

    refunds: list[Refund]
    """Newest first."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class RefundListRequest(TypedDict):
    status: NotRequired[Literal["requested", "claimed", "approved", "sent", "completed", "cancelled", "expired"] | Literal[""] | None]
    """Returns only refunds with this status."""
    trade_id: NotRequired[str]
    """Returns only refunds of this order."""
    cursor: NotRequired[str]
    """The `next_cursor` of the previous page."""
    limit: NotRequired[int | str]
    """The maximum number of refunds on the page."""


class ReportTransfer(TypedDict):
    """Transfers of one kind in one token."""

    kind: Literal["matched", "assigned", "deposit", "unmatched", "swept", "reversed", "open", "look_alike"]
    """`matched` and `assigned` transfers are credited to orders. `open` ones are not final, and `reversed` ones were removed by a reorg."""
    network: Network
    currency: Literal["USDT", "USDC"] | None
    """The currency; null for a token that only resembles one."""
    transfers: int
    """The number of transfers."""
    amount: float | None
    """The sum of the amounts; null for a token that only resembles a currency."""


class ReportRefund(TypedDict):
    """Refunds in one token."""

    network: Network
    currency: Literal["USDT", "USDC"] | None
    """The currency; null for a token that only resembles one."""
    transfers: int
    """The number of transfers."""
    amount: float | None
    """The sum of the amounts; null for a token that only resembles a currency."""


class ReportFiat_received(TypedDict):
    """A sum in a fiat currency."""

    fiat: str
    """The ISO 4217 code of the currency."""
    transfers: int
    """The number of transfers."""
    value: float
    """The sum of the values, at the rates of the orders."""


class ReportFiat_refunded(TypedDict):
    """A sum in a fiat currency."""

    fiat: str
    """The ISO 4217 code of the currency."""
    transfers: int
    """The number of transfers."""
    value: float
    """The sum of the values, at the rates of the orders."""


class ReportOrder(TypedDict):
    """Orders with one outcome."""

    status: Literal["pending", "confirming", "paid", "expired", "cancelled"]
    """The status of the orders."""
    exception: Literal["underpaid", "overpaid", "late", "manual"] | None
    """An irregularity of the payments, or null."""
    orders: int
    """The number of orders."""


# The sums of a period.
Report = TypedDict("Report", {
    # The first day, in UTC.
    "from": "str",
    # The last day, in UTC.
    "to": "str",
    # Transfers to your addresses, by the time of their block.
    "transfers": "list[ReportTransfer]",
    # Final refunds, by the time of their block.
    "refunds": "list[ReportRefund]",
    # The value of confirmed transfers to orders with a fiat price.
    "fiat_received": "list[ReportFiat_received]",
    # The value of refunds of orders with a fiat price.
    "fiat_refunded": "list[ReportFiat_refunded]",
    # Orders that were created in the period.
    "orders": "list[ReportOrder]",
})


ReportDetailRequest = TypedDict("ReportDetailRequest", {
    # The first day of the period, in UTC.
    "from": "str",
    # The last day of the period, in UTC, at most 366 days after the first one.
    "to": "str",
})


class Transfer(TypedDict):
    """A transfer that is credited to an order, or was until a reorg removed it."""

    tx_hash: str
    """The hash of the transaction."""
    amount: float
    """The amount that was received."""
    status: Literal["seen", "confirmed", "dropped"]
    """`dropped`: a reorg removed the transfer."""
    confirmations: int
    """Confirmations so far, including the block of the transfer."""
    required_confirmations: int
    """Confirmations that the transfer needs."""
    seen_at: int
    """Time when the transfer was first seen, in Unix seconds."""
    explorer_url: str
    """The transaction in a block explorer."""


class TransferUnmatchedRequest(TypedDict):
    reason: NotRequired[Literal["no_such_amount", "late", "other_currency", "other_network", "order_settled", "order_cancelled", "look_alike", "taken_back", "unlinked", "refund"] | Literal[""] | None]
    """Returns only transfers with this reason."""
    network: NotRequired[KnownNetwork | Literal[""] | None]
    """Returns only transfers on this network, which may be disabled now."""
    currency: NotRequired[Literal["USDT", "USDC"] | Literal[""] | None]
    """Returns only transfers in this currency."""
    cursor: NotRequired[str]
    """The `next_cursor` of the previous page."""
    limit: NotRequired[int | str]
    """The maximum number of transfers on the page."""


class UnmatchedTransfer(TypedDict):
    """A transfer to one of your addresses that is credited to nothing. A user can assign or refund it in the back office."""

    transfer_id: str
    """The id of the transfer."""
    network: Network
    currency: Literal["USDT", "USDC"] | None
    """The currency; null for a token that only resembles one."""
    token: str
    """The display name of the token."""
    amount: float
    """The amount that was received."""
    refunded_amount: float
    """The part of the amount that was refunded."""
    status: Literal["seen", "confirmed", "dropped"]
    """`seen`: the transfer is not final yet."""
    reason: Literal["no_such_amount", "late", "other_currency", "other_network", "order_settled", "order_cancelled", "look_alike", "taken_back", "unlinked", "refund"]
    """The reason why the transfer is not credited."""
    likely_trade_id: str | None
    """The id of the order for which the transfer was certainly meant, or null."""
    address: str
    """The receiving address."""
    from_address: str
    """The sender's address. Exchanges send from their own addresses."""
    tx_hash: str
    """The hash of the transaction."""
    block_time: int
    """Time of the block, in Unix seconds."""
    seen_at: int
    """Time when the transfer was first seen, in Unix seconds."""
    explorer_url: str
    """The transaction in a block explorer."""


class UnmatchedTransferList(TypedDict):
    """A page of unmatched transfers."""

    transfers: list[UnmatchedTransfer]
    """Newest first. A page can have fewer transfers than `limit`, or none, and still be followed by another page."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""
