import type { PublicJwk } from "@/lib/callbacks/signing-keys";
import { ID } from "@/lib/domain/api/limits";
import { ACTIVE_MERCHANT, type MerchantData } from "@/lib/domain/api/merchant-wire";
import { refTo } from "@/lib/domain/api/open-api";
import { CHECKOUT_STATES } from "@/lib/domain/checkout/state";
import type { StatusData } from "@/lib/domain/checkout/status-wire";
import type { WalletData, WalletRequest } from "@/lib/domain/checkout/wallet-request";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { CURRENCIES } from "@/lib/domain/networks";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";
import type { CallbackData, CheckoutData, CreatedData, DetailData, TransferData } from "@/lib/domain/orders/order-wire";
import { FIAT_CODES } from "@/lib/domain/rates/currencies";
import type { Health, NetworkHealth, RateSourceHealth } from "@/lib/http/health";
import {
  count,
  countOrNull,
  decimalNumber,
  list,
  object,
  type Shape,
  text,
  textOrNull,
  url,
  urlOrNull,
} from "@/lib/http/openapi/shapes";
import type { PaymentMethod } from "@/lib/merchants/payment-methods";

const CREATED: Shape<CreatedData> = {
  trade_id: { type: "string", pattern: ID, description: "The id of the order." },
  mch_order_id: text("Your order number."),
  currency: { enum: CURRENCIES, description: "The currency of the payment." },
  network: refTo("Network"),
  amount: decimalNumber("The amount that you requested, or your fiat price converted to tokens."),
  actual_amount: decimalNumber(
    "The amount that the payer must send. On a shared address it can exceed `amount` by up to 0.009999, because orders are distinguished by their exact amounts.",
  ),
  address: text("The receiving address."),
  expiration_time: count("Time when the order expires, in Unix seconds."),
  expires_at: count("Equal to `expiration_time`."),
  payment_url: url("The payment page. Send the payer there."),
};

const WALLET_REQUEST: Shape<WalletRequest> = {
  family: { enum: ["evm", "tron", "solana"], description: "The chain family, which decides which wallets can pay." },
  chain: text("The chain id in hexadecimal with `0x`; on Solana the cluster, such as `solana:mainnet`."),
  token: text("The token contract; on Solana the mint."),
  recipient: text("The receiving address."),
  units: { type: "string", pattern: "^\\d+$", description: "The amount in base units of the token." },
  block: {
    description: "A block that the wallet's node must have. It identifies the chain if the chain id does not.",
    type: ["object", "null"],
    required: ["height", "hash"],
    properties: { height: count("The height of the block."), hash: text("The end of the block hash.") },
  },
  add: {
    description: "The parameter of `wallet_addEthereumChain` (EIP-3085).",
    type: ["object", "null"],
    required: ["chainId", "chainName", "nativeCurrency", "rpcUrls", "blockExplorerUrls"],
    properties: {
      chainId: text("Equal to `chain`."),
      chainName: text("The display name of the network."),
      nativeCurrency: {
        description: "The native coin, in which fees are paid.",
        type: "object",
        required: ["name", "symbol", "decimals"],
        properties: {
          name: text("The display name."),
          symbol: text("The ticker symbol."),
          decimals: count("The number of decimals."),
        },
      },
      rpcUrls: list(url("The URL of a public node."), "Public nodes."),
      blockExplorerUrls: list(url("The URL of a block explorer."), "Block explorers."),
    },
  },
  transaction: textOrNull("Solana only: the unsigned transaction for `account`, in base64."),
  problem: {
    enum: ["account", "stale", null],
    description:
      "The reason why there is no transaction. `account`: the account is not valid. `stale`: the chain has not been read recently.",
  },
};

const ENCODED = "Characters that a URI must not contain are percent-encoded.";
const PAGE_STATES: readonly StatusData["state"][] = ["choosing", ...CHECKOUT_STATES];
const PRICE = ["fiat", "fiat_amount", "rate", "rate_source", "rate_at"] as const;

const orNull = (schema: Schema, when: string): Schema => ({
  description: `${schema.description ?? ""} Null until the payer has selected a method${when}.`.trim(),
  anyOf: [schema, { type: "null" }],
});

const DETAIL: Shape<DetailData> = {
  ...CREATED,
  currency: orNull(CREATED.currency, ""),
  network: orNull(CREATED.network, ""),
  amount: orNull(CREATED.amount, ", if the order has a fiat price"),
  actual_amount: orNull(CREATED.actual_amount, ""),
  address: orNull(CREATED.address, ", or if the integrity check of the address failed"),
  fiat: { enum: FIAT_CODES, description: "The currency of the fiat price. Absent if the order has none." },
  fiat_amount: decimalNumber("The fiat price. Absent if the order has none."),
  rate: {
    type: ["string", "null"],
    pattern: "^[0-9]+(\\.[0-9]+)?$",
    description: "The price of one token in `fiat`, as a decimal string. Null until the payer has selected a method.",
  },
  rate_source: textOrNull("The source of the rate."),
  rate_at: countOrNull("Time of the rate, in Unix seconds."),
  status: { enum: ORDER_STATUSES, description: "The status of the order." },
  exception: {
    enum: [...ORDER_EXCEPTIONS, null],
    description:
      "An irregularity in the payment, or null. It is independent of the status and can change after `paid`.",
  },
  paid_amount: decimalNumber("The sum of the confirmed transfers."),
  tx_hash: textOrNull("The hash of the transaction that settled the order, or null."),
  transfers: { ...list(refTo("Transfer"), "Transfers that are credited to the order, oldest first."), maxItems: 100 },
  callback: refTo("Callback"),
  notify_url: urlOrNull(`The URL for callbacks, as specified at creation. ${ENCODED}`),
  redirect_url: urlOrNull(`The URL to which the payer returns, as specified at creation. ${ENCODED}`),
  subject: textOrNull("The subject, as specified at creation."),
  metadata: { type: ["object", "null"], description: "The metadata, byte for byte as specified at creation." },
  created_at: count("Creation time, in Unix seconds."),
  version: count(
    "Increases with every change to the order. Of two responses or callbacks, the one with the higher version is newer.",
  ),
  paid_at: countOrNull("Time when the order became paid, in Unix seconds."),
};

const NETWORK_HEALTH: Shape<NetworkHealth> = {
  behind_blocks: countOrNull(
    "Blocks between the head of the chain and the last block read; estimated while the network is not read.",
  ),
  last_block_at: countOrNull("Time of the last block that was read, in Unix seconds."),
  last_heard_at: countOrNull("Time of the last response from a node, in Unix seconds."),
  block_ms: { type: ["number", "null"], description: "The last measured block interval, in milliseconds." },
  closed_at: countOrNull(
    "Time when an operator closed the network, in Unix seconds; null while it is open. A closed network takes no new orders.",
  ),
  problem: textOrNull("The reason why the open network takes no new orders or is not read, or null."),
  warning: textOrNull("A warning that does not affect operation, or null."),
  unreadable_transactions: count("Transactions that no endpoint can return."),
  lost_transfers: count("Confirmed transfers that a reorg removed."),
  failing_rows: count("Orders and transfers that could not be processed and are being retried."),
  endpoints: list(
    object<NetworkHealth["endpoints"][number]>("An endpoint. Its URL is not published.", {
      calls_today: count("Calls since midnight UTC."),
      errors_last_hour: count("Failed calls within the last hour."),
      last_error: textOrNull("The kind of the last error, or null."),
      last_error_at: countOrNull("Time of the last error, in Unix seconds."),
    }),
    "Endpoints in the configured order.",
  ),
};

/**
 * Returns the schema of events, for the body of a callback and for an entry of event/list.
 * @param subjects the names of the schemas of the events' data
 */
export function eventSchema(types: readonly string[], subjects: readonly string[]): Schema {
  const names = subjects.map((subject) => `the ${subject.toLowerCase()}`).join(", or ");
  return object<{ id: string; type: string; timestamp: string; data: unknown }>(
    "The body of a callback. An event has the same bytes in every attempt and in `event/list`.",
    {
      id: text("The id of the event, the same in every attempt and in the header `webhook-id`."),
      type: { enum: types, description: "The type of the event." },
      timestamp: { type: "string", format: "date-time", description: "Time of the event." },
      data: { description: `T${names.slice(1)} at the time of the event.`, anyOf: subjects.map(refTo) },
    },
  );
}

/** The schemas of responses, by name. */
export const ANSWER_SCHEMAS: Readonly<Record<string, Schema>> = {
  OrderCreated: object<CreatedData>("The response of `order/add`.", CREATED),
  CheckoutCreated: object<CheckoutData>("An order whose payer selects the method.", {
    trade_id: CREATED.trade_id,
    mch_order_id: CREATED.mch_order_id,
    amount: {
      type: ["number", "null"],
      minimum: 0,
      description: "The number of tokens, whichever currency the payer selects; null if the order has a fiat price.",
    },
    expiration_time: CREATED.expiration_time,
    expires_at: CREATED.expires_at,
    checkout_url: url("The page on which the payer selects a method and pays. Send the payer there."),
  }),
  Order: {
    ...object<DetailData>("An order with its transfers and its callback.", DETAIL, PRICE),
    dependentRequired: { fiat: PRICE.filter((name) => name !== "fiat") },
  },
  Transfer: object<TransferData>("A transfer that is credited to an order, or was until a reorg removed it.", {
    tx_hash: text("The hash of the transaction."),
    amount: decimalNumber("The amount that was received."),
    status: { enum: ["seen", "confirmed", "dropped"], description: "`dropped`: a reorg removed the transfer." },
    confirmations: count("Confirmations so far, including the block of the transfer."),
    required_confirmations: count("Confirmations that the transfer needs."),
    seen_at: count("Time when the transfer was first seen, in Unix seconds."),
    explorer_url: url("The transaction in a block explorer."),
  }),
  Callback: object<CallbackData>("The delivery of the latest callback of the order.", {
    status: {
      enum: ["none", "pending", "delivered", "failed"],
      description: "The status of the delivery. `none`: there is no callback.",
    },
    attempts: count("The number of attempts so far."),
    last_http_status: countOrNull("The HTTP status of the last attempt, or null."),
    delivered_at: countOrNull("Time when your server acknowledged the callback, in Unix seconds."),
  }),
  OrderList: object<{ orders: unknown; next_cursor: unknown }>("A page of orders.", {
    orders: list(
      refTo("Order"),
      "Orders, newest first. A page can have fewer orders than `limit`, or none, and still be followed by another page.",
    ),
    next_cursor: textOrNull("The `cursor` of the next page; null on the last page."),
  }),
  EventList: object<{ events: unknown; next: unknown }>("A page of events.", {
    events: list(refTo("Event"), "Events, oldest first."),
    next: count("The value of `after` for the next request."),
  }),
  PaymentMethods: object<{ methods: unknown }>("The payment methods that you can accept now.", {
    methods: list(
      object<PaymentMethod>("A network and its currencies.", {
        network: refTo("Network"),
        currencies: list({ enum: CURRENCIES }, "Currencies that you can accept on the network."),
      }),
      "Enabled networks that have no problem and on which you have an active receiving address.",
    ),
  }),
  Merchant: object<MerchantData>("The merchant that owns the API key.", {
    merchant_id: text("The id of the merchant, as in the header `X-Webhook-Merchant-Id` of callbacks."),
    mch_id: text("Equal to `merchant_id`, for clients of the hosted service."),
    name: text("The name of the merchant."),
    status: {
      type: "integer",
      const: ACTIVE_MERCHANT,
      description: "Always 1 (active), because a revoked key is refused.",
    },
  }),
  CheckoutStatus: object<StatusData>("The public status of an order.", {
    trade_id: { type: "string", pattern: ID, description: "The id of the order." },
    version: count("Increases with every change."),
    tag: text("Identifies the content of the page. A different tag means that the page has new content."),
    status: { enum: ORDER_STATUSES, description: "The status of the order." },
    exception: { enum: [...ORDER_EXCEPTIONS, null], description: "An irregularity of the payment, or null." },
    state: { enum: PAGE_STATES, description: "The state of the payment page, more detailed than the status." },
    confirmations: countOrNull("Confirmations of the least confirmed transfer."),
    required_confirmations: countOrNull("Confirmations that this transfer needs."),
    expires_at: count("Time when the order expires, in Unix seconds."),
    paid_at: countOrNull("Time when the order became paid, in Unix seconds."),
  }),
  WalletOffer: object<WalletData>("A payment request for the payer's wallet.", {
    trade_id: { type: "string", pattern: ID, description: "The id of the order." },
    version: count("The version of the order. It increases with every change."),
    offer: text("Identifies this payment. A different value means a different payment."),
    request: {
      description: "The payment; null if no payment is due.",
      anyOf: [object<WalletRequest>("A payment.", WALLET_REQUEST), { type: "null" }],
    },
    words: {
      type: "object",
      description: "Messages for the payer, by result of the wallet request.",
      additionalProperties: { type: "string" },
    },
  }),
  Health: object<Health>("The state of this installation.", {
    status: {
      enum: ["ok", "degraded", "down"],
      description:
        "`degraded`: a network has a problem or is not read, or no rate source works. `down`: the database does not respond.",
    },
    database: { enum: ["ok", "away"], description: "The state of the database. `away`: it does not respond." },
    networks: {
      type: "object",
      description: "Enabled networks, by id.",
      additionalProperties: object<NetworkHealth>("The state of a network.", NETWORK_HEALTH),
    },
    rates: {
      type: "object",
      description: "Rate sources that are in use.",
      additionalProperties: object<RateSourceHealth>("The state of a rate source.", {
        last_read_at: countOrNull("Time of the last rate, in Unix seconds."),
        problem: textOrNull("The problem of the source, or null."),
      }),
    },
  }),
  Jwks: object<{ keys: PublicJwk[] }>("A JSON Web Key Set (RFC 7517, RFC 8037).", {
    keys: list(
      object<PublicJwk>("A public key.", {
        kty: { const: "OKP" },
        crv: { const: "Ed25519" },
        alg: { const: "EdDSA" },
        use: { const: "sig" },
        kid: {
          type: "string",
          pattern: "^[A-Za-z0-9._-]{1,64}$",
          description: "The key id, as in the header `X-Webhook-Key-Id`.",
        },
        x: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$", description: "The public key, in unpadded base64url." },
      }),
      "The current key, recent ones and the next one.",
    ),
  }),
  Notice: object<{ message: string }>("An error returned by a public path.", {
    message: text("A description of the error."),
  }),
};
