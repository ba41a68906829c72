import { beforeAll, expect, test } from "vitest";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { startReceiver } from "@/testing/callbacks/receiver";
import { senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
let store: Awaited<ReturnType<typeof seedPlugin>>;

beforeAll(async () => {
  const now = new Date();
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
  store = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "greenfield" }, now);
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
const LIST = expect.any(Array);
const STORE = {
  name: "Test shop",
  website: TEXT,
  defaultCurrency: TEXT,
  invoiceExpiration: NUMBER,
  monitoringExpiration: NUMBER,
  speedPolicy: TEXT,
  paymentTolerance: NUMBER,
  networkFeeMode: TEXT,
  defaultPaymentMethod: TEXT,
  htmlTitle: TEXT,
};
const INVOICE = {
  id: TEXT,
  amount: TEXT,
  currency: TEXT,
  type: TEXT,
  checkoutLink: TEXT,
  createdTime: NUMBER,
  expirationTime: NUMBER,
  monitoringTime: NUMBER,
  archived: false,
  status: TEXT,
  additionalStatus: TEXT,
  availableStatusesForManualMarking: LIST,
};
const DELIVERY = { id: TEXT, timestamp: NUMBER, httpCode: 200, errorMessage: "", status: "HttpSuccess" };
const INVOICE_BODY = String.raw`{"amount":"12.50","currency":"USDT","metadata":{"itemDesc":"Zwei Karten \/ M\u00fcnchen","buyerName":"Zo\u00eb","orderId":"PHP-1","buyerEmail":"buyer@example.com"},"checkout":{"speedPolicy":"HighSpeed","paymentMethods":["USDT-BSC"],"expirationMinutes":30,"monitoringMinutes":60,"paymentTolerance":0,"redirectURL":"https:\/\/shop.example.com\/thanks?o={OrderId}","redirectAutomatically":true,"defaultLanguage":"de-DE"}}`;

/**
 * The requests that an unmodified copy of btcpayserver-greenfield-php (revision 60e6be5, PHP 8.2) sent, in this order: every call of its
 * classes Health, Server, ApiKey, Store, StorePaymentMethod, Webhook and Invoice that the protocol here supports, and some that are refused.
 */
const RECORDED: readonly Recorded[] = [
  { method: "GET", path: "/health", status: 200, answer: { synchronized: true } },
  {
    method: "GET",
    path: "/server/info",
    status: 200,
    answer: { version: TEXT, onion: "", fullySynched: true, supportedPaymentMethods: LIST },
  },
  { method: "GET", path: "/api-keys/current", status: 200, answer: { apiKey: TEXT, label: "", permissions: LIST } },
  { method: "GET", path: "/stores", status: 200, answer: [STORE] },
  { method: "GET", path: "/stores/{store}", status: 200, answer: STORE },
  {
    method: "GET",
    path: "/stores/{store}/payment-methods",
    status: 200,
    answer: [
      { paymentMethodId: "USDT-BSC", enabled: true },
      { paymentMethodId: "USDC-BSC", enabled: true },
    ],
  },
  {
    method: "POST",
    path: "/stores/{store}/webhooks",
    body: '{"enabled":true,"automaticRedelivery":true,"url":"{hook}","authorizedEvents":{"everything":true},"secret":"php-secret-1"}',
    status: 200,
    answer: {
      id: TEXT,
      secret: "php-secret-1",
      enabled: true,
      authorizedEvents: { everything: true, specificEvents: [] },
    },
  },
  { method: "GET", path: "/stores/{store}/webhooks", status: 200, answer: [{ id: TEXT, url: TEXT }] },
  {
    method: "PUT",
    path: "/stores/{store}/webhooks/{webhook}",
    body: '{"enabled":true,"automaticRedelivery":true,"url":"{hook}","secret":null,"authorizedEvents":{"everything":false,"specificEvents":["InvoiceInvalid","InvoiceSettled"]}}',
    status: 200,
    answer: { authorizedEvents: { everything: false, specificEvents: ["InvoiceInvalid", "InvoiceSettled"] } },
  },
  { method: "GET", path: "/stores/{store}/webhooks/{webhook}", status: 200, answer: { enabled: true } },
  {
    method: "POST",
    path: "/stores/{store}/invoices",
    body: INVOICE_BODY,
    status: 200,
    answer: { ...INVOICE, amount: "12.50", currency: "USDT", status: "New" },
  },
  {
    method: "POST",
    path: "/stores/{store}/invoices",
    body: '{"amount":"3","currency":"USDC","metadata":{"orderId":"PHP-2"},"checkout":null}',
    status: 200,
    answer: { ...INVOICE, amount: "3", currency: "USDC" },
  },
  {
    method: "POST",
    path: "/stores/{store}/invoices",
    body: '{"amount":null,"currency":"USDC","metadata":{"orderId":"PHP-3"},"checkout":null}',
    status: 422,
    answer: [{ path: "amount", message: TEXT }],
  },
  { method: "GET", path: "/stores/{store}/invoices/{invoice}", status: 200, answer: INVOICE },
  {
    method: "GET",
    path: "/stores/{store}/invoices/{invoice}/payment-methods",
    status: 200,
    answer: [
      {
        destination: TEXT,
        rate: "1",
        paymentMethodPaid: "0",
        totalPaid: "0",
        due: TEXT,
        amount: TEXT,
        networkFee: "0",
        paymentMethod: "USDT-BSC",
        payments: [],
      },
    ],
  },
  {
    method: "PUT",
    path: "/stores/{store}/invoices/{invoice}",
    body: String.raw`{"metadata":{"orderId":"PHP-1b","buyerName":"Zo\u00eb","note":"a\/b"}}`,
    status: 200,
    answer: { ...INVOICE, metadata: { orderId: "PHP-1b", buyerName: "Zoë", note: "a/b" } },
  },
  {
    method: "PUT",
    path: "/stores/{store}/invoices/{invoice}",
    body: '{"metadata":null}',
    status: 200,
    answer: { ...INVOICE, metadata: { orderId: "PHP-1b" } },
  },
  { method: "GET", path: "/stores/{store}/invoices?take=10&skip=0", status: 200, answer: [INVOICE, INVOICE] },
  {
    method: "GET",
    path: "/stores/{store}/invoices?orderId=PHP-1b&orderId=none",
    status: 200,
    answer: [{ metadata: { orderId: "PHP-1b" } }],
  },
  {
    method: "GET",
    path: "/stores/{store}/invoices?textSearch=zo%C3%AB",
    status: 200,
    answer: [{ metadata: { orderId: "PHP-1b" } }],
  },
  {
    method: "GET",
    path: "/stores/{store}/invoices?status=New&status=Processing",
    status: 200,
    answer: [INVOICE, INVOICE],
  },
  { method: "GET", path: "/stores/{store}/invoices?startDate={before}", status: 200, answer: [INVOICE, INVOICE] },
  { method: "GET", path: "/stores/{store}/invoices?endDate={before}", status: 200, answer: [] },
  {
    method: "POST",
    path: "/stores/{store}/invoices/{invoice}/status",
    body: '{"status":"Invalid"}',
    status: 200,
    answer: { ...INVOICE, status: "Invalid", additionalStatus: "Marked" },
  },
  {
    method: "POST",
    path: "/stores/{store}/invoices/{invoice}/status",
    body: '{"status":"Settled"}',
    status: 422,
    answer: [{ path: "status", message: TEXT }],
  },
  {
    method: "POST",
    path: "/stores/{store}/invoices/{invoice}/refund",
    body: '{"name":null,"description":null,"paymentMethod":"BTC","refundVariant":"CurrentRate","subtractPercentage":0,"customAmount":null,"customCurrency":null}',
    status: 400,
    answer: { code: "non-refundable", message: TEXT },
  },
  { method: "GET", path: "/stores/{store}/invoices/unknown", status: 404, answer: { code: "invoice-not-found" } },
];

/** The requests about deliveries, which the client sent after the cancelled invoice was reported. */
const OF_DELIVERIES: readonly Recorded[] = [
  { method: "GET", path: "/stores/{store}/webhooks/{webhook}/deliveries?count=5", status: 200, answer: [DELIVERY] },
  { method: "GET", path: "/stores/{store}/webhooks/{webhook}/deliveries/{delivery}", status: 200, answer: DELIVERY },
  {
    method: "POST",
    path: "/stores/{store}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    status: 200,
    answer: TEXT,
  },
  { method: "DELETE", path: "/stores/{store}/webhooks/{webhook}", status: 200, answer: {} },
  { method: "GET", path: "/stores/{store}/webhooks", status: 200, answer: [] },
];

test("every recorded request of the PHP client has the response that its methods read", async () => {
  const shop = await startReceiver((response) => void response.writeHead(200).end());
  const values: Record<string, string> = {
    store: store.publicId,
    // PHP escapes slashes in JSON.
    hook: `${shop.origin}/wc`.replaceAll("/", "\\/"),
    before: String(Math.floor(Date.now() / 1_000) - 600),
  };
  const fill = (text: string) => text.replaceAll(/\{([a-z]+)\}/g, (all, name: string) => values[name] ?? all);
  const repeat = async ({ method, path, body, status, answer }: Recorded) => {
    const response = await fetch(`${api.origin}/greenfield/api/v1${fill(path)}`, {
      method,
      headers: { accept: "application/json", "content-type": "application/json", authorization: `token ${store.key}` },
      ...(body !== undefined && { body: fill(body) }),
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBe(status);
    const data = JSON.parse(text) as { id?: string };
    expect({ [`${method} ${path}`]: data }).toMatchObject({ [`${method} ${path}`]: answer });
    if (method === "POST" && path.endsWith("/webhooks")) values["webhook"] = String(data.id);
    if (body === INVOICE_BODY) values["invoice"] = String(data.id);
    if (Array.isArray(data) && path.includes("/deliveries?")) values["delivery"] = data[0].id;
  };
  for (const one of RECORDED) await repeat(one);
  const now = new Date(Date.now() + 1_000);
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => now),
  );
  await sender.tick();
  await sender.drain();
  for (const one of OF_DELIVERIES) await repeat(one);
  await shop.close();
});
