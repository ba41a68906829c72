import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { merchantPrices, merchants, orders, rateReadings } from "@/db/schema";
import { parseRate } from "@/lib/domain/rates/price";
import { MARKET_SETTING, type PriceSetting } from "@/lib/domain/rates/setting";
import { RATE_SOURCES } from "@/lib/domain/rates/sources";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ rateSources: RATE_SOURCES });
const db = () => api.pool.db;
let count = 0;

beforeEach(async () => {
  await db().delete(rateReadings);
  await db().delete(merchantPrices);
  await db().update(merchants).set({ priceDecimals: 2 });
  const address = `0x${String(++count).padStart(40, "0")}`;
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc", address }, new Date());
});

/** Stores the rates that the live sources currently report for a token in a currency. */
async function setRates(fiat: string, rates: Record<string, string>, ageMs = 0, currency = "USDT") {
  const at = new Date(Date.now() - ageMs);
  const rows = Object.entries(rates).map(([source, rate]) => ({
    source,
    asset: currency,
    fiat,
    rate: parseRate(rate) ?? 0n,
    at,
  }));
  await db().delete(rateReadings);
  await db().insert(rateReadings).values(rows);
}
const setPrice = (fiat: string, change: Partial<PriceSetting>) =>
  writeMerchantPrice(db(), { merchantId: api.merchant.id, fiat, ...withoutTime(change) }, new Date());
const withoutTime = ({ mode, markUpBasisPoints, fixedRate }: Partial<PriceSetting>) => ({
  mode: mode ?? MARKET_SETTING.mode,
  markUpBasisPoints: markUpBasisPoints ?? 0,
  fixedRate: fixedRate ?? null,
});

function terms(change: Record<string, unknown> = {}) {
  count += 1;
  return {
    currency: "USDT",
    network: "bsc",
    fiat: "EUR",
    fiat_amount: 19.99,
    mch_order_id: `price-${count}`,
    ...change,
  };
}
const detailOf = async (mch_order_id: string) => (await api.post("/order/detail", { mch_order_id })).body.data ?? {};
const EURO = { coinbase: "0.9214", kraken: "0.9215", coingecko: "0.9216" };

describe("200", () => {
  test("200: 19.99 EUR convert to 21.70 tokens, and the rate is frozen when the market changes", async () => {
    await setRates("EUR", EURO);
    const asked = terms();
    const { status, body } = await api.post("/order/add", asked);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ amount: 21.7, actual_amount: 21.7, currency: "USDT" });
    await setRates("EUR", { coinbase: "5", kraken: "5", coingecko: "5" });
    expect(await detailOf(asked.mch_order_id)).toMatchObject({
      amount: 21.7,
      fiat: "EUR",
      fiat_amount: 19.99,
      rate: "0.9215",
      rate_source: "coinbase, kraken, coingecko",
      rate_at: expect.any(Number),
    });
  });

  test("200: the amount is rounded to the merchant's decimals, never to their loss", async () => {
    await setRates("EUR", EURO);
    await db().update(merchants).set({ priceDecimals: 6 });
    expect((await api.post("/order/add", terms())).body.data).toMatchObject({ amount: 21.692893 });
    await db().update(merchants).set({ priceDecimals: 0 });
    expect((await api.post("/order/add", terms())).body.data).toMatchObject({ amount: 22 });
  });

  test.each([
    ["EUR", '"19.90"', 19.9],
    ["eur", "1e1", 10],
    ["JPY", "150", 150],
    ["KWD", "1.125", 1.125],
  ])("200: a price in %s is read from the text: %s", async (fiat, written, shown) => {
    await setRates(fiat.toUpperCase(), EURO);
    const { mch_order_id, ...rest } = terms({ fiat });
    const text = JSON.stringify({ ...rest, mch_order_id, fiat_amount: 0 }).replace(
      '"fiat_amount":0',
      `"fiat_amount":${written}`,
    );
    expect((await api.post("/order/add", text)).status).toBe(200);
    expect(await detailOf(mch_order_id)).toMatchObject({ fiat: fiat.toUpperCase(), fiat_amount: shown });
  });

  test("200: a mark-up makes the payer pay more; a fixed rate counts without any source", async () => {
    await setRates("EUR", EURO);
    await setPrice("EUR", { mode: "markup", markUpBasisPoints: 150 });
    const marked = terms();
    expect((await api.post("/order/add", marked)).body.data).toMatchObject({ amount: 22.02 });
    expect(await detailOf(marked.mch_order_id)).toMatchObject({ rate: "0.907881773399" });
    await db().delete(rateReadings);
    await setPrice("EUR", { mode: "fixed", fixedRate: parseRate("0.8") });
    const fixed = terms();
    expect((await api.post("/order/add", fixed)).body.data).toMatchObject({ amount: 24.99 });
    expect(await detailOf(fixed.mch_order_id)).toMatchObject({ rate: "0.8", rate_source: "fixed" });
  });

  test("200: a repeat returns the same order after the rate changed, and even without a rate", async () => {
    await setRates("EUR", EURO);
    const asked = terms();
    const first = await api.post("/order/add", asked);
    await setRates("EUR", { coinbase: "0.7", kraken: "0.7" });
    for (const again of [asked, { ...asked, fiat: "eur", fiat_amount: "19.990" }]) {
      const { body, headers } = await api.post("/order/add", again);
      expect(body.data).toEqual(first.body.data);
      expect(headers.get("idempotent-replayed")).toBe("true");
    }
    await db().delete(rateReadings);
    expect((await api.post("/order/add", asked)).body.data).toEqual(first.body.data);
  });

  test("200: an order without a price has none, and its detail does not translator of rates", async () => {
    const asked = terms({ fiat: undefined, fiat_amount: undefined, amount: 12 });
    await api.post("/order/add", asked);
    const detail = await detailOf(asked.mch_order_id);
    expect(Object.keys(detail).filter((key) => /fiat|rate/.test(key))).toEqual([]);
    const [row] = await db().select().from(orders).where(eq(orders.mchOrderId, asked.mch_order_id));
    expect(row?.price).toBeNull();
  });
});

describe("400", () => {
  test.each<[Record<string, unknown>, string[]]>([
    [{ amount: 5 }, ["amount"]],
    [{ fiat: undefined }, ["fiat"]],
    [{ fiat_amount: undefined }, ["amount", "fiat_amount"]],
    [{ fiat_amount: undefined, amount: 5 }, ["fiat_amount"]],
    [{ fiat: undefined, amount: 5 }, ["amount", "fiat"]],
    [{ fiat: "XAU" }, ["fiat"]],
    [{ fiat: "USDT" }, ["fiat"]],
    [{ fiat: 5 }, ["fiat"]],
    [{ fiat_amount: 19.999 }, ["fiat_amount"]],
    [{ fiat: "JPY", fiat_amount: 1.5 }, ["fiat_amount"]],
    [{ fiat_amount: 0 }, ["fiat_amount"]],
    [{ fiat_amount: -1 }, ["fiat_amount"]],
    [{ fiat_amount: [] }, ["fiat_amount"]],
    [{ fiat_amount: "1,5" }, ["fiat_amount"]],
    [{ fiat: undefined, fiat_amount: undefined }, ["amount"]],
  ])("400: an incomplete pair, both ways at once, or an invalid price: %j", async (change, fields) => {
    const { status, body } = await api.post("/order/add", terms(change));
    expect(status).toBe(400);
    expect(body.code).toBe(10001);
    expect(body.errors?.map(({ field }) => field).sort()).toEqual(fields);
  });

  test("400: a price that comes to more than an order may ask for", async () => {
    await setRates("EUR", EURO);
    const { body } = await api.post("/order/add", terms({ fiat_amount: 1_000_000_000 }));
    expect(body).toMatchObject({ code: 10001, errors: [{ field: "fiat_amount" }] });
    expect(body.message).toContain("more than 1000000000 USDT");
  });
});

test.each<[string, Record<string, unknown>]>([
  ["fiat", { fiat: "GBP" }],
  ["fiat_amount", { fiat_amount: 20 }],
  ["amount", { fiat: undefined, fiat_amount: undefined, amount: 21.7 }],
])("409: the same number with another %s", async (field, change) => {
  await setRates("EUR", EURO);
  const asked = terms();
  const made = await api.post("/order/add", asked);
  await setPrice("GBP", { mode: "fixed", fixedRate: parseRate("0.8") });
  const { status, body } = await api.post("/order/add", { ...asked, ...change });
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 10004, errors: [{ field }], data: { trade_id: made.body.data?.["trade_id"] } });
});

describe("503", () => {
  test("503: without a fresh rate there is no guess, and the currency is wanted from then on", async () => {
    await setRates("EUR", EURO, 601_000);
    const { status, body, headers } = await api.post("/order/add", terms());
    expect(status).toBe(503);
    expect(body.code).toBe(10006);
    expect(body.message).toContain("No rate is available for USDT in EUR: no source has a current rate");
    expect(headers.get("retry-after")).toBe("5");
    const [row] = await db().select().from(merchantPrices);
    expect(row).toMatchObject({ merchantId: api.merchant.id, fiat: "EUR", mode: "market", setAt: null });
  });

  test("503: sources that contradict each other are named, and a fixed rate helps", async () => {
    await setRates("EUR", { coinbase: "0.9", kraken: "1.9" });
    expect((await api.post("/order/add", terms())).body.message).toContain("contradict each other (coinbase, kraken)");
    await setPrice("EUR", { fixedRate: parseRate("0.9") });
    expect((await api.post("/order/add", terms())).status).toBe(200);
  });
});
