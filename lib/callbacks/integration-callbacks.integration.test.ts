import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listSigningKeys, noteKeyUse } from "@/db/queries/plugins/plugins";
import { callbacks, events, orders } from "@/db/schema";
import { createCallbackSender, enqueueCallbacks } from "@/lib/callbacks/callback-sender";
import type { Echo, IntegrationId } from "@/lib/domain/integration-id";
import { exactNumber } from "@/lib/domain/orders/order-wire";
import { INSTALLED } from "@/lib/integrations/installed";
import { revokePluginKey, rotatePluginKey, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { detailData, senderContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const begin = new Date();
const hour = (hours: number) => new Date(begin.getTime() + hours * 3_600_000);
let now = begin;
let shop: Receiver | undefined;
let units = 10n ** 18n;
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeEach(async () => {
  now = begin;
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "callback_origins", "users");
  const { id: merchantId } = await seedMerchant(db(), begin);
  address = await seedAddress(db(), { merchantId, network: "bsc" }, begin);
});

afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

async function send(): Promise<void> {
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => now),
  );
  await sender.tick();
  await sender.drain();
}

/** Creates and pays an order of an integration whose callback goes to a shop. */
async function deliver(integration: IntegrationId, echo: Echo, url: string): Promise<string> {
  units += 10n ** 12n;
  const { id } = await seedOrder(db(), { address, baseUnits: units, notifyUrl: url }, now);
  await db().update(orders).set({ integration, echo }).where(eq(orders.id, id));
  const data = detailData({ trade_id: id, mch_order_id: "A-1", actual_amount: exactNumber("1.4001") });
  const { merchantId } = address;
  const event = { merchantId, orderId: id, url, data, integration, echo } as const;
  await enqueueCallbacks(db(), [{ ...event, type: "payment.detected", version: 2 }], now, INSTALLED);
  await enqueueCallbacks(db(), [{ ...event, type: "payment.confirmed", version: 3 }], now, INSTALLED);
  return id;
}

const read = async (orderId: string) => {
  const [callback] = await db().select().from(callbacks).where(eq(callbacks.orderId, orderId));
  return callback;
};
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

test("EPay receives only payments, by a signed GET; fail with status 200 is retried", async () => {
  let answer = "fail";
  shop = await startReceiver((response) => void response.writeHead(200).end(answer));
  const { key, publicId } = await seedPlugin(db(), { merchantId: address.merchantId, integration: "epay" }, now);
  const id = await deliver(
    "epay",
    { pid: publicId, type: "alipay", name: "a b", money: "10.00" },
    `${shop.origin}/n?x=1`,
  );
  await send();
  expect(await read(id)).toMatchObject({ status: "pending", attempts: 1, lastHttpStatus: 200 });
  answer = '{"state":"success"}';
  now = hour(1);
  await send();
  expect(await read(id)).toMatchObject({ status: "delivered", attempts: 2 });
  expect(shop.received.map(({ method, body }) => [method, body])).toEqual([
    ["GET", ""],
    ["GET", ""],
  ]);
  const query = new URL(shop.received[0]?.path ?? "", shop.origin).searchParams;
  const signed = `money=10.00&name=a b&out_trade_no=A-1&pid=${publicId}&trade_no=${id}&trade_status=TRADE_SUCCESS&type=alipay`;
  expect(query.get("sign")).toBe(md5(signed + key));
  expect([...query.keys()]).toEqual(
    "x pid trade_no out_trade_no type name money trade_status sign sign_type".split(" "),
  );
  expect(await db().$count(callbacks)).toBe(1);
  expect(await db().$count(events)).toBe(2);
  const [callback] = await db().select().from(callbacks);
  expect(callback?.body).not.toContain(key);
});

test("epusdt receives exactly its own fields, and its response body acknowledges", async () => {
  let answer = "fail - sign error";
  shop = await startReceiver((response) => void response.writeHead(200).end(answer));
  const { key } = await seedPlugin(db(), { merchantId: address.merchantId, integration: "epusdt" }, now);
  const id = await deliver("epusdt", { amount: "10" }, `${shop.origin}/n`);
  await send();
  expect(await read(id)).toMatchObject({ status: "pending", attempts: 1, lastHttpStatus: 200 });
  answer = "ok";
  now = hour(1);
  await send();
  expect(await read(id)).toMatchObject({ status: "delivered", attempts: 2 });
  const body = shop.received[0]?.body ?? "";
  const signed = `actual_amount=1.4001&amount=10&block_transaction_id=0xabc&order_id=A-1&status=2&token=0x58A5&trade_id=${id}`;
  expect(JSON.parse(body)).toEqual({
    trade_id: id,
    order_id: "A-1",
    amount: 10,
    actual_amount: "1.4001",
    token: "0x58A5",
    block_transaction_id: "0xabc",
    status: 2,
    signature: md5(signed + key),
  });
});

test("after a rotation the old key signs until the shop comes with the new one; without a key the callback waits", async () => {
  shop = await startReceiver(answerWith(200, {}, "ok"));
  const plugin = await seedPlugin(db(), { merchantId: address.merchantId, integration: "epusdt" }, now);
  const [first] = await listSigningKeys(db(), [plugin], now);
  if (first) await noteKeyUse(db(), first, now);
  now = hour(1);
  const second = await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...plugin, overlapHours: 24 }, now);
  const isSignedBy = async (key: string) => {
    await deliver("epusdt", { amount: "10" }, `${shop?.origin}/n`);
    await send();
    const { signature, ...fields } = JSON.parse(shop?.received.at(-1)?.body ?? "") as Record<string, string>;
    const text = Object.keys(fields)
      .toSorted()
      .map((name) => `${name}=${fields[name]}`)
      .join("&");
    return signature === md5(text + key);
  };
  expect(await isSignedBy(plugin.key)).toBe(true);
  const keys = await listSigningKeys(db(), [plugin], now);
  expect(keys).toHaveLength(2);
  if (keys[1]) await noteKeyUse(db(), keys[1], now);
  expect(await isSignedBy(second?.key ?? "")).toBe(true);
  now = hour(26);
  expect(await listSigningKeys(db(), [plugin], now)).toHaveLength(1);
  expect(await revokePluginKey(db(), { ...plugin, id: keys[1]?.id ?? "" }, now)).toBe(true);
  expect(await revokePluginKey(db(), { ...plugin, id: keys[1]?.id ?? "" }, now)).toBe(false);
  const count = shop.received.length;
  const id = await deliver("epusdt", { amount: "10" }, `${shop.origin}/n`);
  await send();
  expect(shop.received).toHaveLength(count);
  expect(await read(id)).toMatchObject({ status: "pending", attempts: 0, unsignedReason: "no_key" });
  await switchOnPlugin(db(), PLUGIN_SETTINGS, plugin, now);
  await send();
  expect(shop.received).toHaveLength(count + 1);
  expect(await read(id)).toMatchObject({ status: "delivered", attempts: 1, unsignedReason: null });
});
