import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { auditEvents, cursors, orders, quotes } from "@/db/schema";
import { displayAddress } from "@/lib/domain/addresses/address";
import { seedAddress, seedMerchant, tamperAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
let address: Awaited<ReturnType<typeof seedAddress>>;
let count = 0;
const deep = `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;

beforeAll(async () => {
  address = await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
});

/** Returns order parameters that no other test uses. */
function terms(change: Record<string, unknown> = {}) {
  count += 1;
  return { currency: "USDT", network: "bsc", amount: 1000 + count, mch_order_id: `order-${count}`, ...change };
}

describe("200", () => {
  test("200: an order is answered with exactly the promised fields", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, body, headers } = await api.post("/order/add", terms({ amount: 12.5, mch_order_id: "first" }));
    expect(status).toBe(200);
    expect(body.code).toBe(0);
    expect(body.request_id).toBe(headers.get("x-request-id"));
    const data = body.data ?? {};
    expect(data).toEqual({
      trade_id: expect.stringMatching(/^[0-9a-z]{28}$/),
      mch_order_id: "first",
      currency: "USDT",
      network: "bsc",
      amount: 12.5,
      actual_amount: 12.5,
      address: displayAddress("evm", address.address),
      expiration_time: expect.any(Number),
      expires_at: data["expiration_time"],
      payment_url: `https://pay.example.com/pay/${String(data["trade_id"])}`,
    });
    expect(Number(data["expiration_time"]) - before).toBeGreaterThanOrEqual(1_800);
    expect(Number(data["expiration_time"]) - before).toBeLessThan(1_860);
  });

  test("200: names of currency and network are read in any case, aliases too", async () => {
    const { body } = await api.post("/order/add", terms({ currency: "usdc", network: "BEP20" }));
    expect(body.data).toMatchObject({ currency: "USDC", network: "bsc" });
  });

  test.each([
    ["0.1", "0.1"],
    ["1e2", "100"],
    ["25e-1", "2.5"],
    ["3.000000", "3"],
    ["999999999.999998", "999999999.999998"],
    ['"7.25"', "7.25"],
    ["1000000000", "1000000000"],
  ])("200: the amount %s is read from the text, never through a float", async (written, shown) => {
    const { mch_order_id } = terms();
    const body = `{"currency":"USDT","network":"bsc","amount":${written},"mch_order_id":"${mch_order_id}"}`;
    const answer = await api.post("/order/add", body);
    expect(answer.text).toContain(`"amount":${shown},`);
    expect(answer.text).toContain(`"actual_amount":${shown},`);
  });

  test("200: an equal price takes the next free amount", async () => {
    const first = await api.post("/order/add", terms({ amount: 77 }));
    const second = await api.post("/order/add", terms({ amount: 77 }));
    expect(first.body.data).toMatchObject({ amount: 77, actual_amount: 77 });
    expect(second.text).toContain('"actual_amount":77.0001,');
  });

  test("200: a repeat with the same terms returns the same order, marked as a replay", async () => {
    const same = terms({ notify_url: "https://shop.example.com/cb", redirect_url: "https://shop.example.com/" });
    const first = await api.post("/order/add", same);
    const again = await api.post("/order/add", { ...same, currency: "usdt", amount: `${same.amount}.0` });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(first.body.data);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("200: 200 concurrent equal requests create one order and get one response", async () => {
    const same = terms();
    const answers = await Promise.all(Array.from({ length: 200 }, () => api.post("/order/add", same)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
    const made = await api.pool.db.select().from(orders).where(sql`mch_order_id = ${same.mch_order_id}`);
    expect(made).toHaveLength(1);
  });

  test("200: 200 concurrent orders with one price get 200 different amounts", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => api.post("/order/add", terms({ amount: 88 }))));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const pairs = answers.map(
      ({ body }) => `${String(body.data?.["address"])} ${String(body.data?.["actual_amount"])}`,
    );
    expect(new Set(pairs).size).toBe(200);
  });

  test("200: mch_order_id is counted in characters, not in UTF-16 units", async () => {
    const { status } = await api.post("/order/add", terms({ mch_order_id: "🧾".repeat(32) }));
    expect(status).toBe(200);
  });

  test("200: expires_in and locale are kept, empty and null options count as left out", async () => {
    const { body } = await api.post(
      "/order/add",
      terms({
        mch_order_id: "options",
        expires_in: 300,
        locale: "zh_cn",
        notify_url: "",
        redirect_url: null,
        other: 1,
      }),
    );
    const [order] = await api.pool.db
      .select()
      .from(orders)
      .where(sql`id = ${String(body.data?.["trade_id"])}`);
    expect(order).toMatchObject({ locale: "zh-CN", notifyUrl: null, redirectUrl: null });
    const seconds = ((order?.expiresAt.getTime() ?? 0) - (order?.createdAt.getTime() ?? 0)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThanOrEqual(301);
  });

  test("200: every request gets its own id, regardless of the id it sent", async () => {
    const { body, headers } = await api.post("/order/add", terms(), { "x-request-id": "my-request.1" });
    expect(body.request_id).toMatch(/^[0-9a-z]{28}$/);
    expect(headers.get("x-request-id")).toBe(body.request_id);
  });
});

describe("400", () => {
  test("400: all invalid fields are reported together, with the value and what would be right", async () => {
    const { status, body } = await api.post("/order/add", {
      currency: "DOGE",
      network: "solana",
      amount: -1,
      mch_order_id: "x".repeat(33),
      notify_url: "http://127.0.0.1/cb",
      redirect_url: "javascript:alert(1)",
      expires_in: 10,
      locale: "§",
    });
    expect(status).toBe(400);
    expect(body.code).toBe(10001);
    expect(body.errors?.map(({ field }) => field)).toEqual([
      ...["currency", "network", "amount", "mch_order_id", "notify_url", "redirect_url", "expires_in", "locale"],
    ]);
    for (const { field, message } of body.errors ?? []) expect(message.startsWith(`${field} `)).toBe(true);
    expect(body.errors?.[0]?.message).toBe('currency "DOGE" is unknown; it must be one of USDT, USDC');
    expect(body.errors?.[2]?.message).toContain("-1 is not above 0");
  });

  test("400: an empty object names the four required fields", async () => {
    const { status, body } = await api.post("/order/add", {});
    expect(status).toBe(400);
    expect(body.errors?.map(({ field }) => field)).toEqual(["currency", "network", "amount", "mch_order_id"]);
    expect(body.message).toContain("currency is missing; it must be one of USDT, USDC");
  });

  test.each([
    ...["0", "0.0000001", "1000000000.000001", "1e400", "-0", "1e-400", "true", "null", "[1]", "{}", '""', '" 1"'],
    ...['"+1"', '"0x10"', '"NaN"', '"Infinity"', '"1,5"', '"1_000"', '".5"', '"5."', '"1e"', `"${"9".repeat(5_000)}"`],
  ])("400: %.20s is no amount", async (written) => {
    const body = `{"currency":"USDT","network":"bsc","amount":${written},"mch_order_id":"bad-amount"}`;
    const answer = await api.post("/order/add", body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ field }) => field)).toEqual(["amount"]);
    expect(answer.body.message.length).toBeLessThan(300);
  });

  test.each(["", "{", "[{}]", "null", '"text"', "5", "{'a':1}", "[".repeat(30_000), deep, '{"amount":01}'])(
    "400: a body that is not a JSON object is refused with a message: %.10s",
    async (text) => {
      const { status, body } = await api.post("/order/add", text);
      expect(status).toBe(400);
      expect(body.code).toBe(10001);
      expect(body.message).toMatch(/^The request body is/);
    },
  );

  test("400: an empty array has no fields, as an empty object", async () => {
    const [array, object] = await Promise.all([api.post("/order/add", "[]"), api.post("/order/add", "{}")]);
    expect([array.status, array.body.errors]).toEqual([400, object.body.errors]);
    expect(array.body.errors?.map(({ field }) => field)).toContain("mch_order_id");
  });

  test("400: a body that is not UTF-8 is refused with a message", async () => {
    const { status, body } = await api.request("/api/v1/pay/sdk/order/add", {
      method: "POST",
      headers: { "x-api-key": api.merchant.apiKey },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect(status).toBe(400);
    expect(body.message).toBe("The request body is not UTF-8 text");
  });

  test.each(["\u0000", "a\nb", "\ud800", "\u0085"])(
    "400: mch_order_id may not hold control characters (%j)",
    async (id) => {
      const { status, body } = await api.post("/order/add", terms({ mch_order_id: id }));
      expect(status).toBe(400);
      expect(body.errors?.[0]?.field).toBe("mch_order_id");
    },
  );

  test("400: a network without a receiving address names the field", async () => {
    const { status, body } = await api.post("/order/add", terms({ network: "ethereum" }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 10001, errors: [{ field: "network" }] });
    expect(body.message).toContain("no active receiving address");
  });

  test("400: nothing stays behind of a refused order", async () => {
    const refused = terms({ network: "ethereum", mch_order_id: "refused" });
    await api.post("/order/add", refused);
    const left = await api.pool.db.select().from(orders).where(sql`mch_order_id = 'refused'`);
    expect(left).toEqual([]);
  });
});

test("401: a request without a key learns nothing about the body", async () => {
  const { status, body } = await api.post("/order/add", "{ not json", { "x-api-key": null });
  expect(status).toBe(401);
  expect(body.code).toBe(10002);
  expect(body.errors).toBeUndefined();
});

test("404: paths that do not exist answer in the envelope", async () => {
  for (const path of ["", "/", "/order", "/order/add/", "/order/delete", "/%zz"]) {
    const { status, body } = await api.post(path, {});
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 10001, request_id: expect.any(String) });
  }
});

test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])(
  "405: %s is not allowed, and the response lists the allowed methods",
  async (method) => {
    const answer = await api.request("/api/v1/pay/sdk/order/add", {
      method,
      headers: { "x-api-key": api.merchant.apiKey },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    expect(answer.body.code).toBe(10001);
  },
);

describe("409", () => {
  test.each([
    ["currency", { currency: "USDC" }],
    ["amount", { amount: 4_000.01 }],
    ["notify_url", { notify_url: "https://other.example.com/cb" }],
    ["redirect_url", { redirect_url: "https://other.example.com/" }],
  ])("409: another %s under a used mch_order_id is named, with the order that has it", async (field, change) => {
    const first = terms({ amount: 4_000, notify_url: "https://shop.example.com/cb" });
    const { body: made } = await api.post("/order/add", first);
    const { status, body } = await api.post("/order/add", { ...first, ...change });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 10004, errors: [{ field }], data: { trade_id: made.data?.["trade_id"] } });
  });

  test("409: another network is named", async () => {
    const first = terms({ amount: 4_100 });
    await api.post("/order/add", first);
    const { status, body } = await api.post("/order/add", { ...first, network: "ethereum" });
    expect(status).toBe(409);
    expect(body.errors?.[0]?.field).toBe("network");
  });

  test("409: two merchants may use one mch_order_id", async () => {
    const other = await seedMerchant(api.pool.db, new Date());
    await seedAddress(api.pool.db, { merchantId: other.id, network: "bsc" }, new Date());
    const same = terms({ mch_order_id: "of-both" });
    await api.post("/order/add", same);
    const { status } = await api.post("/order/add", { ...same, amount: 1 }, { "x-api-key": other.apiKey });
    expect(status).toBe(200);
  });
});

describe("413", () => {
  test("413: a body over 64 KiB is refused", async () => {
    const { status, body } = await api.post("/order/add", terms({ other: "x".repeat(70_000) }));
    expect(status).toBe(413);
    expect(body.code).toBe(10001);
  });

  test("413: the limit applies to a body without a declared length", async () => {
    const chunk = new TextEncoder().encode(" ".repeat(16_384));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 20) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = { method: "POST", headers: { "x-api-key": api.merchant.apiKey }, body: endless, duplex: "half" };
    const answer = await api.request("/api/v1/pay/sdk/order/add", init as RequestInit);
    expect(answer.status).toBe(413);
  });
});

test("500: an unexpected error is reported only by its request_id", async () => {
  await api.owner.db.execute(sql`alter function insert_orders rename to insert_orders_gone`);
  const { status, body, text } = await api.post("/order/add", terms({ amount: 77 }));
  await api.owner.db.execute(sql`alter function insert_orders_gone rename to insert_orders`);
  expect(status).toBe(500);
  expect(Object.keys(body).toSorted()).toEqual(["code", "message", "request_id"]);
  expect(body.code).toBe(10099);
  expect(body.message).toContain(body.request_id);
  expect(text).not.toContain("create_order");
});

describe("503", () => {
  test("503: a network with a problem takes no new orders, but still knows the old ones", async () => {
    const old = terms();
    await api.post("/order/add", old);
    await api.pool.db.insert(cursors).values({ network: "bsc", problem: "the node is 900 blocks behind" });
    const refused = await api.post("/order/add", terms());
    const replayed = await api.post("/order/add", old);
    await api.pool.db.delete(cursors);
    expect(refused.status).toBe(503);
    expect(refused.body.code).toBe(10006);
    expect(refused.body.message).toContain("the node is 900 blocks behind");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(replayed.status).toBe(200);
  });

  test("503: a network that no worker has watched for minutes takes no new orders", async () => {
    const respondedAt = new Date(Date.now() - 6 * 60_000);
    await api.pool.db.insert(cursors).values({ network: "bsc", respondedAt });
    const refused = await api.post("/order/add", terms());
    await api.pool.db.update(cursors).set({ respondedAt: new Date() });
    const accepted = await api.post("/order/add", terms());
    await api.pool.db.delete(cursors);
    expect(refused.status).toBe(503);
    expect(refused.body.code).toBe(10006);
    expect(refused.body.message).toContain("no worker has read this network since");
    expect(accepted.status).toBe(200);
  });

  test("503: an address changed behind the application's back is paused, and the order can be asked for again", async () => {
    const victim = await seedMerchant(api.pool.db, new Date());
    const seeded = await seedAddress(api.pool.db, { merchantId: victim.id, network: "bsc" }, new Date());
    const thief = `0x${"ee".repeat(20)}`;
    await tamperAddress(api.pool.db, seeded.id, thief);
    const asked = terms();
    const refused = await api.post("/order/add", asked, { "x-api-key": victim.apiKey });
    expect(refused.status).toBe(503);
    expect(refused.body.data).toBeUndefined();
    const left = await api.pool.db.select().from(quotes).where(sql`address = ${thief}`);
    expect(left).toEqual([]);
    const events = await api.pool.db.select().from(auditEvents).where(sql`merchant_id = ${victim.id}`);
    expect(events.map(({ action }) => action)).toEqual(["address.tampered"]);
    await seedAddress(api.pool.db, { merchantId: victim.id, network: "bsc" }, new Date());
    const made = await api.post("/order/add", asked, { "x-api-key": victim.apiKey });
    expect(made.status).toBe(200);
    expect(made.body.data?.["address"]).not.toBe(displayAddress("evm", thief));
  });
});
