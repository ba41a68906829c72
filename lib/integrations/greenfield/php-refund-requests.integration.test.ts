import { request } from "node:http";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { INSTALLED } from "@/lib/integrations/installed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { receivePayment } from "@/testing/integrations/receive-payment";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }), integrations: INSTALLED };
let store: Awaited<ReturnType<typeof seedPlugin>>;

beforeAll(async () => {
  const now = new Date();
  const { db } = api.pool;
  await seedCursor(db, "bsc", now);
  await seedAddress(db, { merchantId: api.merchant.id, network: "bsc" }, now);
  store = await seedPlugin(db, { merchantId: api.merchant.id, integration: "greenfield" }, now);
});

interface Recorded {
  method: string;
  /** The path below `/greenfield/api/v1`. Names in braces stand for values of this test. */
  path: string;
  body?: string;
  status: number;
  /** The values that the client reads from the response, with the types that its methods return. */
  answer: unknown;
}

const TEXT = expect.any(String);
const NUMBER = expect.any(Number);
const PULL_PAYMENT = {
  id: TEXT,
  name: TEXT,
  description: TEXT,
  currency: "USDT",
  amount: "1.5",
  period: NUMBER,
  BOLT11Expiration: NUMBER,
  autoApproveClaims: false,
  archived: false,
  viewLink: expect.stringContaining("/refund/"),
};
const PAYOUT = {
  id: TEXT,
  revision: NUMBER,
  pullPaymentId: TEXT,
  destination: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  amount: "1.5",
  paymentMethod: "USDT-BSC",
  cryptoCode: "USDT",
  paymentMethodAmount: "1.5",
  state: "AwaitingApproval",
};
const PULL_PAYMENTS = "/stores/{store}/pull-payments";
const PAYOUTS = "/pull-payments/{refund}/payouts";
const REFUND = "/stores/{store}/invoices/{invoice}/refund";
const WHOLE =
  '{"name":null,"description":null,"paymentMethod":"USDT-BSC","refundVariant":"RateThen","subtractPercentage":0,"customAmount":null,"customCurrency":null}';

/**
 * The requests that an unmodified copy of btcpayserver-greenfield-php 2.9.0 sent under PHP 8.2, in this order: every call of its class
 * PullPayment, and `refundInvoice`. Two of its GET requests have a body.
 */
const RECORDED: readonly Recorded[] = [
  {
    method: "POST",
    path: PULL_PAYMENTS,
    body: String.raw`{"name":"Refund of order 15; zu gro\u00df","description":"Zwei Karten","amount":"1.5","currency":"USDT","period":null,"BOLT11Expiration":null,"autoApproveClaims":false,"startsAt":null,"expiresAt":null,"paymentMethods":["USDT-BSC"],"payoutMethods":["USDT-BSC"]}`,
    status: 200,
    answer: { ...PULL_PAYMENT, name: "Refund of order 15; zu groß", description: "Zwei Karten" },
  },
  { method: "GET", path: "/pull-payments/{refund}", status: 200, answer: PULL_PAYMENT },
  { method: "GET", path: PULL_PAYMENTS, body: '{"includeArchived":true}', status: 200, answer: [PULL_PAYMENT] },
  { method: "GET", path: PAYOUTS, body: '{"includeCancelled":true}', status: 200, answer: [] },
  {
    method: "POST",
    path: PAYOUTS,
    body: '{"destination":"0x8ba1f109551bD432803012645Ac136ddd64DBA72","amount":"1.5","paymentMethod":"USDT-BSC","payoutMethodId":"USDT-BSC"}',
    status: 200,
    answer: PAYOUT,
  },
  { method: "GET", path: PAYOUTS, body: '{"includeCancelled":true}', status: 200, answer: [PAYOUT] },
  { method: "GET", path: "/pull-payments/{refund}/payouts/{refund}", status: 200, answer: PAYOUT },
  {
    method: "POST",
    path: "/stores/{store}/payouts/{refund}",
    body: '{"revision":2,"rateRule":null}',
    status: 403,
    answer: { code: "missing-permission", message: TEXT },
  },
  {
    method: "POST",
    path: "/stores/{store}/payouts/{refund}/mark-paid",
    status: 400,
    answer: { code: "invalid-state", message: TEXT },
  },
  { method: "DELETE", path: "/stores/{store}/payouts/{refund}", status: 200, answer: {} },
  { method: "DELETE", path: "/stores/{store}/pull-payments/{refund}", status: 200, answer: {} },
  {
    method: "POST",
    path: PULL_PAYMENTS,
    body: '{"name":"Refund of order 15; auto","description":null,"amount":"1.5","currency":"USDT","period":null,"BOLT11Expiration":null,"autoApproveClaims":true,"startsAt":null,"expiresAt":null,"paymentMethods":null,"payoutMethods":null}',
    status: 403,
    answer: { code: "missing-permission", message: TEXT },
  },
  {
    method: "POST",
    path: PULL_PAYMENTS,
    body: '{"name":"Refund of order 15; x","description":null,"amount":"100000","currency":"USDT","period":null,"BOLT11Expiration":null,"autoApproveClaims":false,"startsAt":null,"expiresAt":null,"paymentMethods":null,"payoutMethods":null}',
    status: 422,
    answer: [{ path: "amount", message: TEXT }],
  },
  {
    method: "POST",
    path: PULL_PAYMENTS,
    body: '{"name":"Refund of order nothing; x","description":null,"amount":"1","currency":"USDT","period":null,"BOLT11Expiration":null,"autoApproveClaims":false,"startsAt":null,"expiresAt":null,"paymentMethods":null,"payoutMethods":null}',
    status: 422,
    answer: [{ path: "name", message: TEXT }],
  },
  {
    method: "POST",
    path: REFUND,
    body: '{"name":"Partial","description":"Sorry","paymentMethod":"USDT-BSC","refundVariant":"Custom","subtractPercentage":0,"customAmount":"0.5","customCurrency":"USDT"}',
    status: 200,
    answer: { ...PULL_PAYMENT, name: "Partial", description: "Sorry", amount: "0.5" },
  },
  { method: "POST", path: REFUND, body: WHOLE, status: 200, answer: { ...PULL_PAYMENT, amount: "26.5" } },
  { method: "POST", path: REFUND, body: WHOLE, status: 400, answer: { code: "non-refundable", message: TEXT } },
];

/** Sends a request, also a GET request with a body, which `fetch` refuses. */
function send(method: string, path: string, body: string | undefined): Promise<{ status: number; text: string }> {
  const json = { accept: "application/json", "content-type": "application/json" };
  const headers = { ...json, authorization: `token ${store.key}`, "content-length": Buffer.byteLength(body ?? "") };
  return new Promise((resolve, reject) => {
    const sent = request(`${api.origin}/greenfield/api/v1${path}`, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sent.on("error", reject).end(body);
  });
}

test("every recorded refund request of the PHP client has the response that its methods read", async () => {
  const checkout = { paymentMethods: ["USDT-BSC"] };
  const order = JSON.stringify({ amount: "27", currency: "USDT", metadata: { orderId: "15" }, checkout });
  const made = await send("POST", `/stores/${store.publicId}/invoices`, order);
  const values: Record<string, string> = { store: store.publicId, invoice: JSON.parse(made.text).id };
  await receivePayment(api.pool.db, ctx, { orderId: String(values["invoice"]) }, new Date());
  const fill = (text: string) => text.replaceAll(/\{([a-z]+)\}/g, (all, name: string) => values[name] ?? all);
  for (const { method, path, body, status, answer } of RECORDED) {
    const { status: given, text } = await send(method, fill(path), body);
    expect(given, `${method} ${path}: ${text}`).toBe(status);
    const data = JSON.parse(text) as { id?: string };
    expect({ [`${method} ${path}`]: data }).toMatchObject({ [`${method} ${path}`]: answer });
    if (path === PULL_PAYMENTS && method === "POST" && status === 200) values["refund"] = String(data.id);
  }
});
