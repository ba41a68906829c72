import type { PublicJwk } from "@/lib/callbacks/signing-keys";
import { ID } from "@/lib/domain/api/limits";
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
  list,
  money,
  object,
  type Shape,
  text,
  textOrNull,
  url,
  urlOrNull,
} from "@/lib/http/openapi/shapes";
import type { PaymentMethod } from "@/lib/merchants/payment-methods";

const CREATED: Shape<CreatedData> = {
  trade_id: { type: "string", pattern: ID, description: "The order's id." },
  mch_order_id: text("Your own order number."),
  currency: { enum: CURRENCIES, description: "The token to be paid in." },
  network: refTo("Network"),
  amount: money("What you asked for, or what your price came to."),
  actual_amount: money(
    "What is to be paid. On a shared address it is a little more than `amount`: so orders are told apart.",
  ),
  address: text("Where it is to be paid."),
  expiration_time: count("Until when, in Unix seconds."),
  expires_at: count("The same as `expiration_time`."),
  payment_url: url("The payment page: send the payer there."),
};

const WALLET_REQUEST: Shape<WalletRequest> = {
  family: { enum: ["evm", "tron", "solana"], description: "Which wallets can pay it." },
  chain: text("The chain id, `0x` and hexadecimal digits; on Solana the cluster, such as `solana:mainnet`."),
  token: text("The token's contract, on Solana its mint."),
  recipient: text("Where it is to be paid."),
  units: { type: "string", pattern: "^\\d+$", description: "Base units of the token." },
  block: {
    description: "A block that the wallet's node must have: its hash ends so.",
    type: ["object", "null"],
    required: ["height", "hash"],
    properties: { height: count("Its height."), hash: text("The end of its hash.") },
  },
  add: {
    description: "The parameter of `wallet_addEthereumChain`.",
    type: ["object", "null"],
    required: ["chainId", "chainName", "nativeCurrency", "rpcUrls", "blockExplorerUrls"],
    properties: {
      chainId: text("As `chain`."),
      chainName: text("For people."),
      nativeCurrency: {
        description: "What its fees are paid in.",
        type: "object",
        required: ["name", "symbol", "decimals"],
        properties: { name: text("For people."), symbol: text("Its ticker."), decimals: count("Of its unit.") },
      },
      rpcUrls: list(url("Of a public node."), "Nodes."),
      blockExplorerUrls: list(url("Of an explorer."), "Explorers."),
    },
  },
  transaction: textOrNull("Solana: the unsigned transaction for `account`, base64."),
  problem: { enum: ["account", "stale", null], description: "Why there is none for that account." },
};

const PAGE_STATES: readonly StatusData["state"][] = ["choosing", ...CHECKOUT_STATES];
const PRICE = ["fiat", "fiat_amount", "rate", "rate_source", "rate_at"] as const;

const orNull = (schema: Schema, when: string): Schema => ({
  description: `${schema.description ?? ""} Null until the payer has chosen${when}.`.trim(),
  anyOf: [schema, { type: "null" }],
});

const DETAIL: Shape<DetailData> = {
  ...CREATED,
  currency: orNull(CREATED.currency, ""),
  network: orNull(CREATED.network, " one"),
  amount: orNull(CREATED.amount, ", where there is a price"),
  actual_amount: orNull(CREATED.actual_amount, ""),
  address: orNull(CREATED.address, ", or where it was changed in the database since"),
  fiat: { enum: FIAT_CODES, description: "Of an order with a price: its currency." },
  fiat_amount: money("Of an order with a price: the price."),
  rate: {
    type: ["string", "null"],
    pattern: "^[0-9]+(\\.[0-9]+)?$",
    description: "What one token cost, as a decimal text. Null until the payer has chosen the token.",
  },
  rate_source: textOrNull("Who said so."),
  rate_at: countOrNull("When, in Unix seconds."),
  status: { enum: ORDER_STATUSES, description: "Where the order stands." },
  exception: {
    enum: [...ORDER_EXCEPTIONS, null],
    description: "What is unusual about its payment; never another status. It may still change after `paid`.",
  },
  paid_amount: money("Confirmed so far."),
  tx_hash: textOrNull("The transaction that settled it."),
  transfers: { ...list(refTo("Transfer"), "What was seen for it, oldest first."), maxItems: 100 },
  callback: refTo("Callback"),
  notify_url: urlOrNull("As created."),
  redirect_url: urlOrNull("As created."),
  subject: textOrNull("As created."),
  metadata: { type: ["object", "null"], description: "As created, byte for byte." },
  created_at: count("In Unix seconds."),
  version: count("Rises with every change of the order: of two events of one order, the higher one is the later one."),
  paid_at: countOrNull("In Unix seconds."),
};

const NETWORK_HEALTH: Shape<NetworkHealth> = {
  behind_blocks: countOrNull(
    "Blocks between the chain's head and what is read of it; estimated by the time of a block while the network is not read.",
  ),
  last_block_at: countOrNull("Time of the last block that was read, in Unix seconds."),
  last_heard_at: countOrNull("When the node was last heard, in Unix seconds."),
  block_ms: { type: ["number", "null"], description: "Milliseconds between blocks, as measured last." },
  closed_at: countOrNull("When an operator closed the network, in Unix seconds. A closed network takes no new orders."),
  problem: textOrNull("Why the network takes no new orders, or is not being read, although it is not closed."),
  warning: textOrNull("What is odd, but keeps nothing from working."),
  unreadable_transactions: count("Transactions that no endpoint can show."),
  lost_transfers: count("Confirmed transfers that the chain took back."),
  failing_rows: count("Orders and transfers that are tried again by themselves."),
  endpoints: list(
    object<NetworkHealth["endpoints"][number]>("An endpoint, without its name.", {
      calls_today: count("Calls that left to it since midnight, UTC; written down every few seconds."),
      errors_last_hour: count("Calls of the last hour that failed."),
      last_error: textOrNull("The kind of the last failure."),
      last_error_at: countOrNull("When it was, in Unix seconds."),
    }),
    "In the order in which they are configured.",
  ),
};

/**
 * Returns the schema of events: of the body of a callback, and of an entry of event/list.
 * @param subjects names of the schemas of their data
 */
export function eventSchema(types: readonly string[], subjects: readonly string[]): Schema {
  const names = subjects.map((subject) => `the ${subject.toLowerCase()}`).join(", or ");
  return object<{ id: string; type: string; timestamp: string; data: unknown }>(
    "What a callback carries. The same event has the same bytes at every attempt, and in `event/list`.",
    {
      id: text("The event's id: the same at every attempt, also in the header `webhook-id`."),
      type: { enum: types, description: "What happened." },
      timestamp: { type: "string", format: "date-time", description: "When it happened." },
      data: { description: `T${names.slice(1)}, as it was then.`, anyOf: subjects.map(refTo) },
    },
  );
}

/** The objects that answers are made of, by name. */
export const ANSWER_SCHEMAS: Readonly<Record<string, Schema>> = {
  OrderCreated: object<CreatedData>("An order, as `order/add` answers it.", CREATED),
  CheckoutCreated: object<CheckoutData>("An order whose payer chooses how to pay.", {
    trade_id: CREATED.trade_id,
    mch_order_id: CREATED.mch_order_id,
    amount: {
      type: ["number", "null"],
      minimum: 0,
      description: "Of whatever token is chosen; null where there is a price.",
    },
    expiration_time: CREATED.expiration_time,
    expires_at: CREATED.expires_at,
    checkout_url: url("The page on which the payer chooses and pays: send the payer there."),
  }),
  Order: {
    ...object<DetailData>("An order with all that happened to it.", DETAIL, PRICE),
    dependentRequired: { fiat: PRICE.filter((name) => name !== "fiat") },
  },
  Transfer: object<TransferData>("A transfer that counts, or counted, for an order.", {
    tx_hash: text("Its transaction."),
    amount: money("How much came."),
    status: { enum: ["seen", "confirmed", "dropped"], description: "`dropped`: the chain took it back." },
    confirmations: count("Blocks on top of it, its own included."),
    required_confirmations: count("How many it needs."),
    seen_at: count("When it was first seen, in Unix seconds."),
    explorer_url: url("Where people can look at it."),
  }),
  Callback: object<CallbackData>("How the order's callback goes.", {
    status: { enum: ["none", "pending", "delivered", "failed"], description: "`none`: none is owed." },
    attempts: count("Attempts so far."),
    last_http_status: countOrNull("What the last attempt was answered with."),
    delivered_at: countOrNull("When your server acknowledged it, in Unix seconds."),
  }),
  OrderList: object<{ orders: unknown; next_cursor: unknown }>("A page of orders.", {
    orders: list(
      refTo("Order"),
      "Newest first. A page may hold fewer than `limit`, also none, and still have a next one.",
    ),
    next_cursor: textOrNull("The `cursor` of the next page; null after the last."),
  }),
  EventList: object<{ events: unknown; next: unknown }>("Events.", {
    events: list(refTo("Event"), "Oldest first."),
    next: count("The `after` of the next call."),
  }),
  PaymentMethods: object<{ methods: unknown }>("What you can take at this moment.", {
    methods: list(
      object<PaymentMethod>("A network with the currencies that can be paid on it.", {
        network: refTo("Network"),
        currencies: list({ enum: CURRENCIES }, "What can be paid with."),
      }),
      "On networks that are switched on and read without a problem, and where you have an active address.",
    ),
  }),
  Merchant: object<{ merchant_id: unknown; name: unknown; status: unknown }>("Whose key this is.", {
    merchant_id: text("The merchant's id."),
    name: text("The merchant's name."),
    status: { const: "active", description: "A key that is answered is active." },
  }),
  CheckoutStatus: object<StatusData>("Where an order stands, as its payer may see it.", {
    trade_id: { type: "string", pattern: ID, description: "The order's id." },
    version: count("It only ever rises."),
    tag: text("Names everything that the page shows: another tag means that there is something new to show."),
    status: { enum: ORDER_STATUSES, description: "Where the order stands." },
    exception: { enum: [...ORDER_EXCEPTIONS, null], description: "What is unusual about its payment." },
    state: { enum: PAGE_STATES, description: "The state of the page: finer than the status." },
    confirmations: countOrNull("Of the least confirmed transfer."),
    required_confirmations: countOrNull("How many it needs."),
    expires_at: count("In Unix seconds."),
    paid_at: countOrNull("In Unix seconds."),
  }),
  WalletOffer: object<WalletData>("What a payer's wallet is asked for.", {
    trade_id: { type: "string", pattern: ID, description: "The order's id." },
    version: count("The order's; it only ever rises."),
    offer: text("Names this payment: another name is another payment."),
    request: {
      description: "Null where nothing is to be sent (any more).",
      anyOf: [object<WalletRequest>("A payment.", WALLET_REQUEST), { type: "null" }],
    },
    words: {
      type: "object",
      description: "What the page says, by what came of it.",
      additionalProperties: { type: "string" },
    },
  }),
  Health: object<Health>("How this installation is.", {
    status: {
      enum: ["ok", "degraded", "down"],
      description: "`degraded`: a network has a problem or is not being read, or no source of rates is well.",
    },
    database: { enum: ["ok", "away"], description: "Whether the database answers." },
    networks: {
      type: "object",
      description: "Networks that are switched on, by id.",
      additionalProperties: object<NetworkHealth>("How a network is read.", NETWORK_HEALTH),
    },
    rates: {
      type: "object",
      description: "Sources of rates that are read at present.",
      additionalProperties: object<RateSourceHealth>("How a source of rates is.", {
        last_read_at: countOrNull("When it last gave a number, in Unix seconds."),
        problem: textOrNull("What is wrong with it."),
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
        kid: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$", description: "Its id, as callbacks name it." },
        x: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$", description: "The key, in unpadded base64url." },
      }),
      "Those that sign or signed lately, and the next one.",
    ),
  }),
  Notice: object<{ message: string }>("Why not, in words.", { message: text("For people.") }),
};
