import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { findPriceDecimals, listWantedFiats } from "@/db/queries/rates/rates";
import { auditEvents, rateReadings } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { parseRate } from "@/lib/domain/rates/price";
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

const set = (change: Partial<Record<"fiat" | "mode" | "markUp" | "fixedRate", string>> = {}) =>
  setPrice(db(), { ...shop, fiat: "EUR", mode: "market", markUp: "", fixedRate: "", ...change }, now);
const list = () => listPrices(db(), RATE_SOURCES, shop.merchantId, now);
const events = async () =>
  (await db().select().from(auditEvents).where(eq(auditEvents.merchantId, shop.merchantId)))
    .filter(({ action }) => action.startsWith("price"))
    .map(({ action, detail }) => ({ action, detail }));

test("a currency is set, changed, and shown with the rates of this moment; who changed it is recorded", async () => {
  expect(await list()).toEqual([]);
  expect(await set({ fiat: " eur " })).toBe(true);
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

test("only what is counted by the market has sources read", async () => {
  await set({ fiat: "SEK", mode: "fixed", fixedRate: "10" });
  await set({ fiat: "NOK" });
  const wanted = await listWantedFiats(db(), new Date(0));
  expect([wanted.includes("NOK"), wanted.includes("SEK")]).toEqual([true, false]);
});

describe("what is wrong is said field by field, and nothing is written", () => {
  test.each<[Parameters<typeof set>[0], string[]]>([
    [{ fiat: "EURO" }, ["fiat"]],
    [{ fiat: "XAU", mode: "x" }, ["fiat", "mode"]],
    [{ mode: "markup", markUp: "" }, ["markUp"]],
    [{ mode: "markup", markUp: "51" }, ["markUp"]],
    [{ mode: "fixed" }, ["fixedRate"]],
    [{ mode: "fixed", fixedRate: "0" }, ["fixedRate"]],
    [{ fixedRate: "a" }, ["fixedRate"]],
  ])("%j", async (change, fields) => {
    expect(await set(change)).toMatchObject({ errors: fields.map((field) => ({ field })) });
    expect(await list()).toEqual([]);
  });
});

test("decimals of amounts are set from 0 to 6, and a change is recorded once", async () => {
  expect(await findPriceDecimals(db(), shop.merchantId)).toBe(2);
  for (const text of ["4", "4"]) expect(await setPriceDecimals(db(), { ...shop, text }, now)).toBe(true);
  expect(await findPriceDecimals(db(), shop.merchantId)).toBe(4);
  for (const text of ["7", "", "-1", "1.5"])
    expect(await setPriceDecimals(db(), { ...shop, text }, now)).toHaveProperty("errors");
  expect(await events()).toEqual([{ action: "price_decimals.changed", detail: { decimals: 4 } }]);
});
