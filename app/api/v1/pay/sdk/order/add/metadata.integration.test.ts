import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { callbacks, orders, transfers } from "@/db/schema";
import { createLog } from "@/lib/log";
import { moveOrder } from "@/lib/orders/move-order";
import { seedAddress, seedTransfer } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const TEXT =
  '{ "b":1.500, "a":[-0, 1e400,{"ключ":"\\u00e9é😀\\ud83d","__proto__":null}], "\\u0000":"\\u0000", "dear": "</script>", "10":1,"2":2 }';
let address: Awaited<ReturnType<typeof seedAddress>>;
let count = 0;

beforeAll(async () => {
  address = await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
});

/** Creates an order. `fields` is the text of a JSON object without its braces. */
async function create(fields: string) {
  count += 1;
  return api.post(
    "/order/add",
    `{"currency":"USDT","network":"bsc","amount":${10 + count},"mch_order_id":"meta-${count}",${fields}}`,
  );
}

test("subject and metadata come back byte for byte: in the detail, in lists, in the callback", async () => {
  const { body } = await create(`"notify_url":"https://shop.example.com/cb","subject":"Два 😀 <b>","metadata":${TEXT}`);
  const id = String(body.data?.["trade_id"]);
  const shown = `"subject":"Два 😀 <b>","metadata":${TEXT},`;
  for (const path of ["/order/detail", "/order/list"]) {
    const { status, text } = await api.post(path, { trade_id: id });
    expect(status).toBe(200);
    expect(text).toContain(shown);
  }
  const { db } = api.pool;
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  const sent = await seedTransfer(db, { address, baseUnits: 11n * 10n ** 18n }, new Date());
  const link = { orderId: id, quoteId: order?.quoteId ?? null, matchedAt: new Date(), status: "confirmed" as const };
  await db.update(transfers).set(link).where(eq(transfers.id, sent.id));
  const ctx = { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") };
  expect(await moveOrder(db, ctx, id, { type: "fundsChanged" }, new Date())).toBe("paid");
  const [callback] = await db.select().from(callbacks).where(eq(callbacks.orderId, id));
  expect(callback?.body).toContain(shown);
});

test("repeats and new orders are indistinguishable by both, which keep their first values", async () => {
  await create('"subject":"first","metadata":{"n":1}');
  count -= 1;
  const again = await create('"subject":"second"');
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  const { text } = await api.post("/order/detail", { mch_order_id: `meta-${count}` });
  expect(text).toContain('"subject":"first","metadata":{"n":1},');
});

test("2,048 bytes of metadata are taken, as they are sent, and not one more", async () => {
  const filled = (bytes: number) => `{"é":"${"é".repeat((bytes - 9) >> 1)}${(bytes - 9) % 2 ? "x" : ""}"}`;
  expect(Buffer.byteLength(filled(2_048))).toBe(2_048);
  expect((await create(`"metadata":${filled(2_048)}`)).status).toBe(200);
  const { status, body } = await create(`"metadata":${filled(2_049)}`);
  expect([status, body.errors?.[0]?.message]).toEqual([
    400,
    "metadata has 2049 bytes; it must have at most 2048, counted as sent",
  ]);
});

test.each([
  ['"subject":5', "subject"],
  [`"subject":"${"😀".repeat(128)}"`, "subject"],
  ['"subject":"two\\nlines"', "subject"],
  ['"metadata":[1]', "metadata"],
  ['"metadata":"{}"', "metadata"],
  ['"metadata":{"a":{"b":1,"b":2}}', "metadata"],
])("400: %s is refused with a message", async (fields, field) => {
  const { status, body } = await create(fields);
  expect([status, body.errors?.map((error) => error.field)]).toEqual([400, [field]]);
});

test("an empty array as metadata is an empty object", async () => {
  expect((await create('"metadata":[]')).status).toBe(200);
  const { text } = await api.post("/order/detail", { mch_order_id: `meta-${count}` });
  expect(text).toContain('"metadata":{},');
});

test("127 characters are a subject, however wide; empty or null is none", async () => {
  expect((await create(`"subject":"${"😀".repeat(127)}"`)).status).toBe(200);
  expect((await create('"subject":"","metadata":null')).status).toBe(200);
});
