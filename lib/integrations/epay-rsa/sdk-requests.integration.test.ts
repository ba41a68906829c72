import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { getContext } from "@/app/context";
import { integrationContext } from "@/app/integration-context";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { orders, pluginKeys, plugins } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { parseRate } from "@/lib/domain/rates/price";
import { callOfRequest } from "@/lib/http/api-call";
import { epayRsa } from "@/lib/integrations/epay-rsa/integration";
import { encrypt } from "@/lib/merchants/vault";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { isRsaSigned } from "@/testing/integrations/epay-client";
import recorded from "@/testing/integrations/epay-rsa-requests.json";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

/**
 * The requests that EpayCore (RSA) sent in one run under PHP 8.2 with a key pair for this test. A browser sent the form of pay/submit.
 * They are sent again at the time that their signatures cover.
 */
const { requests, pid, platformKey, secret } = recorded;
const api = useTestApi({ isSandbox: true });

beforeAll(async () => {
  const now = new Date(requests[0]?.at ?? 0);
  const { db } = api.pool;
  const merchantId = api.merchant.id;
  await seedCursor(db, "bsc", now);
  await seedAddress(db, { merchantId, network: "bsc" }, now);
  await seedPlugin(db, { merchantId, integration: "epay-rsa" }, now);
  await db.update(plugins).set({ publicId: pid }).where(eq(plugins.merchantId, merchantId));
  const [key] = await db.select().from(pluginKeys).where(eq(pluginKeys.merchantId, merchantId));
  const keyCipher = encrypt(TEST_APP_SECRET, `plugin_keys:${key?.id}`, secret);
  await db.update(pluginKeys).set({ keyCipher }).where(eq(pluginKeys.merchantId, merchantId));
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db, { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
});

/** Sends a recorded request, and checks that the SDK would accept a successful JSON response. */
async function replay({ at, method, target, body }: (typeof requests)[number]) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = new Request(`https://pay.example.com${target}`, { method, headers, body: body || null });
  const path = target.split("?")[0]?.slice("/epay-rsa/".length) ?? "";
  const now = new Date(at);
  const [route] = epayRsa.routes;
  const call = callOfRequest(request);
  const answer = await route?.answer(integrationContext(getContext()), { call, path, requestId: newId(now), now });
  if (answer?.status === 302) return { location: new Headers(answer.headers).get("location") };
  expect(answer?.status).toBe(200);
  const fields = JSON.parse(String(answer?.body)) as Record<string, unknown>;
  if (fields["code"] === 0) {
    const texts = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      typeof value === "object" ? [] : [[name, String(value)]],
    );
    expect(isRsaSigned(Object.fromEntries(texts), platformKey, now)).toBe(true);
  }
  return fields;
}

test("the requests of the SDK create, query, close and list orders, and a refund is refused", async () => {
  const answers = [];
  for (const request of requests) answers.push(await replay(request));
  const [made, queried, byTradeNo, link, form, refund, refundQuery, shop, closed, listed] = answers;
  const order = { trade_no: made?.["trade_no"], out_trade_no: "SDK-1" };
  expect(made).toMatchObject({ code: 0, pay_type: "jump", pay_info: expect.stringContaining("/pay/") });
  expect(queried).toMatchObject({
    ...order,
    code: 0,
    name: '会员 & "VIP" +1',
    money: "72.00",
    param: "p=1",
    status: 0,
  });
  // The recorded trade_no belongs to an order of the recorded run.
  expect(byTradeNo).toMatchObject({ code: -1 });
  for (const page of [link, form]) expect(page?.["location"]).toMatch(/^https:\/\/pay\.example\.com\/pay\//);
  for (const refused of [refund, refundQuery])
    expect(refused).toMatchObject({ code: -1, msg: expect.stringContaining("own wallet") });
  expect(shop).toMatchObject({ code: 0, pid: Number(pid), status: 1 });
  expect(closed).toMatchObject({ code: 0, ...order });
  expect(listed?.["data"]).toHaveLength(2);
  const rows = await api.pool.db.select({ number: orders.mchOrderId, status: orders.status }).from(orders);
  expect(rows.toSorted((one, two) => one.number.localeCompare(two.number))).toEqual([
    { number: "SDK-1", status: "cancelled" },
    { number: "SDK-2", status: "pending" },
    { number: "SDK-3", status: "pending" },
  ]);
});

test("a recorded request is refused five minutes later", async () => {
  const [first] = requests;
  if (!first) throw new Error("There is no recorded request");
  const late = { ...first, at: first.at + 302_000 };
  expect(await replay(late)).toMatchObject({ code: -3, msg: expect.stringContaining("timestamp") });
});
