import { toMerchantData } from "@/lib/domain/api/merchant-wire";

/** An order in the examples, as it was created. */
export const CREATED = {
  trade_id: "01kaq2v8x3000g5rjw2b9m4n6ptd",
  mch_order_id: "A-1001",
  currency: "USDT",
  network: "ethereum",
  amount: 12.5,
  actual_amount: 12.5001,
  address: "0x58A5a1B8D0b1fC3F3b2c6d4b7A6E2B1f0C9d1b25",
  expiration_time: 1795197052,
  expires_at: 1795197052,
  payment_url: "https://pay.example.com/pay/01kaq2v8x3000g5rjw2b9m4n6ptd",
};
/** A transaction in the examples. */
export const HASH = "0x9f3c1b7a5d2e4f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8";
const PAID = {
  ...CREATED,
  status: "paid",
  exception: null,
  paid_amount: 12.5001,
  tx_hash: HASH,
  transfers: [
    {
      tx_hash: HASH,
      amount: 12.5001,
      status: "confirmed",
      confirmations: 14,
      required_confirmations: 12,
      seen_at: 1795195600,
      explorer_url: `https://etherscan.io/tx/${HASH}`,
    },
  ],
  callback: { status: "delivered", attempts: 1, last_http_status: 200, delivered_at: 1795195772 },
  notify_url: "https://shop.example/paid",
  redirect_url: null,
  subject: "Two tickets",
  metadata: { cart: [4, 2] },
  created_at: 1795195252,
  paid_at: 1795195770,
  version: 3,
};
const OPEN = {
  ...PAID,
  version: 1,
  status: "pending",
  paid_amount: 0,
  tx_hash: null,
  paid_at: null,
  transfers: [],
  callback: { status: "none", attempts: 0, last_http_status: null, delivered_at: null },
};
const NAMES = { mch_order_id: "A-1001" };
const MERCHANT = toMerchantData({ id: "01kaq2e3d5000ma7y2p4t6v8wxzc", name: "Example shop" });
const EVENT = {
  id: "evt_01kaq3c0f7000s1vk8e5h3c7xqza",
  type: "payment.confirmed",
  timestamp: "2026-11-21T09:29:30.000Z",
  data: { ...PAID, callback: OPEN.callback },
};

/** The example requests and responses by path; a test validates them against the document's schemas. */
export const EXAMPLES: Readonly<Record<string, { request: object; data: object }>> = {
  "order/add": {
    request: {
      currency: "USDT",
      network: "ethereum",
      amount: 12.5,
      mch_order_id: "A-1001",
      notify_url: "https://shop.example/paid",
      subject: "Two tickets",
      metadata: { cart: [4, 2] },
    },
    data: CREATED,
  },
  "order/checkout": {
    request: { amount: 12.5, mch_order_id: "A-1002" },
    data: {
      trade_id: "01kaq2v8x4000c3f6h9k2m5q8stw",
      mch_order_id: "A-1002",
      amount: 12.5,
      expiration_time: 1795197052,
      expires_at: 1795197052,
      checkout_url: "https://pay.example.com/pay/01kaq2v8x4000c3f6h9k2m5q8stw",
    },
  },
  "order/detail": { request: NAMES, data: PAID },
  "order/list": { request: { status: "paid", limit: 1 }, data: { orders: [PAID], next_cursor: PAID.trade_id } },
  "order/cancel": { request: NAMES, data: { ...OPEN, status: "cancelled" } },
  "event/list": { request: { after: 0, limit: 1 }, data: { events: [EVENT], next: 1 } },
  "payment-methods": { request: {}, data: { methods: [{ network: "ethereum", currencies: ["USDT", "USDC"] }] } },
  "merchant/detail": {
    request: {},
    data: MERCHANT,
  },
  "plugin/activate": { request: {}, data: MERCHANT },
};

/** An example of the body of a callback. */
export const EXAMPLE_EVENT = EVENT;
