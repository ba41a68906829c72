import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { findPriceDecimals, listWantedFiats } from "@/db/queries/rates/rates";
import { auditEvents, rateReadings } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { parseRate } from "@/lib/domain/rates/price";
import { readPriceForm } from "@/lib/domain/rates/price-form";
import { RATE_SOURCES } from "@/lib/domain/rates/sources";
import { listPrices, setPrice, setPriceDecimals } from "@/lib/merchants/prices";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";

const now = new Date("2026-03-01T10:00:00Z");
const testDb = useTestDb();
const db = () => testDb.pool.db;

let shop: { merchantId: string; userId: string };
beforeEach(async () => {
  const owner = { name: "Tea House", email: `${newId(now)}@example.com`, password: "correct horse battery" };
  shop = await createMerchantWithOwner(db(), owner, now);
});

const set = async (change: Parameters<typeof readPriceForm>[0] = {}) => {
  const price = readPriceForm({ fiat: "EUR", mode: "market", markUp: "", fixedRate: "", ...change });
  if ("errors" in price) throw new Error(`The price has errors: ${JSON.stringify(price.errors)}`);
  await setPrice(db(), { ...shop, ...price }, now);
};
const list = () => listPrices(db(), RATE_SOURCES, shop.merchantId, now);
const events = async () =>
  (await db().select().from(auditEvents).where(eq(auditEvents.merchantId, shop.merchantId)))
    .filter(({ action }) => action.startsWith("price"))
    .map(({ action, detail }) => ({ action, detail }));

test("a currency is set, changed, and shown with the current rates; the user is recorded", async () => {
  expect(await list()).toEqual([]);
  await set({ fiat: " eur " });
  expect((await list())[0]).toMatchObject({
    fiat: "EUR",
    mode: "market",
    rates: [{ problem: { code: expect.any(String) } }, {}],
  });
  await db()
    .insert(rateReadings)
    .values({ source: "kraken", asset: "USDT", fiat: "EUR", rate: parseRate("0.92") ?? 0n, at: now });
  await set({ mode: "markup", markUp: "1,5", fixedRate: "0.9" });
  expect(await list()).toMatchObject([
    {
      fiat: "EUR",
      mode: "markup",
      markUpBasisPoints: 150,
      setAt: now,
      rates: [
        { currency: "USDT", rate: "0.906403940886", source: "kraken", at: now },
        { currency: "USDC", rate: "0.9", source: "fixed", at: now },
      ],
    },
  ]);
  expect((await events()).map(({ detail }) => detail)).toEqual([
    { fiat: "EUR", before: null, after: "market" },
    { fiat: "EUR", before: "market", after: "markup 1.5 % 0.9" },
  ]);
});

test("sources are read only for prices in market mode", async () => {
  await set({ fiat: "SEK", mode: "fixed", fixedRate: "10" });
  await set({ fiat: "NOK" });
  const wanted = await listWantedFiats(db(), new Date(0));
  expect([wanted.includes("NOK"), wanted.includes("SEK")]).toEqual([true, false]);
});

test("the decimals of converted amounts are set, and a change is recorded once", async () => {
  expect(await findPriceDecimals(db(), shop.merchantId)).toBe(2);
  for (const decimals of [4, 4]) await setPriceDecimals(db(), { ...shop, decimals }, now);
  expect(await findPriceDecimals(db(), shop.merchantId)).toBe(4);
  expect(await events()).toEqual([{ action: "price_decimals.changed", detail: { decimals: 4 } }]);
});
