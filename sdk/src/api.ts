// Generated from the OpenAPI document by sdk/api-types.test.ts. Do not edit.
// To update it: npx vitest run --project unit sdk/api-types -u

/** The delivery of the latest callback of the order. */
export interface Callback {
  /** The status of the delivery. `none`: there is no callback. */
  status: "none" | "pending" | "delivered" | "failed";
  /** The number of attempts so far. */
  attempts: number;
  /** The HTTP status of the last attempt, or null. */
  last_http_status: number | null;
  /** Time when your server acknowledged the callback, in Unix seconds. */
  delivered_at: number | null;
}

/** An order whose payer selects the method. */
export interface CheckoutCreated {
  /** The id of the order. */
  trade_id: string;
  /** Your order number. */
  mch_order_id: string;
  /** The number of tokens, whichever currency the payer selects; null if the order has a fiat price. */
  amount: number | null;
  /** Time when the order expires, in Unix seconds. */
  expiration_time: number;
  /** Equal to `expiration_time`. */
  expires_at: number;
  /** The page on which the payer selects a method and pays. Send the payer there. */
  checkout_url: string;
}

/** A final transfer to a customer's deposit address, or one that a reorg removed after it was final. */
export interface Deposit {
  /** The id of the deposit. Credit each id once. */
  deposit_id: string;
  /** The id of the deposit address. */
  deposit_address_id: string;
  /** Your reference for the customer. */
  customer_ref: string;
  network: Network;
  /** The currency that was received. */
  currency: "USDT" | "USDC";
  /** The amount that was received. */
  amount: number;
  /** `reversed`: a reorg deeper than the required confirmations removed the transfer. The deposit becomes `confirmed` again once the chain includes the transfer again and the transfer is final. */
  status: "confirmed" | "reversed";
  /** The receiving address. */
  address: string;
  /** The sender's address. Exchanges send from their own addresses. */
  from_address: string;
  /** The hash of the transaction. */
  tx_hash: string;
  /** Confirmations when the transfer became final. */
  confirmations: number;
  /** Time when the transfer was first seen, in Unix seconds. */
  seen_at: number;
  /** Time when the transfer became final, in Unix seconds. */
  confirmed_at: number;
  /** Time when a reorg removed the transfer, in Unix seconds; null while it is confirmed. */
  reversed_at: number | null;
  /** The transaction in a block explorer. */
  explorer_url: string;
}

/** A permanent address of one customer. */
export interface DepositAddress {
  /** The id of the deposit address. */
  deposit_address_id: string;
  /** Your reference for the customer. */
  customer_ref: string;
  network: Network;
  /** Currencies that the address accepts. */
  currencies: ("USDT" | "USDC")[];
  /** The address to which the customer sends tokens. */
  address: string;
  /** A page for the customer with the address and the latest transfers. */
  deposit_url: string;
  /** Creation time, in Unix seconds. */
  created_at: number;
}

export interface DepositAddressRequest {
  /** Your reference for the customer. The same reference always gets the same address. */
  customer_ref: string;
  network: OfferedNetwork;
  /** The URL for the callback `deposit.confirmed`, at a public address. A new value replaces the stored one. Without it, no callbacks are sent, but `event/list` and `deposit/list` still return the deposits. */
  notify_url?: string | null | "";
}

/** A page of deposits. */
export interface DepositList {
  /** Newest first. */
  deposits: Deposit[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

export interface DepositListRequest {
  /** Returns only deposits of this customer. */
  customer_ref?: string | null | "";
  /** Returns only deposits on this network, which may be disabled now. */
  network?: KnownNetwork | null | "";
  /** Returns only deposits in this currency. */
  currency?: "USDT" | "USDC" | null | "";
  /** The `next_cursor` of the previous page. */
  cursor?: string | null | "";
  /** The maximum number of deposits on the page. */
  limit?: number | string | null;
}

/** The body of a callback. An event has the same bytes in every attempt and in `event/list`. */
export interface Event {
  /** The id of the event, the same in every attempt and in the header `webhook-id`. */
  id: string;
  /** The type of the event. */
  type: "payment.confirmed" | "payment.detected" | "payment.underpaid" | "payment.overpaid" | "payment.reversed" | "payment.claimed" | "order.expired" | "order.cancelled" | "deposit.confirmed" | "deposit.reversed" | "refund.completed";
  /** Time of the event. */
  timestamp: string;
  /** The order, or the deposit, or the refund at the time of the event. */
  data: Order | Deposit | Refund;
}

/** A page of events. */
export interface EventList {
  /** Events, oldest first. */
  events: Event[];
  /** The value of `after` for the next request. */
  next: number;
}

export interface EventListRequest {
  /** The `next` of the previous response. */
  after?: number | string | null;
  /** The maximum number of events in the response. */
  limit?: number | string | null;
}

/** A network. Case-insensitive; aliases such as `erc20` are accepted. */
export type KnownNetwork = "ethereum" | "erc20" | "eth" | "mainnet" | "bsc" | "bep20" | "bnb" | "binance" | "polygon" | "matic" | "pol" | "arbitrum" | "arb" | "optimism" | "op" | "base" | "avalanche" | "avax" | "celo" | "plasma" | "xpl" | "tron" | "trc20" | "trx" | "solana" | "sol" | "spl";

/** A payment link: a template from which each payer creates an order. */
export interface Link {
  /** The id of the link. */
  link_id: string;
  /** Your number of the link. */
  mch_link_id: string | null;
  /** The page on which a payer starts a payment. */
  url: string;
  /** `open`: payers can start a payment. `used_up`: `max_uses` orders are open or paid; an order that expires unpaid opens the link again. `expired` and `closed`: no more payments can be started, and open orders can still be paid. */
  status: "open" | "used_up" | "expired" | "closed";
  /** The network; null if the payer selects it. */
  network: string | null;
  /** The currency; null if the payer selects it. */
  currency: "USDT" | "USDC" | null;
  /** The fixed amount in tokens; null if the payer enters the amount, or if it is in `fiat`. */
  amount: number | null;
  /** The fiat currency of the amounts; null if they are in tokens. */
  fiat: string | null;
  /** The fixed price in `fiat`; null if the payer enters the amount, or if it is in tokens. */
  fiat_amount: number | null;
  /** The minimum of an amount that the payer enters. */
  min_amount: number | null;
  /** The maximum of an amount that the payer enters. */
  max_amount: number | null;
  /** Text shown to the payer. */
  subject: string | null;
  /** The label of the field in which the payer can enter a note. */
  note_label: string | null;
  /** The URL for callbacks about its orders. */
  notify_url: string | null;
  /** The URL to which the payer returns. */
  redirect_url: string | null;
  /** The maximum number of orders that are open or paid; null for any number. */
  max_uses: number | null;
  /** The number of its orders that are open or paid. */
  uses: number;
  /** The number of its orders that are paid. */
  paid_orders: number;
  /** Creation time, in Unix seconds. */
  created_at: number;
  /** Time when the link expires, in Unix seconds; null if it does not expire. */
  expires_at: number | null;
  /** Time when the link was closed, in Unix seconds. */
  closed_at: number | null;
}

export interface LinkAddRequest {
  /** The currency of the payments, case-insensitive. If it is omitted, the payer selects it. */
  currency?: "USDT" | "USDC" | null | "";
  /** The network of the payments. If it is omitted, the payer selects it. */
  network?: OfferedNetwork | null | "";
  /** The fixed amount in tokens. Without `amount` and `fiat_amount`, the payer enters the amount. */
  amount?: number | string | null;
  /** The ISO 4217 code of the currency of the amounts, case-insensitive; without it, they are in tokens. */
  fiat?: string | null | "";
  /** The fixed price in `fiat`, instead of `amount`. */
  fiat_amount?: number | string | null;
  /** The minimum of an amount that the payer enters. */
  min_amount?: number | string | null;
  /** The maximum of an amount that the payer enters. */
  max_amount?: number | string | null;
  /** Text shown to the payer, on the receipt and in lists. */
  subject?: string | null | "";
  /** The label of a field in which the payer can enter a note. Without it, there is no such field. */
  note_label?: string | null | "";
  /** Your number of the link, permanently unique. A repeated request with the same terms returns the same link. */
  mch_link_id?: string | null | "";
  /** The URL for callbacks about its orders, at a public address. */
  notify_url?: string | null | "";
  /** The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query. */
  redirect_url?: string | null | "";
  /** The seconds until the link expires; 0 for a link that does not expire. The default is 7 days. */
  expires_in?: number | string | null;
  /** The maximum number of orders that are open or paid. An order that expires unpaid can be replaced. The default is any number. */
  max_uses?: number | string | null;
}

export interface LinkCloseRequest {
  /** The id of the link. Required unless `mch_link_id` is set. */
  link_id?: string | null | "";
  /** Your number of the link. Required unless `link_id` is set. */
  mch_link_id?: string | null | "";
}

export interface LinkDetailRequest {
  /** The id of the link. Required unless `mch_link_id` is set. */
  link_id?: string | null | "";
  /** Your number of the link. Required unless `link_id` is set. */
  mch_link_id?: string | null | "";
}

/** A page of payment links. */
export interface LinkList {
  /** Newest first. */
  links: Link[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

export interface LinkListRequest {
  /** Returns only links with this status. */
  status?: "open" | "used_up" | "expired" | "closed" | null | "";
  /** The `next_cursor` of the previous page. */
  cursor?: string | null | "";
  /** The maximum number of links on the page. */
  limit?: number | string | null;
}

/** The merchant that owns the API key. */
export interface Merchant {
  /** The id of the merchant, as in the header `X-Webhook-Merchant-Id` of callbacks. */
  merchant_id: string;
  /** Equal to `merchant_id`, for clients of the hosted service. */
  mch_id: string;
  /** The name of the merchant. */
  name: string;
  /** Always 1 (active), because a revoked key is refused. */
  status: 1;
}

export type MerchantDetailRequest = Record<string, never>;

/** A network. */
export type Network = "ethereum" | "bsc" | "polygon" | "arbitrum" | "optimism" | "base" | "avalanche" | "celo" | "plasma" | "tron" | "solana" | (string & {});

/** An enabled network. Case-insensitive; aliases such as `erc20` are accepted. */
export type OfferedNetwork = "ethereum" | "erc20" | "eth" | "mainnet" | "bsc" | "bep20" | "bnb" | "binance" | "polygon" | "matic" | "pol" | "arbitrum" | "arb" | "optimism" | "op" | "base" | "avalanche" | "avax" | "celo" | "plasma" | "xpl" | "tron" | "trc20" | "trx" | "solana" | "sol" | "spl" | (string & {});

/** An order with its transfers and its callback. */
export interface Order {
  /** The id of the order. */
  trade_id: string;
  /** Your order number. */
  mch_order_id: string;
  /** The currency of the payment. Null until the payer has selected a method. */
  currency: "USDT" | "USDC" | null;
  /** Null until the payer has selected a method. */
  network: Network | null;
  /** The amount that you requested, or your fiat price converted to tokens. Null until the payer has selected a method, if the order has a fiat price. */
  amount: number | null;
  /** The amount that the payer must send. On a shared address it can exceed `amount` by up to 0.009999, because orders are distinguished by their exact amounts. Null until the payer has selected a method. */
  actual_amount: number | null;
  /** The receiving address. Null until the payer has selected a method, or if the integrity check of the address failed. */
  address: string | null;
  /** Time when the order expires, in Unix seconds. */
  expiration_time: number;
  /** Equal to `expiration_time`. */
  expires_at: number;
  /** The payment page. Send the payer there. */
  payment_url: string;
  /** The currency of the fiat price. Absent if the order has none. */
  fiat?: string;
  /** The fiat price. Absent if the order has none. */
  fiat_amount?: number;
  /** The price of one token in `fiat`, as a decimal string. Null until the payer has selected a method. */
  rate?: string | null;
  /** The source of the rate. */
  rate_source?: string | null;
  /** Time of the rate, in Unix seconds. */
  rate_at?: number | null;
  /** The status of the order. */
  status: "pending" | "confirming" | "paid" | "expired" | "cancelled";
  /** An irregularity in the payment, or null. It is independent of the status and can change after `paid`. */
  exception: "underpaid" | "overpaid" | "late" | "manual" | null;
  /** The sum of the confirmed transfers. */
  paid_amount: number;
  /** The hash of the transaction that settled the order, or null. */
  tx_hash: string | null;
  /** Transfers that are credited to the order, oldest first. */
  transfers: Transfer[];
  callback: Callback;
  /** The URL for callbacks, as specified at creation. Characters that a URI must not contain are percent-encoded. */
  notify_url: string | null;
  /** The URL to which the payer returns, as specified at creation. Characters that a URI must not contain are percent-encoded. */
  redirect_url: string | null;
  /** The subject, as specified at creation. */
  subject: string | null;
  /** The metadata, byte for byte as specified at creation. */
  metadata: Record<string, unknown> | null;
  /** Creation time, in Unix seconds. */
  created_at: number;
  /** Increases with every change to the order. Of two responses or callbacks, the one with the higher version is newer. */
  version: number;
  /** Time when the order became paid, in Unix seconds. */
  paid_at: number | null;
}

export interface OrderAddRequest {
  /** The currency, case-insensitive. */
  currency: "USDT" | "USDC";
  network: OfferedNetwork;
  /** The amount in tokens: a number or a decimal string with at most 6 decimals, parsed exactly. Required unless `fiat_amount` is set. */
  amount?: number | string | null;
  /** The ISO 4217 code of the currency of `fiat_amount`, case-insensitive. Set both instead of `amount`. */
  fiat?: string | null | "";
  /** The price in `fiat`: a number or a decimal string, with at most the decimals of the currency's minor unit. It can convert to at most 1,000,000,000 tokens. */
  fiat_amount?: number | string | null;
  /** Your order number, permanently unique. A repeated request with the same terms returns the same order. */
  mch_order_id: string;
  /** The URL for callbacks, at a public address. Without it, no callbacks are sent, but `event/list` still returns the events. */
  notify_url?: string | null | "";
  /** The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query. */
  redirect_url?: string | null | "";
  /** Seconds until the order expires. The default is your setting, initially 1800. */
  expires_in?: number | string | null;
  /** The language of the payment page, as a language tag such as `de` or `zh-CN`. If it is omitted or not available, the language of the payer's browser is used. Payers can switch. */
  locale?: string | null | "";
  /** Text shown to the payer, on the receipt and in lists. */
  subject?: string | null | "";
  /** A JSON object of at most 2048 bytes, counted as sent, without repeated keys. It is returned byte for byte and never shown to payers. An empty array counts as `{}`. */
  metadata?: Record<string, unknown> | null | "";
}

export interface OrderCancelRequest {
  /** The id of the order, from the response of `order/add`. */
  trade_id?: string | null | "";
  /** Your order number. If both ids are set, they must identify the same order. */
  mch_order_id?: string | null | "";
}

export interface OrderCheckoutRequest {
  /** The currency of the payment, case-insensitive. If it is omitted, the payer selects it. */
  currency?: "USDT" | "USDC" | null | "";
  /** The network of the payment. If it is omitted, the payer selects it. */
  network?: OfferedNetwork | null | "";
  /** The amount in tokens: a number or a decimal string with at most 6 decimals, parsed exactly. Required unless `fiat_amount` is set. */
  amount?: number | string | null;
  /** The ISO 4217 code of the currency of `fiat_amount`, case-insensitive. Set both instead of `amount`. */
  fiat?: string | null | "";
  /** The price in `fiat`: a number or a decimal string, with at most the decimals of the currency's minor unit. It can convert to at most 1,000,000,000 tokens. */
  fiat_amount?: number | string | null;
  /** Your order number, permanently unique. A repeated request with the same terms returns the same order. */
  mch_order_id: string;
  /** The URL for callbacks, at a public address. Without it, no callbacks are sent, but `event/list` still returns the events. */
  notify_url?: string | null | "";
  /** The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query. */
  redirect_url?: string | null | "";
  /** Seconds until the order expires. The default is your setting, initially 1800. */
  expires_in?: number | string | null;
  /** The language of the payment page, as a language tag such as `de` or `zh-CN`. If it is omitted or not available, the language of the payer's browser is used. Payers can switch. */
  locale?: string | null | "";
  /** Text shown to the payer, on the receipt and in lists. */
  subject?: string | null | "";
  /** A JSON object of at most 2048 bytes, counted as sent, without repeated keys. It is returned byte for byte and never shown to payers. An empty array counts as `{}`. */
  metadata?: Record<string, unknown> | null | "";
}

/** The response of `order/add`. */
export interface OrderCreated {
  /** The id of the order. */
  trade_id: string;
  /** Your order number. */
  mch_order_id: string;
  /** The currency of the payment. */
  currency: "USDT" | "USDC";
  network: Network;
  /** The amount that you requested, or your fiat price converted to tokens. */
  amount: number;
  /** The amount that the payer must send. On a shared address it can exceed `amount` by up to 0.009999, because orders are distinguished by their exact amounts. */
  actual_amount: number;
  /** The receiving address. */
  address: string;
  /** Time when the order expires, in Unix seconds. */
  expiration_time: number;
  /** Equal to `expiration_time`. */
  expires_at: number;
  /** The payment page. Send the payer there. */
  payment_url: string;
}

export interface OrderDetailRequest {
  /** The id of the order, from the response of `order/add`. */
  trade_id?: string | null | "";
  /** Your order number. If both ids are set, they must identify the same order. */
  mch_order_id?: string | null | "";
}

/** A page of orders. */
export interface OrderList {
  /** Orders, newest first. A page can have fewer orders than `limit`, or none, and still be followed by another page. */
  orders: Order[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

export interface OrderListRequest {
  /** Returns only orders with this status. */
  status?: "pending" | "confirming" | "paid" | "expired" | "cancelled" | null | "";
  /** Returns only orders on this network, which may be disabled now. */
  network?: KnownNetwork | null | "";
  /** Returns only orders in this currency. */
  currency?: "USDT" | "USDC" | null | "";
  /** Returns only orders created at this time or later, in Unix seconds. */
  created_from?: number | string | null;
  /** Returns only orders created before this time, in Unix seconds. */
  created_to?: number | string | null;
  /** The `next_cursor` of the previous page. */
  cursor?: string | null | "";
  /** The maximum number of orders on the page. */
  limit?: number | string | null;
}

/** The payment methods that you can accept now. */
export interface PaymentMethods {
  /** Enabled networks that have no problem and on which you have an active receiving address. */
  methods: ({
    network: Network;
    /** Currencies that you can accept on the network. */
    currencies: ("USDT" | "USDC")[];
  })[];
}

export type PaymentMethodsRequest = Record<string, never>;

export type PluginActivateRequest = Record<string, never>;

/** A refund of an order, or of a transfer that credits no order. The customer claims it by entering an address, the merchant approves it and pays from the own wallet, and Stablegate detects the transfer. */
export interface Refund {
  /** The id of the refund. */
  refund_id: string;
  /** Your number of the refund. */
  mch_refund_id: string | null;
  /** The id of the order; null if the refund is for a transfer that credits no order. */
  trade_id: string | null;
  /** Your order number. */
  mch_order_id: string | null;
  /** `requested`: the claim link is open. `claimed`: the customer entered an address. `approved`: you approved it and are expected to pay. `sent`: your transfer was seen. `completed`: it is final. `cancelled` and `expired`: it is not paid. */
  status: "requested" | "claimed" | "approved" | "sent" | "completed" | "cancelled" | "expired";
  /** Increases with every change of the refund. */
  version: number;
  /** The currency of the refund. */
  currency: "USDT" | "USDC";
  /** The amount of the refund. */
  amount: number;
  /** The fiat currency, if the refund was requested in fiat. */
  fiat: string | null;
  /** The fiat amount, if the refund was requested in fiat. */
  fiat_amount: number | null;
  /** The reason, which the customer sees. */
  reason: string | null;
  /** The network that the customer chose; null before the claim. */
  network: string | null;
  /** The address that the customer entered; null before the claim. */
  address: string | null;
  /** The hash of the transaction that pays the refund; null before it was seen. */
  tx_hash: string | null;
  /** The transaction in a block explorer. */
  explorer_url: string | null;
  /** The page on which the customer claims the refund. Send it only to the customer. */
  claim_url: string;
  /** Creation time, in Unix seconds. */
  created_at: number;
  /** Time when the claim link expires, in Unix seconds. */
  expires_at: number;
  /** Time of the claim, in Unix seconds. */
  claimed_at: number | null;
  /** Time of the approval, in Unix seconds. */
  approved_at: number | null;
  /** Time of the block that contains the transfer, in Unix seconds. */
  sent_at: number | null;
  /** Time when the transfer became final, in Unix seconds. */
  completed_at: number | null;
  /** Time when the refund was cancelled or expired, in Unix seconds. */
  ended_at: number | null;
}

export interface RefundAddRequest {
  /** The `trade_id` of the order. Required unless `mch_order_id` is set. */
  trade_id?: string | null | "";
  /** Your order number. Required unless `trade_id` is set. */
  mch_order_id?: string | null | "";
  /** The amount to refund in the order's currency. Without `amount` and `fiat_amount`, everything that is left is refunded. */
  amount?: number | string | null;
  /** The amount to refund in the order's fiat currency, instead of `amount`. It is converted at the rate of the order and can be at most the price of the order. */
  fiat_amount?: number | string | null;
  /** Your number of the refund, permanently unique. A repeated request with the same terms returns the same refund. */
  mch_refund_id?: string | null | "";
  /** The reason, which the customer sees. */
  reason?: string | null | "";
  /** The customer's email address. It is required if your settings ask customers for it before a claim. */
  email?: string | null | "";
  /** The seconds until the claim link expires. The default is 30 days. */
  expires_in?: number | string | null;
}

export interface RefundCancelRequest {
  /** The id of the refund. Required unless `mch_refund_id` is set. */
  refund_id?: string | null | "";
  /** Your number of the refund. Required unless `refund_id` is set. */
  mch_refund_id?: string | null | "";
}

export interface RefundDetailRequest {
  /** The id of the refund. Required unless `mch_refund_id` is set. */
  refund_id?: string | null | "";
  /** Your number of the refund. Required unless `refund_id` is set. */
  mch_refund_id?: string | null | "";
}

/** A page of refunds. */
export interface RefundList {
  /** Newest first. */
  refunds: Refund[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

export interface RefundListRequest {
  /** Returns only refunds with this status. */
  status?: "requested" | "claimed" | "approved" | "sent" | "completed" | "cancelled" | "expired" | null | "";
  /** Returns only refunds of this order. */
  trade_id?: string | null | "";
  /** The `next_cursor` of the previous page. */
  cursor?: string | null | "";
  /** The maximum number of refunds on the page. */
  limit?: number | string | null;
}

/** The sums of a period. */
export interface Report {
  /** The first day, in UTC. */
  from: string;
  /** The last day, in UTC. */
  to: string;
  /** Transfers to your addresses, by the time of their block. */
  transfers: ({
    /** `matched` and `assigned` transfers are credited to orders. `open` ones are not final, and `reversed` ones were removed by a reorg. */
    kind: "matched" | "assigned" | "deposit" | "unmatched" | "swept" | "reversed" | "open" | "look_alike";
    network: Network;
    /** The currency; null for a token that only resembles one. */
    currency: "USDT" | "USDC" | null;
    /** The number of transfers. */
    transfers: number;
    /** The sum of the amounts; null for a token that only resembles a currency. */
    amount: number | null;
  })[];
  /** Final refunds, by the time of their block. */
  refunds: ({
    network: Network;
    /** The currency; null for a token that only resembles one. */
    currency: "USDT" | "USDC" | null;
    /** The number of transfers. */
    transfers: number;
    /** The sum of the amounts; null for a token that only resembles a currency. */
    amount: number | null;
  })[];
  /** The value of confirmed transfers to orders with a fiat price. */
  fiat_received: {
    /** The ISO 4217 code of the currency. */
    fiat: string;
    /** The number of transfers. */
    transfers: number;
    /** The sum of the values, at the rates of the orders. */
    value: number;
  }[];
  /** The value of refunds of orders with a fiat price. */
  fiat_refunded: {
    /** The ISO 4217 code of the currency. */
    fiat: string;
    /** The number of transfers. */
    transfers: number;
    /** The sum of the values, at the rates of the orders. */
    value: number;
  }[];
  /** Orders that were created in the period. */
  orders: ({
    /** The status of the orders. */
    status: "pending" | "confirming" | "paid" | "expired" | "cancelled";
    /** An irregularity of the payments, or null. */
    exception: "underpaid" | "overpaid" | "late" | "manual" | null;
    /** The number of orders. */
    orders: number;
  })[];
}

export interface ReportDetailRequest {
  /** The first day of the period, in UTC. */
  from: string;
  /** The last day of the period, in UTC, at most 366 days after the first one. */
  to: string;
}

/** A transfer that is credited to an order, or was until a reorg removed it. */
export interface Transfer {
  /** The hash of the transaction. */
  tx_hash: string;
  /** The amount that was received. */
  amount: number;
  /** `dropped`: a reorg removed the transfer. */
  status: "seen" | "confirmed" | "dropped";
  /** Confirmations so far, including the block of the transfer. */
  confirmations: number;
  /** Confirmations that the transfer needs. */
  required_confirmations: number;
  /** Time when the transfer was first seen, in Unix seconds. */
  seen_at: number;
  /** The transaction in a block explorer. */
  explorer_url: string;
}

export interface TransferUnmatchedRequest {
  /** Returns only transfers with this reason. */
  reason?: "no_such_amount" | "late" | "other_currency" | "other_network" | "order_settled" | "order_cancelled" | "look_alike" | "taken_back" | "unlinked" | "refund" | null | "";
  /** Returns only transfers on this network, which may be disabled now. */
  network?: KnownNetwork | null | "";
  /** Returns only transfers in this currency. */
  currency?: "USDT" | "USDC" | null | "";
  /** The `next_cursor` of the previous page. */
  cursor?: string | null | "";
  /** The maximum number of transfers on the page. */
  limit?: number | string | null;
}

/** A transfer to one of your addresses that is credited to nothing. A user can assign or refund it in the back office. */
export interface UnmatchedTransfer {
  /** The id of the transfer. */
  transfer_id: string;
  network: Network;
  /** The currency; null for a token that only resembles one. */
  currency: "USDT" | "USDC" | null;
  /** The display name of the token. */
  token: string;
  /** The amount that was received. */
  amount: number;
  /** The part of the amount that was refunded. */
  refunded_amount: number;
  /** `seen`: the transfer is not final yet. */
  status: "seen" | "confirmed" | "dropped";
  /** The reason why the transfer is not credited. */
  reason: "no_such_amount" | "late" | "other_currency" | "other_network" | "order_settled" | "order_cancelled" | "look_alike" | "taken_back" | "unlinked" | "refund";
  /** The id of the order for which the transfer was certainly meant, or null. */
  likely_trade_id: string | null;
  /** The receiving address. */
  address: string;
  /** The sender's address. Exchanges send from their own addresses. */
  from_address: string;
  /** The hash of the transaction. */
  tx_hash: string;
  /** Time of the block, in Unix seconds. */
  block_time: number;
  /** Time when the transfer was first seen, in Unix seconds. */
  seen_at: number;
  /** The transaction in a block explorer. */
  explorer_url: string;
}

/** A page of unmatched transfers. */
export interface UnmatchedTransferList {
  /** Newest first. A page can have fewer transfers than `limit`, or none, and still be followed by another page. */
  transfers: UnmatchedTransfer[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** The request and the response of each operation, by its path below `/api/v1/pay/`. */
export interface Operations {
  /** Create an order. */
  "order/add": { request: OrderAddRequest; response: OrderCreated };
  /** Create a checkout. */
  "order/checkout": { request: OrderCheckoutRequest; response: CheckoutCreated };
  /** Retrieve an order. */
  "order/detail": { request: OrderDetailRequest; response: Order };
  /** List orders. */
  "order/list": { request: OrderListRequest; response: OrderList };
  /** Cancel an order. */
  "order/cancel": { request: OrderCancelRequest; response: Order };
  /** Create a deposit address. */
  "deposit-address": { request: DepositAddressRequest; response: DepositAddress };
  /** List deposits. */
  "deposit/list": { request: DepositListRequest; response: DepositList };
  /** Create a payment link. */
  "link/add": { request: LinkAddRequest; response: Link };
  /** Retrieve a payment link. */
  "link/detail": { request: LinkDetailRequest; response: Link };
  /** List payment links. */
  "link/list": { request: LinkListRequest; response: LinkList };
  /** Close a payment link. */
  "link/close": { request: LinkCloseRequest; response: Link };
  /** Create a refund. */
  "refund/add": { request: RefundAddRequest; response: Refund };
  /** Retrieve a refund. */
  "refund/detail": { request: RefundDetailRequest; response: Refund };
  /** List refunds. */
  "refund/list": { request: RefundListRequest; response: RefundList };
  /** Cancel a refund. */
  "refund/cancel": { request: RefundCancelRequest; response: Refund };
  /** List unmatched transfers. */
  "transfer/unmatched": { request: TransferUnmatchedRequest; response: UnmatchedTransferList };
  /** Retrieve a report. */
  "report/detail": { request: ReportDetailRequest; response: Report };
  /** List events. */
  "event/list": { request: EventListRequest; response: EventList };
  /** List payment methods. */
  "payment-methods": { request: PaymentMethodsRequest; response: PaymentMethods };
  /** Retrieve the merchant. */
  "merchant/detail": { request: MerchantDetailRequest; response: Merchant };
  /** Activate a plugin. */
  "plugin/activate": { request: PluginActivateRequest; response: Merchant };
}
