import type { Random } from "@/chaos/plan/random";
import { INSTALLED } from "@/lib/integrations/installed";
import { API_ALIAS, mountedRoutes } from "@/mounted-routes";

/** A route, with the data for valid requests to it. */
export interface Target {
  method: "GET" | "POST";
  /** The path pattern of the route: "/pay/{tradeId}". */
  pattern: string;
  /** True if 503 is a valid response, because the route reports the health of the installation. */
  mayBeAway: boolean;
  /** True if the body is a form, as pages send it. */
  isForm: boolean;
  /** The relative frequency of requests to the route. */
  weight: number;
  path(random: Random, known: KnownOrders): string;
  /** The fields of the body, each as JSON text. */
  fields: Fields;
}

type Fields = (random: Random, known: KnownOrders) => Record<string, string>;

export const API_BASE = "/api/v1/pay/sdk";

/** The existing orders that requests refer to. */
export interface KnownOrders {
  /** An order with a quote, identified by both of its numbers. */
  tradeId: string;
  mchOrderId: string;
  /** At least one order whose payer may not have chosen a network and currency yet. New orders replace the oldest. */
  open: string[];
}

/** The routes whose responses never end. The fuzzer sends them only requests that they refuse. */
const STREAMS = ["/api/pay/{tradeId}/events", "/api/deposit/{depositId}/events"];
/**
 * The routes with constant and expensive responses. They are requested rarely, as are methods that are refused. Routes with a body are
 * requested most often.
 */
const STILL = ["/docs", "/api/openapi.json"];

/** The paths below the URL that a shop enters for a plugin. */
const INTEGRATION_PATHS: Readonly<Record<string, readonly string[]>> = {
  "/epay/{path...}": [
    ...["submit.php", "/submit.php", "mapi.php", "mapi.php/", "api.php", "nothing/here"],
    ...["submit.php?pid=1001&money=10&sign=00", "api.php?act=order&pid=1001&key=k3y&trade_no=1", "api.php?act=refund"],
  ],
  "/epay-rsa/{path...}": [
    ...["api/pay/submit", "api/pay/create", "/api/pay/query", "api/pay/close/", "api/merchant/orders", "nothing/here"],
    ...["api/pay/submit?pid=1001&timestamp=1764000000&sign_type=RSA&sign=AAAA", "api/pay/refund"],
  ],
  "/epusdt/{path...}": [
    ...[
      "api/v1/order/create-transaction",
      "/api/v1/order/create-order",
      "api/v1/order/cancel-transaction",
      "nothing/here",
    ],
    ...[
      "payments/gmpay/v1/order/create-transaction",
      "api/v1/pay/info",
      "api/v1/pay/methods",
      "pay/check-status/unknown",
      "pay/checkout-counter-resp/unknown",
      "pay/switch-network",
      "pay/submit-tx-hash/unknown",
      "payments/gmpay/v1/config?pid=1001",
      "payments/gmpay/v1/order/query?pid=1001&order_id=1&signature=00",
      "payments/epay/v1/order/create-transaction/submit.php?pid=1001&money=10&sign=00",
    ],
  ],
  "/greenfield/{path...}": [
    ...["api/v1/server/info", "/api/v1/api-keys/current", "api/v1/stores/unknown", "api/v1/stores", "nothing/here"],
    ...[
      "api-keys/authorize?permissions=btcpay.store.canviewinvoices&redirect=//x",
      "i/unknown",
      "invoice?id=a",
      "modal/btcpay.js",
      "api/v1/stores/unknown/invoices",
      "api/v1/stores/unknown/invoices?orderId[]=1&take=x",
      "api/v1/stores/unknown/payment-methods",
    ],
    ...[
      "api/v1/stores/unknown/invoices/1",
      "api/v1/stores/unknown/invoices/1/payment-methods",
      "api/v1/stores/unknown/invoices/1/status",
      "api/v1/stores/unknown/webhooks",
      "api/v1/stores/unknown/webhooks/1",
    ],
  ],
};

/** Returns true if the route's responses have the format of an integration. */
export function isIntegration({ pattern }: Pick<Target, "pattern">): boolean {
  return pattern in INTEGRATION_PATHS || pattern.startsWith("/greenfield/");
}

/** Returns the fields of a cancellation. The order that all other requests use must not change. */
function cancelFields(random: Random, { open }: KnownOrders): Record<string, string> {
  return { trade_id: JSON.stringify(random.pick(open)) };
}

/** The tools for agents, whose requests and responses are messages of JSON-RPC 2.0. */
const AGENTS = "/mcp";

/** Returns true if the route's requests and responses are messages of JSON-RPC 2.0. */
export function isJsonRpc({ pattern }: Pick<Target, "pattern">): boolean {
  return pattern === AGENTS;
}

/** The fields of a body by route. Other routes get fields that any route may accept. */
const FIELDS: Readonly<Record<string, Fields>> = {
  [`${API_BASE}/order/add`]: (random, { mchOrderId }) => ({
    currency: '"USDT"',
    network: '"ethereum"',
    amount: `${random.int(1, 1_000_000)}.${random.int(0, 99)}`,
    mch_order_id: random.chance(0.1) ? JSON.stringify(mchOrderId) : `"fuzz-${random.int(1, 2 ** 31)}"`,
    notify_url: '"https://shop.example.com/notify"',
    redirect_url: '"https://shop.example.com/thanks"',
    expires_in: "1800",
    locale: '"de"',
    subject: '"Two tickets"',
    metadata: '{"cart":[1,2.50,{"é":null}]}',
  }),
  [`${API_BASE}/order/checkout`]: (random, { mchOrderId }) => ({
    amount: `${random.int(1, 1_000_000)}`,
    ...(random.chance(0.3) && { currency: '"USDC"', network: '"ethereum"' }),
    mch_order_id: random.chance(0.1) ? JSON.stringify(mchOrderId) : `"open-${random.int(1, 2 ** 31)}"`,
  }),
  [`${API_BASE}/order/detail`]: (random, { tradeId, mchOrderId }) => ({
    ...(random.chance(0.7) && { trade_id: JSON.stringify(tradeId) }),
    mch_order_id: JSON.stringify(mchOrderId),
  }),
  [`${API_BASE}/order/cancel`]: cancelFields,
  [`${API_BASE}/order/cancel-by-trade-id`]: cancelFields,
  [`${API_BASE}/order/list`]: (random, { tradeId }) => ({
    ...(random.chance(0.5) && { status: '"pending"', network: '"erc20"', currency: '"usdt"' }),
    ...(random.chance(0.5) && { created_from: "1790000000", created_to: `${random.int(1, 2 ** 31)}` }),
    ...(random.chance(0.3) && { cursor: JSON.stringify(tradeId) }),
    limit: `${random.int(1, 100)}`,
  }),
  [`${API_BASE}/deposit-address`]: (random) => ({
    customer_ref: `"customer-${random.int(1, 50)}"`,
    network: random.pick(['"ethereum"', '"erc20"', '"tron"']),
    ...(random.chance(0.3) && { notify_url: '"https://shop.example.com/deposited"' }),
  }),
  [`${API_BASE}/deposit/list`]: (random, { tradeId }) => ({
    ...(random.chance(0.5) && {
      customer_ref: `"customer-${random.int(1, 50)}"`,
      network: '"erc20"',
      currency: '"usdt"',
    }),
    ...(random.chance(0.3) && { cursor: JSON.stringify(tradeId) }),
    limit: `${random.int(1, 100)}`,
  }),
  [`${API_BASE}/event/list`]: (random) => ({ after: `${random.int(0, 2 ** 31)}`, limit: `${random.int(1, 100)}` }),
  [`${API_BASE}/transfer/unmatched`]: (random, { tradeId }) => ({
    ...(random.chance(0.5) && { reason: '"late"', network: '"erc20"', currency: '"usdt"' }),
    ...(random.chance(0.3) && { cursor: JSON.stringify(tradeId) }),
    limit: `${random.int(1, 100)}`,
  }),
  [`${API_BASE}/report/detail`]: (random) => ({
    from: `"20${random.int(10, 99)}-0${random.int(0, 9)}-${random.int(10, 31)}"`,
    to: `"20${random.int(10, 99)}-0${random.int(0, 9)}-${random.int(10, 31)}"`,
  }),
  [AGENTS]: (random, { tradeId, mchOrderId }) => ({
    jsonrpc: '"2.0"',
    id: `${random.int(0, 99)}`,
    method: random.pick([
      '"tools/call"',
      '"tools/call"',
      '"initialize"',
      '"tools/list"',
      '"ping"',
      '"server/discover"',
    ]),
    params: random.pick([
      `{"name":"retrieve_order","arguments":{"trade_id":${JSON.stringify(tradeId)}}}`,
      `{"name":"create_order","arguments":{"currency":"USDT","network":"bsc","amount":1,"mch_order_id":${JSON.stringify(mchOrderId)}}}`,
      '{"name":"create_link","arguments":{"amount":5,"mch_link_id":7}}',
      '{"name":"list_orders","arguments":[]}',
      '{"name":"pay_out"}',
      '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}',
      '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"fuzz"}}}',
    ]),
  }),
  "/pay/{tradeId}": (random) => ({
    method: random.pick(['"ethereum:USDT"', '"ethereum:USDC"', '"tron:USDT"', '"nowhere:USDT"', '"ethereum"']),
  }),
};

const anyFields: Fields = (random) => ({
  a: "1",
  method: '"ethereum:USDT"',
  version: `${random.int(0, 9)}`,
  network: '"ethereum"',
  account: `"0x${"ab".repeat(20)}"`,
  tx_hash: `"0x${random
    .int(0, 2 ** 31)
    .toString(16)
    .padStart(64, "0")}"`,
  email: '"payer@shop.example.com"',
});

/** The pattern of paths under /api/ that do not exist. */
const UNKNOWN = "/api/{path...}";
const UNKNOWN_PATHS = [
  ...[
    "",
    "nothing",
    "v1/pay",
    "v1/pay/sdk",
    "v1/pay/order/add/",
    "v1/pay/public/nothing",
    "pay/unknown/nothing",
    "auth",
  ],
  ...["%", "%ff%00", "v1/pay/sdk%2Forder%2Fadd", "%2e%2e/docs", "../docs", "/x", "deep/".repeat(300)],
];

/** Returns every mounted route for GET or POST, and paths under /api/ that do not exist. */
export function allTargets(): Target[] {
  const mounted = mountedRoutes(INSTALLED).flatMap(([method, pattern, handler]) =>
    (method === "GET" || method === "POST") && handler ? [targetOf(method, pattern)] : [],
  );
  return [...mounted, targetOf("GET", UNKNOWN), targetOf("POST", UNKNOWN)];
}

/** Returns true if every response has the API's envelope. */
export function isEnveloped({ pattern }: Pick<Target, "pattern">): boolean {
  return pattern.startsWith(API_BASE) || pattern === UNKNOWN;
}

function targetOf(method: Target["method"], pattern: string): Target {
  const isApi = isEnveloped({ pattern });
  return {
    method,
    pattern,
    // The route is also unavailable if no deposit address is left.
    mayBeAway: pattern === "/api/health" || pattern === `${API_BASE}/deposit-address`,
    isForm: !isApi && !isJsonRpc({ pattern }),
    weight: STILL.includes(pattern) || (isApi && method === "GET") ? 0.1 : method === "GET" ? 0.3 : 1,
    path: (random, known) => {
      const behind = pattern === UNKNOWN ? UNKNOWN_PATHS : INTEGRATION_PATHS[pattern];
      if (pattern.startsWith(API_BASE) && random.chance(0.5))
        return pattern.replace(API_ALIAS.canonical, API_ALIAS.prefix);
      return behind ? pattern.replace("{path...}", random.pick(behind)) : fill(pattern, random, known);
    },
    fields: FIELDS[pattern] ?? anyFields,
  };
}

function fill(pattern: string, random: Random, { tradeId, open }: KnownOrders): string {
  const isStream = STREAMS.includes(pattern);
  const isAnonymous = isStream || random.chance(0.1);
  const order = isAnonymous ? "unknown" : random.chance(0.7) ? random.pick(open) : tradeId;
  return pattern
    .replace("{tradeId}", order)
    .replace(/\{\w+\.{3}\}/, "nothing/here")
    .replace(/\{\w+\}/, "nothing");
}
