import type { Random } from "@/chaos/plan/random";

/** A route, and a request that would do. */
export interface Target {
  method: "GET" | "POST";
  path: string;
  /** Whether 503 is an answer here: it says how the installation is. */
  mayBeAway: boolean;
  /** Of the body; each a JSON text. */
  fields(random: Random): Record<string, string>;
}

export const API_BASE = "/api/v1/pay/sdk";

/** An order that is known, by both its names. */
export interface KnownOrder {
  tradeId: string;
  mchOrderId: string;
}

/** Every route that needs no signing in. */
export function allTargets({ tradeId, mchOrderId }: KnownOrder): Target[] {
  const none = () => ({});
  const get = (path: string, mayBeAway = false): Target => ({ method: "GET", path, mayBeAway, fields: none });
  const post = (path: string, fields: Target["fields"]): Target => ({
    ...{ method: "POST", path: API_BASE + path, mayBeAway: false },
    fields,
  });
  return [
    post("/order/add", (random) => ({
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
    })),
    post("/order/checkout", (random) => ({
      amount: `${random.int(1, 1_000_000)}`,
      ...(random.chance(0.3) && { currency: '"USDC"', network: '"tron"' }),
      mch_order_id: random.chance(0.1) ? JSON.stringify(mchOrderId) : `"open-${random.int(1, 2 ** 31)}"`,
    })),
    post("/order/detail", (random) => ({
      ...(random.chance(0.7) && { trade_id: JSON.stringify(tradeId) }),
      mch_order_id: JSON.stringify(mchOrderId),
    })),
    post("/order/list", (random) => ({
      ...(random.chance(0.5) && { status: '"pending"', network: '"erc20"', currency: '"usdt"' }),
      ...(random.chance(0.5) && { created_from: "1790000000", created_to: `${random.int(1, 2 ** 31)}` }),
      ...(random.chance(0.3) && { cursor: JSON.stringify(tradeId) }),
      limit: `${random.int(1, 100)}`,
    })),
    post("/order/cancel", (random) => ({
      ...(random.chance(0.7) && { trade_id: JSON.stringify(tradeId) }),
      mch_order_id: JSON.stringify(mchOrderId),
    })),
    post("/event/list", (random) => ({ after: `${random.int(0, 2 ** 31)}`, limit: `${random.int(1, 100)}` })),
    post("/merchant/detail", () => ({ a: "1" })),
    post("/payment-methods", () => ({ a: "1" })),
    post("/plugin/activate", () => ({ a: "1" })),
    post("/nothing/here", () => ({ a: "1" })),
    get(`/pay/${tradeId}`),
    {
      method: "POST",
      path: `/pay/${tradeId}`,
      mayBeAway: false,
      fields: () => ({ currency: '"USDT"', network: '"tron"' }),
    },
    get("/pay/nobody"),
    get(`/api/pay/${tradeId}/status`),
    get(`/api/pay/${tradeId}/wallet`),
    get("/pay/assets/nothing.js"),
    get("/api/health", true),
    get("/api/openapi.json"),
    get("/docs"),
    get("/api/v1/pay/public/webhook-jwks"),
  ];
}
