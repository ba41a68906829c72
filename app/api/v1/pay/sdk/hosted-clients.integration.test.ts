import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiKeys, quotes, transfers } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { V2_DOMAIN } from "@/lib/domain/keys/signature";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor, seedTransfer } from "@/testing/database/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

/**
 * A client of the hosted service. Its headers and the bodies in the tests were recorded once from the unmodified clients: the PHP SDK
 * (github.com/useponponpay/php-sdk at the tags v1.0.0 and v1.1.0, which calls itself 1.2.0, and at 32b2910) and the WordPress plugin
 * (github.com/useponponpay/wordpress-plugin at dac65ac, in WordPress 6.1). Order numbers and URLs are replaced.
 */
interface Client {
  name: string;
  /** The headers besides the key and the length. */
  headers: Record<string, string>;
  activation: string;
  /** True if the client creates hosted checkouts. */
  hasCheckout: boolean;
  network: string;
  /** Writes the body of the callback's acknowledgement. */
  acknowledgement: string;
}

const CURL = { Accept: "*/*", "Content-Type": "application/json" };
const SDK_ACTIVATION = '{"plugin_type":"php-sdk"}';
const CLIENTS: readonly Client[] = [
  {
    name: "PHP SDK 1.0.0",
    headers: { ...CURL, "User-Agent": "PonponPay-PHP-SDK/1.0.0" },
    activation: SDK_ACTIVATION,
    hasCheckout: false,
    network: "BSC",
    acknowledgement: "OK",
  },
  {
    name: "PHP SDK 1.2.0",
    headers: { ...CURL, "User-Agent": "PolyPay-PHP-SDK/1.2.0" },
    activation: SDK_ACTIVATION,
    hasCheckout: true,
    network: "BSC",
    acknowledgement: "OK",
  },
  {
    name: "WordPress plugin 1.0.0",
    headers: {
      ...CURL,
      "Accept-Encoding": "deflate, gzip, br, zstd",
      Referer: "http://127.0.0.1/api/v1/pay/sdk/order/add",
      "User-Agent": "WordPress-PolyPay/1.0.0",
      Connection: "close",
    },
    activation: '{"plugin_type":"wordpress","plugin_version":"1.0.0","platform_version":"6.1.9"}',
    hasCheckout: false,
    network: "bsc",
    // WordPress encodes the text of a REST response as JSON.
    acknowledgement: '"OK"',
  },
];

const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const ctx = { publicUrl: TEST_ENV.publicUrl, log: pino({ level: "silent" }) };
let shop: Receiver;
let acknowledgement = "";
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeAll(async () => {
  const now = new Date();
  shop = await startReceiver((response) => answerWith(200, {}, acknowledgement)(response));
  await seedCursor(db(), "bsc", now);
  address = await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
});
afterAll(() => shop.close());

const setForPlugin = (isForPlugin: boolean) =>
  db().update(apiKeys).set({ isForPlugin, callbackFormat: "standard" }).where(eq(apiKeys.id, api.merchant.keyId));

/** Sends a recorded body with the client's headers. PHP decodes the response to the same values. */
async function send(client: Client, path: string, body: string) {
  const headers = { ...client.headers, "X-API-Key": api.merchant.apiKey, "Content-Length": Buffer.byteLength(body) };
  const { port } = new URL(api.origin);
  const sent = request({ port, method: "POST", path: `/api/v1/pay/sdk/${path}`, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  expect(response.headers["content-encoding"]).toBeUndefined();
  const answer = JSON.parse(await text(response)) as { code: number; message: string; data: Record<string, unknown> };
  return { status: response.statusCode, ...answer };
}

/** Sends a request whose response must have HTTP 200 and code 0, as the clients require. */
async function call(client: Client, path: string, body: string) {
  const { status, code, message, data } = await send(client, path, body);
  expect([path, status, code, message]).toEqual([path, 200, 0, "success"]);
  return data;
}

/** Encodes text as PHP's json_encode does with its default options. */
const phpJson = (value: object) => JSON.stringify(value).replaceAll("/", "\\/");

/** Pays an order and delivers its callback. Returns the request that the shop received. */
async function pay(orderId: string) {
  const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, orderId));
  if (!quote) throw new Error("The order has no quote");
  const sent = await seedTransfer(db(), { address, baseUnits: quote.baseUnits }, new Date());
  const final = { status: "confirmed" as const, confirmedAt: new Date(), confirmations: 20 };
  await db().update(transfers).set(final).where(eq(transfers.id, sent.id));
  await matchTransfers(db(), ctx, "bsc", new Date());
  const count = shop.received.length;
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => new Date()),
  );
  await sender.tick();
  await vi.waitUntil(() => shop.received.length > count, { timeout: 30_000 });
  await sender.drain();
  const received = shop.received.at(-1);
  if (!received) throw new Error("The shop received no callback");
  return { body: received.body, headers: received.headers as Record<string, string> };
}

/** Checks a callback as WebhookHandler of the SDK and validate_signature_headers of the plugin do. */
function checkSignature(headers: Record<string, string>, body: string): void {
  const { apiKey } = api.merchant;
  const { "x-timestamp": timestamp = "", "x-nonce": nonce = "" } = headers;
  expect(timestamp).toMatch(/^\d+$/);
  expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(300);
  expect(headers["x-key-prefix"]).toBe(apiKey.slice(0, 12));
  expect(nonce).toMatch(/^[A-Za-z0-9]{16,128}$/);
  const key = createHash("sha256").update(apiKey).digest("hex");
  const signature = createHmac("sha256", key).update(`${timestamp}\n${nonce}\n${body}`).digest("hex");
  expect(headers["x-signature"]?.toLowerCase()).toBe(signature);
}

/** Checks a callback as WebhookV2Handler of the SDK does, with the merchant ID that merchant/detail returned. */
async function checkSignatureV2(headers: Record<string, string>, body: string, merchantId: unknown): Promise<void> {
  const { "x-webhook-key-id": kid, "x-timestamp": timestamp, "x-nonce": nonce } = headers;
  expect(headers["x-webhook-signature-version"]).toBe("v2");
  expect(headers["x-webhook-merchant-id"]).toBe(merchantId);
  const environment = "production";
  expect(headers["x-webhook-environment"]).toBe(environment);
  const answer = await fetch(`${api.origin}/api/v1/pay/public/webhook-jwks`, {
    headers: { accept: "application/json" },
  });
  const { keys } = (await answer.json()) as { keys: (JsonWebKey & { kid: string })[] };
  const jwk = keys.find((one) => one.kid === kid);
  expect(jwk).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" });
  const signed = [V2_DOMAIN, kid, timestamp, nonce, merchantId, environment, body].join("\n");
  const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
  const signature = Buffer.from(headers["x-webhook-signature-v2"] ?? "", "base64url");
  expect(verify(null, Buffer.from(signed), key, signature)).toBe(true);
}

test.each(CLIENTS)("$name: from its settings to a paid order and its callback", async (client) => {
  await setForPlugin(true);
  acknowledgement = client.acknowledgement;
  await call(client, "plugin/activate", client.activation);
  const merchant = await call(client, "merchant/detail", "[]");
  expect(merchant).toMatchObject({ mch_id: api.merchant.id, name: "Test shop", status: 1 });
  const { methods } = await call(client, "payment-methods", "[]");
  expect(methods).toContainEqual({ network: "bsc", currencies: ["USDT", "USDC"] });

  const number = `B2T6CWY_${client.name.replace(/\W/g, "")}`;
  const urls = {
    notify_url: `${shop.origin}/wp-json/polypay/v1/callback`,
    redirect_url: "https://shop.example/thanks",
  };
  const terms = { mch_order_id: number, currency: "USDT", network: client.network, amount: 12.5 };
  const order = await call(client, "order/add", phpJson({ ...terms, ...urls }));
  const { trade_id, address: receiving, actual_amount } = order;
  expect(order).toMatchObject({ payment_url: `${TEST_ENV.publicUrl}/pay/${trade_id}`, amount: 12.5, network: "bsc" });
  for (const names of [{ trade_id }, { mch_order_id: number }])
    expect(await call(client, "order/detail", phpJson(names))).toMatchObject({
      ...{ trade_id, mch_order_id: number, status: "pending", tx_hash: null },
      ...{ address: receiving, actual_amount, expires_at: expect.any(Number) },
    });

  const { headers, body } = await pay(String(trade_id));
  checkSignature(headers, body);
  await checkSignatureV2(headers, body, merchant["mch_id"]);
  const { tx_hash } = await call(client, "order/detail", phpJson({ trade_id }));
  expect(JSON.parse(body)).toMatchObject({ order_no: number, trade_id, status: 2, amount: 12.5, hash: tx_hash });
  const { callback } = await call(client, "order/detail", phpJson({ trade_id }));
  expect(callback).toMatchObject({ status: "delivered", attempts: 1, last_http_status: 200 });
});

test.each(CLIENTS.filter(({ hasCheckout }) => hasCheckout))("$name: checkouts have an opaque URL", async (client) => {
  const number = `C-${client.name.replace(/\W/g, "")}`;
  const open = await call(client, "order/checkout", phpJson({ mch_order_id: number, amount: 5 }));
  expect(open["checkout_url"]).toBe(`${TEST_ENV.publicUrl}/pay/${open["trade_id"]}`);
  const chosen = { mch_order_id: `${number}-m`, amount: 5, currency: "USDT", network: "bsc", locale: "zh" };
  const { checkout_url, trade_id } = await call(client, "order/checkout", phpJson(chosen));
  expect(checkout_url).toBe(`${TEST_ENV.publicUrl}/pay/${trade_id}`);
});

test.each(CLIENTS)(
  "$name: errors have another HTTP status than 200 and a message that the client shows",
  async (client) => {
    await setForPlugin(false);
    const empty = { mch_order_id: "", currency: "DOGE", network: "x", amount: -1, notify_url: "", redirect_url: "" };
    const answers = [
      await send(client, "plugin/activate", client.activation),
      await send(client, "order/detail", '{"trade_id":"unknown"}'),
      await send(client, "order/add", phpJson(empty)),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      ...[
        [409, 10004],
        [404, 10003],
        [400, 10001],
      ],
    ]);
    for (const { message } of answers) expect(message).toMatch(/\w+ \w+/);
    expect(answers[0]?.message).toContain('create a key with "For a plugin"');
  },
);
